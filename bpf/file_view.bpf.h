/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the open file of a descriptor, and reads its present state. */
#pragma once

#include "kernel.bpf.h"

#define S_IFMT	 0170000
#define S_IFIFO	 0010000
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
 * The open file of a descriptor; NULL if there is none. It is not a trusted pointer. The task is
 * one of current_task(): to follow a trusted pointer, the verifier goes through all types of the
 * kernel (nested_type_is_trusted() in kernel/bpf/verifier.c), which takes it 1 ms.
 */
static __always_inline struct file *file_of(struct task_struct *task, u32 fd)
{
	void *table;
	u64 place;

	if (cfg_at.kiocb_type) {
		struct fdtable *fds = task->files->fdt;
		struct kiocb *reader;

		if (fd >= SMALLEST_TABLE && fd >= fds->max_fds)
			return NULL;
		/* Any type with a pointer to a file would do. */
		place = (u64)fds->fd + fd * sizeof(void *) -
			bpf_core_field_offset(struct kiocb, ki_filp);
		reader = bpf_rdonly_cast((void *)place, cfg_at.kiocb_type);
		return reader->ki_filp;
	}
	table = PEEK(void *, PEEK(void *, task, cfg_at.task_files), cfg_at.files_table);
	if (fd >= PEEK(u32, table, cfg_at.table_size))
		return NULL;
	place = PEEK(u64, table, cfg_at.table_files) + fd * sizeof(void *);
	return PEEK(struct file *, place, 0);
}

static __always_inline struct file *own_file(u32 fd)
{
	return file_of(own_task(), fd);
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
	if (cfg_at.file_type) {
		struct file *reader = bpf_rdonly_cast(file, cfg_at.file_type);

		return reader->f_pos;
	}
	return PEEK(u64, file, cfg_at.file_position);
}

/* Is this the file that was cached, and known to be unlinked if it is now? */
static __always_inline bool same_file(const struct iotrace_file_way *way, const struct file_view *v)
{
	return way->row && way->key.inode == v->key.inode && way->key.ino == v->key.ino &&
	       way->key.op == v->key.op && way->key.generation == v->key.generation &&
	       way->flags == v->flags && (!v->unlinked || way->row & ROW_UNLINKED);
}

/*
 * The same, for each call. The processor guesses that both addresses are those of the cached file,
 * and reads its members meanwhile, instead of following one pointer after the other.
 */
static __always_inline bool is_cached(const struct iotrace_file_way *way, struct file *file)
{
	u64 address = way->file, inode = way->key.inode;
	struct file_view view;
	struct file *f;
	struct inode *i;

	if (!cfg_at.file_type) {
		view_file(file, &view);
		return same_file(way, &view);
	}
	if (address != (u64)file)
		return false;
	barrier_var(address);
	f = bpf_rdonly_cast((void *)address, cfg_at.file_type);
	if (inode != (u64)f->f_inode)
		return false;
	barrier_var(inode);
	i = bpf_rdonly_cast((void *)inode, cfg_at.inode_type);
	return way->key.ino == i->i_ino && way->key.op == (u64)f->f_op &&
	       way->key.generation == i->i_generation && way->flags == (f->f_flags & FILE_FLAGS) &&
	       (i->i_nlink || way->row & ROW_UNLINKED);
}
