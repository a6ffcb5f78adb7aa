/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a row for a file that is seen for the first time: finds its path, kind and addresses. None
 * of this is on the hot path; it uses probe reads.
 *
 * The functions that the probes call are global, because the verifier checks a global function once
 * and not at each call (Documentation/bpf/verifier.rst). It then knows nothing of the arguments, so
 * a pointer may be NULL. Before Linux 6.8 it also checks global functions that are never called; in
 * a run without files these have no maps, and must do nothing.
 */
#ifndef FILE_ROWS_BPF_H
#define FILE_ROWS_BPF_H

#define S_IFMT	 0170000
#define S_IFIFO	 0010000
#define S_IFBLK	 0060000
#define S_IFREG	 0100000
#define S_IFSOCK 0140000

#include "file_scratch.bpf.h"
#include "sockets.bpf.h"
#include "shared_rows.bpf.h"

/* Finds or makes the cell of a key. Returns its number, or 0 if there is no room left. */
__noinline u32 cell_number(u64 key)
{
	u32 *known = bpf_map_lookup_elem(&file_cell_numbers, &key), number;
	struct iotrace_file_cell *cell;

	if (known)
		return *known;
	if (next_cell >= cfg_end_cell)
		return 0;
	number = __sync_fetch_and_add(&next_cell, 1);
	cell = number < cfg_end_cell ? bpf_map_lookup_elem(&file_cells, &number) : NULL;
	if (!cell || bpf_map_update_elem(&file_cell_numbers, &key, &number, BPF_NOEXIST))
		return 0;
	cell->key = key;
	return number;
}

/* Does -P select this dentry, or the file of this name in it? */
static __always_inline bool is_only_path(struct dentry *dentry)
{
	u64 inode = PEEK(u64, dentry, cfg_at.dentry_inode);

	for (u32 i = 0; i < MAX_ONLY_PATHS && i < cfg_nr_only_paths; i++)
		if (inode && only_files[i].self == inode)
			return true;
	return false;
}

static __always_inline bool same_name(const char *a, const volatile char *b)
{
	for (int i = 0; i < FILE_NAME_SIZE; i++) {
		if (a[i] != b[i])
			return false;
		if (!a[i])
			break;
	}
	return true;
}

/*
 * Compares by name, for files that did not exist when tracing began. The row's path begins with the
 * name of the dentry.
 */
static __always_inline bool is_only_name(struct dentry *dentry, struct iotrace_file *row)
{
	u64 parent = PEEK(u64, PEEK(void *, dentry, cfg_at.dentry_parent), cfg_at.dentry_inode);

	for (u32 i = 0; i < MAX_ONLY_PATHS && i < cfg_nr_only_paths; i++)
		if (parent && only_files[i].parent == parent &&
		    same_name(row->path, cfg_only_paths[i].name))
			return true;
	return false;
}

/* Adds the name of a dentry to the path. Returns false if there is no room. */
static __always_inline bool add_name(struct iotrace_file *row, struct dentry *dentry)
{
	const void *name = PEEK(void *, dentry, cfg_at.dentry_name + cfg_at.qstr_name);
	u32 at = row->path_len;
	long len;

	if (at > FILE_PATH_SIZE - 1)
		return false;
	len = bpf_probe_read_kernel_str(row->path + at, FILE_NAME_SIZE, name);
	if (len <= 0)
		return false;
	row->path_len = at + len;
	return true;
}

/*
 * Takes one step towards the root: adds a name, or leaves a mount. Returns 1 if there is more to
 * walk.
 */
__noinline int step_up(u32 place)
{
	struct file_scratch *s = get_scratch(place);
	struct dentry *dentry, *parent;
	struct vfsmount *mnt;

	if (!s)
		return 0;
	dentry = s->dentry;
	mnt = s->mnt;
	if (cfg_nr_only_paths && is_only_path(dentry))
		s->row.marks |= FILE_WANTED;
	if ((u64)dentry == root.dentry && (u64)mnt == root.mnt)
		return 0;
	if (dentry == PEEK(struct dentry *, mnt, cfg_at.vfsmount_root)) {
		void *mount = (void *)mnt - cfg_at.mount_mnt;
		void *up = PEEK(void *, mount, cfg_at.mount_parent);

		if (up == mount)
			return 0;
		s->dentry = PEEK(struct dentry *, mount, cfg_at.mount_mountpoint);
		s->mnt = up + cfg_at.mount_mnt;
		return 1;
	}
	parent = PEEK(struct dentry *, dentry, cfg_at.dentry_parent);
	if (!add_name(&s->row, dentry)) {
		s->row.marks |= FILE_CUT;
		return 0;
	}
	if (parent == dentry) {
		s->row.marks |= FILE_DETACHED;
		return 0;
	}
	s->dentry = parent;
	return 1;
}

/* Builds the path from the dentry and the mount in the scratch. */
static __always_inline void walk_up(struct file_scratch *s, u32 place)
{
	int i;

	for (i = 0; i < FILE_PATH_DEPTH; i++)
		if (!step_up(place))
			break;
	if (i == FILE_PATH_DEPTH)
		s->row.marks |= FILE_CUT;
}

static __always_inline void build_path(struct file_scratch *s, u32 place)
{
	void *path = (void *)s->file + cfg_at.file_path;
	struct dentry *leaf = PEEK(struct dentry *, path, cfg_at.path_dentry);

	s->dentry = leaf;
	s->mnt = PEEK(struct vfsmount *, path, cfg_at.path_mnt);
	s->row.dentry = (u64)leaf;
	s->row.mnt = (u64)s->mnt;
	walk_up(s, place);
	if (cfg_nr_only_paths && is_only_name(leaf, &s->row))
		s->row.marks |= FILE_WANTED;
}

/*
 * Is there room for another file? A quarter of the cells is kept for other calls, and other CPUs,
 * on known files.
 */
static __always_inline bool have_rows(void)
{
	return next_row < cfg_end_row && next_cell < cfg_end_cell - cfg_end_cell / 4;
}

/* Returns the next row number, or ROW_NONE if there is none left. */
static __always_inline u32 new_row_number(void)
{
	u32 row;

	if (!have_rows())
		return ROW_NONE;
	row = __sync_fetch_and_add(&next_row, 1);
	return row < cfg_end_row ? row : ROW_NONE;
}

/*
 * Numbers the row and inserts it, or finds the one that another CPU has just inserted. NULL if both
 * fail.
 */
static __always_inline struct iotrace_file *enter_row(const struct iotrace_file_key *key,
						      struct iotrace_file *row)
{
	row->row = new_row_number();
	if (!row->row)
		return NULL;
	bpf_map_update_elem(&file_rows, key, row, BPF_NOEXIST);
	return bpf_map_lookup_elem(&file_rows, key);
}

/* Hashes the name of the file in the scratch, which has no directory. */
__noinline u64 hash_own_name(u32 place)
{
	struct file_scratch *s = get_scratch(place);
	struct dentry *dentry;

	if (!s)
		return 0;
	dentry = PEEK(struct dentry *, (void *)s->file + cfg_at.file_path, cfg_at.path_dentry);
	s->row.path_len = 0;
	if (!add_name(&s->row, dentry) || s->row.path_len > FILE_NAME_SIZE)
		return 0;
	*(u64 *)(s->row.path + s->row.path_len) = 0;
	return hash_path(place, s->row.path_len);
}

static __always_inline bool has_name_only(const struct iotrace_file *row)
{
	u16 format = row->mode & S_IFMT;

	return format != S_IFSOCK && format != S_IFIFO;
}

static __noinline struct iotrace_file *new_row(struct file *file,
					       const struct iotrace_file_key *key, u32 place)
{
	void *inode = PEEK(void *, file, cfg_at.file_inode), *type;
	struct file_scratch *s;

	/* With -P, unwanted files have rows as well, by which they are recognised. */
	if (!have_rows() && !cfg_nr_only_paths)
		return NULL;
	s = clear_scratch(place);
	if (!s)
		return NULL;
	s->file = file;
	s->row.ino = PEEK(u64, inode, cfg_at.inode_ino);
	s->row.mode = PEEK(u16, inode, cfg_at.inode_mode);
	s->row.rdev = PEEK(u32, inode, cfg_at.inode_rdev);
	s->row.sb = PEEK(u64, inode, cfg_at.inode_sb);
	type = PEEK(void *, s->row.sb, cfg_at.sb_type);
	bpf_probe_read_kernel_str(s->row.fstype, sizeof(s->row.fstype),
				  PEEK(void *, type, cfg_at.fstype_name));
	if ((s->row.mode & S_IFMT) == S_IFSOCK)
		read_socket(place);
	else
		build_path(s, place);
	if (cfg_nr_only_paths && !(s->row.marks & FILE_WANTED))
		return &s->row;
	if (key->inode == FILE_KEY_SHARED && has_name_only(&s->row))
		s->row.name_hash = hash_own_name(place);
	return enter_row(key, &s->row);
}

/* Adds calls of a program to those that it made on a file. */
__noinline int add_use(const struct iotrace_file_program *program, u32 row, u64 calls)
{
	struct iotrace_file_user_key key = { .row = row & ROW_MASK };
	u64 *sum;

	if (!cfg_files || !program)
		return 0;
	key.program = *program;
	sum = bpf_map_lookup_elem(&file_users, &key);
	if (sum) {
		__sync_fetch_and_add(sum, calls);
		return 0;
	}
	/* If another CPU was quicker, it is there now. */
	if (!bpf_map_update_elem(&file_users, &key, &calls, BPF_NOEXIST))
		return 0;
	sum = bpf_map_lookup_elem(&file_users, &key);
	if (sum)
		__sync_fetch_and_add(sum, calls);
	else
		__sync_fetch_and_add(&lost_file_users, 1);
	return 0;
}

static __always_inline void flush_way(struct iotrace_task_files *files,
				      struct iotrace_file_way *way)
{
	if (way->calls && (way->row & ROW_MASK) != ROW_OTHER)
		add_use(&files->program, way->row, way->calls);
	way->calls = 0;
}

/*
 * Adds the calls that a task has counted to those of the files' users. The next one tells of the
 * user at once.
 */
static __always_inline void flush_uses(struct iotrace_task_files *files)
{
	for (int i = 0; i < FILE_WAYS; i++) {
		flush_way(files, &files->ways[i]);
		files->ways[i].untold = 0;
	}
}

static __always_inline void set_program(struct iotrace_file_program *program,
					struct task_struct *task)
{
	program->pid = task->tgid;
	program->visible_pid = visible_tgid(task);
	__builtin_memcpy(program->comm, task->group_leader->comm, sizeof(program->comm));
}

static __always_inline void start_busy(struct iotrace_task_files *files, u64 user_ns, u64 system_ns)
{
	files->busy.user_ns = user_ns;
	files->busy.system_ns = system_ns;
	files->busy.run_ns = files->busy.run_calls = 0;
}

/* Begins to count the task's time for its program. */
static __always_inline void begin_busy(struct iotrace_task_files *files, struct task_struct *task)
{
	start_busy(files, task->utime, task->stime);
}

/* Adds the time that a task was busy, since it was last added, to its program's. */
static __always_inline void flush_busy(struct iotrace_task_files *files, u64 user_ns, u64 system_ns)
{
	/* Before Linux 6.1 a key must be on the stack or in a map. */
	struct iotrace_file_program key = files->program;
	struct iotrace_program new = { .exe_row = files->exe_row }, *program;
	struct iotrace_busy *sum;

	program = bpf_map_lookup_elem(&programs, &key);
	if (!program) {
		/* If another CPU was quicker, it is there now. */
		bpf_map_update_elem(&programs, &key, &new, BPF_NOEXIST);
		program = bpf_map_lookup_elem(&programs, &key);
	}
	if (program) {
		sum = &program->busy;
		__sync_fetch_and_add(&sum->user_ns, user_ns - files->busy.user_ns);
		__sync_fetch_and_add(&sum->system_ns, system_ns - files->busy.system_ns);
		__sync_fetch_and_add(&sum->run_ns, files->busy.run_ns);
		__sync_fetch_and_add(&sum->run_calls, files->busy.run_calls);
	} else {
		__sync_fetch_and_add(&lost_programs, 1);
	}
	start_busy(files, user_ns, system_ns);
}

/*
 * The row of the executable of the current task; ROW_NONE if there is none, as with -P for files
 * that are not wanted.
 */
__noinline u32 row_of_executable(u32 place)
{
	void *mm = PEEK(void *, bpf_get_current_task_btf(), cfg_at.task_mm);
	struct file *file = mm ? PEEK(struct file *, mm, cfg_at.mm_exe) : NULL;
	struct iotrace_file *row;
	struct file_view view;

	if (!file || cfg_nr_only_paths)
		return ROW_NONE;
	view_file(file, &view);
	row = bpf_map_lookup_elem(&file_rows, &view.key);
	if (!row)
		row = new_row(file, &view.key, place);
	return row ? row->row : ROW_NONE;
}

/* The current task executes another program, or is seen for the first time. */
static __always_inline void begin_program(struct iotrace_task_files *files, u32 place)
{
	set_program(&files->program, bpf_get_current_task_btf());
	files->exe_row = row_of_executable(place);
}

static __always_inline void know_program(struct iotrace_task_files *files, u32 place)
{
	if (!files->program.pid)
		begin_program(files, place);
}

__noinline int add_figures(struct iotrace_task_files *files, u64 user_ns, u64 system_ns)
{
	if (!cfg_files || !files)
		return 0;
	flush_uses(files);
	flush_busy(files, user_ns, system_ns);
	return 0;
}

/*
 * Moves the figures that a task holds to the maps that user space reads, because its program or
 * tracing ends.
 */
static __always_inline void flush_figures(struct iotrace_task_files *files,
					  struct task_struct *task)
{
	if (!files->program.pid)
		set_program(&files->program, task);
	add_figures(files, task->utime, task->stime);
}

/* The row of a file that shares one. */
static __noinline struct iotrace_file *shared_row(struct file *file,
						  const struct iotrace_file_key *key,
						  const struct iotrace_file_program *program,
						  bool is_stderr, u32 place)
{
	struct file_scratch *s = clear_scratch(place);
	struct iotrace_file *row;

	if (!s)
		return NULL;
	s->file = file;
	s->key = *key;
	s->program = hash_name(program->comm);
	s->row.ino = key->ino;
	s->row.mode = PEEK(u16, key->inode, cfg_at.inode_mode);
	share_key(place, is_stderr);
	row = bpf_map_lookup_elem(&file_rows, &s->key);
	if (!row)
		return new_row(file, &s->key, place);
	note_differences(row, &s->row);
	if (has_name_only(row) && (row->marks & (FILE_INODES | FILE_NAMES)) == FILE_INODES &&
	    row->name_hash != hash_own_name(place))
		__sync_fetch_and_or(&row->marks, FILE_NAMES);
	return row;
}

/*
 * Finds or makes the row of the file of a descriptor, which is not in the task's cache, and caches
 * it. Looks the file up by itself: a pointer of the kernel cannot be handed to a global function.
 */
__noinline u32 find_row(struct iotrace_task_files *files, u32 fd, u32 place)
{
	u32 number = ROW_OTHER, format;
	struct iotrace_file_way *way;
	struct iotrace_file *row;
	struct file_view own, *view = &own;
	struct file *file;

	if (!files)
		return ROW_OTHER;
	file = file_of(bpf_get_current_task_btf(), fd);
	if (!file)
		return ROW_INVALID; /* another thread has closed it in this moment */
	view_file(file, view);
	way = &files->ways[files->way % FILE_WAYS];
	know_program(files, place);
	flush_way(files, way);
	way->untold = 0;
	way->key = view->key;
	if (is_internal(file)) {
		row = shared_row(file, &view->key, &files->program, fd == 2, place);
	} else {
		row = bpf_map_lookup_elem(&file_rows, &view->key);
		if (!row)
			row = new_row(file, &view->key, place);
	}
	if (row) {
		format = row->mode & S_IFMT;
		number = row->row;
		if (cfg_nr_only_paths && !(row->marks & FILE_WANTED))
			number = ROW_OTHER | ROW_UNWANTED;
		if (view->flags & ~row->flags)
			__sync_fetch_and_or(&row->flags, view->flags);
		if (view->unlinked && !(row->marks & FILE_UNLINKED))
			__sync_fetch_and_or(&row->marks, FILE_UNLINKED);
		if (format == S_IFREG || format == S_IFBLK)
			number |= ROW_POSITIONED;
		/* Look at it again at the next call: it may be connected then. */
		if (row->socket.role == SOCKET_UNSETTLED)
			way->key.inode = 0;
	}
	if (view->unlinked)
		number |= ROW_UNLINKED;
	/* A new open file description has a position of its own. */
	way->flags = view->flags;
	way->row = number;
	way->end = ~0ULL;
	way->written = 0;
	return number;
}

/* Is the path of a failed opening, as given, one of -P or below one? */
static __always_inline bool is_only_text(const char *path)
{
	for (u32 i = 0; i < MAX_ONLY_PATHS && i < cfg_nr_only_paths; i++) {
		for (int j = 0; j < FILE_NAME_SIZE; j++) {
			char wanted = cfg_only_paths[i].text[j];

			if (!wanted && (!path[j] || path[j] == '/'))
				return true;
			if (wanted != path[j])
				break;
		}
	}
	return false;
}

/* The row of a path that could not be opened or found, by path and errno. */
__noinline u32 failed_row(struct iotrace_task_files *files, u64 path, u32 err)
{
	struct iotrace_file_key key = { .inode = FILE_KEY_FAILED, .generation = err };
	struct file_scratch *s = clear_scratch(SCRATCH_RETURN);
	struct iotrace_file *row;
	long len;

	if (!s || !files)
		return ROW_OTHER;
	len = bpf_probe_read_user_str(s->row.path, FILE_PATH_SIZE, (void *)path);
	if (len <= 0 || len > FILE_PATH_SIZE)
		return cfg_nr_only_paths ? ROW_INVALID : ROW_OTHER; /* EFAULT, most likely */
	for (int i = 0; i < 8; i++)
		s->row.path[len + i] = 0;
	s->row.path_len = len;
	if (cfg_nr_only_paths && !is_only_text(s->row.path))
		return ROW_INVALID;
	if (len == FILE_PATH_SIZE)
		s->row.marks = FILE_CUT;
	key.ino = hash_path(SCRATCH_RETURN, len);
	row = bpf_map_lookup_elem(&file_rows, &key);
	if (!row)
		row = enter_row(&key, &s->row);
	if (!row)
		return ROW_OTHER;
	know_program(files, SCRATCH_RETURN);
	add_use(&files->program, row->row, 1);
	return row->row;
}

/*
 * Can the file's last name be read? A dentry moves with a rename. Without a dentry, or if the inode
 * has been dropped and used for another file, the first name stays.
 */
static __always_inline bool is_still_there(const struct iotrace_file_key *key,
					   const struct iotrace_file *row)
{
	return key->inode > FILE_KEY_SHARED && row->dentry && !(row->marks & FILE_DETACHED) &&
	       PEEK(u64, row->dentry, cfg_at.dentry_inode) == key->inode &&
	       PEEK(u64, key->inode, cfg_at.inode_ino) == key->ino &&
	       PEEK(u32, key->inode, cfg_at.inode_generation) == key->generation &&
	       PEEK(u64, key->inode, cfg_at.inode_sb) == row->sb &&
	       PEEK(u64, row->mnt, cfg_at.vfsmount_sb) == row->sb;
}

static __always_inline void name_again(const struct iotrace_file_key *key, struct iotrace_file *row)
{
	struct file_scratch *s = get_scratch(SCRATCH_END);

	if (!s || !is_still_there(key, row))
		return;
	s->row.marks = s->row.path_len = 0;
	s->dentry = (struct dentry *)row->dentry;
	s->mnt = (struct vfsmount *)row->mnt;
	walk_up(s, SCRATCH_END);
	if (s->row.marks & FILE_DETACHED)
		return;
	if (!PEEK(u32, key->inode, cfg_at.inode_nlink))
		row->marks |= FILE_UNLINKED;
	row->marks = (row->marks & ~FILE_CUT) | (s->row.marks & FILE_CUT);
	row->path_len = s->row.path_len;
	bpf_probe_read_kernel(row->path, sizeof(row->path), s->row.path);
}
#endif
