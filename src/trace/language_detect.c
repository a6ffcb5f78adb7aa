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

#include "base/array.h"
#include "base/proc.h"
#include "base/text.h"
#include "model/files.h"

/* So many programs before are asked first whether they have the same executable. */
#define NR_REMEMBERED 16

struct elf_facts {
	enum language compiled; /* By its own sections. NR_LANGUAGES: they do not say. */
	enum language marked;	/* By a runtime's text in it. */
	unsigned nr_marks;
	enum language interpreter; /* Of a library that it needs. NR_LANGUAGES: none. */
	enum logger logger;
	bool stdio; /* It names functions of stdio. */
};

/* Text that a section has in every program of a language: its compiler's or its runtime's. */
static const struct {
	const char *section, *text;
	enum language language;
} marks[] = {
	/* Settings of the runtimes (caml_parse_ocamlrunparam(), hs_main()). */
	{ ".rodata", "OCAMLRUNPARAM", LANGUAGE_OCAML },
	{ ".rodata", "GHCRTS", LANGUAGE_UNKNOWN },
	{ ".data", "FPC ", LANGUAGE_UNKNOWN }, /* Free Pascal's version. */
};

/* Sections that only programs of a language have. */
static const struct {
	const char *section;
	enum language language;
} sections[] = {
	{ ".go.buildinfo", LANGUAGE_GO },
	{ ".note.go.buildid", LANGUAGE_GO },
};

static bool contains(Elf_Scn *section, const char *text)
{
	Elf_Data *data = elf_getdata(section, NULL);

	return data && data->d_buf && memmem(data->d_buf, data->d_size, text, strlen(text));
}

/* Does a table of strings have the name of a function of stdio, or a part of it? */
static bool names_stdio(Elf_Scn *strings)
{
	static const char *const names[] = { "printf", "fwrite", "fput", "putc",  "puts",
					     "fread",  "fget",	 "getc", "fopen", "getline" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (contains(strings, names[i]))
			return true;
	return false;
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

/* Reads the libraries that it needs: C++'s, or else an interpreter's. */
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
		l = language_of_interpreter(name);
		if (l != NR_LANGUAGES)
			facts->interpreter = l;
	}
}

/*
 * Reads what a section's name or its text says. A program with the texts of two runtimes only tells
 * others apart by them, as this one does.
 */
static void read_marks(Elf_Scn *section, const char *name, struct elf_facts *facts)
{
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (!strcmp(name, sections[i].section))
			facts->compiled = sections[i].language;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (strcmp(name, marks[i].section) != 0 || !contains(section, marks[i].text))
			continue;
		facts->marked = marks[i].language;
		facts->nr_marks++;
	}
	if (strcmp(name, ".rodata") != 0)
		return;
	if (names_rust_sources(section))
		facts->compiled = LANGUAGE_RUST;
	for (size_t i = LOGGER_NONE + 1; i < NR_LOGGERS; i++)
		if (loggers[i].type && contains(section, loggers[i].type))
			facts->logger = (enum logger)i;
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
	else if (!strcmp(name, ".comment") && contains(section, "rustc version"))
		facts->compiled = LANGUAGE_RUST;
	else if (!strcmp(name, ".dynstr") || !strcmp(name, ".strtab"))
		facts->stdio |= names_stdio(section);
	else
		read_marks(section, name, facts);
}

static enum language language_of_elf(Elf *elf, enum logger *logger)
{
	struct elf_facts facts = { .compiled = NR_LANGUAGES, .interpreter = NR_LANGUAGES };
	Elf_Scn *section = NULL;
	size_t names;

	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names))
		return LANGUAGE_UNKNOWN;
	while ((section = elf_nextscn(elf, section)))
		read_section(elf, section, names, &facts);
	if (facts.interpreter == LANGUAGE_CPP)
		*logger = facts.logger;
	if (facts.compiled != NR_LANGUAGES)
		return facts.compiled;
	if (facts.nr_marks == 1)
		return facts.marked;
	if (facts.interpreter != NR_LANGUAGES)
		return facts.interpreter;
	return facts.stdio ? LANGUAGE_C : LANGUAGE_UNKNOWN;
}

enum language language_of_executable(const char *path, const char *comm, enum logger *logger)
{
	const char *name = base_name(path);
	enum language l;
	struct stat st;
	Elf *elf;
	int fd;

	*logger = LOGGER_NONE;
	/* One executable with many programs in it, which its name tells apart. */
	if (!strcmp(name, "busybox")) {
		l = language_of_interpreter(comm);
		return l == NR_LANGUAGES ? LANGUAGE_UNKNOWN : l;
	}
	l = language_of_interpreter(name);
	if (l != NR_LANGUAGES)
		return l;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return LANGUAGE_UNKNOWN;
	elf_version(EV_CURRENT);
	elf = !fstat(fd, &st) && S_ISREG(st.st_mode) ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	l = language_of_elf(elf, logger);
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
static void detect_language(const struct profile *p, struct program_stats *program)
{
	size_t index = (size_t)(program - p->programs);
	char *exe;

	if (!program->exe) {
		exe = find_running(program);
		if (exe)
			program->language =
				language_of_executable(exe, program->comm, &program->logger);
		free(exe);
		return;
	}
	for (size_t k = 1; k <= NR_REMEMBERED && k <= index; k++) {
		const struct program_stats *before = program - k;

		if (before->exe && !strcmp(before->exe, program->exe) &&
		    !strcmp(before->comm, program->comm)) {
			program->language = before->language;
			program->logger = before->logger;
			return;
		}
	}
	program->language = language_of_executable(program->exe, program->comm, &program->logger);
}

/* A program that opens the file of a logger uses it, such as Java, or a dynamic linker. */
static void detect_loggers(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_files; i++) {
		const struct file_stats *f = &p->files[i];
		enum logger logger =
			f->kind == FILE_KIND_REGULAR ? logger_of_path(f->path) : LOGGER_NONE;

		for (size_t k = 0; logger && k < f->nr_users; k++) {
			struct program_stats *program = profile_program_of_user(p, &f->users[k]);

			if (program)
				program->logger = logger;
		}
	}
}

void detect_languages(struct profile *p)
{
	for (size_t i = 0; i < p->nr_programs; i++)
		detect_language(p, &p->programs[i]);
	detect_loggers(p);
}
