/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the ends of a socket, and which of them asked for the connection, by probe reads. */
#pragma once

#include "kernel/kernel.bpf.h"
#include "files/scratch.bpf.h"

#define AF_UNIX	    1
#define AF_INET	    2
#define AF_INET6    10
#define SOCK_STREAM 1
#define TCP_CLOSE   7 /* include/net/tcp_states.h. In all protocols: not connected. */
#define TCP_LISTEN  10

const volatile struct iotrace_port_range cfg_ephemeral = { 32768, 60999 };

static __always_inline u16 swap16(u16 v)
{
	return v << 8 | v >> 8;
}

/* The role of a socket that is not connected. */
static __always_inline u32 loose_role(void *sk)
{
	u8 state = PEEK(u8, sk, cfg_at.sock_state);

	return state == TCP_LISTEN  ? SOCKET_LISTENING
	       : state == TCP_CLOSE ? SOCKET_UNSETTLED
				    : SOCKET_UNCONNECTED;
}

/*
 * An accepted socket is a copy of the listening one, backlog included (net/core/sock.c,
 * sk_clone_lock). Where it does not tell, after listen(fd, 0) or if nobody listened, the ports
 * decide.
 */
static __always_inline u32 role_of(const struct iotrace_socket *s, void *sk)
{
	if (!s->remote_port)
		return s->type == SOCK_STREAM || !s->local_port ? loose_role(sk)
								: SOCKET_UNCONNECTED;
	if (s->type == SOCK_STREAM && PEEK(u32, sk, cfg_at.sock_backlog))
		return SOCKET_SERVER;
	if (!is_ephemeral_port(cfg_ephemeral, s->local_port) &&
	    is_ephemeral_port(cfg_ephemeral, s->remote_port))
		return SOCKET_SERVER;
	return SOCKET_CLIENT;
}

static __always_inline void read_ends(struct iotrace_socket *s, void *sk)
{
	s->local_port = PEEK(u16, sk, cfg_at.sock_local_port);
	s->remote_port = swap16(PEEK(u16, sk, cfg_at.sock_remote_port));
	if (s->family == AF_INET) {
		s->local[0] = PEEK(u32, sk, cfg_at.sock_local);
		s->remote[0] = PEEK(u32, sk, cfg_at.sock_remote);
	} else {
		bpf_probe_read_kernel(s->local, 16, sk + cfg_at.sock_local_v6);
		bpf_probe_read_kernel(s->remote, 16, sk + cfg_at.sock_remote_v6);
	}
	s->role = role_of(s, sk);
}

/* The name of a Unix socket, followed by 8 zeroes. False if it has none. */
static __always_inline bool read_unix_name(struct iotrace_file *row, void *sk)
{
	void *address = sk ? PEEK(void *, sk, cfg_at.unix_address) : NULL;
	u32 len = PEEK(u32, address, cfg_at.unix_len) - sizeof(u16);

	if (!address || !len || len > 108)
		return false;
	bpf_probe_read_kernel(row->path, len, address + cfg_at.unix_name + sizeof(u16));
	*(u64 *)(row->path + len) = 0;
	row->path_len = len;
	return true;
}

static __always_inline void read_unix_ends(struct iotrace_socket *s, struct iotrace_file *row,
					   void *sk)
{
	if (read_unix_name(row, sk))
		s->role = loose_role(sk) == SOCKET_LISTENING ? SOCKET_LISTENING : SOCKET_SERVER;
	else if (read_unix_name(row, PEEK(void *, sk, cfg_at.unix_peer)))
		s->role = SOCKET_CLIENT;
	else
		s->role = loose_role(sk);
}

/*
 * Reads the socket in the scratch into the row there, which is empty. A Unix socket's name, or that
 * of the one it is connected to, becomes the row's path.
 */
__noinline int read_socket(u32 which)
{
	struct file_scratch *scratch = get_scratch(which);
	struct iotrace_socket *s;
	void *socket, *sk;

	if (!scratch)
		return 0;
	s = &scratch->row.socket;
	socket = PEEK(void *, scratch->file, cfg_at.file_private);
	sk = PEEK(void *, socket, cfg_at.socket_sk);
	s->type = PEEK(u16, socket, cfg_at.socket_type);
	s->family = PEEK(u16, sk, cfg_at.sock_family);
	if (s->family == AF_INET || s->family == AF_INET6)
		read_ends(s, sk);
	else if (s->family == AF_UNIX)
		read_unix_ends(s, &scratch->row, sk);
	return 0;
}
