/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is traced: a command that is started paused, let go once the collector is ready, waited for with signals
 * passed on, and whose end becomes iotrace's own.
 */
#ifndef IOTRACE_TARGET_H
#define IOTRACE_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct target;

/*
 * Finds argv[0] as a shell would: in PATH if it holds no slash. 0 with the path in *path (free() it), or -ENOENT
 * (nothing of that name), -EACCES (found, but not an executable file), -ENOMEM. A file that is there but
 * not executable does not hide an executable one later in PATH.
 */
int target_find_command(const char *name, char **path);

/*
 * Forks a child that waits to be let go before it executes path with argv and iotrace's environment, signal mask,
 * dispositions and descriptors as they were when iotrace itself was started (so before signals are touched).
 * If iotrace dies before the child is let go, the child ends without executing anything. 0 or -errno.
 */
int target__fork(struct target **t, const char *path, char *const argv[]);

/* The paused or running child. The pidfd stays the target's own. */
pid_t target__pid(const struct target *t);
int target__pidfd(const struct target *t);

/*
 * Lets the child go. 0 once its execve() has succeeded; otherwise the negative errno that execve() gave it (the child
 * is then gone and reaped): told apart from a command that exits 127.
 */
int target__go(struct target *t);

/* What ended a wait. */
enum target_event {
	TARGET_ENDED,	    /* the command itself has ended; target__status() is known */
	TARGET_INTERRUPTED, /* a second SIGINT (or SIGINT once the command has ended): stop waiting, report */
	TARGET_WAKEUP,	    /* wakeup_fd is readable */
	TARGET_TIMEOUT,
};

/*
 * Waits until something happens. wakeup_fd (-1: none) is a descriptor that a collector wants looked at.
 * timeout_ms < 0: no limit. Meanwhile SIGTERM, SIGHUP (and SIGINT when it was sent to iotrace alone, not by the
 * terminal to both) are passed on to the command; SIGINT and SIGQUIT from the terminal reach it by themselves. Returns an enum
 * target_event or -errno. After TARGET_ENDED it may be called again to wait for wakeup_fd, SIGINT or SIGTERM.
 */
int target__wait(struct target *t, int wakeup_fd, int timeout_ms);

/* The command's wait status (waitpid(2)); -1 while it runs. */
int target__status(const struct target *t);

/* Frees it; a child that was never let go is ended and reaped; a running one is left alone. */
void target__free(struct target *t);

/*
 * Ends iotrace as the command ended: exits with its status, or dies of the same signal, without a core file. With
 * status -1 (still running) exits 0... Does not return.
 */
void target_end_like(int status) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
