/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the open file of a descriptor, and reads its present state. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "tasks/states.bpf.h"

#define S_IFMT	 0170000
#define S_IFIFO	 0010000
#define S_IFDIR	 0040000
#define S_IFBLK	 0060000
#define S_IFREG	 0100000
#define S_IFSOCK 0140000

/* No task has room for fewer descriptors: NR_OPEN_DEFAULT in include/linux/fdtable.h. */
#define SMALLEST_TABLE 64

/* The present state of an open file. */
struct file_view {
	struct iotrace_file_key key;
	u32 flags;
	bool unlinked;
};

/*
 * The open file of a descriptor. NULL: there is none. It is not a trusted pointer. Nor is the
 * task, which is one of current_task(): to follow a trusted pointer, the verifier goes through all
 * types of the kernel (btf_nested_type_is_trusted() in kernel/bpf/btf.c), which takes it 1 ms.
 */
static __always_inline struct file *file_of(struct task_struct *task, u32 fd)
{
	void *table;
	u64 at;

	if (CAN_READ_FILES) {
		struct fdtable *fds = task->files->fdt;
		struct kiocb *reader;

		if (fd >= SMALLEST_TABLE && fd >= fds->max_fds)
			return NULL;
		/* Any type with a pointer to a file would do. */
		at = (u64)fds->fd + fd * sizeof(void *) -
		     bpf_core_field_offset(struct kiocb, ki_filp);
		reader = bpf_rdonly_cast((void *)at, cfg_at.kiocb_type);
		return reader->ki_filp;
	}
	table = PEEK(void *, PEEK(void *, task, cfg_at.task_files), cfg_at.files_table);
	if (fd >= PEEK(u32, table, cfg_at.table_size))
		return NULL;
	at = PEEK(u64, table, cfg_at.table_files) + fd * sizeof(void *);
	return PEEK(struct file *, at, 0);
}

static __always_inline struct file *own_file(u32 fd)
{
	return file_of(own_task(), fd);
}

/* Reads the present state of a file, which is one of file_of() or cast. */
static __always_inline void view_file(struct file *file, struct file_view *view)
{
	void *inode;

	view->key.zero = 0;
	if (CAN_READ_FILES) {
		struct inode *i = file->f_inode;

		view->key.inode = (u64)i;
		view->key.ino = i->i_ino;
		view->key.op = (u64)file->f_op;
		view->key.generation = i->i_generation;
		view->flags = file->f_flags & FILE_FLAGS;
		view->unlinked = !i->i_nlink;
		return;
	}
	inode = PEEK(void *, file, cfg_at.file_inode);
	view->key.inode = (u64)inode;
	view->key.ino = PEEK(u64, inode, cfg_at.inode_ino);
	view->key.op = PEEK(u64, file, cfg_at.file_op);
	view->key.generation = PEEK(u32, inode, cfg_at.inode_generation);
	view->flags = PEEK(u32, file, cfg_at.file_flags) & FILE_FLAGS;
	view->unlinked = !PEEK(u32, inode, cfg_at.inode_nlink);
}

/* Where the next read or write of an open file, one of file_of(), begins. */
static __always_inline u64 position_of(struct file *file)
{
	return CAN_READ_FILES ? file->f_pos : PEEK(u64, file, cfg_at.file_position);
}

/* Is this the file that was cached, and known to be unlinked if it is now? */
static __always_inline bool same_file(const struct iotrace_file_cache_entry *entry,
				      const struct file_view *v)
{
	return entry->row && entry->key.inode == v->key.inode && entry->key.ino == v->key.ino &&
	       entry->key.op == v->key.op && entry->key.generation == v->key.generation &&
	       entry->flags == v->flags && (!v->unlinked || entry->row & ROW_UNLINKED);
}

/* Is this file the cached one? Each call asks, so it reads only what it has to compare next. */
static __always_inline bool is_cached(const struct iotrace_file_cache_entry *entry,
				      struct file *file)
{
	struct file_view view;
	struct inode *i;

	if (!CAN_READ_FILES) {
		view_file(file, &view);
		return same_file(entry, &view);
	}
	i = file->f_inode;
	return entry->row && entry->key.inode == (u64)i && entry->key.ino == i->i_ino &&
	       entry->key.op == (u64)file->f_op && entry->key.generation == i->i_generation &&
	       entry->flags == (file->f_flags & FILE_FLAGS) &&
	       (i->i_nlink || entry->row & ROW_UNLINKED);
}
