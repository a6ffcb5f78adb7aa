/* SPDX-License-Identifier: GPL-2.0 */
/* A collector measures what a target does. One file and one row in collectors[] each. */
#ifndef IOTRACE_COLLECTOR_H
#define IOTRACE_COLLECTOR_H

#include <stddef.h>

#include "options.h"
#include "profile.h"
#include "target.h"

#ifdef __cplusplus
extern "C" {
#endif

struct collector {
	const struct collector_ops *ops;
	void *state; /* the backend's own */
};

struct collector_ops {
	const char *name;
	/* Usable here? 0, or -errno with one line saying why not and what to do. */
	int (*probe)(const struct options *o, char *why, size_t size);
	/* Prepares everything that does not need the target. 0 or -errno, after a message. */
	int (*open)(struct collector *c, const struct options *o);
	/* The target is there, still paused. 0 or -errno, after a message. */
	int (*start)(struct collector *c, const struct target *t);
	/* A descriptor that becomes readable when no traced task is left; -1: none. */
	int (*wakeup_fd)(const struct collector *c);
	/* Are traced tasks left? Call when wakeup_fd is readable and when the command has ended. */
	bool (*active)(struct collector *c);
	/* No call is counted after this. 0 or -errno. */
	int (*stop)(struct collector *c);
	/* The figures so far, at any time; *p is replaced. 0 or -errno. */
	int (*snapshot)(struct collector *c, struct profile *p);
	void (*close)(struct collector *c); /* safe after a partial open */
};

extern const struct collector_ops collector_bpf;

#ifdef __cplusplus
}
#endif
#endif
