// SPDX-License-Identifier: GPL-2.0
#include "stacks/perf_map.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

/* Larger files, longer names, and more functions than any program has. */
#define MAX_FILE      (64 << 20)
#define MAX_NAME      512
#define MAX_FUNCTIONS 65536
#define MAX_LINES     (1 << 20)

/* A line of a file. */
struct map_line {
	uint64_t start, end;
	size_t name, name_len; /* Where the name is in the text. */
};

struct map_file {
	pid_t pid;
	char *text;
	size_t size;   /* Bytes that were read. */
	size_t parsed; /* Bytes of whole lines among them. */
	struct map_line *lines;
	size_t nr_lines;
};

struct perf_maps {
	struct map_file *files;
	size_t nr_files;
	struct made_function *found; /* Functions that addresses were found in. */
	size_t nr_found;
};

struct perf_maps *perf_maps__new(void)
{
	return calloc(1, sizeof(struct perf_maps));
}

static void free_file(struct map_file *file)
{
	free(file->text);
	free(file->lines);
}

void perf_maps__forget(struct perf_maps *m, pid_t pid)
{
	for (size_t i = m->nr_files; i-- > 0;)
		if (m->files[i].pid == pid) {
			free_file(&m->files[i]);
			m->files[i] = m->files[--m->nr_files];
		}
	for (size_t i = 0; i < m->nr_found; i++)
		if (m->found[i].pid == pid)
			m->found[i].pid = 0;
}

void perf_maps__free(struct perf_maps *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nr_files; i++)
		free_file(&m->files[i]);
	for (size_t i = 0; i < m->nr_found; i++)
		free(m->found[i].name);
	free(m->files);
	free(m->found);
	free(m);
}

/* Returns the id that a process has for itself: the last of those in its status (proc(5)). */
static pid_t own_pid(pid_t pid)
{
	char path[32], line[256];
	pid_t own = pid;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		const char *last = strrchr(line, '\t');

		if (!strncmp(line, "NSpid:", strlen("NSpid:")) && last)
			own = (pid_t)strtol(last + 1, NULL, 10);
	}
	if (file)
		fclose(file);
	return own;
}

/* Opens the file of a process. Who else could have written it is not believed, as by perf. */
static int open_map(pid_t pid, struct stat *st)
{
	char path[64];
	struct stat process;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (stat(path, &process))
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/root/tmp/perf-%d.map", pid, own_pid(pid));
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0 && !fstat(fd, st) && S_ISREG(st->st_mode) && st->st_size <= MAX_FILE &&
	    (st->st_uid == process.st_uid || !st->st_uid))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Parses a line. Returns whether it names a function. */
static bool parse_line(const struct map_file *file, size_t at, size_t len, struct map_line *line)
{
	char text[40];
	int name = 0;
	size_t nr = len < sizeof(text) ? len : sizeof(text) - 1;

	memcpy(text, file->text + at, nr);
	text[nr] = '\0';
	if (sscanf(text, "%" SCNx64 " %" SCNx64 " %n", &line->start, &line->end, &name) < 2 ||
	    !name || (size_t)name >= len)
		return false;
	line->end += line->start; /* It was the size. */
	line->name = at + (size_t)name;
	line->name_len = len - (size_t)name < MAX_NAME ? len - (size_t)name : MAX_NAME;
	return line->end >= line->start;
}

/* Parses the whole lines that are new. */
static void parse(struct map_file *file)
{
	const char *end;

	while ((end = memchr(file->text + file->parsed, '\n', file->size - file->parsed))) {
		size_t len = (size_t)(end - file->text) - file->parsed;
		struct map_line line, *added;

		if (parse_line(file, file->parsed, len, &line) && file->nr_lines < MAX_LINES) {
			added = array_append(&file->lines, &file->nr_lines, sizeof(*added));
			if (added)
				*added = line;
		}
		file->parsed += len + 1;
	}
}

/* Reads what the process has added to its file. Returns whether there is anything new. */
static bool read_again(struct map_file *file)
{
	struct stat st;
	int fd = open_map(file->pid, &st);
	ssize_t nr = 0;
	char *longer;

	if (fd < 0)
		return false;
	if ((size_t)st.st_size > file->size) {
		longer = realloc(file->text, (size_t)st.st_size);
		if (longer) {
			file->text = longer;
			nr = pread(fd, longer + file->size, (size_t)st.st_size - file->size,
				   (off_t)file->size);
		}
	}
	close(fd);
	if (nr <= 0)
		return false;
	file->size += (size_t)nr;
	parse(file);
	return true;
}

static struct map_file *file_of(struct perf_maps *m, pid_t pid)
{
	struct map_file *f;

	for (size_t i = 0; i < m->nr_files; i++)
		if (m->files[i].pid == pid)
			return &m->files[i];
	f = array_append(&m->files, &m->nr_files, sizeof(*f));
	if (f)
		f->pid = pid;
	return f;
}

/* Finds the last line that has the address: code that is made later may take its place. */
static const struct map_line *find_line(const struct map_file *file, uint64_t address)
{
	for (size_t i = file->nr_lines; i-- > 0;)
		if (address >= file->lines[i].start && address < file->lines[i].end)
			return &file->lines[i];
	return NULL;
}

static size_t add(struct perf_maps *m, const struct map_file *file, const struct map_line *line)
{
	struct made_function *added;

	if (m->nr_found == MAX_FUNCTIONS)
		return SIZE_MAX;
	added = array_append(&m->found, &m->nr_found, sizeof(*added));
	if (!added)
		return SIZE_MAX;
	*added = (struct made_function){ file->pid, line->start, line->end, NULL };
	added->name = strndup(file->text + line->name, line->name_len);
	if (added->name)
		return m->nr_found - 1;
	m->nr_found--;
	return SIZE_MAX;
}

size_t perf_maps__find(struct perf_maps *m, pid_t pid, uint64_t address)
{
	struct map_file *file = file_of(m, pid);
	const struct map_line *line;

	if (!file)
		return SIZE_MAX;
	/* Has it been found, and is nothing new? Otherwise another function may be there by now. */
	if (!read_again(file))
		for (size_t i = m->nr_found; i-- > 0;)
			if (m->found[i].pid == pid && address >= m->found[i].start &&
			    address < m->found[i].end)
				return i;
	line = find_line(file, address);
	if (!line)
		return SIZE_MAX;
	for (size_t i = m->nr_found; i-- > 0;)
		if (m->found[i].pid == pid && m->found[i].start == line->start &&
		    strlen(m->found[i].name) == line->name_len &&
		    !memcmp(m->found[i].name, file->text + line->name, line->name_len))
			return i;
	return add(m, file, line);
}

const struct made_function *perf_maps__get(const struct perf_maps *m, size_t index)
{
	return &m->found[index];
}

/* Reads a number that ends at *end, behind a colon. Returns it, and moves *end to the colon. */
static bool number_before(const char *text, size_t *end, unsigned *number)
{
	size_t at = *end;

	while (at && text[at - 1] >= '0' && text[at - 1] <= '9')
		at--;
	if (at == *end || !at || text[at - 1] != ':' || *end - at > 9)
		return false;
	*number = (unsigned)strtoul(text + at, NULL, 10);
	*end = at - 1;
	return true;
}

size_t perf_map_split(const char *made, const char **function, const char **path, size_t *path_len,
		      unsigned *line)
{
	static const char *const kinds[] = { "JS:", "LazyCompile:", "Function:" };
	size_t end = strlen(made), len;
	const char *space;
	unsigned column;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strncmp(made, kinds[i], strlen(kinds[i])) != 0)
			continue;
		*function = made + strlen(kinds[i]);
		*function += strspn(*function, "*~^+");
		space = strchr(*function, ' ');
		if (!space || !number_before(made, &end, &column) ||
		    !number_before(made, &end, line) || made + end <= space + 1)
			return 0;
		*path = space + 1;
		*path_len = (size_t)(made + end - *path);
		len = (size_t)(space - *function);
		if (len)
			return len;
		/* The code of a module outside of its functions, too, has no name. */
		*function = "(anonymous)";
		return strlen(*function);
	}
	return 0;
}
