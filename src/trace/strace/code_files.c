// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/code_files.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

#define MAX_BUILD_ID 20

struct segment {
	uint64_t offset, size, address;
};

struct strace_code_file {
	char *path;
	char build_id[2 * MAX_BUILD_ID + 1];
	struct segment *segments; /* Those with code. */
	size_t nr;
};

struct strace_code_files {
	struct strace_code_file **list;
	size_t nr;
};

struct strace_code_files *strace_code_files__new(void)
{
	return calloc(1, sizeof(struct strace_code_files));
}

static void free_file(struct strace_code_file *file)
{
	if (file)
		free(file->segments);
	if (file)
		free(file->path);
	free(file);
}

void strace_code_files__free(struct strace_code_files *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nr; i++)
		free_file(f->list[i]);
	free(f->list);
	free(f);
}

/* ---- reading ---- */

/* Looks for the build id among the notes of a segment. */
static void read_notes(struct strace_code_file *file, Elf *elf, const GElf_Phdr *header)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)header->p_offset, header->p_filesz,
					      header->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	size_t at = 0, name, description;
	GElf_Nhdr note;

	while (data && (at = gelf_getnote(data, at, &note, &name, &description))) {
		const unsigned char *bytes = (const unsigned char *)data->d_buf + description;

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
		    memcmp((const char *)data->d_buf + name, "GNU", sizeof("GNU")) != 0 ||
		    note.n_descsz > MAX_BUILD_ID)
			continue;
		for (size_t i = 0; i < note.n_descsz; i++)
			sprintf(file->build_id + 2 * i, "%02x", bytes[i]);
		return;
	}
}

static int read_segments(struct strace_code_file *file, Elf *elf)
{
	size_t nr = 0;

	if (elf_getphdrnum(elf, &nr))
		return 0;
	for (size_t i = 0; i < nr; i++) {
		struct segment *s;
		GElf_Phdr h;

		if (!gelf_getphdr(elf, (int)i, &h))
			continue;
		if (h.p_type == PT_NOTE && !file->build_id[0])
			read_notes(file, elf, &h);
		if (h.p_type != PT_LOAD || !(h.p_flags & PF_X))
			continue;
		s = array_append(&file->segments, &file->nr, sizeof(*s));
		if (!s)
			return -ENOMEM;
		*s = (struct segment){ h.p_offset, h.p_filesz, h.p_vaddr };
	}
	return 0;
}

static int open_file(const char *path, pid_t tid)
{
	const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	char seen[64 + PATH_MAX];
	int fd;

	snprintf(seen, sizeof(seen), "/proc/%d/root%s", tid, path);
	fd = open(seen, flags);
	return fd >= 0 ? fd : open(path, flags);
}

/* Reads what is known of a file. What is no ELF file has neither segments nor a build id. */
static int read_file(struct strace_code_file *file, pid_t tid)
{
	int fd = *file->path == '/' ? open_file(file->path, tid) : -1, err = 0;
	struct stat st;
	Elf *elf;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		elf_version(EV_CURRENT);
		elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
		err = elf ? read_segments(file, elf) : 0;
		elf_end(elf);
	}
	close(fd);
	return err;
}

const struct strace_code_file *strace_code_files__get(struct strace_code_files *f, const char *path,
						      pid_t tid)
{
	struct strace_code_file *file, **added;

	for (size_t i = 0; i < f->nr; i++)
		if (!strcmp(f->list[i]->path, path))
			return f->list[i];
	file = calloc(1, sizeof(*file));
	if (file)
		file->path = strdup(path);
	added = file && file->path && !read_file(file, tid)
			? array_append(&f->list, &f->nr, sizeof(*added))
			: NULL;
	if (!added) {
		free_file(file);
		return NULL;
	}
	return *added = file;
}

uint64_t strace_code_file_address(const struct strace_code_file *file, uint64_t offset)
{
	for (size_t i = 0; i < file->nr; i++)
		if (offset - file->segments[i].offset < file->segments[i].size)
			return file->segments[i].address + (offset - file->segments[i].offset);
	return offset;
}

const char *strace_code_file_build_id(const struct strace_code_file *file)
{
	return file->build_id[0] ? file->build_id : NULL;
}
