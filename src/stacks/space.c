// SPDX-License-Identifier: GPL-2.0
#include "stacks/space.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct spaces {
	struct space *list; /* In ascending order of pid. */
	size_t nr;
};

struct spaces *spaces__new(void)
{
	return calloc(1, sizeof(struct spaces));
}

void spaces__free(struct spaces *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++)
		free(s->list[i].list);
	free(s->list);
	free(s);
}

/* Returns the index of the first one whose pid is not below this one. */
static size_t position(const struct spaces *s, pid_t pid)
{
	size_t low = 0, high = s->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->list[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct space *spaces__find(const struct spaces *s, pid_t pid)
{
	size_t at = position(s, pid);

	return at < s->nr && s->list[at].pid == pid ? &s->list[at] : NULL;
}

static struct space *get(struct spaces *s, pid_t pid)
{
	size_t at = position(s, pid);
	struct space *space;

	if (at < s->nr && s->list[at].pid == pid)
		return &s->list[at];
	space = array_insert(&s->list, &s->nr, at, sizeof(*space));
	if (space)
		space->pid = pid;
	return space;
}

/* Returns the index of the first mapping that ends above the address. */
static size_t first_above(const struct space *s, uint64_t address)
{
	size_t low = 0, high = s->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->list[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void cut_beginning(struct mapping *m, uint64_t start)
{
	m->offset += start - m->start;
	m->start = start;
}

/* Makes room for a mapping: what it covers is gone. Returns 0 or -ENOMEM. */
static int unmap(struct space *s, uint64_t start, uint64_t end)
{
	size_t at = first_above(s, start);

	if (at < s->nr && s->list[at].start < start) {
		struct mapping rest = s->list[at], *added;

		s->list[at].end = start;
		at++;
		if (rest.end > end) {
			added = array_insert(&s->list, &s->nr, at, sizeof(*added));
			if (!added)
				return -ENOMEM;
			cut_beginning(&rest, end);
			*added = rest;
		}
	}
	while (at < s->nr && s->list[at].end <= end) {
		memmove(&s->list[at], &s->list[at + 1], (s->nr - at - 1) * sizeof(*s->list));
		s->nr--;
	}
	if (at < s->nr && s->list[at].start < end)
		cut_beginning(&s->list[at], end);
	return 0;
}

static int add_mapping(struct space *s, const struct mapping *m)
{
	struct mapping *added;

	if (m->end <= m->start)
		return 0;
	if (unmap(s, m->start, m->end))
		return -ENOMEM;
	added = array_insert(&s->list, &s->nr, first_above(s, m->start), sizeof(*added));
	if (!added)
		return -ENOMEM;
	*added = *m;
	return 0;
}

int spaces__map(struct spaces *s, pid_t pid, const struct mapping *m)
{
	struct space *space = spaces__find(s, pid);

	return space ? add_mapping(space, m) : 0;
}

int spaces__exec(struct spaces *s, pid_t pid)
{
	struct space *space = get(s, pid);

	if (!space)
		return -ENOMEM;
	space->nr = 0;
	return 0;
}

int spaces__fork(struct spaces *s, pid_t pid, pid_t parent)
{
	const struct space *from = spaces__find(s, parent);
	struct mapping *copy;
	struct space *to;
	size_t nr;

	if (!from || pid == parent)
		return 0;
	nr = from->nr;
	copy = array_copy(from->list, nr, sizeof(*copy));
	to = copy ? get(s, pid) : NULL; /* This may move what "from" points to. */
	if (!to) {
		free(copy);
		return -ENOMEM;
	}
	free(to->list);
	to->list = copy;
	to->nr = nr;
	return 0;
}

void spaces__forget(struct spaces *s, pid_t pid)
{
	size_t at = position(s, pid);

	if (at == s->nr || s->list[at].pid != pid)
		return;
	free(s->list[at].list);
	memmove(&s->list[at], &s->list[at + 1], (s->nr - at - 1) * sizeof(*s->list));
	s->nr--;
}

void spaces__forget_all(struct spaces *s)
{
	while (s->nr)
		spaces__forget(s, s->list[s->nr - 1].pid);
}

struct object *mapped_object(struct objects *objects, const struct object_id *id, const char *path,
			     uint64_t start)
{
	if (*path == '/')
		return objects__get(objects, id, path);
	if (strcmp(path, "[vdso]") != 0)
		return NULL;
	return objects__get(objects, id, start >> 32 ? VDSO : VDSO_LOW);
}

/* ---- /proc/PID/maps ---- */

/* Splits a line, of proc_pid_maps(5). Returns whether it is of code. */
static bool parse_line(char *line, struct mapping *m, struct object_id *id, const char **path)
{
	char rights[5];
	int at = 0;

	memset(m, 0, sizeof(*m));
	memset(id, 0, sizeof(*id));
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*x:%*x %" SCNu64 " %n",
		   &m->start, &m->end, rights, &m->offset, &id->ino, &at) < 5 ||
	    !at || rights[2] != 'x')
		return false;
	line[strcspn(line, "\n")] = '\0';
	*path = line + at;
	return true;
}

static int read_lines(struct spaces *s, pid_t pid, struct objects *objects, FILE *file)
{
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	while (!err && getline(&line, &size, file) > 0) {
		struct object_id id;
		struct mapping m;
		const char *path;

		if (!parse_line(line, &m, &id, &path))
			continue;
		m.object = mapped_object(objects, &id, path, m.start);
		err = spaces__map(s, pid, &m);
	}
	free(line);
	return err;
}

int spaces__read(struct spaces *s, pid_t pid, struct objects *objects)
{
	char path[32];
	FILE *file;
	int err;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	err = spaces__exec(s, pid);
	if (!err)
		err = read_lines(s, pid, objects, file);
	fclose(file);
	if (err)
		spaces__forget(s, pid);
	return err;
}

const struct mapping *space_mapping(const struct space *s, uint64_t address)
{
	size_t at = first_above(s, address);

	return at < s->nr && s->list[at].start <= address ? &s->list[at] : NULL;
}

uint64_t space_address(const struct space *s, struct objects *objects, uint64_t address)
{
	const struct mapping *m = space_mapping(s, address);

	if (!m || !m->object)
		return 0;
	return objects__address(objects, m->object, address - m->start + m->offset, s->pid,
				m->start, m->end);
}

uint64_t mapping_address(const struct mapping *m, uint64_t address)
{
	const struct object *o = object_itself(m->object);

	for (size_t i = 0; i < o->nr_segments; i++) {
		const struct segment *s = &o->segments[i];

		if (m->offset - s->offset < s->size)
			return m->start - (s->address + (m->offset - s->offset)) + address;
	}
	return 0;
}
