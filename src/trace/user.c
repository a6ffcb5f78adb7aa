// SPDX-License-Identifier: GPL-2.0
#include "trace/user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"

/* Reads an id. The highest means "none". */
static bool parse_id(const char *text, uint64_t *id)
{
	return parse_number(id, text, 0, UINT32_MAX - 1);
}

static const struct passwd *find_passwd(const char *text)
{
	const struct passwd *entry = getpwnam(text);
	uint64_t id;

	return !entry && parse_id(text, &id) ? getpwuid(id) : entry;
}

/* Finds the id of a group, which may have no name. */
static bool find_group(const char *text, gid_t *gid)
{
	const struct group *entry = getgrnam(text);
	uint64_t id;

	if (!entry && !parse_id(text, &id))
		return false;
	*gid = entry ? entry->gr_gid : id;
	return true;
}

static int fill(struct user *u, const char *name, const char *home, const char *shell)
{
	u->name = name ? strdup(name) : NULL;
	u->home = strdup(home);
	u->shell = strdup(shell);
	return (u->name || !name) && u->home && u->shell ? 0 : -ENOMEM;
}

/* Finds the user's own part of the specification. Returns 0, or -errno with one line in why. */
static int find_user(struct user *u, const char *name, bool has_group, char *why, size_t size)
{
	const struct passwd *entry = find_passwd(name);
	uint64_t uid;

	if (entry) {
		u->uid = entry->pw_uid;
		u->gid = entry->pw_gid;
		/* passwd(5): an empty shell means this one. */
		return fill(u, entry->pw_name, entry->pw_dir,
			    *entry->pw_shell ? entry->pw_shell : "/bin/sh");
	}
	if (!parse_id(name, &uid)) {
		snprintf(why, size, "there is no user '%s'", name);
		return -EINVAL;
	}
	u->uid = (uid_t)uid;
	if (has_group)
		return fill(u, NULL, "/", "/bin/sh");
	snprintf(why, size, "there is no user %s in passwd: its group is needed, as in '%s:%s'",
		 name, name, name);
	return -EINVAL;
}

int user_find(struct user *u, const char *spec, char *why, size_t size)
{
	char *name = strdup(spec), *group;
	int err;

	memset(u, 0, sizeof(*u));
	if (!name)
		return -ENOMEM;
	group = strchr(name, ':');
	if (group)
		*group++ = '\0';
	err = find_user(u, name, group, why, size);
	if (!err && group && !find_group(group, &u->gid)) {
		snprintf(why, size, "there is no group '%s'", group);
		err = -EINVAL;
	}
	if (!err && geteuid() != 0 && (u->uid != geteuid() || u->gid != getegid())) {
		snprintf(why, size, "only root can run a command as user '%s'", spec);
		err = -EPERM;
	}
	free(name);
	return err;
}

void user_free(struct user *u)
{
	free(u->name);
	free(u->home);
	free(u->shell);
	memset(u, 0, sizeof(*u));
}

static int take_groups(const struct user *u)
{
	return u->name ? initgroups(u->name, u->gid) : setgroups(0, NULL);
}

static int set_variable(const char *name, const char *value)
{
	return value ? setenv(name, value, 1) : unsetenv(name);
}

int user_become(const struct user *u)
{
	if (geteuid() == 0 && (take_groups(u) || setgid(u->gid) || setuid(u->uid)))
		return -errno;
	if (set_variable("HOME", u->home) || set_variable("SHELL", u->shell))
		return -errno;
	/* For root, USER and LOGNAME are left alone, as by su(1). */
	if (u->uid && (set_variable("USER", u->name) || set_variable("LOGNAME", u->name)))
		return -errno;
	return 0;
}
