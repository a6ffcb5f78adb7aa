/* SPDX-License-Identifier: GPL-2.0 */
/* Builds the paths of files, by walking up their dentries and mounts to iotrace's root. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "files/path_filter.bpf.h"
#include "files/scratch.bpf.h"
#include "files/view.bpf.h"

struct iotrace_root root; /* iotrace's own root. */

/* Finds the root of the current task, in a task of iotrace. */
static __always_inline void identify_root(void)
{
	struct file *file = own_file(root.fd);
	void *path = (void *)file + cfg_at.file_path;

	if (!file)
		return;
	root.dentry = PEEK(u64, path, cfg_at.path_dentry);
	root.mnt = PEEK(u64, path, cfg_at.path_mnt);
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
__noinline int step_up(u32 which)
{
	struct file_scratch *s = get_scratch(which);
	struct dentry *dentry, *parent;
	struct vfsmount *mnt;

	if (!s)
		return 0;
	dentry = s->dentry;
	mnt = s->mnt;
	if (is_filter_path(dentry))
		s->row.marks |= FILE_WANTED;
	if ((u64)dentry == root.dentry && (u64)mnt == root.mnt) {
		s->row.marks |= FILE_BELOW_ROOT;
		return 0;
	}
	if (dentry == PEEK(struct dentry *, mnt, cfg_at.vfsmount_root)) {
		void *mount = (void *)mnt - cfg_at.mount_mnt;
		void *up = PEEK(void *, mount, cfg_at.mount_parent);

		if (up == mount) {
			/* A file that is the top itself was mounted somewhere, and is not now. */
			if (!s->row.path_len && (s->row.mode & S_IFMT) != S_IFDIR) {
				add_name(&s->row, dentry);
				s->row.marks |= FILE_CUT;
			}
			return 0;
		}
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
static __always_inline void walk_up(struct file_scratch *s, u32 which)
{
	int i;

	for (i = 0; i < FILE_PATH_DEPTH; i++)
		if (!step_up(which))
			break;
	if (i == FILE_PATH_DEPTH)
		s->row.marks |= FILE_CUT;
}

static __always_inline void build_path(struct file_scratch *s, u32 which)
{
	void *path = (void *)s->file + cfg_at.file_path;
	struct dentry *leaf = PEEK(struct dentry *, path, cfg_at.path_dentry);

	s->dentry = leaf;
	s->mnt = PEEK(struct vfsmount *, path, cfg_at.path_mnt);
	s->row.dentry = (u64)leaf;
	s->row.mnt = (u64)s->mnt;
	walk_up(s, which);
	if (is_filter_name(leaf, &s->row))
		s->row.marks |= FILE_WANTED;
}

/* Hashes the name of the file in the scratch, which has no directory. */
__noinline u64 hash_own_name(u32 which)
{
	struct file_scratch *s = get_scratch(which);
	struct dentry *dentry;

	if (!s)
		return 0;
	dentry = PEEK(struct dentry *, (void *)s->file + cfg_at.file_path, cfg_at.path_dentry);
	s->row.path_len = 0;
	if (!add_name(&s->row, dentry) || s->row.path_len > FILE_NAME_SIZE)
		return 0;
	*(u64 *)(s->row.path + s->row.path_len) = 0;
	return hash_path(which, s->row.path_len);
}

/*
 * Is the file's inode still there? It may have been dropped and used for another file.
 */
static __always_inline bool is_still_there(const struct iotrace_file_key *key,
					   const struct iotrace_file *row)
{
	return key->inode > FILE_KEY_SHARED && row->dentry && !(row->marks & FILE_DETACHED) &&
	       PEEK(u64, key->inode, cfg_at.inode_ino) == key->ino &&
	       PEEK(u32, key->inode, cfg_at.inode_generation) == key->generation &&
	       PEEK(u64, key->inode, cfg_at.inode_sb) == row->sb &&
	       PEEK(u64, row->mnt, cfg_at.vfsmount_sb) == row->sb;
}

static __always_inline bool is_of_inode(struct dentry *dentry, u64 inode)
{
	return PEEK(u64, dentry, cfg_at.dentry_inode) == inode;
}

/* Is it the name of something in its directory? As d_unhashed() in include/linux/dcache.h. */
static __always_inline bool is_hashed(struct dentry *dentry)
{
	return PEEK(u64, dentry, cfg_at.dentry_hashed);
}

/* A name that the inode has now. NULL: none of the first few is one. */
static __always_inline struct dentry *find_alias(u64 inode)
{
	u64 node = PEEK(u64, inode, cfg_at.inode_aliases);

	for (int i = 0; i < FILE_ALIASES && node; i++) {
		struct dentry *dentry = (struct dentry *)(node - cfg_at.dentry_alias);

		if (is_hashed(dentry) && is_of_inode(dentry, inode))
			return dentry;
		node = PEEK(u64, node, 0);
	}
	return NULL;
}

/*
 * The dentry of the file's last name. NULL: its first name stays. A dentry moves with a rename. A
 * file that had no name when it was opened (O_TMPFILE), or has lost that one, may have others.
 */
static __always_inline struct dentry *last_dentry(const struct iotrace_file_key *key,
						  const struct iotrace_file *row, bool linked)
{
	struct dentry *dentry = (struct dentry *)row->dentry, *alias;
	bool there = is_of_inode(dentry, key->inode);
	bool nameless = there ? !is_hashed(dentry) : row->marks & FILE_UNLINKED;

	if (!linked || !nameless || !cfg_at.inode_aliases || (row->mode & S_IFMT) != S_IFREG)
		return there ? dentry : NULL;
	alias = find_alias(key->inode);
	return alias ?: there ? dentry : NULL;
}

static __always_inline void name_again(const struct iotrace_file_key *key, struct iotrace_file *row)
{
	struct file_scratch *s = get_scratch(SCRATCH_END);
	struct dentry *dentry;
	bool linked;

	if (!s || !is_still_there(key, row))
		return;
	linked = PEEK(u32, key->inode, cfg_at.inode_nlink);
	dentry = last_dentry(key, row, linked);
	if (linked)
		row->marks &= ~FILE_UNLINKED;
	if (!dentry)
		return;
	s->row.marks = s->row.path_len = 0;
	s->row.mode = row->mode;
	s->dentry = dentry;
	s->mnt = (struct vfsmount *)row->mnt;
	walk_up(s, SCRATCH_END);
	if (s->row.marks & FILE_DETACHED)
		return;
	if (!linked)
		row->marks |= FILE_UNLINKED;
	/* The file's mount has been unmounted, so that only the first name says where it was. */
	if (row->marks & ~s->row.marks & FILE_BELOW_ROOT)
		return;
	row->marks = (row->marks & ~FILE_CUT) | (s->row.marks & FILE_CUT);
	row->path_len = s->row.path_len;
	bpf_probe_read_kernel(row->path, sizeof(row->path), s->row.path);
}
