// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/files.h"

#include <errno.h>
#include <string.h>

#include "model/histogram.h"
#include "trace/file_rows.h"

static uint32_t descriptor_row(struct strace_files *files, struct profile *p,
			       const struct strace_task *task, const struct strace_line *l)
{
	return strace_files__descriptor(files, p, l->text, &l->said, task->who.comm,
					task->traits.action == ACTION_READS);
}

int strace_note_unfinished(struct strace_files *files, struct profile *p, struct strace_task *task,
			   const struct strace_line *l)
{
	task->said = l->said;
	if (l->said.file && (!files || (!task->wanted && !task->undecided)))
		return 0;
	if (l->said.file) {
		task->file = descriptor_row(files, p, task, l);
		return task->file ? 0 : -ENOMEM;
	}
	if (!l->said.path)
		return 0;
	task->path = strdup(l->said.empty ? "" : l->text);
	return task->path ? 0 : -ENOMEM;
}

const char *strace_path_of_call(const struct strace_task *task, const struct strace_line *l,
				const struct strace_said **said)
{
	*said = l->said.path ? &l->said : &task->said;
	return l->said.path ? l->text : task->path;
}

bool strace_is_wanted(const struct strace_path_filter *only, const struct strace_task *task,
		      const struct strace_line *l)
{
	const struct strace_said *said;
	const char *path = strace_path_of_call(task, l, &said);

	if (!l->failed)
		return l->said.file && strace_files__wants(only, l->text);
	return path && strace_path_filter__name(only, path + said->given);
}

/*
 * Was the path found in full, and not in the directory of a descriptor? eBPF has rows of such paths
 * only, too.
 */
static bool is_told(const struct strace_said *said)
{
	return !said->cut && !said->empty && (said->at_cwd || !said->given);
}

/* The row of a finished call's file, or of a path that is missing. 0: no memory. */
static uint32_t file_of_call(struct strace_files *files, struct profile *p,
			     const struct strace_task *task, const struct strace_line *l)
{
	const struct strace_said *said;
	const char *path = strace_path_of_call(task, l, &said);

	if (l->said.file && !(l->said.path && l->failed))
		return descriptor_row(files, p, task, l);
	if (task->file && (l->path_arg < 0 || !l->failed))
		return task->file;
	if (l->path_arg < 0)
		return l->failed && l->err == EBADF ? strace_files__invalid(p) : FILE_ID_OTHER;
	/* Whoever resolves a path reads links, and finds files and directories. */
	if (task->traits.action == ACTION_LOOKS &&
	    ((!l->failed && !task->traits.makes) || l->err == EINVAL || l->err == EEXIST))
		return path && is_told(said) ? strace_files__found(files, p, path) : FILE_ID_OTHER;
	if (syscall_searches(&task->traits) && l->err != ENOENT && l->err != ENOTDIR)
		return FILE_ID_OTHER;
	if (!l->failed || !path)
		return FILE_ID_OTHER;
	return strace_files__failed(files, p, said->empty ? "" : path, said->cut, l->err);
}

/*
 * Notes the descriptor, how many bytes were to be written, and the last byte, where strace shows
 * all of them.
 */
static void add_write(struct file_stats *f, struct file_call *c, const struct strace_said *said,
		      uint64_t written)
{
	if (written)
		f->written_by |= written_by((uint32_t)said->fd);
	if (said->data_cut || !said->data_len || !written || written > said->data_len)
		return;
	c->measured++;
	c->cut_short += written < said->data_len;
	if (written < said->data_len)
		return;
	c->last_byte_known++;
	c->newlines += said->data_last == '\n';
}

/* Does what is read from it come from somebody else? */
static bool is_fed(const struct file_stats *f)
{
	return f->kind == FILE_KIND_PIPE || f->kind == FILE_KIND_SOCKET;
}

/* Counts a write that begins a run, as far as reads tell: whether the task slept is not known. */
static void follow_runs(struct strace_task *task, const struct file_stats *f, struct file_call *c,
			const struct strace_line *l)
{
	bool reads = task->traits.action == ACTION_READS, less;
	long fd = l->said.file ? l->said.fd : task->said.fd;
	struct strace_writes *writes = &task->writes;
	uint32_t *written = &writes->files[file_cache_index((uint32_t)fd)];
	uint32_t *passed = &writes->passed[file_cache_index((uint32_t)fd)];
	uint32_t *heard = &writes->heard_at[file_cache_index((uint32_t)fd)];

	if (reads) {
		*written = 0;
		writes->heard += is_fed(f);
		if (!task->traits.buffer)
			return;
		less = (uint64_t)l->value < l->said.last_arg;
		c->measured++;
		c->cut_short += less;
		writes->short_reads += f->kind == FILE_KIND_PIPE && less;
		return;
	}
	c->runs += *written != f->id || *heard != writes->heard;
	*written = f->id;
	*heard = writes->heard;
	c->passed_on += *passed != writes->short_reads;
	*passed = writes->short_reads;
}

static void add_to_file(struct file_stats *f, struct file_call *c, struct strace_task *task,
			const struct strace_line *l)
{
	const struct strace_said *said = l->said.data_len ? &l->said : &task->said;

	c->calls++;
	if (l->timed) {
		c->total_ns += l->ns;
		c->latency[file_latency_bucket(l->ns)]++;
	}
	if (l->failed) {
		c->errors++;
		c->error_ns += l->timed ? l->ns : 0;
		task->writes.heard += task->traits.action == ACTION_READS && is_fed(f);
		return;
	}
	if (task->traits.action == ACTION_OPENS)
		c->anew += (l->said.flags | task->said.flags) & FILE_O_ANEW ||
			   !strcmp(c->name, "creat");
	if (!c->transfers)
		return;
	c->bytes += (uint64_t)l->value;
	c->sizes[size_bucket((uint64_t)l->value)]++;
	if (l->value > 0)
		follow_runs(task, f, c, l);
	if (task->traits.action == ACTION_WRITES && (task->traits.buffer || task->traits.vector))
		add_write(f, c, said, (uint64_t)l->value);
}

int strace_count_for_file(struct strace_files *files, struct profile *p, struct strace_task *task,
			  const struct strace_line *l, uint32_t *row)
{
	uint32_t id = file_of_call(files, p, task, l);
	struct file_stats *f;
	struct file_call *c;

	p->misplaced_calls += id == FILE_ID_NO_ROOM;
	*row = id == FILE_ID_NO_ROOM ? FILE_ID_OTHER : id;
	if (*row == FILE_ID_OTHER)
		return 0;
	c = id ? file_row_call(p, id, task->abi, task->nr, &f) : NULL;
	if (!c)
		return -ENOMEM;
	add_to_file(f, c, task, l);
	return 0;
}
