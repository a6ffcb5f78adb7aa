/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the kernel: its types and constants, and members at offsets that user space has found
 * (struct iotrace_task_offsets, struct iotrace_file_offsets).
 */
#pragma once

#include <vmlinux.h> /* The Makefile selects it, hence the angle brackets. */
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "iotrace.h"

#define NULL ((void *)0)

#define TS_COMPAT	2 /* arch/x86/include/asm/thread_info.h: the task is in a 32-bit call. */
#define X32_SYSCALL_BIT 0x40000000 /* arch/x86/include/uapi/asm/unistd.h */
#define USER32_CS	0x23	   /* __USER32_CS of arch/x86/include/asm/segment.h. */
#define SIGKILL		9
#define PF_EXITING	4    /* include/linux/sched.h */
#define PF_FORKNOEXEC	0x40 /* The same file: it has not executed a program since it was forked. */
#define TASK_DEAD	0x80 /* The same file. */
#define ENOENT		2    /* include/uapi/asm-generic/errno-base.h */
#define E2BIG		7
#define EEXIST		17
#define ENOTDIR		20
#define EINVAL		22
#define MAX_ERRNO	4095 /* include/linux/err.h */

/* Pointers of the kernel, followed only at the offsets in cfg_at. */
struct dentry;
struct vfsmount;

/*
 * What the run asks for: user space writes it. The object of default runs has the same variable, as
 * one skeleton serves all objects, but reads a constant of the same name instead.
 */
const volatile struct iotrace_config cfg = {};
#ifdef DEFAULT_OBJECT
static const struct iotrace_config default_cfg = DEFAULT_CONFIG;
#define cfg default_cfg
#endif

const volatile bool cfg_files = false; /* Calls are counted by file, too. */
const volatile u32 cfg_groups = 0;     /* Calls are counted by group, too: bits of BY_... */
#if defined(DEFAULT_OBJECT) && !defined(WITH_GROUPS)
static const u32 default_groups = 0;
#define cfg_groups default_groups
#endif
const volatile bool cfg_stacks = false; /* Samples are taken of the stacks of calls on files. */
const volatile struct iotrace_file_offsets cfg_at = {};
const volatile struct iotrace_task_offsets cfg_task_at = {};

/*
 * Linux has it from 6.2 on. Before, libbpf would look for it among the types of all modules, too,
 * which takes CAP_SYS_ADMIN. The probes for kernels that cannot be asked for it
 * (kernel_takes_weak_functions()) are built without.
 */
#if defined(WITHOUT_CASTS)
#define CAN_CAST			false
#define bpf_rdonly_cast(object, btf_id) ((void *)(object))
#elif defined(DEFAULT_OBJECT)
extern void *bpf_rdonly_cast(const void *object, u32 btf_id) __ksym;
#define CAN_CAST true
#else
extern void *bpf_rdonly_cast(const void *object, u32 btf_id) __ksym __weak;
#define CAN_CAST (bpf_rdonly_cast != NULL)
#endif

/*
 * Reads a member of this type at an offset, by a helper that accepts any address; 0 if it cannot be
 * read.
 */
#define PEEK(type, base, offset)                                                           \
	({                                                                                 \
		type value_ = 0;                                                           \
		bpf_probe_read_kernel(&value_, sizeof(value_), (void *)(base) + (offset)); \
		value_;                                                                    \
	})

/*
 * The task with this address, which is the current one; its members can then be read by plain
 * loads. The helper takes 12 ns on a virtual machine; before Linux 6.2 there is no other way.
 */
static __always_inline struct task_struct *current_task(u64 address)
{
	if (CAN_CAST)
		return bpf_rdonly_cast((void *)address, cfg_task_at.task_type);
	return bpf_get_current_task_btf();
}

/* The current task, where its address is not known. */
static __always_inline struct task_struct *own_task(void)
{
	return current_task((u64)bpf_get_current_task_btf());
}

/* The registers that the current task has made its call with. */
static __always_inline struct pt_regs *own_registers(void)
{
	return (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

/* Are open files read by plain loads, too? In default runs the compiler knows that they are. */
#ifdef DEFAULT_OBJECT
#define CAN_READ_FILES true
#else
#define CAN_READ_FILES (CAN_CAST && cfg_at.kiocb_type)
#endif

/* Reads a member by a plain load, through a pointer whose type the verifier knows. */
#define LOAD(type, base, offset) (*(type *)((void *)(base) + (offset)))

/*
 * Reads a member by a plain load only if the kernel refuses the helper, because the verifier takes
 * 1 ms to follow a pointer.
 */
#define FETCH(type, base, offset) \
	(cfg.locked_down ? LOAD(type, base, offset) : PEEK(type, base, offset))
