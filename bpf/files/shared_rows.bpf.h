/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files outside any file system come and go by the thousand, and would leave no room for others, so
 * they share rows. Connections share one for each protocol, port of the server, and end; Unix
 * sockets for each name and end. Everything else (pipes, anonymous files, sockets without a port or
 * a name) shares one for each kind and program; standard error has one of its own, and so has each
 * direction of pipes: who wakes itself up by one pipe may read another one for its input.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "files/scratch.bpf.h"
#include "files/sockets.bpf.h"
#include "files/view.bpf.h"

#define SB_NOUSER (1ULL << 31) /* include/linux/fs.h: nothing in the file system can be mounted. */

/* Is the file outside of all file systems that have paths? */
static __always_inline bool is_internal(struct file *file)
{
	void *inode, *sb;

	if (CAN_READ_FILES) {
		inode = bpf_rdonly_cast(file->f_inode, cfg_at.inode_type);
		sb = LOAD(void *, inode, cfg_at.inode_sb);
		return LOAD(u64, sb, cfg_at.sb_flags) & SB_NOUSER;
	}
	inode = PEEK(void *, file, cfg_at.file_inode);
	sb = PEEK(void *, inode, cfg_at.inode_sb);
	return PEEK(u64, sb, cfg_at.sb_flags) & SB_NOUSER;
}

static __always_inline u64 hash_name(const char *comm)
{
	const u64 *words = (const u64 *)comm;
	u64 hash = (words[0] ^ 0xcbf29ce484222325ULL) * 0x9e3779b97f4a7c15ULL;

	hash ^= hash >> 32;
	return (hash ^ words[1]) * 0x9e3779b97f4a7c15ULL;
}

/*
 * Makes the key in the scratch, which is the file's own, the one that it shares, and reads the ends
 * of a socket. program is a hash of the user's name.
 */
__noinline int share_key(u32 which, u64 program, u32 is_stderr)
{
	struct file_scratch *s;
	struct iotrace_socket *socket;
	u64 port;

	if (!cfg_files)
		return 0;
	s = clear_scratch(which);
	if (!s)
		return 0;
	s->row.ino = s->view.key.ino;
	s->row.mode = PEEK(u16, s->view.key.inode, cfg_at.inode_mode);
	socket = &s->row.socket;
	if ((s->row.mode & S_IFMT) == S_IFSOCK) {
		read_socket(which);
		s->view.key.ino =
			(u64)socket->role << 32 | (u64)socket->type << 16 | socket->family;
	} else {
		s->view.key.ino = s->view.key.op;
	}
	port = common_port(socket, cfg_ephemeral);
	s->view.key.inode = FILE_KEY_SHARED;
	s->view.key.generation = 0;
	s->view.key.op = 0;
	if (s->row.path_len) {
		s->view.key.op = hash_path(which, s->row.path_len);
	} else if (port) {
		s->view.key.ino |= port << 48;
	} else {
		s->view.key.op = program;
		s->view.key.generation = is_stderr;
		if ((s->row.mode & S_IFMT) == S_IFIFO)
			s->view.key.generation |=
				(PEEK(u32, s->file, cfg_at.file_flags) & FILE_O_WRONLY) << 1;
	}
	return 0;
}

/* Notes the differences between a row's first file and this one. */
static __always_inline void note_differences(struct iotrace_file *row,
					     const struct iotrace_file *other)
{
	u32 marks = 0;

	if (row->ino != other->ino)
		marks |= FILE_INODES;
	if (row->socket.family)
		marks |= compare_sockets(&row->socket, &other->socket);
	if (marks & ~row->marks)
		__sync_fetch_and_or(&row->marks, marks);
}

static __always_inline bool has_name_only(const struct iotrace_file *row)
{
	u16 format = row->mode & S_IFMT;

	return format != S_IFSOCK && format != S_IFIFO;
}
