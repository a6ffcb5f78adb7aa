/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is traced: a command that is started paused, let go once the collector is ready, waited for
 * with signals passed on, and whose end becomes iotrace's own.
 *
 * From target__fork() to target__free() the calling process has SIGINT, SIGQUIT, SIGTERM and SIGHUP
 * blocked, for target__wait() to take; those that it ignores stay ignored, but for SIGINT without a
 * command. One target at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/user.h"

struct target;

/*
 * Forks a child that waits to be let go before it executes path (which holds a slash) with argv,
 * and with iotrace's environment, descriptors, signal mask and dispositions as they are now: so
 * call it before any of these are touched. All descriptors opened by iotrace must be close-on-exec.
 * If iotrace dies before the child is let go, the child ends without executing anything; dying
 * later leaves the command undisturbed. user is whom it becomes, NULL if it stays who iotrace is;
 * if it cannot, target__go() tells. Returns 0 or -errno.
 */
int target__fork(struct target **t, const char *path, char *const argv[], const struct user *user);

/*
 * Makes a target without a child, for running processes: target__wait() waits for time, wakeup_fd
 * and signals. The first signal interrupts; none is passed on. Returns 0 or -errno.
 */
int target__watch(struct target **t);

/* The pid of the paused or running child, a single task until it executes the command. */
pid_t target__pid(const struct target *t);

/* The pidfd of the child, which the target owns. */
int target__pidfd(const struct target *t);

/*
 * Lets the child go. Returns 0 once its execve() has succeeded, or the negative errno that execve()
 * gave it, which a command's exit status of 127 would not tell; the child is then gone and reaped.
 * An executable file of no known format is run by /bin/sh, as env(1), timeout(1) and every other
 * user of execvp(3) does. A child killed while paused is for target__wait() to tell.
 */
int target__go(struct target *t);

/*
 * Explains that the interpreter of a script ("#!") or the loader of an ELF program keeps the file
 * at path from being executed: which one, and what is wrong with it. Returns false if it is not
 * that.
 */
bool interpreter_explain(char *why, size_t size, const char *path);

/* The time from the child's execve() to its end, as iotrace saw that. 0: it has not ended. */
uint64_t target__wall_ns(const struct target *t);

/* The events that end a wait. */
enum target_event {
	TARGET_ENDED, /* The command itself has ended, and target__status() is known. */
	/* The wait is to end, and the report to follow. All later calls return this. */
	TARGET_INTERRUPTED,
	TARGET_WAKEUP, /* wakeup_fd is readable. */
	TARGET_TIMEOUT,
};

/*
 * Waits until something happens. wakeup_fd is a descriptor that a collector wants looked at, -1 if
 * there is none. With timeout_ms < 0 there is no limit. Returns an enum target_event or -errno.
 * When several are due, the first in the enum is returned, and the others by the next call.
 *
 * Meanwhile SIGTERM and SIGHUP are passed on to the command, and SIGINT and SIGQUIT too, unless
 * they come from the terminal, which sends them to both. A second SIGINT, SIGQUIT or SIGTERM
 * interrupts the wait, and the command is left running if it does not end of it at once. After
 * TARGET_ENDED it may be called again, to wait for wakeup_fd; then any of these signals interrupts.
 */
int target__wait(struct target *t, int wakeup_fd, int timeout_ms);

/* The command's wait status (waitpid(2)). -1: it is running. */
int target__status(const struct target *t);

/*
 * The wait status that iotrace should end with: the command's; while it runs, death by the signal
 * that interrupted the wait, or else 0.
 */
int target__end_status(const struct target *t);

/*
 * Frees the target. A child that was never let go is ended and reaped, a running one is left alone.
 * Signals that came too late for target__wait() are dropped, and mask and dispositions are put
 * back. With last, the program ends, and the signals stay blocked.
 */
void target__free(struct target *t, bool last);

/*
 * Ends iotrace as a command with this wait status ended: exits with its status, or dies of the same
 * signal, without a core file. stdio should be flushed before. With -1 it exits with 0.
 */
void target_end_like(int status) __attribute__((noreturn));
