/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the logs and messages of one strace or several in a thread of its own, so that no strace
 * waits for the rest of iotrace.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/strace/parse.h"

struct strace_reader;

/* How an attach has ended. */
enum strace_attach {
	ATTACH_PENDING,
	ATTACH_DONE,
	ATTACH_FAILED,
};

#define STRACE_MAX_SOURCES 20

/* Makes a reader of logs of this format. Returns 0 or -errno; free *r in any case. */
int strace_reader__new(struct strace_reader **r, const struct strace_format *format,
		       const struct syscall_set *set);

/*
 * Takes over the descriptors of a strace's log and of its messages, and begins to read them. That
 * strace attaches to these tasks. Returns 0 or -errno; -E2BIG: there are STRACE_MAX_SOURCES.
 */
int strace_reader__add(struct strace_reader *r, int log_fd, int err_fd, const pid_t *pids,
		       size_t nr_pids);

/* Says that no more are added. For running processes, the time of the figures begins. */
void strace_reader__complete(struct strace_reader *r);

/* These two call strace_parser__add_process() and strace_parser__expect(). */
int strace_reader__add_process(struct strace_reader *r, pid_t pid);
int strace_reader__expect(struct strace_reader *r, pid_t tid, int nr);

/* A descriptor that is readable once all logs have ended: all writers are gone. */
int strace_reader__done_fd(const struct strace_reader *r);
bool strace_reader__is_done(struct strace_reader *r);

/* A descriptor that is readable once the window is open. */
int strace_reader__opened_fd(const struct strace_reader *r);

/* Waits until each strace has attached to its tasks or failed to, or is gone. */
void strace_reader__wait_attached(struct strace_reader *r);
/* How the last attempt to attach has ended, and why it failed. */
enum strace_attach strace_reader__attach_state(struct strace_reader *r, pid_t pid, char *reason,
					       size_t size);

/* Copies the first error that strace printed, or "". It is not to be trusted. */
void strace_reader__said(struct strace_reader *r, char *text, size_t size);

/* These two call strace_parser__tasks() and strace_parser__saw_filter(). */
size_t strace_reader__tasks(struct strace_reader *r, pid_t *ids, size_t room);

bool strace_reader__saw_filter(struct strace_reader *r);

/* Reads what has been written, and stops. */
void strace_reader__stop(struct strace_reader *r);

/* Calls strace_parser__put_stacks(), after strace_reader__stop(). */
int strace_reader__put_stacks(struct strace_reader *r, struct profile *p);

/* Fills in what the log says, and the time of the window. Returns 0 or -ENOMEM. */
int strace_reader__snapshot(struct strace_reader *r, struct profile *p);

void strace_reader__free(struct strace_reader *r);
