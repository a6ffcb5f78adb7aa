// SPDX-License-Identifier: GPL-2.0
#include "trace/target.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "base/text.h"

/* The kernel reads this much of a file (BINPRM_BUF_SIZE), and follows this many interpreters. */
#define HEAD_SIZE 256
#define MAX_DEPTH 5

struct interpreter {
	char path[PATH_MAX];
	const char *what; /* "interpreter" or "loader" */
};

/* Reads the interpreter of a script, as load_script() in fs/binfmt_script.c does. */
static bool read_script(struct interpreter *i, int fd)
{
	char head[HEAD_SIZE + 1] = "";
	ssize_t len = pread(fd, head, HEAD_SIZE, 0);
	const char *name = head + 2;

	if (len < 2 || memcmp(head, "#!", 2) != 0)
		return false;
	name += strspn(name, " \t");
	i->what = "interpreter";
	snprintf(i->path, sizeof(i->path), "%.*s", (int)strcspn(name, " \t\n"), name);
	return i->path[0];
}

static bool read_loader_path(struct interpreter *i, int fd, const GElf_Phdr *header)
{
	size_t size = header->p_filesz;
	ssize_t len;

	if (header->p_type != PT_INTERP || !size || size > sizeof(i->path))
		return false;
	len = pread(fd, i->path, size, (off_t)header->p_offset);
	i->what = "loader";
	return len == (ssize_t)size && !i->path[size - 1];
}

static bool read_elf(struct interpreter *i, int fd)
{
	bool found = false;
	size_t nr = 0;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf_kind(elf) == ELF_K_ELF && !elf_getphdrnum(elf, &nr))
		for (size_t k = 0; !found && k < nr; k++) {
			GElf_Phdr header;

			found = gelf_getphdr(elf, (int)k, &header) &&
				read_loader_path(i, fd, &header);
		}
	elf_end(elf);
	return found;
}

/* Reads the interpreter that a file names. Returns false if it names none. */
static bool read_interpreter(struct interpreter *i, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool found;

	if (fd < 0)
		return false;
	found = read_script(i, fd) || read_elf(i, fd);
	close(fd);
	return found;
}

static const char *advice_for(const struct interpreter *i, int err)
{
	size_t len = strlen(i->path);

	if (err == -ENOENT && i->path[len - 1] == '\r')
		return "; the file's lines end in \\r\\n, as on Windows: sed -i 's/\\r$//' takes the \\r away";
	if (err == -ENOENT && !strcmp(i->what, "loader"))
		return "; the libraries of the program's architecture have to be installed";
	return "";
}

bool interpreter_explain(char *why, size_t size, const char *path)
{
	struct interpreter i;
	char text[400], by[PATH_MAX];

	snprintf(by, sizeof(by), "%s", path);
	for (int depth = 0; depth < MAX_DEPTH && read_interpreter(&i, by); depth++) {
		int err = check_executable(i.path);

		if (err) {
			snprintf(why, size, "its %s '%s': %s%s", i.what, ESCAPE_TEXT(text, i.path),
				 strerror(-err), advice_for(&i, err));
			return true;
		}
		snprintf(by, sizeof(by), "%s", i.path);
	}
	return false;
}
