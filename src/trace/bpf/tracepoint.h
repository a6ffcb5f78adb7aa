/* SPDX-License-Identifier: GPL-2.0 */
/* Opens the kernel's tracepoints of syscalls as perf events, to which programs can be attached. */
#pragma once

/*
 * A file descriptor of an event of this tracepoint: "sys_enter", "sys_exit". Programs attached to
 * it see all tasks on all CPUs: they belong to the tracepoint (perf_event_attach_bpf_prog() in
 * kernel/trace/bpf_trace.c). Its number is in tracefs, wherever that is mounted, or in a mount that
 * nobody else sees, which takes CAP_SYS_ADMIN. -errno on failure.
 */
int tracepoint_open(const char *name);
