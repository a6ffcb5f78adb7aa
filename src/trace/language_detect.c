// SPDX-License-Identifier: GPL-2.0
#include "trace/language_detect.h"

#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc.h"

/* So many programs before are asked first whether they have the same executable. */
#define NR_REMEMBERED 16

struct elf_facts {
	bool go, rust, needs_libc;
	/* The language of a library that it needs. NR_LANGUAGES: none. */
	enum language interpreter;
};

static bool contains(Elf_Scn *section, const char *text)
{
	Elf_Data *data = elf_getdata(section, NULL);

	return data && data->d_buf && memmem(data->d_buf, data->d_size, text, strlen(text));
}

/*
 * Does a section name the sources of Rust's standard library? Its panics do so in every Rust
 * program, also a stripped one: under "/rustc/" and the commit's hash, or "rustc-1.63.0" as
 * distributions build it.
 */
static bool names_rust_sources(Elf_Scn *section)
{
	static const char start[] = "/rustc";
	Elf_Data *data = elf_getdata(section, NULL);
	const char *at = data ? data->d_buf : NULL, *end = at ? at + data->d_size : NULL;

	while (at && (at = memmem(at, (size_t)(end - at), start, strlen(start)))) {
		at += strlen(start);
		if (end - at > 2 && ((at[0] == '/' && isxdigit((unsigned char)at[1]) &&
				      isxdigit((unsigned char)at[2])) ||
				     (at[0] == '-' && isdigit((unsigned char)at[1]))))
			return true;
	}
	return false;
}

/* Reads the libraries that it needs. */
static void read_dynamic(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			 struct elf_facts *facts)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < nr; i++) {
		enum language l;
		const char *name;
		GElf_Dyn entry;

		if (!gelf_getdyn(data, (int)i, &entry) || entry.d_tag != DT_NEEDED)
			continue;
		name = elf_strptr(elf, header->sh_link, entry.d_un.d_val);
		if (!name)
			continue;
		facts->needs_libc |= !strncmp(name, "libc.", 5);
		l = language_of_interpreter(name);
		if (l != NR_LANGUAGES)
			facts->interpreter = l;
	}
}

static void read_section(Elf *elf, Elf_Scn *section, size_t names, struct elf_facts *facts)
{
	GElf_Shdr header;
	const char *name;

	if (!gelf_getshdr(section, &header))
		return;
	name = elf_strptr(elf, names, header.sh_name);
	if (!name)
		return;
	if (header.sh_type == SHT_DYNAMIC)
		read_dynamic(elf, section, &header, facts);
	else if (!strcmp(name, ".go.buildinfo") || !strcmp(name, ".note.go.buildid"))
		facts->go = true;
	else if (!strcmp(name, ".comment"))
		facts->rust |= contains(section, "rustc version");
	else if (!strcmp(name, ".rodata"))
		facts->rust |= names_rust_sources(section);
}

static enum language language_of_elf(Elf *elf)
{
	struct elf_facts facts = { .interpreter = NR_LANGUAGES };
	Elf_Scn *section = NULL;
	size_t names;

	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names))
		return LANGUAGE_UNKNOWN;
	while ((section = elf_nextscn(elf, section)))
		read_section(elf, section, names, &facts);
	if (facts.go)
		return LANGUAGE_GO;
	if (facts.rust)
		return LANGUAGE_RUST;
	if (facts.interpreter != NR_LANGUAGES)
		return facts.interpreter;
	return facts.needs_libc ? LANGUAGE_C : LANGUAGE_UNKNOWN;
}

enum language language_of_executable(const char *path)
{
	const char *name = strrchr(path, '/');
	enum language l = language_of_interpreter(name ? name + 1 : path);
	struct stat st;
	Elf *elf;
	int fd;

	if (l != NR_LANGUAGES)
		return l;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return LANGUAGE_UNKNOWN;
	elf_version(EV_CURRENT);
	elf = !fstat(fd, &st) && S_ISREG(st.st_mode) ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	l = language_of_elf(elf);
	elf_end(elf);
	close(fd);
	return l;
}

/*
 * The executable of a process that is still running under this name, to be freed. NULL if it is
 * not, or must not be looked at.
 */
static char *find_running(const struct program_stats *program)
{
	char comm[32];

	if (program->pid <= 0)
		return NULL;
	name_of(program->pid, comm, sizeof(comm));
	return strcmp(comm, program->comm) ? NULL : executable_of(program->pid);
}

/* Programs of one executable mostly follow each other. */
static enum language find_language(const struct profile *p, size_t i)
{
	const struct program_stats *program = &p->programs[i], *before = i ? program - 1 : NULL;
	enum language l;
	char *exe;

	if (!program->exe) {
		exe = find_running(program);
		l = exe ? language_of_executable(exe) : LANGUAGE_UNKNOWN;
		free(exe);
		return l;
	}
	for (size_t k = 0; before && k < NR_REMEMBERED && before >= p->programs; k++, before--)
		if (before->exe && !strcmp(before->exe, program->exe))
			return before->language;
	return language_of_executable(program->exe);
}

void detect_languages(struct profile *p)
{
	for (size_t i = 0; i < p->nr_programs; i++)
		p->programs[i].language = find_language(p, i);
}
