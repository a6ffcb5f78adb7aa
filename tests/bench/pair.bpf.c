// SPDX-License-Identifier: GPL-2.0
/*
 * Pairs of probes to compare with, each one step more than the one before it: the cost of tp_btf itself, two clock
 * reads (the least that any measurement of latencies needs), and the start kept in task storage.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} starts SEC(".maps");

__u64 last_ns; /* so that the difference is used */

SEC("?tp_btf/sys_enter")
int empty_enter(void *ctx)
{
	return 0;
}

SEC("?tp_btf/sys_exit")
int empty_exit(void *ctx)
{
	return 0;
}

SEC("?tp_btf/sys_enter")
int clock_enter(void *ctx)
{
	bpf_ktime_get_ns();
	return 0;
}

SEC("?tp_btf/sys_exit")
int clock_exit(void *ctx)
{
	bpf_ktime_get_ns();
	return 0;
}

SEC("?tp_btf/sys_enter")
int storage_enter(void *ctx)
{
	__u64 *start = bpf_task_storage_get(&starts, bpf_get_current_task_btf(), 0,
					    BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (start)
		*start = bpf_ktime_get_ns();
	return 0;
}

SEC("?tp_btf/sys_exit")
int storage_exit(void *ctx)
{
	__u64 *start = bpf_task_storage_get(&starts, bpf_get_current_task_btf(), 0, 0);

	if (start)
		last_ns = bpf_ktime_get_ns() - *start;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
