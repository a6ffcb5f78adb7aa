/* SPDX-License-Identifier: GPL-2.0 */
/* A collector measures what a target does: a backend, with a folder and a row in backends.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/profile.h"
#include "trace/target.h"
#include "trace/trace_options.h"

/* The features that a backend may have to do without, because the system refuses them. */
enum feature {
	FEATURE_FILES,
	FEATURE_NAMES,	   /* The names of files, as they are at the end. */
	FEATURE_ROOT,	   /* Paths from iotrace's own root. */
	FEATURE_IN_FLIGHT, /* The calls that tasks are in at the end. */
	FEATURE_CPU,
	FEATURE_STACKS,	    /* Where in the code calls come from. */
	FEATURE_EVERY_CALL, /* No call is lost while probes are preempted. */
	NR_FEATURES,
};

struct collector {
	const struct collector_ops *ops;
	void *state; /* It belongs to the backend. */
	/* Why the backend does without a feature. NULL: it does not have to. */
	char *lost[NR_FEATURES];
};

struct collector_ops {
	const char *name; /* The name of --backend=NAME. */
	/*
	 * The end of a sentence: what the backend costs and cannot do, for those who get it as a
	 * second choice. NULL: it is the first choice.
	 */
	const char *costs;
	/*
	 * Writes what it needs here, whether that is there, and what to do otherwise. Returns
	 * whether it can be used.
	 */
	bool (*examine)(FILE *out);
	/*
	 * Is iotrace executed as a part of this backend, with this command line? Does the part's
	 * work then, and does not return. NULL: it has no such part.
	 */
	void (*be_part)(int argc, char *argv[]);
	/*
	 * Prepares everything that does not need the target. Returns 0, or -errno with one line in
	 * why: what is wrong and what to do. After an error, call close(), and try another backend.
	 */
	int (*open)(struct collector *c, const struct trace_options *o, char *why, size_t size);
	/*
	 * Forks the command in the backend's own way, as target__fork() would. Returns 0 or -errno.
	 * NULL: target__fork() will do.
	 */
	int (*fork)(struct collector *c, struct target **t, const char *path, char *const argv[],
		    const struct user *user);
	/*
	 * Begins to trace the target, which is still paused. The caller has made why empty. Returns
	 * 0, or -errno: with one line in why if another backend may be able to, and otherwise after
	 * a message.
	 */
	int (*start)(struct collector *c, const struct target *t, char *why, size_t size);
	/*
	 * Tries, after start(), what remains to be done. Returns 0 or -errno. If it works without
	 * capabilities, these can be dropped. NULL: there are none to be dropped.
	 */
	int (*try_reading)(struct collector *c);
	/*
	 * Waits, after target__go(), until the command has been executed. Returns 0, the -errno of
	 * its execve(), or 1, after a message, if it cannot be traced. NULL: target__go() is
	 * enough.
	 */
	int (*await_exec)(struct collector *c);
	/* A descriptor that becomes readable when active() may give another answer. -1: none. */
	int (*wakeup_fd)(const struct collector *c);
	/*
	 * Are traced tasks left, or may new ones appear? Call it when wakeup_fd is readable, which
	 * it resets, and when the command has ended.
	 */
	bool (*active)(struct collector *c);
	/*
	 * Fills in the ids, in iotrace's PID namespace, of the tasks that are traced now, as far as
	 * there is room. Returns their number; 0 also if it cannot be known.
	 */
	size_t (*tasks)(struct collector *c, pid_t *ids, size_t room);
	/*
	 * Stops counting. Returns 0, or -errno, after a message, if the figures do not cover the
	 * whole time. A second call returns 0.
	 */
	int (*stop)(struct collector *c);
	/*
	 * Replaces *p by the figures so far. With files, adds those of each file if they are
	 * measured; there may be thousands. Returns 0 or -errno.
	 */
	int (*snapshot)(struct collector *c, struct profile *p, bool files);
	/*
	 * Lets go of what is traced, after the last snapshot. Unless cal is NULL, measures what
	 * calls cost. Returns 0, or -errno if that could not be measured. NULL: there is nothing to
	 * let go of, and nothing is measured.
	 */
	int (*release)(struct collector *c, struct calibration *cal);
	void (*close)(struct collector *c); /* Frees the state, also after an open that failed. */
};

extern const struct collector_ops collector_bpf;
extern const struct collector_ops collector_strace;

/* Notes, once it has started, which features the collector does without. */
void collector__note_losses(const struct collector *c, const struct trace_options *o);

/* Notes, for a backend, that it does without a feature, and why. */
void collector_lose(struct collector *c, enum feature feature, const char *why);

/* Is the feature a part of FEATURE_FILES? */
bool feature_of_files(enum feature feature);

/* What a run lacks without a feature: "which files the calls use is not known". */
const char *feature_without(enum feature feature);

/* Closes the collector, if one is open. */
void collector__close(struct collector *c);
