/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads what strace writes, its log and its messages, in a thread of its own, so that strace never
 * has to wait for us, and tells what it has read at any time.
 */
#ifndef IOTRACE_STRACE_READER_H
#define IOTRACE_STRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/strace/parse.h"

struct strace_reader;

/* What strace said of a process that it was to attach to. */
enum strace_attach {
	ATTACH_PENDING,
	ATTACH_DONE,
	ATTACH_FAILED,
};

/*
 * Takes over the two descriptors, and begins to read. The log is that of format; pids (kept by the
 * caller) are those that strace will say something of. 0 or -errno.
 */
int strace_reader__new(struct strace_reader **r, int log_fd, int err_fd,
		       const struct strace_format *format, const struct syscall_set *set,
		       const pid_t *pids, size_t nr_pids);

/* Readable once the log has ended: whoever wrote it is gone. */
int strace_reader__done_fd(const struct strace_reader *r);
bool strace_reader__is_done(struct strace_reader *r);

/* Readable once the window is open. */
int strace_reader__opened_fd(const struct strace_reader *r);

/* Waits until strace has attached to each pid or failed to, or is gone. */
void strace_reader__wait_attached(struct strace_reader *r);
enum strace_attach strace_reader__attach_state(struct strace_reader *r, size_t pid_index,
					       char *reason, size_t size); /* why it failed */

/* What strace gave as its first reason for a failure; "" if nothing. Untrusted. */
void strace_reader__said(struct strace_reader *r, char *text, size_t size);

/* strace_parser__tasks() */
size_t strace_reader__tasks(struct strace_reader *r, pid_t *ids, size_t room);

/* strace_parser__saw_filter() */
bool strace_reader__saw_filter(struct strace_reader *r);

/* Reads what there is, and then no more. */
void strace_reader__stop(struct strace_reader *r);

/* 0 or -ENOMEM. Fills what the log tells, and the time of the window. */
int strace_reader__snapshot(struct strace_reader *r, struct profile *p);

void strace_reader__free(struct strace_reader *r);

#endif
