// SPDX-License-Identifier: GPL-2.0
#include "model/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/histogram.h"
#include "model/profile.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char *const kind_names[NR_FILE_KINDS] = {
	[FILE_KIND_OTHER] = "other",	     [FILE_KIND_INVALID] = "invalid",
	[FILE_KIND_FAILED] = "failed",	     [FILE_KIND_REGULAR] = "regular",
	[FILE_KIND_DIRECTORY] = "directory", [FILE_KIND_PIPE] = "pipe",
	[FILE_KIND_SOCKET] = "socket",	     [FILE_KIND_TTY] = "tty",
	[FILE_KIND_DEVICE] = "device",	     [FILE_KIND_BLOCK] = "block",
	[FILE_KIND_EVENTFD] = "eventfd",     [FILE_KIND_MEMFD] = "memfd",
	[FILE_KIND_ANON] = "anon",	     [FILE_KIND_DELETED] = "deleted",
};

const char *file_kind_name(enum file_kind kind)
{
	return kind_names[kind];
}

enum file_kind file_kind_parse(const char *name)
{
	int kind = 0;

	while (kind < NR_FILE_KINDS && strcmp(kind_names[kind], name))
		kind++;
	return (enum file_kind)kind;
}

/* Documentation/admin-guide/devices.txt */
enum file_kind file_kind_of_device(uint32_t major, uint32_t minor)
{
	bool terminal = major == 4 || (major == 5 && minor != 2) ||
			(major >= 136 && major <= 143) || major == 204 || major == 229;

	return terminal ? FILE_KIND_TTY : FILE_KIND_DEVICE;
}

/* O_SYNC is two bits, and one of them is O_DSYNC, so it must come first. */
static const struct {
	uint32_t flag;
	const char *word;
} flag_words[NR_FILE_FLAGS] = {
	{ O_APPEND, "append" },
	{ O_SYNC, "sync" },
	{ O_DSYNC, "dsync" },
	{ O_DIRECT, "direct" },
};

void file_flag_words(const char *words[NR_FILE_FLAGS + 1], uint32_t flags)
{
	size_t nr = 0;

	for (size_t i = 0; i < NR_FILE_FLAGS; i++) {
		if ((flags & flag_words[i].flag) != flag_words[i].flag)
			continue;
		flags &= ~flag_words[i].flag;
		words[nr++] = flag_words[i].word;
	}
	words[nr] = NULL;
}

const char *file_flags_text(char *buf, uint32_t flags)
{
	const char *words[NR_FILE_FLAGS + 1];
	char *end = buf;

	file_flag_words(words, flags);
	*buf = '\0';
	for (size_t i = 0; words[i]; i++)
		end += sprintf(end, "%s%s", i ? "," : "", words[i]);
	return buf;
}

uint32_t file_flag_parse(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(flag_words); i++)
		if (!strcmp(flag_words[i].word, word))
			return flag_words[i].flag;
	return 0;
}

bool file_is_stdout(const struct file_stats *f)
{
	return f->written_by == WRITTEN_BY_STDOUT;
}

bool file_is_stderr(const struct file_stats *f)
{
	return f->written_by == WRITTEN_BY_STDERR;
}

/* The index of the first row whose id is not below this one. */
static size_t file_position(const struct profile *p, uint32_t id)
{
	size_t low = 0, high = p->nr_files;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->files[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct file_stats *profile_find_file(const struct profile *p, uint32_t id)
{
	size_t at = file_position(p, id);

	return at < p->nr_files && p->files[at].id == id ? &p->files[at] : NULL;
}

struct file_stats *profile_file(struct profile *p, uint32_t id)
{
	size_t at = file_position(p, id);
	struct file_stats *file;

	if (at < p->nr_files && p->files[at].id == id)
		return &p->files[at];
	file = array_insert(&p->files, &p->nr_files, at, sizeof(*file));
	if (file)
		file->id = id;
	return file;
}

struct file_call *file_stats_call(struct file_stats *f, enum iotrace_abi abi, int nr)
{
	struct file_call *call;
	size_t at = 0;

	while (at < f->nr_calls &&
	       (f->calls[at].abi < abi || (f->calls[at].abi == abi && f->calls[at].nr < nr)))
		at++;
	if (at < f->nr_calls && f->calls[at].abi == abi && f->calls[at].nr == nr)
		return &f->calls[at];
	call = array_insert(&f->calls, &f->nr_calls, at, sizeof(*call));
	if (call) {
		call->abi = abi;
		call->nr = nr;
	}
	return call;
}

int file_stats_add_user(struct file_stats *f, pid_t pid, const char comm[16], uint64_t calls)
{
	struct file_user *user;

	for (size_t i = 0; i < f->nr_users; i++) {
		if (f->users[i].pid != pid ||
		    memcmp(f->users[i].comm, comm, sizeof(f->users[i].comm) - 1) != 0)
			continue;
		f->users[i].calls += calls;
		return 0;
	}
	user = array_append(&f->users, &f->nr_users, sizeof(*user));
	if (!user)
		return -ENOMEM;
	user->pid = pid;
	user->calls = calls;
	memcpy(user->comm, comm, sizeof(user->comm) - 1);
	return 0;
}

void file_call_merge(struct file_call *dst, const struct file_call *src)
{
	dst->calls += src->calls;
	dst->errors += src->errors;
	dst->bytes += src->bytes;
	dst->total_ns += src->total_ns;
	dst->waits += src->waits;
	dst->wait_ns += src->wait_ns;
	dst->preempted += src->preempted;
#define MERGE_COUNT(name) dst->name += src->name;
	FILE_COUNTS(MERGE_COUNT)
#undef MERGE_COUNT
	histogram_merge(dst->latency, src->latency, FILE_LATENCY_BUCKETS);
	histogram_merge(dst->sizes, src->sizes, SIZE_BUCKETS);
}

static uint64_t minus(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

/* What a syscall's row in the summary has beyond the sum of the files. */
static void file_call_remainder(struct file_call *rest, const struct syscall_stats *s,
				const struct file_call *sum)
{
	memcpy(rest->name, s->name, sizeof(rest->name));
	rest->transfers = s->transfers;
	rest->calls = s->calls - sum->calls;
	rest->errors = minus(s->errors, sum->errors);
	rest->bytes = minus(s->bytes, sum->bytes);
	rest->total_ns = minus(s->total_ns, sum->total_ns);
	rest->waits = minus(s->waits, sum->waits);
	rest->wait_ns = minus(s->wait_ns, sum->wait_ns);
	rest->preempted = minus(s->preempted, sum->preempted);
	for (size_t i = 0; i < LATENCY_BUCKETS; i++)
		rest->latency[i / LATENCY_SUB] += s->latency[i];
	for (size_t i = 0; i < FILE_LATENCY_BUCKETS; i++)
		rest->latency[i] = minus(rest->latency[i], sum->latency[i]);
	for (size_t i = 0; i < SIZE_BUCKETS; i++)
		rest->sizes[i] = minus(s->sizes[i], sum->sizes[i]);
}

/* The figures of a syscall on all files but (other). */
static void sum_of_files(struct file_call *sum, const struct profile *p,
			 const struct syscall_stats *s)
{
	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < p->nr_files; i++)
		for (size_t c = 0; c < p->files[i].nr_calls; c++) {
			const struct file_call *call = &p->files[i].calls[c];

			if (call->abi == s->abi && call->nr == s->nr)
				file_call_merge(sum, call);
		}
}

/* Subtracts the figures of a call from what is left of its syscall's. Returns whether there were as many. */
static bool take_from(struct syscall_stats *left, const struct file_call *c)
{
	if (c->calls > left->calls || c->errors > left->errors || c->bytes > left->bytes ||
	    c->total_ns > left->total_ns || c->waits > left->waits || c->wait_ns > left->wait_ns ||
	    c->preempted > left->preempted)
		return false;
	left->calls -= c->calls;
	left->errors -= c->errors;
	left->bytes -= c->bytes;
	left->total_ns -= c->total_ns;
	left->waits -= c->waits;
	left->wait_ns -= c->wait_ns;
	left->preempted -= c->preempted;
	return true;
}

int profile_check_files(const struct profile *p)
{
	struct profile left = { .nr_syscalls = p->nr_syscalls };
	int err = 0;

	left.syscalls = array_copy(p->syscalls, p->nr_syscalls, sizeof(*p->syscalls));
	if (!left.syscalls)
		return -ENOMEM;
	for (size_t i = 0; i < p->nr_files; i++)
		for (size_t c = 0; !err && c < p->files[i].nr_calls; c++) {
			const struct file_call *call = &p->files[i].calls[c];
			struct syscall_stats *s = profile_find_syscall(&left, call->abi, call->nr);

			err = s && take_from(s, call) ? 0 : -EINVAL;
		}
	free(left.syscalls);
	return err;
}

int profile_add_other_files(struct profile *p)
{
	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *s = &p->syscalls[i];
		struct syscall_traits traits = syscall_traits_by_name(s->name);
		struct file_stats *other;
		struct file_call sum, *rest;

		if (!syscall_uses_file(&traits))
			continue;
		sum_of_files(&sum, p, s);
		if (s->calls <= sum.calls)
			continue;
		other = profile_file(p, FILE_ID_OTHER);
		if (other && !other->path)
			other->path = strdup("(other)");
		rest = other && other->path ? file_stats_call(other, s->abi, s->nr) : NULL;
		if (!rest)
			return -ENOMEM;
		file_call_remainder(rest, s, &sum);
	}
	return 0;
}

static void file_call_subtract(struct file_call *from, const struct file_call *c)
{
	from->calls = minus(from->calls, c->calls);
	from->errors = minus(from->errors, c->errors);
	from->bytes = minus(from->bytes, c->bytes);
	from->total_ns = minus(from->total_ns, c->total_ns);
	from->waits = minus(from->waits, c->waits);
	from->wait_ns = minus(from->wait_ns, c->wait_ns);
	from->preempted = minus(from->preempted, c->preempted);
#define SUBTRACT_COUNT(name) from->name = minus(from->name, c->name);
	FILE_COUNTS(SUBTRACT_COUNT)
#undef SUBTRACT_COUNT
	for (size_t i = 0; i < FILE_LATENCY_BUCKETS; i++)
		from->latency[i] = minus(from->latency[i], c->latency[i]);
	for (size_t i = 0; i < SIZE_BUCKETS; i++)
		from->sizes[i] = minus(from->sizes[i], c->sizes[i]);
}

/* Subtracts the calls of a file as it was before, and removes those of which nothing is left. */
static void file_stats_subtract(struct file_stats *f, const struct file_stats *before)
{
	size_t nr = 0, b = 0;

	for (size_t i = 0; i < f->nr_calls; i++) {
		struct file_call *c = &f->calls[i];

		/* Calls are never removed from a file, so before's are some of these, in their order. */
		if (b < before->nr_calls && before->calls[b].abi == c->abi &&
		    before->calls[b].nr == c->nr)
			file_call_subtract(c, &before->calls[b++]);
		if (c->calls)
			f->calls[nr++] = *c;
	}
	f->nr_calls = nr;
}

int profile_subtract_files(struct profile *out, const struct profile *now,
			   const struct profile *before)
{
	size_t b = 0;
	int err = 0;

	out->files = reallocarray(NULL, now->nr_files + 1, sizeof(*out->files));
	if (!out->files)
		return -ENOMEM;
	for (size_t i = 0; !err && i < now->nr_files; i++) {
		struct file_stats *f = &out->files[out->nr_files];

		err = file_stats_copy(f, &now->files[i]);
		if (err)
			break;
		while (b < before->nr_files && before->files[b].id < f->id)
			b++;
		if (b < before->nr_files && before->files[b].id == f->id)
			file_stats_subtract(f, &before->files[b]);
		if (f->nr_calls)
			out->nr_files++;
		else
			file_stats_free(f);
	}
	return err;
}

void file_stats_free(struct file_stats *f)
{
	free(f->path);
	free(f->calls);
	free(f->users);
	memset(f, 0, sizeof(*f));
}

int file_stats_copy(struct file_stats *dst, const struct file_stats *src)
{
	*dst = *src;
	dst->path = src->path ? strdup(src->path) : NULL;
	dst->calls = array_copy(src->calls, src->nr_calls, sizeof(*src->calls));
	dst->users = array_copy(src->users, src->nr_users, sizeof(*src->users));
	if ((src->path && !dst->path) || !dst->calls || !dst->users) {
		file_stats_free(dst);
		return -ENOMEM;
	}
	return 0;
}

void file_stats_sum(struct file_call *sum, const struct file_stats *f, enum syscall_action action)
{
	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < f->nr_calls; i++) {
		const struct file_call *c = &f->calls[i];

		if (action == NR_SYSCALL_ACTIONS ||
		    syscall_traits_by_name(c->name).action == action)
			file_call_merge(sum, c);
	}
}

uint64_t file_call_moved(const struct file_call *c)
{
	uint64_t sized = histogram_total(c->sizes, SIZE_BUCKETS);

	/* The first bucket is that of no bytes. */
	return sized ? sized - c->sizes[0] : c->calls - c->errors;
}

uint64_t file_stats_total_ns(const struct file_stats *f)
{
	uint64_t total_ns = 0;

	for (size_t i = 0; i < f->nr_calls; i++)
		total_ns += f->calls[i].total_ns;
	return total_ns;
}

struct sorted_file {
	struct file_stats file;
	uint64_t total_ns, calls;
};

static int by_time(const void *x, const void *y)
{
	const struct sorted_file *a = x, *b = y;

	if (a->total_ns != b->total_ns)
		return b->total_ns > a->total_ns ? 1 : -1;
	if (a->calls != b->calls)
		return b->calls > a->calls ? 1 : -1;
	return strcmp(a->file.path, b->file.path);
}

int files_sort(struct file_stats *files, size_t nr_files)
{
	struct sorted_file *sorted = calloc(nr_files + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < nr_files; i++) {
		sorted[i].file = files[i];
		sorted[i].total_ns = file_stats_total_ns(&files[i]);
		for (size_t c = 0; c < files[i].nr_calls; c++)
			sorted[i].calls += files[i].calls[c].calls;
	}
	qsort(sorted, nr_files, sizeof(*sorted), by_time);
	for (size_t i = 0; i < nr_files; i++)
		files[i] = sorted[i].file;
	free(sorted);
	return 0;
}

/* Files that have, or had, a name in a directory. */
static bool has_name(const struct file_stats *f)
{
	return f->kind == FILE_KIND_REGULAR || f->kind == FILE_KIND_DELETED;
}

static bool same_path(const struct file_stats *a, const struct file_stats *b)
{
	return a->path && b->path && !strcmp(a->path, b->path) && has_name(a) && has_name(b) &&
	       !a->cut && !b->cut;
}

static int by_path(const void *x, const void *y)
{
	const struct file_stats *a = x, *b = y;
	int order = strcmp(a->path ? a->path : "", b->path ? b->path : "");

	if (!order)
		order = has_name(a) - has_name(b);
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

/* Adds src's figures and users. If one of the two still exists, so does the file. */
static int merge_file(struct file_stats *dst, const struct file_stats *src)
{
	int err = 0;

	dst->flags |= src->flags;
	dst->written_by |= src->written_by;
	if (src->kind == FILE_KIND_REGULAR)
		dst->kind = FILE_KIND_REGULAR;
	for (size_t i = 0; !err && i < src->nr_calls; i++) {
		const struct file_call *c = &src->calls[i];
		struct file_call *sum = file_stats_call(dst, c->abi, c->nr);

		if (!sum)
			return -ENOMEM;
		memcpy(sum->name, c->name, sizeof(sum->name));
		sum->transfers = c->transfers;
		file_call_merge(sum, c);
	}
	dst->more_users += src->more_users;
	for (size_t i = 0; !err && i < src->nr_users; i++)
		err = file_stats_add_user(dst, src->users[i].pid, src->users[i].comm,
					  src->users[i].calls);
	return err;
}

void files_free(struct file_stats *files, size_t nr_files)
{
	for (size_t i = 0; i < nr_files; i++)
		file_stats_free(&files[i]);
	free(files);
}

/* Those that made most calls first. */
static int by_calls(const void *x, const void *y)
{
	const struct file_user *a = x, *b = y;

	if (a->calls != b->calls)
		return b->calls > a->calls ? 1 : -1;
	if (a->pid != b->pid)
		return a->pid > b->pid ? 1 : -1;
	return strcmp(a->comm, b->comm);
}

static int by_pid(const void *x, const void *y)
{
	const struct file_user *a = x, *b = y;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* An execve makes another user of the same process. Sorts the users. */
static uint64_t count_processes(struct file_stats *f)
{
	uint64_t nr = f->more_users;

	if (f->nr_users)
		qsort(f->users, f->nr_users, sizeof(*f->users), by_pid);
	for (size_t i = 0; i < f->nr_users; i++)
		nr += !i || f->users[i].pid != f->users[i - 1].pid || !f->users[i].pid;
	return nr;
}

int files_by_path(const struct profile *p, struct file_stats **files, size_t *nr_files)
{
	struct file_stats *order = array_copy(p->files, p->nr_files, sizeof(*order)), *out;
	size_t nr = 0;
	int err = 0;

	out = reallocarray(NULL, p->nr_files + 1, sizeof(*out));
	*files = out;
	*nr_files = 0;
	if (order)
		qsort(order, p->nr_files, sizeof(*order), by_path);
	for (size_t i = 0; order && out && !err && i < p->nr_files; i++) {
		if (!order[i].nr_calls) /* its first call is in flight */
			continue;
		if (nr && same_path(&out[nr - 1], &order[i]))
			err = merge_file(&out[nr - 1], &order[i]);
		else if (!(err = file_stats_copy(&out[nr], &order[i])))
			nr++;
	}
	if (!order || !out)
		err = -ENOMEM;
	for (size_t i = 0; p->nr_programs && i < nr; i++)
		out[i].busy = profile_busy_of_users(p, &out[i]);
	for (size_t i = 0; i < nr; i++) {
		if (!out[i].processes) /* a capture says it, and the language */
			out[i].processes = count_processes(&out[i]);
		if (out[i].nr_users)
			qsort(out[i].users, out[i].nr_users, sizeof(*out[i].users), by_calls);
		if (!out[i].language)
			out[i].language = profile_language_of_users(p, &out[i]);
	}
	free(order);
	*nr_files = nr;
	return err;
}

/* Where the last name before end begins. */
static size_t name_before(const char *names, size_t end)
{
	size_t start = end - 1; /* its NUL */

	while (start > 0 && names[start - 1])
		start--;
	return start;
}

char *file_path_from_names(const char *names, size_t len, bool cut, bool detached)
{
	char *path = malloc(len + 5), *out = path;

	if (!path)
		return NULL;
	if (cut)
		out = stpcpy(out, "...");
	if (!len && !detached)
		out = stpcpy(out, "/");
	for (size_t end = len; end > 0; end = name_before(names, end)) {
		size_t start = name_before(names, end);

		if (!detached || end != len)
			*out++ = '/';
		out = mempcpy(out, names + start, end - start - 1);
	}
	*out = '\0';
	return path;
}
