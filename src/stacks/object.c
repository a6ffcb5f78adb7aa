// SPDX-License-Identifier: GPL-2.0
#include "stacks/object.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/descriptor.h"
#include "stacks/debug_files.h"
#include "stacks/go_lines.h"
#include "stacks/servers.h"

/*
 * Where the layouts begin. No process has an address there, so that one which is in no file is
 * never taken for one that is. 32-bit addresses leave no such room: whoever executes code outside
 * all files there may be told a wrong name.
 */
#define FIRST_BASE    0x1000000000000000ULL
#define FIRST_BASE_32 0x10000000ULL
#define END_32	      0xf0000000ULL
#define BASE_STEP     0x200000ULL

/* More files than any run has; beyond them, code has no names. */
#define MAX_OBJECTS 4096

/* No linker makes so many, but libdw looks through all of a hostile file's at each frame. */
#define MAX_SECTIONS 4096

/* A file that one process cannot show any more, another one may. */
#define MAX_TRIES 4

struct objects {
	struct object **list;
	size_t nr;
	bool (*symbols_suffice)(const char *path);
	Dwfl *dwfl[NR_MACHINES];
	uint64_t next_base[NR_MACHINES];
};

static char *const debuginfo_path = NULL; /* The default of elfutils. */

/* Gives libdwfl the file of a module, which is ours to open: its path may be another's by now. */
static int find_elf(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
		    char **path, Elf **elf)
{
	const struct object *o = *user_data;

	(void)module;
	(void)name;
	(void)base;
	(void)elf;
	*path = strdup(o->path);
	return fcntl(o->fd, F_DUPFD_CLOEXEC, 0);
}

static int find_debuginfo(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **path)
{
	const struct object *o = *user_data;

	(void)name;
	(void)base;
	(void)file;
	return o->symbols_suffice ? -1 : debug_file_find(module, o->path, link, crc, path);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_debuginfo,
	.debuginfo_path = (char **)&debuginfo_path,
};

struct objects *objects__new(bool (*symbols_suffice)(const char *path))
{
	struct objects *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->symbols_suffice = symbols_suffice;
	elf_version(EV_CURRENT);
	for (int m = 0; m < NR_MACHINES; m++)
		o->next_base[m] = m == MACHINE_X86_64 ? FIRST_BASE : FIRST_BASE_32;
	return o;
}

static void free_object(struct object *o)
{
	close_fd(&o->fd);
	go_lines__free(o->go);
	free(o->segments);
	free(o->path);
	free(o);
}

void objects__free(struct objects *o)
{
	if (!o)
		return;
	for (int m = 0; m < NR_MACHINES; m++)
		if (o->dwfl[m])
			dwfl_end(o->dwfl[m]);
	for (size_t i = 0; i < o->nr; i++)
		free_object(o->list[i]);
	free(o->list);
	free(o);
}

/* ---- reading the file ---- */

/* Which machine is it for? NR_MACHINES: for another, or libdw would take too long to read it. */
static enum machine machine_of(Elf *elf)
{
	GElf_Ehdr header;
	size_t nr;

	if (!gelf_getehdr(elf, &header) || elf_getshdrnum(elf, &nr) || nr > MAX_SECTIONS)
		return NR_MACHINES;
	if (header.e_machine == EM_386)
		return MACHINE_X86_32;
	if (header.e_machine != EM_X86_64)
		return NR_MACHINES;
	return gelf_getclass(elf) == ELFCLASS32 ? MACHINE_X32 : MACHINE_X86_64;
}

/* Notes what a segment of the file takes, as libdwfl has it. */
static void cover(struct object *o, const GElf_Phdr *header, bool first)
{
	uint64_t align = header->p_align ? header->p_align : 1;
	uint64_t end = header->p_vaddr + header->p_memsz;

	if (first)
		o->start = header->p_vaddr & -align;
	if (end > o->end)
		o->end = end;
}

/* Copies the segments that have code. Returns 0 or -ENOMEM. */
static int read_segments(struct object *o, Elf *elf)
{
	bool first = true;
	size_t nr = 0;

	if (elf_getphdrnum(elf, &nr))
		return 0;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr header;
		struct segment *s;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		cover(o, &header, first);
		first = false;
		if (!(header.p_flags & PF_X))
			continue;
		s = array_append(&o->segments, &o->nr_segments, sizeof(*s));
		if (!s)
			return -ENOMEM;
		*s = (struct segment){ header.p_offset, header.p_filesz, header.p_vaddr };
	}
	return 0;
}

static void read_build_id(struct object_id *id, Elf *elf)
{
	const void *bytes;
	ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);

	id->build_id_size = 0;
	if (size <= 0 || size > BUILD_ID_SIZE)
		return;
	memcpy(id->build_id, bytes, (size_t)size);
	id->build_id_size = (size_t)size;
}

static bool same_build_id(const struct object_id *a, const struct object_id *b)
{
	return a->build_id_size && a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size);
}

/* Is what was opened the file that was mapped? Fills in what is not known of it. */
static bool is_same_file(struct object_id *wanted, const struct object_id *opened)
{
	if (wanted->build_id_size)
		return same_build_id(wanted, opened);
	if (wanted->ino && opened->ino && wanted->ino != opened->ino)
		return false;
	memcpy(wanted->build_id, opened->build_id, sizeof(wanted->build_id));
	wanted->build_id_size = opened->build_id_size;
	return true;
}

/* Reads a file that may be the object's. Returns whether it is. The object takes over fd then. */
static bool try_file(struct object *o, int fd)
{
	struct object_id opened = { .build_id_size = 0 };
	struct stat st;
	Elf *elf;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	opened.ino = st.st_ino;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf)
		return false;
	if (elf_kind(elf) == ELF_K_ELF)
		o->machine = machine_of(elf);
	if (o->machine != NR_MACHINES)
		read_build_id(&opened, elf);
	o->opened = o->machine != NR_MACHINES && is_same_file(&o->id, &opened) &&
		    !read_segments(o, elf);
	elf_end(elf);
	if (o->opened) {
		o->fd = fd;
		o->changed = st.st_mtim;
	}
	return o->opened;
}

const struct object *objects__lacking_split(const struct objects *all)
{
	for (size_t i = 0; i < all->nr; i++)
		if (all->list[i]->lacks_split)
			return all->list[i];
	return NULL;
}

bool object_is_unchanged(const struct object *o)
{
	struct stat st;

	return !fstat(o->fd, &st) && st.st_mtim.tv_sec == o->changed.tv_sec &&
	       st.st_mtim.tv_nsec == o->changed.tv_nsec;
}

static bool try_path(struct object *o, const char *path)
{
	int fd = open_regular(path);

	if (fd < 0)
		return false;
	if (try_file(o, fd))
		return true;
	close(fd);
	return false;
}

/* The vDSO is in no file. That of our own process is the same as every 64-bit process's. */
static bool try_own_vdso(struct object *o)
{
	const void *image = (const void *)getauxval(AT_SYSINFO_EHDR);
	size_t size = 2 * (size_t)sysconf(_SC_PAGESIZE);
	int fd = image ? memfd_create("vdso", MFD_CLOEXEC) : -1;

	if (fd < 0)
		return false;
	if (write(fd, image, size) == (ssize_t)size && try_file(o, fd))
		return true;
	close(fd);
	return false;
}

/* Opens the file of an object, as its process sees it, or as we do. */
static void open_file(struct object *o, pid_t pid, uint64_t start, uint64_t end)
{
	char path[64 + 4096];

	if (!strcmp(o->path, VDSO)) {
		try_own_vdso(o);
		return;
	}
	if (o->path[0] == '/') {
		snprintf(path, sizeof(path), "/proc/%d/root%s", pid, o->path);
		if (try_path(o, path) || try_path(o, o->path))
			return;
	}
	/* A file that has lost its name, or never had one (memfd). */
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, start, end);
	if (try_path(o, path))
		return;
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	try_path(o, path);
}

/* ---- the layout ---- */

/* Gives the object its place. Without one it cannot be used. */
static void place(struct objects *all, struct object *o)
{
	uint64_t size = (o->end + 2 * BASE_STEP) / BASE_STEP * BASE_STEP;
	uint64_t *next = &all->next_base[o->machine];

	/* An executable's own addresses are as high as the linker has set them. */
	if (o->machine == MACHINE_X86_64 ? size > 1ULL << 56 : *next + size > END_32) {
		o->opened = false;
		return;
	}
	o->base = *next;
	*next += size;
}

static struct object *find(const struct objects *all, const struct object_id *id, const char *path)
{
	for (size_t i = 0; i < all->nr; i++) {
		struct object *o = all->list[i];

		if (id->build_id_size ? same_build_id(&o->id, id)
				      : o->id.ino == id->ino && !strcmp(o->path, path))
			return o;
	}
	return NULL;
}

struct object *objects__get(struct objects *all, const struct object_id *id, const char *path)
{
	struct object *o = find(all, id, path), **added;

	if (o || all->nr >= MAX_OBJECTS)
		return o;
	o = calloc(1, sizeof(*o));
	if (!o)
		return NULL;
	o->id = *id;
	o->fd = -1;
	o->machine = NR_MACHINES;
	o->symbols_suffice = all->symbols_suffice && all->symbols_suffice(path);
	o->path = strdup(path);
	added = o->path ? array_append(&all->list, &all->nr, sizeof(*added)) : NULL;
	if (!added) {
		free_object(o);
		return NULL;
	}
	*added = o;
	return o;
}

/* Is the opened file another object already, which the kernel has told the build id of? */
static struct object *find_same(const struct objects *all, const struct object *o)
{
	for (size_t i = 0; i < all->nr; i++)
		if (all->list[i] != o && all->list[i]->opened &&
		    same_build_id(&all->list[i]->id, &o->id))
			return all->list[i];
	return NULL;
}

/* Gives an object that has been tried to open its place, unless it is another one's file. */
static void settle(struct objects *all, struct object *o)
{
	if (!o->opened)
		return;
	o->same = find_same(all, o);
	if (!o->same) {
		place(all, o);
		return;
	}
	close_fd(&o->fd);
	o->opened = false;
}

static void open_object(struct objects *all, struct object *o, pid_t pid, uint64_t start,
			uint64_t end)
{
	o->tries++;
	open_file(o, pid, start, end);
	settle(all, o);
}

/* Opens the object's debug information instead of the file, if it is stored by its build id. */
static void try_stored(struct object *o)
{
	Dwfl *dwfl = o->id.build_id_size ? dwfl_begin(&callbacks) : NULL;
	void *user_data = o;
	Dwfl_Module *module;
	char *path = NULL;
	int fd = -1;

	if (!dwfl)
		return;
	dwfl_report_begin(dwfl);
	module = dwfl_report_module(dwfl, o->path, 0, 1);
	if (module && !dwfl_module_report_build_id(module, o->id.build_id, o->id.build_id_size, 0))
		fd = find_debuginfo(module, &user_data, o->path, 0, NULL, NULL, 0, &path);
	if (fd >= 0 && !try_file(o, fd))
		close(fd);
	dwfl_report_end(dwfl, NULL, NULL);
	dwfl_end(dwfl);
	free(path);
}

struct object *objects__find(struct objects *all, const struct object_id *id, const char *path)
{
	struct object *o = objects__get(all, id, path);

	if (!o)
		return NULL;
	if (!o->tries && !o->same) {
		o->tries = MAX_TRIES;
		if (*path != '/' || !try_path(o, path))
			try_stored(o);
		settle(all, o);
	}
	o = o->same ? o->same : o;
	return o->opened ? o : NULL;
}

uint64_t objects__address(struct objects *all, struct object *o, uint64_t offset, pid_t pid,
			  uint64_t start, uint64_t end)
{
	if (!o->opened && !o->same && o->tries < MAX_TRIES)
		open_object(all, o, pid, start, end);
	if (o->same)
		o = o->same;
	for (size_t i = 0; o->opened && i < o->nr_segments; i++) {
		const struct segment *s = &o->segments[i];

		if (offset - s->offset < s->size)
			return o->base + s->address + (offset - s->offset);
	}
	return 0;
}

const struct object *objects__at(const struct objects *all, enum machine machine, uint64_t address)
{
	for (size_t i = 0; i < all->nr; i++) {
		const struct object *o = all->list[i];

		if (!o->opened || o->machine != machine)
			continue;
		for (size_t s = 0; s < o->nr_segments; s++)
			if (address - o->base - o->segments[s].address < o->segments[s].size)
				return o;
	}
	return NULL;
}

Dwfl_Module *objects__module(struct objects *all, struct object *o)
{
	Dwfl **dwfl = &all->dwfl[o->machine];
	void **user_data;

	if (o->module || !o->opened)
		return o->module;
	if (!*dwfl) {
		*dwfl = dwfl_begin(&callbacks);
		if (*dwfl && servers_wanted())
			servers_limit(*dwfl);
	}
	if (!*dwfl)
		return NULL;
	/*
	 * dwfl_report_elf() would leave executables with addresses of their own where they are. By
	 * its range alone a module is wherever we put it (open_elf() in libdwfl).
	 */
	dwfl_report_begin_add(*dwfl);
	o->module = dwfl_report_module(*dwfl, o->path, o->base + o->start, o->base + o->end);
	if (o->module)
		dwfl_module_info(o->module, &user_data, NULL, NULL, NULL, NULL, NULL, NULL);
	if (o->module)
		*user_data = o;
	else
		o->opened = false;
	dwfl_report_end(*dwfl, NULL, NULL);
	return o->module;
}

const struct go_lines *object_go(struct object *o)
{
	GElf_Addr bias;
	Elf *elf;

	if (o->looked_for_go || !o->module)
		return o->go;
	o->looked_for_go = true;
	elf = dwfl_module_getelf(o->module, &bias);
	o->go = elf ? go_lines__open(elf) : NULL;
	return o->go;
}

Dwfl *objects__dwfl(const struct objects *all, enum machine machine)
{
	return all->dwfl[machine];
}

const struct object *object_itself(const struct object *o)
{
	return o->same ? o->same : o;
}

/* Finds a symbol in a table of them. Returns its value; 0: it is not there. */
static uint64_t find_symbol(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name,
			    uint64_t *size)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Sym symbol;

	for (size_t i = 0; data && i < nr && gelf_getsym(data, (int)i, &symbol); i++) {
		const char *text = elf_strptr(elf, header->sh_link, symbol.st_name);

		if (!text || strcmp(text, name) != 0 || symbol.st_shndx == SHN_UNDEF)
			continue;
		*size = symbol.st_size;
		return symbol.st_value;
	}
	return 0;
}

uint64_t object_symbol(const struct object *o, const char *name, uint64_t *size)
{
	Elf *elf = o->opened ? elf_begin(o->fd, ELF_C_READ_MMAP, NULL) : NULL;
	Elf_Scn *section = NULL;
	uint64_t value = 0;
	GElf_Shdr header;

	*size = 0;
	while (!value && elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB))
			value = find_symbol(elf, section, &header, name, size);
	elf_end(elf);
	return value;
}
