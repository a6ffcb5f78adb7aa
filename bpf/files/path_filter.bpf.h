/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides with -P which files are wanted, and filters the calls on others. A file is wanted if -P
 * names it, or a directory above it.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "files/view.bpf.h"

const volatile u32 cfg_nr_filter_paths = 0; /* It counts with cfg.filter_paths only. */
const volatile struct iotrace_filter_path cfg_filter_paths[MAX_FILTER_PATHS] = {};

struct iotrace_filter_files filter_files[MAX_FILTER_PATHS];

static __always_inline u32 nr_filter_paths(void)
{
	return cfg.filter_paths ? cfg_nr_filter_paths : 0;
}

/* The inode behind a descriptor of the current task. 0: there is none. */
static __always_inline u64 inode_of(s32 fd)
{
	struct file *file = fd < 0 ? NULL : own_file(fd);

	return file ? PEEK(u64, file, cfg_at.file_inode) : 0;
}

static __always_inline void identify_filter_files(void)
{
	for (u32 i = 0; i < MAX_FILTER_PATHS && i < nr_filter_paths(); i++) {
		filter_files[i].self = inode_of(filter_files[i].self_fd);
		filter_files[i].parent = inode_of(filter_files[i].parent_fd);
	}
}

/* Are there files that are not wanted? */
static __always_inline bool filters_files(void)
{
	return cfg.filter_paths;
}

/* Is this file wanted? */
static __always_inline bool is_wanted_file(const struct iotrace_file *row)
{
	return !filters_files() || row->marks & FILE_WANTED;
}

/* The verdict: is a call filtered whose file has this row, with marks? */
static __always_inline bool row_filtered(u32 row)
{
	return filters_files() && (row == ROW_NONE || row == ROW_INVALID || row & ROW_UNWANTED);
}

/* Does -P select this dentry, or the file of this name in it? */
static __always_inline bool is_filter_path(struct dentry *dentry)
{
	u64 inode = PEEK(u64, dentry, cfg_at.dentry_inode);

	for (u32 i = 0; i < MAX_FILTER_PATHS && i < nr_filter_paths(); i++)
		if (inode && filter_files[i].self == inode)
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
static __always_inline bool is_filter_name(struct dentry *dentry, struct iotrace_file *row)
{
	u64 parent = PEEK(u64, PEEK(void *, dentry, cfg_at.dentry_parent), cfg_at.dentry_inode);

	for (u32 i = 0; i < MAX_FILTER_PATHS && i < nr_filter_paths(); i++)
		if (parent && filter_files[i].parent == parent &&
		    same_name(row->path, cfg_filter_paths[i].name))
			return true;
	return false;
}

/* Is the path of a failed opening, as given, one of -P or below one? */
static __always_inline bool is_filter_text(const char *path)
{
	for (u32 i = 0; i < MAX_FILTER_PATHS && i < nr_filter_paths(); i++) {
		for (int j = 0; j < FILE_NAME_SIZE; j++) {
			char wanted = cfg_filter_paths[i].text[j];

			if (!wanted && (!path[j] || path[j] == '/'))
				return true;
			if (wanted != path[j])
				break;
		}
	}
	return false;
}
