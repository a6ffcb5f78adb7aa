/* SPDX-License-Identifier: GPL-2.0 */
/* For -u: becomes another user before executing the command. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct user {
	uid_t uid;
	gid_t gid;
	char *name; /* NULL: it is a number without a name. */
	char *home, *shell;
};

/*
 * Looks up "USER" or "USER:GROUP", names or numbers; a number without an entry in passwd(5) needs
 * the group. Returns 0, or -errno with one line in why: no
 * such user, no such group, or no right to become that user (only root may become another). Call
 * user_free() in either case.
 */
int user_find(struct user *u, const char *spec, char *why, size_t size);
void user_free(struct user *u);

/*
 * Makes the calling process that user's: sets its supplementary groups, group and user, in this
 * order, and HOME, SHELL and, unless it is root, USER and LOGNAME in the environment, as su(1)
 * does; all else in the environment stays. A user without a name has no supplementary groups, no
 * USER and no LOGNAME, and the root directory as HOME. Returns 0 or -errno.
 */
int user_become(const struct user *u);
