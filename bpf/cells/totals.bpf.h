/* SPDX-License-Identifier: GPL-2.0 */
/* Figures outside the cells, written with atomics. None is on the hot path. */
#pragma once

#include "kernel/kernel.bpf.h"

u64 ended_entered; /* calls entered by tasks that have ended */
u64 ended_inside;  /* calls whose task ended before they returned */
u64 lost_calls;	   /* calls that found no slot, or whose return was not seen */
u64 lost_tasks;	   /* tasks that could not be followed for want of memory */
u64 under_way;	   /* returns of calls that were under way when tracing began: not counted */
u64 lost_errnos;   /* errors that are counted, but without their errno */
u64 excluded;	   /* processes that gained more privileges than cfg.access allows */
u64 refused_calls; /* entries and returns at which task storage was refused, of any task */
u64 refused_reads; /* tasks whose state an iterator was refused */
u64 refused_ends;  /* ends of tasks at which task storage was refused, of any task */

u64 misplaced_calls; /* calls on files that are among those of (other), for lack of room */
u64 lost_file_users; /* times that a process's calls found no room among a file's users */
