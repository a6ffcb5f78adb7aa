/* SPDX-License-Identifier: GPL-2.0 */
/* Reads strace's log and messages in a thread of its own, so that strace never waits for us. */
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

/*
 * Takes over the two descriptors and begins to read a log of this format. strace attaches to pids
 * (kept by the caller). Returns 0 or -errno.
 */
int strace_reader__new(struct strace_reader **r, int log_fd, int err_fd,
		       const struct strace_format *format, const struct syscall_set *set,
		       const pid_t *pids, size_t nr_pids);

/* Readable once the log has ended: all writers are gone. */
int strace_reader__done_fd(const struct strace_reader *r);
bool strace_reader__is_done(struct strace_reader *r);

/* Readable once the window is open. */
int strace_reader__opened_fd(const struct strace_reader *r);

/* Waits until strace has attached to each pid or failed to, or is gone. */
void strace_reader__wait_attached(struct strace_reader *r);
enum strace_attach strace_reader__attach_state(struct strace_reader *r, size_t pid_index,
					       char *reason, size_t size); /* why it failed */

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
