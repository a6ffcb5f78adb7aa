// SPDX-License-Identifier: GPL-2.0
#include "stacks/debug_files.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/array.h"
#include "stacks/servers.h"

/* A file without a build id is known by the sum of its bytes, which is not made of larger ones. */
#define MAX_SUMMED (1LL << 30)

int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool has_build_id(int fd, const void *id, size_t size)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *own;
	ssize_t own_size = elf ? dwelf_elf_gnu_build_id(elf, &own) : -1;
	bool same = own_size == (ssize_t)size && !memcmp(own, id, size);

	elf_end(elf);
	return same;
}

/* The sum of .gnu_debuglink is that of zlib (objcopy(1), --add-gnu-debuglink). */
static bool has_sum(int fd, uint32_t wanted)
{
	unsigned char bytes[1 << 16];
	uLong sum = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t nr;

	while ((nr = pread(fd, bytes, sizeof(bytes), at)) > 0 && at < MAX_SUMMED) {
		sum = crc32(sum, bytes, (uInt)nr);
		at += nr;
	}
	return !nr && sum == wanted;
}

/* What shows that a file is the one that is looked for: a build id, or without one a sum. */
struct proof {
	const void *id;
	ssize_t id_size;
	uint32_t crc; /* 0: there is none. */
};

/* Opens a file, if it is the one that is looked for. Returns its descriptor, or -1. */
static int try_path(const char *name, const struct proof *proof, char **path)
{
	int fd = open_regular(name);
	bool right;

	if (fd < 0)
		return -1;
	if (proof->id_size > 0)
		right = has_build_id(fd, proof->id, (size_t)proof->id_size);
	else
		right = proof->crc && has_sum(fd, proof->crc);
	if (right)
		*path = strdup(name);
	if (right && *path)
		return fd;
	close(fd);
	return -1;
}

/* Looks for the file of a link, or without one of the object's own name and .debug, as gdb does. */
static int find_linked(const char *object, const char *link, const struct proof *proof, char **path)
{
	static const char *const formats[] = { "%.*s/%s%s", "%.*s/.debug/%s%s",
					       "/usr/lib/debug%.*s/%s%s" };
	const char *slash = strrchr(object, '/');
	char name[2 * PATH_MAX];
	int fd = -1;

	for (size_t i = 0; slash && fd < 0 && i < ARRAY_SIZE(formats); i++) {
		snprintf(name, sizeof(name), formats[i], (int)(slash - object), object,
			 link ? link : slash + 1, link ? "" : ".debug");
		fd = try_path(name, proof, path);
	}
	return fd;
}

int debug_file_find(Dwfl_Module *module, const char *object, const char *link, uint32_t crc,
		    char **path)
{
	struct proof proof = { .crc = crc };
	const unsigned char *id;
	GElf_Addr address;
	int fd;

	/* It may be stored by its build id. */
	fd = dwfl_build_id_find_debuginfo(module, NULL, NULL, 0, NULL, NULL, 0, path);
	if (fd >= 0)
		return fd;
	proof.id_size = dwfl_module_build_id(module, &id, &address);
	proof.id = id;
	fd = find_linked(object, link, &proof, path);
	/* Without names, libdwfl's own search goes to the servers at once. */
	if (fd < 0 && servers_wanted())
		fd = dwfl_standard_find_debuginfo(module, NULL, NULL, 0, NULL, NULL, 0, path);
	if (fd < 0)
		errno = 0; /* libdwfl would take it for the reason. */
	return fd;
}

bool debug_file_may_share(Dwarf *dwarf, const char *object)
{
	const char *name, *slash = strrchr(object, '/');
	char path[2 * PATH_MAX];
	struct stat st;
	const void *id;

	if (dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) <= 0)
		return true;
	if (*name == '/' || !slash)
		snprintf(path, sizeof(path), "%s", name);
	else
		snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - object), object, name);
	return stat(path, &st) || S_ISREG(st.st_mode);
}

/* May a file be opened by its path? One that does not exist does no harm. */
static bool may_open(const char *directory, const char *name)
{
	char path[2 * PATH_MAX];
	struct stat st;

	if (*name == '/')
		snprintf(path, sizeof(path), "%s", name);
	else
		snprintf(path, sizeof(path), "%s/%s", directory, name);
	return stat(path, &st) || S_ISREG(st.st_mode);
}

static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute value;

	return dwarf_formstring(dwarf_attr(die, attribute, &value));
}

/* May all files be opened that libdw takes for the rest of a unit of the file at a path? */
static bool may_look_beside(const char *file, Dwarf_Die *unit)
{
	const char *name = text_of(unit, DW_AT_dwo_name), *compiled_in;
	char path[PATH_MAX], package[PATH_MAX + 4], directory[2 * PATH_MAX];
	char *slash;

	if (!name)
		name = text_of(unit, DW_AT_GNU_dwo_name);
	if (!name || !realpath(file, path))
		return false;
	snprintf(package, sizeof(package), "%s.dwp", path);
	slash = strrchr(path, '/');
	slash[slash == path] = 0;
	compiled_in = text_of(unit, DW_AT_comp_dir);
	if (!compiled_in)
		compiled_in = path;
	snprintf(directory, sizeof(directory), "%s%s%s", *compiled_in == '/' ? "" : path,
		 *compiled_in == '/' ? "" : "/", compiled_in);
	return may_open("", package) && may_open(path, name) && may_open(directory, name);
}

bool debug_file_may_split(Dwfl_Module *module, int fd, Dwarf_Die *unit)
{
	const char *debug_file = NULL;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, &debug_file);
	return may_look_beside(debug_file ? debug_file : path, unit);
}
