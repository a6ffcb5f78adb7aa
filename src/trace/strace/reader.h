/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the logs and messages of one strace or several in a thread of its own, so that none of them
 * waits for us.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/strace/parse.h"

struct strace_reader;

/* The result of an attach. */
enum strace_attach {
	ATTACH_PENDING,
	ATTACH_DONE,
	ATTACH_FAILED,
};

#define STRACE_MAX_SOURCES 20

/* For logs of this format. 0 or -errno; free it in any case. */
int strace_reader__new(struct strace_reader **r, const struct strace_format *format,
		       const struct syscall_set *set);

/*
 * Takes over the descriptors of a strace's log and of its messages, and begins to read them. It
 * attaches to these tasks. 0 or -errno; -E2BIG: there are STRACE_MAX_SOURCES.
 */
int strace_reader__add(struct strace_reader *r, int log_fd, int err_fd, const pid_t *pids,
		       size_t nr_pids);

/* No more are added. For running processes, the time of the figures begins. */
void strace_reader__complete(struct strace_reader *r);

/* strace_parser__add_process() and strace_parser__expect() */
int strace_reader__add_process(struct strace_reader *r, pid_t pid);
int strace_reader__expect(struct strace_reader *r, pid_t tid, int nr);

/* Readable once all logs have ended: all writers are gone. */
int strace_reader__done_fd(const struct strace_reader *r);
bool strace_reader__is_done(struct strace_reader *r);

/* Readable once the window is open. */
int strace_reader__opened_fd(const struct strace_reader *r);

/* Waits until each strace has attached to each task of its own or failed to, or is gone. */
void strace_reader__wait_attached(struct strace_reader *r);
/* Of the last attempt, and why it failed. */
enum strace_attach strace_reader__attach_state(struct strace_reader *r, pid_t pid, char *reason,
					       size_t size);

/* The first error that strace printed, or "". Untrusted. */
void strace_reader__said(struct strace_reader *r, char *text, size_t size);

/* strace_parser__tasks() */
size_t strace_reader__tasks(struct strace_reader *r, pid_t *ids, size_t room);

/* strace_parser__saw_filter() */
bool strace_reader__saw_filter(struct strace_reader *r);

/* Reads what has been written, and stops. */
void strace_reader__stop(struct strace_reader *r);

/* 0 or -ENOMEM. Fills what the log tells, and the time of the window. */
int strace_reader__snapshot(struct strace_reader *r, struct profile *p);

void strace_reader__free(struct strace_reader *r);
