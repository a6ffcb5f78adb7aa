/* SPDX-License-Identifier: GPL-2.0 */
/* Figures outside the cells, written with atomics. None is on the hot path. */
#pragma once

#include "kernel/kernel.bpf.h"

u64 ended_entered; /* Calls begun by tasks that have ended. */
u64 ended_inside;  /* Calls whose task ended before they returned. */
u64 lost_calls;	   /* Calls that found no slot, or whose return was not seen. */
u64 lost_tasks;	   /* Tasks that could not be followed for lack of memory. */
u64 under_way;	   /* Returns, not counted, of calls that were under way when tracing began. */
u64 lost_errnos;   /* Errors that are counted without their errno. */
u64 excluded;	   /* Processes that gained more privileges than cfg.access allows. */
u64 refused_calls; /* Entries and returns, of any task, at which task storage was refused. */
u64 refused_reads; /* Tasks whose state an iterator was refused. */
u64 refused_ends;  /* Ends of tasks, of any task, at which task storage was refused. */

u64 misplaced_calls; /* Calls that are counted as (other) for lack of room for their files. */
u64 ungrouped_uses;  /* Calls that found no room among those of groups on files. */
u64 lost_file_users; /* Times that a program found no room among the users of a file. */
