/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the open file of a descriptor, and reads its present state. */
#pragma once

#include "kernel.bpf.h"

#define S_IFMT	 0170000
#define S_IFIFO	 0010000
#define S_IFBLK	 0060000
#define S_IFREG	 0100000
#define S_IFSOCK 0140000

/* The present state of an open file. */
struct file_view {
	struct iotrace_file_key key;
	u32 flags;
	bool unlinked;
};

/* The open file of a descriptor; NULL if there is none. It is not a trusted pointer. */
static __always_inline struct file *file_of(struct task_struct *task, u32 fd)
{
	void *table;
	u64 place;

	if (cfg_at.kiocb_type) {
		void *reader = bpf_rdonly_cast(task, cfg_task_at.task_type);

		table = LOAD(void *, LOAD(void *, reader, cfg_at.task_files), cfg_at.files_table);
		if (fd >= LOAD(u32, table, cfg_at.table_size))
			return NULL;
		place = LOAD(u64, table, cfg_at.table_files) + fd * sizeof(void *);
		/* Any type with a pointer to a file would do. */
		reader = bpf_rdonly_cast((void *)place - cfg_at.kiocb_file, cfg_at.kiocb_type);
		return LOAD(struct file *, reader, cfg_at.kiocb_file);
	}
	table = PEEK(void *, PEEK(void *, task, cfg_at.task_files), cfg_at.files_table);
	if (fd >= PEEK(u32, table, cfg_at.table_size))
		return NULL;
	place = PEEK(u64, table, cfg_at.table_files) + fd * sizeof(void *);
	return PEEK(struct file *, place, 0);
}

static __always_inline void view_file(struct file *file, struct file_view *view)
{
	void *inode;

	view->key.zero = 0;
	if (cfg_at.file_type) {
		void *reader = bpf_rdonly_cast(file, cfg_at.file_type);

		inode = LOAD(void *, reader, cfg_at.file_inode);
		view->key.inode = (u64)inode;
		view->key.ino = LOAD(u64, inode, cfg_at.inode_ino);
		view->key.op = LOAD(u64, reader, cfg_at.file_op);
		view->key.generation = LOAD(u32, inode, cfg_at.inode_generation);
		view->flags = LOAD(u32, reader, cfg_at.file_flags) & FILE_FLAGS;
		view->unlinked = !LOAD(u32, inode, cfg_at.inode_nlink);
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

/* Where the next read or write of an open file begins. */
static __always_inline u64 position_of(struct file *file)
{
	if (cfg_at.file_type)
		return LOAD(u64, bpf_rdonly_cast(file, cfg_at.file_type), cfg_at.file_position);
	return PEEK(u64, file, cfg_at.file_position);
}

static __always_inline bool same_file(const struct iotrace_file_way *way, const struct file_view *v)
{
	return way->key.inode == v->key.inode && way->key.ino == v->key.ino &&
	       way->key.op == v->key.op && way->key.generation == v->key.generation &&
	       way->flags == v->flags;
}
