// SPDX-License-Identifier: GPL-2.0
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>

#include "model/histogram.h"
#include "model/profile_files.h"
#include "model/profile_groups.h"
#include "trace/bpf/load/load.h"
#include "trace/bpf/read/read.h"
#include "trace/file_rows.h"

static int read_row(struct profile *p, const struct iotrace_file_key *key,
		    const struct iotrace_file *raw)
{
	struct file_stats *f = profile_file(p, raw->row);

	if (!f)
		return -ENOMEM;
	f->kind = bpf_file_kind(key, raw);
	f->path = bpf_file_path(raw, f->kind);
	if (!f->path)
		return -ENOMEM;
	f->cut = raw->marks & FILE_CUT;
	f->flags = raw->flags;
	f->err = f->kind == FILE_KIND_FAILED ? (int)key->generation : 0;
	memcpy(f->fstype, raw->fstype, sizeof(f->fstype));
	f->fstype[sizeof(f->fstype) - 1] = '\0';
	return 0;
}

static int read_rows(struct iotrace_bpf *skel, struct profile *p)
{
	int fd = bpf_map__fd(skel->maps.file_rows), err = 0;
	struct iotrace_file_key key, *previous = NULL;
	struct iotrace_file row;

	for (; !err && !bpf_map_get_next_key(fd, previous, &key); previous = &key)
		err = bpf_map_lookup_elem(fd, &key, &row) ? -errno : read_row(p, &key, &row);
	return err;
}

/* Descriptors that are not open have no entry among the rows. */
static int name_invalid(struct profile *p)
{
	int err = 0;

	for (size_t i = 0; i < p->nr_files && !err; i++)
		if (!p->files[i].path)
			err = file_row_be_invalid(&p->files[i]);
	return err;
}

static void add_cell(struct file_call *call, const struct iotrace_file_cell *cell)
{
#define ADD_COUNTER(scope, counted, name) \
	IN_FILE_##scope(IN_FILE_CELL_##counted(call->name += cell->name;))
#define ADD_HISTOGRAM(scope, counted, name, buckets, octave) \
	IN_FILE_##scope(histogram_merge(call->name, cell->name, FILE_BUCKETS(buckets, octave));)
	FIGURES(ADD_COUNTER, NO_FIGURE)
	HISTOGRAMS(ADD_HISTOGRAM)
#undef ADD_COUNTER
#undef ADD_HISTOGRAM
}

struct cell_reader {
	struct profile *profile;
	const struct bpf_slot_calls *calls;
};

/*
 * A slot that is handed out while figures are read is not among the calls yet: its calls are the
 * next snapshot's, as they are in the table of syscalls.
 */
static int read_cell(void *arg, const void *raw)
{
	const struct iotrace_file_cell *cell = raw;
	const struct cell_reader *r = arg;
	int index = bpf_slots_call(r->calls, FILE_CELL_SLOT(cell->key));
	struct file_stats *f;
	struct file_call *call;

	if (index < 0 || !FILE_CELL_ROW(cell->key))
		return 0;
	call = file_row_call(r->profile, FILE_CELL_ROW(cell->key), CALL_ABI(index), CALL_NR(index),
			     &f);
	if (!call)
		return -ENOMEM;
	add_cell(call, cell);
	f->written_by |= (uint32_t)cell->written_by;
	return 0;
}

static int read_cells(struct iotrace_bpf *skel, struct profile *p,
		      const struct bpf_slot_calls *calls)
{
	uint32_t used = skel->data->next_cell, room = skel->rodata->cfg_end_cell;
	const struct bpf_cells cells = { skel->maps.file_cells, used < room ? used : room, NULL,
					 skel->maps.more_file_cells };
	struct cell_reader reader = { p, calls };

	return bpf_each_cell(&cells, read_cell, &reader);
}

static int read_users(struct iotrace_bpf *skel, struct profile *p)
{
	int fd = bpf_map__fd(skel->maps.file_users), err = 0;
	struct iotrace_file_user_key key, *previous = NULL;
	uint64_t calls;

	for (; !err && !bpf_map_get_next_key(fd, previous, &key); previous = &key)
		err = bpf_map_lookup_elem(fd, &key, &calls)
			      ? -errno
			      : file_row_add_user(p, key.row, key.program.visible_pid,
						  key.program.comm, calls);
	return err;
}

/* The users of which there was no room for each process. */
static int read_more_users(struct iotrace_bpf *skel, struct profile *p)
{
	int fd = bpf_map__fd(skel->maps.more_file_users), err = 0;
	struct iotrace_file_comm_key key, *previous = NULL;
	struct iotrace_file_comm all;

	for (; !err && !bpf_map_get_next_key(fd, previous, &key); previous = &key)
		err = bpf_map_lookup_elem(fd, &key, &all)
			      ? -errno
			      : file_row_add_users(p, key.row, key.comm, all.processes, all.calls);
	return err;
}

/* The groups that made calls on the files. What found no room is missing there. */
static int read_groups(struct iotrace_bpf *skel, struct profile *p)
{
	int fd = bpf_map__fd(skel->maps.file_groups), err = 0;
	struct iotrace_file_group_key key, *previous = NULL;
	uint64_t calls;

	for (; !err && !bpf_map_get_next_key(fd, previous, &key); previous = &key)
		err = bpf_map_lookup_elem(fd, &key, &calls)
			      ? -errno
			      : file_row_add_group(p, key.row, key.group, calls);
	return err;
}

static struct busy busy_of(const struct iotrace_busy *b)
{
	return (struct busy){ b->user_ns, b->system_ns, b->run_ns, b->run_calls, 0, 0, 0 };
}

static int add_program_calls(struct profile *p, const char comm[16], uint64_t processes,
			     const struct iotrace_busy *busy)
{
	struct program_calls calls = {
		.processes = processes,
		.calls = busy->run_calls + busy->wait_calls,
		.total_ns = busy->run_ns + busy->wait_ns,
	};

	memcpy(calls.comm, comm, sizeof(calls.comm));
	return profile_add_program_calls(p, &calls);
}

/* The programs of which there was no room for each process. */
static int read_more_programs(struct iotrace_bpf *skel, struct profile *p)
{
	int fd = bpf_map__fd(skel->maps.more_programs), err = 0;
	char comm[16], *previous = NULL;
	struct iotrace_comm all;

	for (; !err && !bpf_map_get_next_key(fd, previous, comm); previous = comm) {
		struct busy busy;

		if (bpf_map_lookup_elem(fd, comm, &all))
			return -errno;
		busy = busy_of(&all.busy);
		busy_add(&p->busy, &busy);
		err = add_program_calls(p, comm, all.processes, &all.busy);
	}
	return err;
}

/* Programs without room, and, until tracing has stopped, what running tasks have not added yet. */
static void add_other_busy(const struct bpf_state *s, struct profile *p)
{
	const struct iotrace_bpf__bss *bss = s->skel->bss;
	struct busy others = busy_of((const struct iotrace_busy *)&bss->busy_of_others);
	struct busy so_far = busy_of((const struct iotrace_busy *)&bss->busy_so_far);

	busy_add(&p->busy, &others);
	if (!s->stop_ns)
		busy_add(&p->busy, &so_far);
}

static int read_programs(const struct bpf_state *s, struct profile *p)
{
	struct iotrace_bpf *skel = s->skel;
	int fd = bpf_map__fd(skel->maps.programs), err = 0;
	struct iotrace_file_program key, *previous = NULL;
	struct iotrace_program raw;

	for (; !err && !bpf_map_get_next_key(fd, previous, &key); previous = &key) {
		const struct file_stats *exe;
		struct program_stats program;

		if (bpf_map_lookup_elem(fd, &key, &raw))
			return -errno;
		exe = profile_find_file(p, (uint32_t)raw.exe_row);
		program = (struct program_stats){
			.pid = key.visible_pid,
			.parent = (pid_t)raw.parent,
			.busy = busy_of(&raw.busy),
			.first_ns = raw.first_ns,
			.last_ns = raw.last_ns,
			.delayed_ns = raw.delayed_ns,
			.slept_ns = raw.slept_ns,
			.sleeps = raw.sleeps,
			.most_calls = raw.slept_calls,
			.exe = exe && !exe->cut ? exe->path : NULL,
		};
		memcpy(program.comm, key.comm, sizeof(program.comm));
		err = profile_add_program(p, &program);
		if (!err)
			err = add_program_calls(p, key.comm, 1, &raw.busy);
	}
	if (!err)
		err = read_more_programs(skel, p);
	add_other_busy(s, p);
	profile_sort_programs(p);
	profile_sort_program_calls(p);
	return err;
}

/* Adds up how long all programs were busy up to now. Without dump_tasks() that is not known. */
static int read_busy(const struct bpf_state *s, struct profile *p)
{
	int fd = bpf_map__fd(s->skel->maps.programs),
	    more = bpf_map__fd(s->skel->maps.more_programs);
	struct iotrace_file_program key, *previous = NULL;
	char comm[16], *before = NULL;
	struct iotrace_program program;
	struct iotrace_comm all;
	struct busy busy;

	if (!bpf_does(s, FEATURE_IN_FLIGHT))
		return 0;
	for (; !bpf_map_get_next_key(fd, previous, &key); previous = &key) {
		if (bpf_map_lookup_elem(fd, &key, &program))
			return -errno;
		busy = busy_of(&program.busy);
		busy_add(&p->busy, &busy);
	}
	for (; !bpf_map_get_next_key(more, before, comm); before = comm) {
		if (bpf_map_lookup_elem(more, comm, &all))
			return -errno;
		busy = busy_of(&all.busy);
		busy_add(&p->busy, &busy);
	}
	add_other_busy(s, p);
	return 0;
}

int bpf_read_files(struct bpf_state *s, struct profile *p)
{
	/* A file's row is made before its cells: those that come meanwhile have no cells yet. */
	struct iotrace_bpf *skel = s->skel;
	int err = read_cells(skel, p, &s->calls);

	if (!err)
		err = read_rows(skel, p);
	if (!err)
		err = name_invalid(p);
	if (!err)
		err = read_users(skel, p);
	if (!err)
		err = read_more_users(skel, p);
	if (!err && skel->rodata->cfg_groups)
		err = read_groups(skel, p);
	/* The tasks hold a part themselves, which they add when tracing ends. */
	if (!err)
		err = skel->bss->stopped ? read_programs(s, p) : read_busy(s, p);
	if (!err)
		err = profile_name_executables(p);
	if (!err)
		err = profile_add_other_files(p);
	p->misplaced_calls = skel->bss->misplaced_calls;
	p->lost_file_users = skel->bss->lost_file_users;
	return err;
}
