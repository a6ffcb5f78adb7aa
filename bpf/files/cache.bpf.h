/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the file of a call among those that the task used last. Each call reads its file's identity
 * through the task's descriptor table and compares it with the cache. Only a file that is not
 * cached is looked up in hashes, and only one that is seen for the first time has its path built.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "files/nagle.bpf.h"
#include "files/path_filter.bpf.h"
#include "files/paths.bpf.h"
#include "files/rows.bpf.h"
#include "files/scratch.bpf.h"
#include "files/shared_rows.bpf.h"
#include "files/users.bpf.h"
#include "files/view.bpf.h"

/* The row of a call on a file that has none of its own. */
static __always_inline u32 other_row(const struct iotrace_file *file)
{
	return is_wanted_file(file) ? ROW_OTHER : ROW_OTHER | ROW_UNWANTED;
}

/*
 * Is its file system anon_inodefs? Since 6.16 some anonymous files are regular files
 * (anon_inode_make_secure_inode() and alloc_anon_inode() in fs/).
 */
static __always_inline bool is_anonymous(const struct iotrace_file *row)
{
	const char *type = row->fstype;

	return type[0] == 'a' && type[1] == 'n' && type[2] == 'o' && type[3] == 'n';
}

/* Does a read of the file wait for what others send or do: is it no file with data, and no disk? */
static __always_inline bool brings_events(const struct iotrace_file *row)
{
	u32 format = row->mode & S_IFMT;

	return (format != S_IFREG && format != S_IFBLK && format != S_IFDIR) || is_anonymous(row);
}

/* The row's number with its marks; notes in the row how the file was opened. */
static __always_inline u32 marked_number(struct iotrace_file *row, const struct file_view *view)
{
	u32 number = row->row, format = row->mode & S_IFMT;

	if (view->flags & ~row->flags)
		__sync_fetch_and_or(&row->flags, view->flags);
	if (view->unlinked && !(row->marks & FILE_UNLINKED))
		__sync_fetch_and_or(&row->marks, FILE_UNLINKED);
	if (format == S_IFREG || format == S_IFBLK)
		number |= ROW_POSITIONED;
	if (format == S_IFIFO)
		number |= ROW_PIPE;
	if (format == S_IFSOCK)
		number |= ROW_SOCKET;
	if (brings_events(row))
		number |= ROW_IDLES;
	return number;
}

/* Remembers the row. A new open file description has a position of its own. */
static __always_inline void begin_cache_entry(struct iotrace_file_cache_entry *entry,
					      const struct file_view *view, u32 number,
					      u64 connection, u32 short_reads)
{
	entry->flags = view->flags;
	entry->row = number;
	entry->connection = connection;
	entry->end = ~0ULL;
	entry->written = 0;
	entry->passed = short_reads;
	entry->byte_samples = entry->calls_to_skip = 0;
}

/* Notes where a read or write of the file begins, if it has a position. */
static __always_inline void set_position(struct iotrace_task_files *files, struct file *file,
					 u32 row)
{
	files->position = row & ROW_POSITIONED ? position_of(file) : ~0ULL;
}

/*
 * Finds or makes the row of the file of a descriptor, which is not in the task's cache, and caches
 * it. Looks the file up by itself: a pointer of the kernel cannot be handed to a global function.
 */
__noinline u32 find_row(struct iotrace_task_files *files, u32 fd, u32 which)
{
	u32 number = ROW_OTHER;
	struct iotrace_file_cache_entry *entry;
	struct iotrace_file *row;
	struct file_scratch *s;
	struct file_view *view;
	struct file *file;
	bool shared;

	if (!cfg_files || !files)
		return ROW_OTHER;
	file = own_file(fd);
	if (!file)
		return ROW_INVALID; /* Another thread has closed it in this moment. */
	entry = &files->cache[files->cache_index % FILE_CACHE_ENTRIES];
	know_program(files, which);
	flush_cache_entry(files, entry);
	s = get_scratch(which);
	if (!s)
		return ROW_OTHER;
	view = &s->view;
	view_file(file, view);
	entry->unreported = 0;
	entry->key = view->key;
	s->file = file;
	shared = is_internal(file);
	if (shared)
		share_key(which, hash_name(files->program.comm), fd == 2);
	row = bpf_map_lookup_elem(&file_rows, &view->key);
	if (row && shared) {
		note_sharing(row, which);
	} else if (!row) {
		int made = make_row(which);

		if (made > 0)
			row = bpf_map_lookup_elem(&file_rows, &view->key);
		else
			number |= made < 0 ? ROW_UNWANTED : ROW_NO_ROOM;
	}
	if (row) {
		number = marked_number(row, view);
		/* Look at it again at the next call: it may be connected then. */
		if (row->socket.role == SOCKET_UNSETTLED)
			entry->key.inode = 0;
	}
	if (view->unlinked)
		number |= ROW_UNLINKED;
	begin_cache_entry(entry, view, number, number & ROW_SOCKET ? connection_of(file) : 0,
			  files->short_reads);
	set_position(files, file, number);
	return number;
}

/*
 * The row of the file of fd, with marks. ROW_INVALID: it is not open. Afterwards the file is in
 * the cache. Sets the position if the file has one.
 */
static __always_inline u32 row_of(struct task_struct *task, struct iotrace_task_files *files,
				  u32 fd, u32 which)
{
	struct file *file = file_of(task, fd);
	struct iotrace_file_cache_entry *entry;

	files->position = ~0ULL;
	if (!file)
		return ROW_INVALID;
	files->cache_index = file_cache_index(fd);
	entry = &files->cache[file_cache_index(fd) % FILE_CACHE_ENTRIES];
	if (!is_cached(entry, file))
		return find_row(files, fd, which);
	set_position(files, file, entry->row);
	return entry->row;
}

/* The same at the return of a call that is not on the hot path. */
static __always_inline u32 cached_row(struct iotrace_task_files *files, u32 fd, u32 which)
{
	return row_of(own_task(), files, fd, which);
}

struct iotrace_looks looks[LOOKED_PATHS];

/* Where a relative path begins: at the directory of this descriptor. */
static __always_inline void *directory_path(s32 fd)
{
	void *fs;

	if (fd != FILE_AT_FDCWD)
		return (void *)own_file(fd) + cfg_at.file_path;
	fs = PEEK(void *, bpf_get_current_task_btf(), cfg_at.task_fs);
	return fs + cfg_at.fs_pwd;
}

/*
 * Relative paths are the same only in one directory. A directory that is removed leaves its address
 * to another, and may leave it its number, too.
 */
static __always_inline void tell_directory(struct iotrace_file_key *key, struct file_scratch *s,
					   s32 fd)
{
	void *path = directory_path(fd);
	u64 number;

	s->dentry = PEEK(struct dentry *, path, cfg_at.path_dentry);
	s->mnt = PEEK(struct vfsmount *, path, cfg_at.path_mnt);
	s->row.marks |= FILE_RELATIVE;
	key->op = PEEK(u64, s->dentry, cfg_at.dentry_inode);
	number = PEEK(u32, key->op, cfg_at.inode_generation);
	number = number << 32 ^ PEEK(u64, key->op, cfg_at.inode_ino);
	key->ino ^= number * 0x9e3779b97f4a7c15ULL;
}

/*
 * The row of a path that could not be opened or found, by path and errno, or, with errno 0, that
 * was found. The first look at one that was found is no row's: ROW_NONE. A relative path begins at
 * the directory of a descriptor.
 */
__noinline u32 path_row(struct iotrace_task_files *files, u64 path, u32 err, s32 directory)
{
	struct iotrace_file_key key = { .inode = FILE_KEY_PATH, .generation = err };
	struct file_scratch *s = clear_scratch(SCRATCH_RETURN);
	struct iotrace_file *row;
	long len;

	if (!s || !files)
		return ROW_OTHER;
	len = bpf_probe_read_user_str(s->row.path, FILE_PATH_SIZE, (void *)path);
	if (len <= 0 || len > FILE_PATH_SIZE)
		return other_row(&s->row); /* Most likely EFAULT. */
	for (int i = 0; i < 8; i++)
		s->row.path[len + i] = 0;
	s->row.path_len = len;
	if (is_filter_text(s->row.path))
		s->row.marks |= FILE_WANTED;
	if (!is_wanted_file(&s->row))
		return other_row(&s->row);
	if (len == FILE_PATH_SIZE)
		s->row.marks |= FILE_CUT;
	key.ino = hash_path(SCRATCH_RETURN, len);
	if (s->row.path[0] && s->row.path[0] != '/')
		tell_directory(&key, s, directory);
	row = bpf_map_lookup_elem(&file_rows, &key);
	if (!row && !err && !looked_at_again(looks, key.ino ^ key.op))
		return ROW_NONE;
	if (!row && s->row.marks & FILE_RELATIVE && !rows_full)
		walk_up(s, SCRATCH_RETURN);
	if (!row)
		row = enter_row(&key, &s->row);
	if (!row)
		return ROW_OTHER | ROW_NO_ROOM;
	know_program(files, SCRATCH_RETURN);
	add_uses(files, row->row, 1);
	return row->row;
}
