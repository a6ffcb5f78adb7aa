// SPDX-License-Identifier: GPL-2.0
/* Calls that are as many as a file's writes because of these: before them, or behind a pipe. */
#include <stdlib.h>
#include <string.h>

#include "model/rules/rule.h"

/* Are these as many calls as those, of as many bytes? A read at the end brings nothing. */
static bool as_many(const struct file_call *a, const struct file_call *b)
{
	uint64_t more = a->calls > b->calls ? a->calls - b->calls : b->calls - a->calls;

	return more <= 2 && a->bytes == b->bytes && a->bytes;
}

static void add(struct together *t, const struct file_stats *file, const struct file_call *calls)
{
	if (!t->file)
		t->file = file;
	t->files++;
	t->kinds++;
	file_call_merge(&t->calls, calls);
}

struct together rule_copied(const struct subject *s, enum syscall_action action,
			    const struct file_call *calls)
{
	struct together t = { 0 };

	for (size_t i = 0; s->file->processes == 1 && s->file->nr_users && i < s->nr_files; i++) {
		const struct file_stats *other = &s->files[i];
		struct file_call sum;

		if (other == s->file || other->processes != 1 || !other->nr_users ||
		    other->users[0].pid != s->file->users[0].pid)
			continue;
		file_stats_sum(&sum, other, action);
		if (!as_many(&sum, calls))
			continue;
		add(&t, other, &sum);
		break;
	}
	return t;
}

static bool share_a_user(const struct file_stats *a, const struct file_stats *b)
{
	for (size_t i = 0; i < a->nr_users; i++)
		for (size_t j = 0; j < b->nr_users; j++)
			if (a->users[i].pid == b->users[j].pid)
				return true;
	return false;
}

/* The ends of a pipe may have a row each. A row of several pipes is none of them. */
static bool is_same_pipe(const struct file_stats *a, const struct file_stats *b)
{
	return a == b || (a->kind == b->kind && !strcmp(a->path, b->path) && !strchr(a->path, '*'));
}

void rule_sum_of_pipe(struct file_call *sum, const struct subject *s, enum syscall_action action)
{
	struct file_call part;

	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < s->nr_files; i++) {
		if (!is_same_pipe(s->file, &s->files[i]))
			continue;
		file_stats_sum(&part, &s->files[i], action);
		file_call_merge(sum, &part);
	}
}

/* What a reader takes from a pipe in so many pieces, its writer has given it in larger ones. */
#define MORE_AT_ONCE 4

uint64_t rule_runs_of_source(const struct subject *s, const struct file_call *writes)
{
	for (size_t i = 0; s->file->processes == 1 && s->file->nr_users && i < s->nr_files; i++) {
		struct subject source = { .files = s->files,
					  .nr_files = s->nr_files,
					  .file = &s->files[i] };
		struct file_call reads, given;

		if (source.file->kind != FILE_KIND_PIPE || source.file == s->file ||
		    source.file->processes != 1 || !share_a_user(source.file, s->file))
			continue;
		file_stats_sum(&reads, source.file, ACTION_READS);
		rule_sum_of_pipe(&given, &source, ACTION_WRITES);
		if (as_many(&reads, writes) &&
		    rule_mean_bytes(&given) >= MORE_AT_ONCE * rule_mean_bytes(&reads))
			return reads.waits;
	}
	return UINT64_MAX;
}

/* May this be an end of the pipe or pair, in the hands of the same process? */
static bool is_own_end(const struct file_stats *pipe, const struct file_stats *end)
{
	if (end == pipe)
		return true;
	if (pipe->kind != FILE_KIND_PIPE)
		return false;
	return end->kind == FILE_KIND_PIPE && end->processes == 1 && share_a_user(pipe, end) &&
	       (is_same_pipe(pipe, end) || strchr(pipe->path, '*') || strchr(end->path, '*'));
}

/* Is it a pipe, or a pair of sockets without a name, whose ends share a row? */
static bool is_pipe_or_pair(const struct file_stats *f)
{
	return f->kind == FILE_KIND_PIPE ||
	       (f->kind == FILE_KIND_SOCKET && !strncmp(f->path, "unix:[", strlen("unix:[")));
}

/*
 * The ends of a pipe have a row each. Of rows of several pipes it is not known which ends belong
 * together; if they do, about as much is read as was written.
 */
bool rule_is_own_reader(const struct subject *s)
{
	struct file_call reads = { 0 }, writes = { 0 }, part;
	bool several = false;

	if (!is_pipe_or_pair(s->file) || s->file->processes != 1)
		return false;
	for (size_t i = 0; i < s->nr_files; i++) {
		const struct file_stats *end = &s->files[i];

		if (!is_own_end(s->file, end))
			continue;
		several = several || strchr(end->path, '*');
		file_stats_sum(&part, end, ACTION_READS);
		file_call_merge(&reads, &part);
		file_stats_sum(&part, end, ACTION_WRITES);
		file_call_merge(&writes, &part);
	}
	if (several && (reads.bytes > 2 * writes.bytes || writes.bytes > 2 * reads.bytes))
		return false;
	return file_call_moved(&reads) && file_call_moved(&writes);
}

static void add_readers(const struct subject *s, const struct file_stats *pipe, bool *seen,
			struct together *t);

/*
 * Adds the writes that pass on what these reads of a pipe bring. Where such writes go into a pipe
 * again, adds its reads, and so on. Nobody passes on more than he reads.
 */
static void add_passed_on(const struct subject *s, const struct file_stats *pipe,
			  const struct file_call *reads, bool *seen, struct together *t)
{
	for (size_t i = 0; i < s->nr_files; i++) {
		const struct file_stats *other = &s->files[i];
		struct file_call writes;

		if (seen[i] || other == s->file || !share_a_user(pipe, other))
			continue;
		file_stats_sum(&writes, other, ACTION_WRITES);
		if (!rule_are_passed_on(&writes) ||
		    file_call_moved(&writes) > file_call_moved(reads))
			continue;
		seen[i] = true;
		add(t, other, &writes);
		if (other->kind == FILE_KIND_PIPE)
			add_readers(s, other, seen, t);
	}
}

/* Adds the reads at the other end of a pipe, and what follows from them. */
static void add_readers(const struct subject *s, const struct file_stats *pipe, bool *seen,
			struct together *t)
{
	for (size_t i = 0; i < s->nr_files; i++) {
		const struct file_stats *end = &s->files[i];
		struct file_call reads;

		if (!is_same_pipe(pipe, end))
			continue;
		file_stats_sum(&reads, end, ACTION_READS);
		if (!rule_gets_less(&reads))
			continue;
		t->kinds++;
		file_call_merge(&t->calls, &reads);
		add_passed_on(s, end, &reads, seen, t);
	}
}

struct together rule_passed_further(const struct subject *s)
{
	bool *seen = s->file->kind == FILE_KIND_PIPE ? calloc(s->nr_files, sizeof(*seen)) : NULL;
	struct together t = { 0 };

	if (seen)
		add_readers(s, s->file, seen, &t);
	free(seen);
	return t;
}

bool rule_by_pool(const struct subject *s, const struct file_call *c, struct file_call *wakes)
{
	for (size_t i = 0; i < s->nr_files; i++) {
		const struct file_stats *other = &s->files[i];
		struct file_call writes;

		if (other->kind != FILE_KIND_EVENTFD || other == s->file ||
		    !share_a_user(other, s->file))
			continue;
		file_stats_sum(&writes, other, ACTION_WRITES);
		/* A loop that is awake already takes several at once. */
		if (writes.calls < c->calls / 2 || writes.calls > 2 * c->calls)
			continue;
		file_stats_sum(wakes, other, NR_SYSCALL_ACTIONS);
		return true;
	}
	return false;
}
