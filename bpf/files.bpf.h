/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-file figures: at entry, finds the call's file; at return, adds the call to the file's cell.
 *
 * Each call reads its file's identity through the task's descriptor table and compares it with the
 * task's cache. Only a file that is not in the cache is looked up in hashes, and only a file that
 * is seen for the first time has its path built (file_rows.bpf.h).
 */
#ifndef FILES_BPF_H
#define FILES_BPF_H

const volatile struct iotrace_file_offsets cfg_at = {};
const volatile bool cfg_files = false;
const volatile u32 cfg_end_row = ROW_FIRST; /* rows are handed out below this */
const volatile u32 cfg_end_cell = 1;	    /* cells likewise; number 0 is none */
const volatile u32 cfg_nr_only_paths = 0;   /* -P */
const volatile struct iotrace_only_path cfg_only_paths[MAX_ONLY_PATHS] = {};

struct iotrace_only_files only_files[MAX_ONLY_PATHS];
struct iotrace_root root; /* iotrace's own */

u32 next_row = ROW_FIRST;
u32 next_cell = 1;
u64 misplaced_calls; /* calls on files with a row that found no cell: they are among (other)'s */
u64 lost_programs;   /* processes whose time found no room */
u64 lost_file_users; /* times that a process's calls found no room among a file's users */

/* Pointers of the kernel, followed only at the offsets in cfg_at. */
struct file;
struct dentry;
struct vfsmount;

extern void *bpf_rdonly_cast(const void *object, u32 btf_id) __ksym __weak;

/*
 * Reads a member of this type at an offset, by a helper that accepts any address; 0 if it cannot be
 * read.
 */
#define PEEK(type, base, offset)                                                           \
	({                                                                                 \
		type value_ = 0;                                                           \
		bpf_probe_read_kernel(&value_, sizeof(value_), (void *)(base) + (offset)); \
		value_;                                                                    \
	})

/* Reads a member by a plain load, through a pointer whose type the verifier knows. */
#define LOAD(type, base, offset) (*(type *)((void *)(base) + (offset)))

/* All of these are allocated beforehand: in a probe the kernel often has no memory at hand. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_file_key);
	__type(value, struct iotrace_file);
} file_rows SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_file_cell);
} file_cells SEC(".maps");

/* The number of the cell with this key. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, u32);
} file_cell_numbers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_file_user_key);
	__type(value, u64); /* calls */
} file_users SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_file_program);
	__type(value, struct iotrace_program);
} programs SEC(".maps");

#include "file_view.bpf.h"
#include "file_rows.bpf.h"

/* An argument of the call; ia32 has them in other registers. */
static __always_inline u64 call_arg(struct pt_regs *regs, u32 slot, u32 n)
{
	bool compat = slot & SLOT_COMPAT;

	switch (n) {
	case 0:
		return compat ? (u32)regs->bx : regs->di;
	case 1:
		return compat ? (u32)regs->cx : regs->si;
	case 2:
		return compat ? (u32)regs->dx : regs->dx;
	case 3:
		return compat ? (u32)regs->si : regs->r10;
	case 4:
		return compat ? (u32)regs->di : regs->r8;
	}
	return compat ? (u32)regs->bp : regs->r9;
}

/* The inode behind a descriptor of the current task; 0: none. */
static __always_inline u64 inode_of(s32 fd)
{
	struct file *file = fd < 0 ? NULL : file_of(bpf_get_current_task_btf(), fd);

	return file ? PEEK(u64, file, cfg_at.file_inode) : 0;
}

static __always_inline void identify_files_of_user_space(void)
{
	struct file *file = file_of(bpf_get_current_task_btf(), root.fd);

	if (file) {
		void *path = (void *)file + cfg_at.file_path;

		root.dentry = PEEK(u64, path, cfg_at.path_dentry);
		root.mnt = PEEK(u64, path, cfg_at.path_mnt);
	}
	for (u32 i = 0; i < MAX_ONLY_PATHS && i < cfg_nr_only_paths; i++) {
		only_files[i].self = inode_of(only_files[i].self_fd);
		only_files[i].parent = inode_of(only_files[i].parent_fd);
	}
}

/*
 * The row of the file of fd, with marks; ROW_INVALID if it is not open. Afterwards the file is in
 * the cache.
 */
static __always_inline u32 row_of(struct task_struct *task, struct iotrace_task *state, u32 fd,
				  u64 *position, u32 place)
{
	struct file *file = file_of(task, fd);
	struct iotrace_file_way *way;
	struct file_view view;

	if (!file)
		return ROW_INVALID;
	view_file(file, &view);
	*position = view.position;
	state->files.way = fd % FILE_WAYS;
	way = &state->files.ways[fd % FILE_WAYS];
	if (way->row && same_file(way, &view) && (!view.unlinked || way->row & ROW_UNLINKED))
		return way->row;
	return find_row(&state->files, fd, place);
}

static __always_inline u32 file_call_of(u32 slot)
{
	return slot >> SLOT_CALL_SHIFT & SLOT_CALL_MASK;
}

/*
 * Finds the file of a call that begins. Returns the slot, with SLOT_OTHER_FILE if it is not
 * counted.
 */
static __always_inline u32 files_enter(struct task_struct *task, struct iotrace_task *state,
				       struct pt_regs *regs, u32 slot)
{
	u32 fd_arg = slot >> SLOT_FD_SHIFT & SLOT_FD_MASK, call = file_call_of(slot), row;
	u64 position = ~0ULL;

	state->files.row = ROW_NONE;
	/* The opened file is known at the return; before the window, nothing is counted. */
	if (!fd_arg || state->flags & TASK_ARMED)
		return cfg_nr_only_paths ? slot | SLOT_OTHER_FILE : slot;
	row = row_of(task, state, call_arg(regs, slot, fd_arg - 1), &position, SCRATCH_ENTRY);
	if (cfg_nr_only_paths && (row == ROW_INVALID || row & ROW_UNWANTED))
		return slot | SLOT_OTHER_FILE;
	state->files.row = row;
	if (call == FILE_CALL_PWRITE || call == FILE_CALL_PWRITEV)
		position = slot & SLOT_COMPAT ? ~0ULL : call_arg(regs, slot, fd_arg + 2);
	state->files.position = position;
	return slot;
}

/* Reads the last byte that was written. The kernel has just read it, so its page is present. */
static __always_inline void look_at_end(struct iotrace_file_cell *cell, struct pt_regs *regs,
					u32 slot, u64 bytes)
{
	u32 fd_arg = slot >> SLOT_FD_SHIFT & SLOT_FD_MASK, call = file_call_of(slot);
	u64 buffer = call_arg(regs, slot, fd_arg);
	u64 nr = call_arg(regs, slot, fd_arg + 1);
	char last;

	if (call == FILE_CALL_WRITEV || call == FILE_CALL_PWRITEV) {
		u64 vector[2];

		nr = (u32)nr;
		if (slot & SLOT_COMPAT || !nr ||
		    bpf_probe_read_user(vector, sizeof(vector),
					(void *)(buffer + (nr - 1) * sizeof(vector))))
			return;
		buffer = vector[0];
		bytes = vector[1];
		if (!bytes)
			return;
	} else {
		cell->measured++;
		cell->cut_short += bytes < nr;
	}
	if (bpf_probe_read_user(&last, 1, (void *)(buffer + bytes - 1)))
		return;
	cell->last_byte_known++;
	cell->newlines += last == '\n';
}

/* Did the write begin where the previous one ended? */
static __always_inline void follow_position(struct iotrace_file_cell *cell,
					    struct iotrace_task_files *files, u64 bytes)
{
	struct iotrace_file_way *way = &files->ways[files->way % FILE_WAYS];

	if (!(files->row & ROW_POSITIONED))
		return;
	if (way->flags & FILE_O_APPEND) {
		cell->positioned++;
		cell->sequential++;
		return;
	}
	if (files->position == ~0ULL) {
		way->end = ~0ULL;
		return;
	}
	if (way->end != ~0ULL) {
		cell->positioned++;
		cell->sequential += files->position == way->end;
	}
	way->end = files->position + bytes;
}

/* Did the task sleep, or read from the file, since its write before? */
static __always_inline void follow_runs(struct iotrace_file_cell *cell, struct iotrace_task *state,
					const struct task_struct *task, u32 slot)
{
	struct iotrace_file_way *way = &state->files.ways[state->files.way % FILE_WAYS];

	if (slot & SLOT_READS) {
		way->written = 0;
		return;
	}
	cell->runs += differs(way->written, state->nvcsw + 1);
	way->written = task->nvcsw + 1;
}

/*
 * Counts a call for the file's user. The first call is added at once, so that the user is known;
 * the following ones are added in large groups, which costs little. The users of a file without a
 * way are counted elsewhere.
 */
static __always_inline void count_use(struct iotrace_task_files *files)
{
	struct iotrace_file_way *way = &files->ways[files->way % FILE_WAYS];

	if ((way->row & ROW_MASK) != (files->row & ROW_MASK))
		return;
	if (++way->calls > way->untold) {
		flush_way(files, way);
		way->untold = FILE_CALLS_UNTOLD;
	}
}

/* This CPU's cell of a syscall on the file of the call; NULL if there is none. */
static __always_inline struct iotrace_file_cell *file_cell(struct iotrace_task_files *files,
							   u32 slot)
{
	struct iotrace_file_way *way = &files->ways[files->way % FILE_WAYS];
	u64 key =
		FILE_CELL_KEY(files->row & ROW_MASK, bpf_get_smp_processor_id(), slot & SLOT_MASK);
	u32 number;

	if (way->cell_key != key) {
		way->cell = cell_number(key);
		way->cell_key = key;
	}
	number = way->cell;
	if (number)
		return bpf_map_lookup_elem(&file_cells, &number);
	__sync_fetch_and_add(&misplaced_calls, 1);
	return NULL;
}

static __always_inline void count_file_call(const struct task_struct *task,
					    struct iotrace_task *state, struct pt_regs *regs,
					    u32 slot, long ret, bool timed, u64 ns, u32 switched)
{
	u32 call = file_call_of(slot), bucket;
	struct iotrace_file_cell *cell;

	if ((state->files.row & ROW_MASK) == ROW_OTHER)
		return;
	cell = file_cell(&state->files, slot);
	if (!cell)
		return;
	cell->calls++;
	count_use(&state->files);
	if (timed) {
		cell->total_ns += ns;
		cell->waits += switched & CALL_WAITED;
		cell->wait_ns += (switched & CALL_WAITED) * ns;
		cell->preempted += switched / CALL_PREEMPTED;
		bucket = file_latency_bucket(ns);
		barrier_var(bucket); /* the verifier must check the bounds of this value */
		if (bucket < FILE_LATENCY_BUCKETS)
			cell->latency[bucket]++;
	}
	if ((unsigned long)ret >= (unsigned long)-MAX_ERRNO) {
		cell->errors++;
	} else if (slot & SLOT_TRANSFERS) {
		cell->bytes += ret;
		bucket = size_bucket(ret);
		barrier_var(bucket);
		if (bucket < SIZE_BUCKETS)
			cell->sizes[bucket]++;
		if (ret > 0)
			follow_runs(cell, state, task, slot);
		if (call != FILE_CALL_OTHER && ret > 0) {
			follow_position(cell, &state->files, ret);
			look_at_end(cell, regs, slot, ret);
			cell->written_by |= written_by(call_arg(regs, slot, 0));
		}
	}
}

/* The row of the file that a call has opened, or of the path that it could not open or find. */
static __always_inline u32 opened_row(struct task_struct *task, struct iotrace_task *state,
				      struct pt_regs *regs, u32 slot, long ret)
{
	u32 call = file_call_of(slot);
	u64 position;

	/* A look that finds something is no file's. With -P it is not counted at all. */
	if (call >= FILE_CALL_LOOK && (cfg_nr_only_paths || (ret != -ENOENT && ret != -ENOTDIR)))
		return ROW_NONE;
	if ((unsigned long)ret >= (unsigned long)-MAX_ERRNO)
		return failed_row(
			&state->files,
			call_arg(regs, slot, call == FILE_CALL_OPENAT || call == FILE_CALL_LOOKAT),
			-ret);
	return row_of(task, state, ret, &position, SCRATCH_RETURN);
}

/*
 * Adds a call that returns to the figures of its file. Returns the slot, with SLOT_OTHER_FILE if it
 * is not counted among the syscalls. If only now the call is known to be wanted, counts it as
 * entered.
 */
static __always_inline u32 files_exit(struct task_struct *task, struct iotrace_task *state,
				      struct pt_regs *regs, u32 slot, long ret, bool match_per_call,
				      bool timed, u64 ns, u32 switched)
{
	u32 call = file_call_of(slot);

	if (call >= FILE_CALL_OPEN) {
		state->files.row = opened_row(task, state, regs, slot, ret);
		if (cfg_nr_only_paths) {
			if (!state->files.row || state->files.row == ROW_INVALID ||
			    state->files.row & ROW_UNWANTED)
				return slot;
			slot &= ~SLOT_OTHER_FILE;
			count_late_entry(state, match_per_call);
		}
	}
	if (state->files.row)
		count_file_call(task, state, regs, slot, ret, timed, ns, switched);
	return slot;
}
#endif
