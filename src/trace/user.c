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

/* The highest id means "none". */
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

/* A group without a name is valid. */
static bool find_group(const char *text, gid_t *gid)
{
	const struct group *entry = getgrnam(text);
	uint64_t id;

	if (!entry && !parse_id(text, &id))
		return false;
	*gid = entry ? entry->gr_gid : id;
	return true;
}

static int copy_entry(struct user *u, const struct passwd *entry)
{
	u->uid = entry->pw_uid;
	u->gid = entry->pw_gid;
	u->name = strdup(entry->pw_name);
	u->home = strdup(entry->pw_dir);
	/* passwd(5): an empty shell means this one. */
	u->shell = strdup(*entry->pw_shell ? entry->pw_shell : "/bin/sh");
	return u->name && u->home && u->shell ? 0 : -ENOMEM;
}

int user_find(struct user *u, const char *spec, char *why, size_t size)
{
	const struct passwd *entry;
	char *name = strdup(spec), *group;
	int err = -EINVAL;

	memset(u, 0, sizeof(*u));
	if (!name)
		return -ENOMEM;
	group = strchr(name, ':');
	if (group)
		*group++ = '\0';
	entry = find_passwd(name);
	if (!entry) {
		snprintf(why, size, "there is no user '%s'", name);
		goto out;
	}
	err = copy_entry(u, entry);
	if (!err && group && !find_group(group, &u->gid)) {
		snprintf(why, size, "there is no group '%s'", group);
		err = -EINVAL;
	}
	if (!err && geteuid() != 0 && (u->uid != geteuid() || u->gid != getegid())) {
		snprintf(why, size, "only root can run a command as user '%s'", spec);
		err = -EPERM;
	}
out:
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

int user_become(const struct user *u)
{
	/* For root, USER and LOGNAME are left alone, as by su(1). */
	const char *name = u->uid ? u->name : NULL;
	const struct {
		const char *name, *value; /* NULL: stays as it is */
	} variables[] = {
		{ "HOME", u->home },
		{ "SHELL", u->shell },
		{ "USER", name },
		{ "LOGNAME", name },
	};

	if (geteuid() == 0 && (initgroups(u->name, u->gid) || setgid(u->gid) || setuid(u->uid)))
		return -errno;
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
		if (variables[i].value && setenv(variables[i].name, variables[i].value, 1))
			return -errno;
	return 0;
}
