/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the row of a file, or makes it when the file is seen for the first time. None of this is on
 * the hot path; it uses probe reads.
 *
 * The functions that the probes call are global, because the verifier checks a global function once
 * and not at each call (Documentation/bpf/verifier.rst). It then knows nothing of the arguments, so
 * a pointer may be NULL. Before Linux 6.8 it also checks global functions that are never called; in
 * a run without files these have no maps, and must do nothing.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "files/path_filter.bpf.h"
#include "files/paths.bpf.h"
#include "files/scratch.bpf.h"
#include "files/shared_rows.bpf.h"
#include "files/sockets.bpf.h"
#include "files/view.bpf.h"

u32 next_row = ROW_FIRST;
bool rows_full; /* There is no room for another one. */

/* All of these are allocated beforehand: in a probe the kernel often has no memory at hand. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct iotrace_file_key);
	__type(value, struct iotrace_file);
} file_rows SEC(".maps");

/*
 * Numbers the row and inserts it, or finds the one that another CPU has just inserted, and leaves
 * its own number unused. NULL: both have failed.
 */
static __always_inline struct iotrace_file *enter_row(const struct iotrace_file_key *key,
						      struct iotrace_file *row)
{
	if (rows_full)
		return NULL;
	row->row = __sync_fetch_and_add(&next_row, 1);
	if (row->row <= ROW_MASK &&
	    bpf_map_update_elem(&file_rows, key, row, BPF_NOEXIST) == -E2BIG)
		rows_full = true;
	return bpf_map_lookup_elem(&file_rows, key);
}

/*
 * Makes the row of the file in the scratch, under the key there. Returns 1 if there is one
 * afterwards, 0 if there is no room, -1 if the file is not wanted.
 */
__noinline int make_row(u32 which)
{
	struct file_scratch *s;
	void *inode, *type;

	/* Only the path tells whether a file is wanted. */
	if (!cfg_files || (rows_full && !filters_files()))
		return 0;
	s = clear_scratch(which);
	if (!s)
		return 0;
	inode = PEEK(void *, s->file, cfg_at.file_inode);
	s->row.ino = PEEK(u64, inode, cfg_at.inode_ino);
	s->row.mode = PEEK(u16, inode, cfg_at.inode_mode);
	s->row.rdev = PEEK(u32, inode, cfg_at.inode_rdev);
	s->row.sb = PEEK(u64, inode, cfg_at.inode_sb);
	type = PEEK(void *, s->row.sb, cfg_at.sb_type);
	bpf_probe_read_kernel_str(s->row.fstype, sizeof(s->row.fstype),
				  PEEK(void *, type, cfg_at.fstype_name));
	if ((s->row.mode & S_IFMT) == S_IFSOCK)
		read_socket(which);
	else
		build_path(s, which);
	if (!is_wanted_file(&s->row))
		return -1;
	if (s->view.key.inode == FILE_KEY_SHARED && has_name_only(&s->row))
		s->row.name_hash = hash_own_name(which);
	return enter_row(&s->view.key, &s->row) != NULL;
}

/* Notes how the file in the scratch differs from the first one of a row that they share. */
__noinline int note_sharing(struct iotrace_file *row, u32 which)
{
	struct file_scratch *s = get_scratch(which);

	if (!cfg_files || !s || !row)
		return 0;
	note_differences(row, &s->row);
	if (has_name_only(row) && (row->marks & (FILE_INODES | FILE_NAMES)) == FILE_INODES &&
	    row->name_hash != hash_own_name(which))
		__sync_fetch_and_or(&row->marks, FILE_NAMES);
	return 0;
}

/* The row of the current task's executable. ROW_NONE: it has none, or an unwanted one. */
__noinline u32 row_of_executable(u32 which)
{
	void *mm = PEEK(void *, bpf_get_current_task_btf(), cfg_at.task_mm);
	struct file *file = mm ? PEEK(struct file *, mm, cfg_at.mm_exe) : NULL;
	struct iotrace_file *row;
	struct file_scratch *s;

	if (!cfg_files || !file)
		return ROW_NONE;
	s = get_scratch(which);
	if (!s)
		return ROW_NONE;
	view_file(CAN_READ_FILES ? bpf_rdonly_cast(file, cfg_at.file_type) : file, &s->view);
	s->file = file;
	row = bpf_map_lookup_elem(&file_rows, &s->view.key);
	if (!row && make_row(which) > 0)
		row = bpf_map_lookup_elem(&file_rows, &s->view.key);
	return row ? row->row : ROW_NONE;
}
