/* SPDX-License-Identifier: GPL-2.0 */
/* A collector measures what a target does. One file and one row in collectors[] each. */
#ifndef IOTRACE_COLLECTOR_H
#define IOTRACE_COLLECTOR_H

#include <stddef.h>

#include "model/profile.h"
#include "trace/target.h"
#include "trace/trace_options.h"

struct collector {
	const struct collector_ops *ops;
	void *state; /* the backend's own */
};

struct collector_ops {
	const char *name;
	/*
	 * Prepares everything that does not need the target. 0; or -errno with one line in why,
	 * what is the matter and what to do about it: then close(), and try another backend.
	 */
	int (*open)(struct collector *c, const struct trace_options *o, char *why, size_t size);
	/*
	 * Forks the command in the backend's own way, as target__fork() would. 0 or -errno. NULL:
	 * target__fork() will do.
	 */
	int (*fork)(struct collector *c, struct target **t, const char *path, char *const argv[],
		    const struct user *user);
	/* The target is there, still paused. 0 or -errno, after a message. */
	int (*start)(struct collector *c, const struct target *t);
	/*
	 * After target__go(): has the command itself been executed? 0, its execve()'s -errno, or 1
	 * if it cannot be traced, after a message. NULL: target__go() has told.
	 */
	int (*await_exec)(struct collector *c);
	/* A descriptor that becomes readable when active() may have changed its answer; -1: none will. */
	int (*wakeup_fd)(const struct collector *c);
	/*
	 * Are traced tasks left, or may others come? Call when wakeup_fd is readable, which it then is no more, and when
	 * the command has ended.
	 */
	bool (*active)(struct collector *c);
	/*
	 * The ids of the tasks that are traced at this moment, as this PID namespace has them: as many as there is room
	 * for. Returns how many there are; 0 also when that is not to be known.
	 */
	size_t (*tasks)(struct collector *c, pid_t *ids, size_t room);
	/*
	 * No call is counted after this. 0; or -errno, after a message, if the figures are not
	 * those of the whole time. The second time, 0.
	 */
	int (*stop)(struct collector *c);
	/* The figures so far, at any time; *p is replaced. 0 or -errno. */
	int (*snapshot)(struct collector *c, struct profile *p);
	void (*close)(struct collector *c); /* safe after a partial open */
};

extern const struct collector_ops collector_bpf;
extern const struct collector_ops collector_strace;

/* NULL-terminated; the first that can be used is chosen. */
extern const struct collector_ops *const collectors[];

/*
 * Opens the collector that --backend names; without it the first that can be used, with a note if
 * that is not the first of all. 0 or -errno, after a message. c->ops is NULL if there is none.
 */
int collector__open(struct collector *c, const struct trace_options *o);

/* Safe if none is open. */
void collector__close(struct collector *c);

#endif
