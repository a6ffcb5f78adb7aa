/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scratch space for a new row: one for entries, one for returns. On a kernel that runs probes with
 * preemption enabled, another probe can interrupt a probe, but not the same one. What is known of
 * the file and the state of the walk to the root are in here too: functions that call each other
 * share 512 bytes of stack, and a step can be a global function, which the
 * verifier checks once and not once for each iteration.
 */
#pragma once

#include "kernel/kernel.bpf.h"
#include "files/view.bpf.h"

enum scratch {
	SCRATCH_ENTRY,
	SCRATCH_RETURN,
	SCRATCH_END, /* The one for the names at the end. */
	NR_SCRATCHES,
};

struct file_scratch {
	struct iotrace_file row;
	struct file_view view; /* Its key is the row's. */
	struct file *file;
	struct dentry *dentry;
	struct vfsmount *mnt;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, NR_SCRATCHES);
	__type(key, u32);
	__type(value, struct file_scratch);
} file_scratch SEC(".maps");

static __always_inline struct file_scratch *get_scratch(u32 which)
{
	return bpf_map_lookup_elem(&file_scratch, &which);
}

/* Empties the row of a scratch. */
static __always_inline struct file_scratch *clear_scratch(u32 which)
{
	struct file_scratch *s = get_scratch(which);

	if (s)
		__builtin_memset(&s->row, 0, __builtin_offsetof(struct iotrace_file, path));
	return s;
}

#define WORDS_AT_ONCE 8

/* Goes on with the hash of the path in the scratch, from a word on. */
__noinline u64 hash_words(u32 which, u32 first, u32 end, u64 hash)
{
	struct file_scratch *s = get_scratch(which);

	for (u32 n = 0; s && n < WORDS_AT_ONCE; n++) {
		u32 i = first + n;

		if (i >= end || i >= FILE_PATH_SIZE / 8)
			break;
		hash = (hash ^ ((u64 *)s->row.path)[i]) * 0x100000001b3ULL;
		hash ^= hash >> 29;
	}
	return hash;
}

/* The FNV-1a hash, by words, of the path in the scratch, which is followed by 8 zeroes. */
__noinline u64 hash_path(u32 which, u32 len)
{
	u64 hash = 0xcbf29ce484222325ULL;

	for (u32 i = 0; i < FILE_PATH_SIZE / 8 && i * 8 < len; i += WORDS_AT_ONCE)
		hash = hash_words(which, i, (len + 7) / 8, hash);
	return hash;
}
