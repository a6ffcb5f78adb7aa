/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel types and fields that the probes read, and no others, written by hand so that neither
 * kernel headers nor BTF are needed to build. preserve_access_index makes each access a CO-RE
 * relocation: the offsets here mean nothing, the running kernel's BTF has the word. `make
 * VMLINUX_H=path` builds against a generated one instead.
 */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

typedef __u8 u8;
typedef __u16 u16;
typedef __s32 s32;
typedef __u32 u32;
typedef __u64 u64;

/* This is bool as the kernel has it: this file stands in for every header that would bring it. */
typedef _Bool bool;
enum {
	false = 0,
	true = 1,
};

/* include/uapi/linux/bpf.h: the map types and flags in use. */
enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_HASH = 5,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_CGROUP_ARRAY = 8,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_STACK = 23,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};

enum {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
};

enum {
	BPF_F_NO_PREALLOC = 1U << 0,
	BPF_F_MMAPABLE = 1U << 10,
};

enum {
	BPF_RB_AVAIL_DATA = 0,
};

enum {
	BPF_LOCAL_STORAGE_GET_F_CREATE = 1ULL << 0,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	u32 status;
};

struct mm_struct;

struct pid;
struct signal_struct;

struct inode {
	unsigned int i_nlink;
	unsigned long i_ino;
	u32 i_generation;
};

struct file {
	const void *f_op;
	struct inode *f_inode;
	unsigned int f_flags;
	long long f_pos;
};

/* Its members are read at any address where there is a pointer to a file, or a number. */
struct kiocb {
	struct file *ki_filp;
	int ki_flags;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

typedef struct {
	unsigned long sig[1];
} sigset_t;

struct sigpending {
	sigset_t signal;
};

struct seccomp {
	int mode;
};

struct sched_entity {
	u64 sum_exec_runtime;
};

struct sched_info {
	unsigned long long run_delay;
};

struct thread_struct {
	unsigned long fsbase;
};

typedef struct {
	unsigned int val;
} kuid_t;

struct cred {
	kuid_t uid;
};

struct kernfs_node {
	const char *name;
	u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup *dfl_cgrp; /* The cgroup of version 2. */
};

struct task_struct {
	struct thread_info thread_info;
	struct thread_struct thread;
	unsigned int __state;
	unsigned int flags;
	int pid;
	int tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	u64 start_time;
	struct signal_struct *signal;
	struct sigpending pending;
	struct seccomp seccomp;
	struct mm_struct *mm;
	struct files_struct *files;
	const struct cred *real_cred;
	struct css_set *cgroups;
	char comm[16];
	unsigned long nvcsw, nivcsw;
	u64 utime, stime;
	u64 parent_exec_id, self_exec_id;
	struct sched_entity se;
	struct sched_info sched_info; /* CONFIG_SCHED_INFO */
};

struct seq_file;

#pragma clang attribute pop

/* As in every kernel: ptrace(2) and core files have the same (arch/x86/include/asm/ptrace.h). */
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip;
	unsigned short cs;
	unsigned long flags, sp;
};

/* An iterator's context is the same in every kernel: pointers of 8 bytes each. */
struct bpf_iter_meta {
	struct seq_file *seq;
	u64 session_id;
	u64 seq_num;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#endif
