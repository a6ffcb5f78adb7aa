/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures for how long Nagle's algorithm (RFC 896) holds back small writes to TCP connections.
 *
 * A write that ends while the kernel has not sent all of it, because a small segment before it is
 * not acknowledged yet, is noted by its connection: who reads the answer may be another task. The
 * next read from the connection tells when the kernel has sent it: the sender keeps the time at
 * which it has sent the last segment that was acknowledged (struct tcp_rack). So the time that the
 * other side takes to answer does not count.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "files/sockets.bpf.h"

#define IPPROTO_TCP 6
#define NAGLE_OFF   1 /* include/net/tcp.h: TCP_NODELAY is set. */
#define NAGLE_CORK  2 /* The same file: TCP_CORK is set. */

/* All are 0 if the kernel lacks any. */
const volatile struct iotrace_tcp_offsets cfg_tcp_at = {};

/* The end of what was written, and when. */
struct held_write {
	u64 since_ns;
	u32 end; /* Its TCP sequence number. */
	u32 zero;
};

/* The writes that are held back, by the address of their connection. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, struct held_write);
} held_writes SEC(".maps");

bool any_write_held; /* It was so once: until then, reads need not look. */

/* The address of the TCP connection that is this open file. 0: it is something else. */
static __always_inline u64 connection_of(struct file *file)
{
	void *socket = PEEK(void *, file, cfg_at.file_private);
	void *sk = PEEK(void *, socket, cfg_at.socket_sk);
	u16 family = PEEK(u16, sk, cfg_at.sock_family);

	if (!cfg_tcp_at.protocol || PEEK(u16, socket, cfg_at.socket_type) != SOCK_STREAM ||
	    (family != AF_INET && family != AF_INET6) ||
	    PEEK(u16, sk, cfg_tcp_at.protocol) != IPPROTO_TCP)
		return 0;
	return (u64)sk;
}

/*
 * Does Nagle's algorithm hold back what follows this sequence number (tcp_nagle_check() in
 * net/ipv4/tcp_output.c), and not the other side's window?
 */
static __always_inline bool is_held_by_nagle(u64 sock, u32 sent, u32 unsent)
{
	u32 acknowledged = PEEK(u32, sock, cfg_tcp_at.acknowledged);
	u32 small = PEEK(u32, sock, cfg_tcp_at.small);
	u32 window = PEEK(u32, sock, cfg_tcp_at.window);

	if (!unsent || PEEK(u8, sock, cfg_tcp_at.nagle) & (NAGLE_OFF | NAGLE_CORK))
		return false;
	return unsent < PEEK(u32, sock, cfg_tcp_at.segment) && (s32)(small - acknowledged) > 0 &&
	       (s32)(small - sent) <= 0 && sent + unsent - acknowledged <= window;
}

/*
 * The number at an address, by a plain load. To read it as a member of struct tcp_sock would take
 * the verifier 1 ms, as that has so many.
 */
static __always_inline u32 number_at(u64 address)
{
	struct kiocb *any =
		bpf_rdonly_cast((void *)(address - bpf_core_field_offset(struct kiocb, ki_flags)),
				cfg_at.kiocb_type);

	return any->ki_flags;
}

/* Has the kernel not yet sent all of what was written to the connection? Each write asks. */
static __always_inline bool has_unsent(u64 sock)
{
	return CAN_READ_FILES
		       ? number_at(sock + cfg_tcp_at.end) != number_at(sock + cfg_tcp_at.sent)
		       : PEEK(u32, sock, cfg_tcp_at.end) != PEEK(u32, sock, cfg_tcp_at.sent);
}

/*
 * At the end of a write to a connection that has_unsent(). A write that joins a held one waits no
 * longer than it.
 */
static __always_inline void note_held_write(u64 sock)
{
	struct held_write held = { .end = PEEK(u32, sock, cfg_tcp_at.end) }, *before;
	u32 sent = PEEK(u32, sock, cfg_tcp_at.sent);

	if (!is_held_by_nagle(sock, sent, held.end - sent))
		return;
	before = bpf_map_lookup_elem(&held_writes, &sock);
	held.since_ns = before && ends_unsent(before->end, sent, held.end) ? before->since_ns
									   : bpf_ktime_get_ns();
	bpf_map_update_elem(&held_writes, &sock, &held, BPF_ANY);
	any_write_held = true;
}

/*
 * At the end of a read from a connection: for how long its last write was held back, in
 * nanoseconds. 0: it was not, it is still held or not acknowledged, or something was written after
 * it.
 */
static __always_inline u64 held_ns(u64 sock)
{
	struct held_write *held = bpf_map_lookup_elem(&held_writes, &sock);
	u64 since_ns, sent_ns = 0;
	u32 end;

	if (!held)
		return 0;
	end = held->end;
	since_ns = held->since_ns;
	if (PEEK(u32, sock, cfg_tcp_at.end) == end) {
		if (PEEK(u32, sock, cfg_tcp_at.acknowledged) != end)
			return 0;
		if (PEEK(u32, sock, cfg_tcp_at.rack + cfg_tcp_at.rack_end) == end)
			sent_ns = PEEK(u64, sock, cfg_tcp_at.rack + cfg_tcp_at.rack_sent_us) * 1000;
	}
	bpf_map_delete_elem(&held_writes, &sock);
	return sent_ns > since_ns ? sent_ns - since_ns : 0;
}

/*
 * At the end of a read or write that moved data: was it a write that is held back, or is it the
 * read that tells for how long one was? This is a function of its own, so that the verifier goes
 * through it once.
 */
__noinline int follow_connection(struct iotrace_file_cell *cell, u64 sock, u32 slot)
{
	u64 ns;

	if (!cfg_files || !cell)
		return 0;
	if (!(slot & SLOT_READS)) {
		if (has_unsent(sock))
			note_held_write(sock);
		return 0;
	}
	ns = any_write_held ? held_ns(sock) : 0;
	if (ns >= NAGLE_DELAY_NS) {
		cell->nagle_delays++;
		cell->nagle_ns += ns;
	}
	return 0;
}
