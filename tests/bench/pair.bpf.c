// SPDX-License-Identifier: GPL-2.0
/*
 * Pairs of probes to compare with, each one step more than the one before it: the cost of tp_btf
 * itself, two clock reads (the least that any measurement of latencies needs), the start kept in
 * task storage, and the task's context switches compared.
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

__u64 last_ns; /* Keeps the compiler from removing the difference. */

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

struct switches {
	__u64 start;
	__u32 nvcsw, nivcsw;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct switches);
} switched SEC(".maps");

__u32 slept, preempted; /* Keep the compiler from removing the comparisons. */

SEC("?tp_btf/sys_enter")
int switches_enter(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct switches *s =
		bpf_task_storage_get(&switched, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (s) {
		s->nvcsw = task->nvcsw;
		s->nivcsw = task->nivcsw;
		s->start = bpf_ktime_get_ns();
	}
	return 0;
}

SEC("?tp_btf/sys_exit")
int switches_exit(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct switches *s = bpf_task_storage_get(&switched, task, 0, 0);

	if (s) {
		last_ns = bpf_ktime_get_ns() - s->start;
		if ((__u32)task->nvcsw != s->nvcsw)
			slept++;
		if ((__u32)task->nivcsw != s->nivcsw)
			preempted++;
	}
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
