// SPDX-License-Identifier: GPL-2.0
#include "trace/refusal.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/text.h"
#include "trace/privilege.h"

/* Writes "root" or "user 1000". */
static const char *user_name(unsigned uid, char *buf, size_t size)
{
	const struct passwd *user = getpwuid(uid);
	char name[128];

	if (user)
		snprintf(buf, size, "%s", ESCAPE_TEXT(name, user->pw_name));
	else
		snprintf(buf, size, "user %u", uid);
	return buf;
}

/* Names a few of the capabilities. */
static const char *capability_names(uint64_t caps, char *buf, size_t size)
{
	int nr = 0;
	size_t used = 0;

	buf[0] = '\0';
	for (int cap = 0; cap < 64; cap++) {
		char *name = caps >> cap & 1 ? cap_to_name(cap) : NULL;

		if (!name)
			continue;
		used += snprintf(buf + used, size - used, "%s%s", nr ? ", " : "",
				 nr < 3 ? name : "...");
		cap_free(name);
		if (nr++ == 3 || used >= size)
			break;
	}
	return buf;
}

static bool all_are(const unsigned *ids, unsigned id)
{
	return ids[0] == id && ids[1] == id && ids[2] == id;
}

static void explain_module(char *why, size_t size, const struct refusal_facts *f)
{
	char modules[300];

	ESCAPE_TEXT(modules, f->modules);
	snprintf(why, size, "not permitted: a security module of the kernel refuses it%s%s%s",
		 modules[0] ? " (there are " : "", modules, modules[0] ? ")" : "");
}

/* Explains the refusal to a caller with CAP_SYS_PTRACE. */
static void explain_to_privileged(char *why, size_t size, const struct refusal_facts *f)
{
	if (!f->same_namespace)
		snprintf(
			why, size,
			"not permitted: it is in a user namespace that is not below yours; trace it from there, or from outside both");
	else if (f->ptrace_scope >= 3)
		snprintf(
			why, size,
			"not permitted: kernel.yama.ptrace_scope is %d, which lets nobody trace until the next boot",
			f->ptrace_scope);
	else
		explain_module(why, size, f);
}

void refusal_explain(char *why, size_t size, const struct refusal_facts *f)
{
	const char *advice =
		f->uid ? "use sudo"
		       : "CAP_SYS_PTRACE would do, which this root does not have (a container needs --cap-add=SYS_PTRACE)";
	uint64_t more = f->their_caps & ~f->caps;
	char name[200];

	if (f->may_trace_all)
		explain_to_privileged(why, size, f);
	else if (!all_are(f->their_uids, f->uid) || !all_are(f->their_gids, f->gid))
		snprintf(why, size, "not permitted: it runs as %s; %s",
			 all_are(f->their_uids, f->uid)
				 ? "another group"
				 : user_name(f->their_uids[f->their_uids[1] == f->uid ? 0 : 1],
					     name, sizeof(name)),
			 advice);
	else if (!f->same_namespace)
		snprintf(why, size, "not permitted: it is in another user namespace; %s", advice);
	else if (more)
		snprintf(why, size, "not permitted: it has capabilities that you have not (%s); %s",
			 capability_names(more, name, sizeof(name)), advice);
	else if (f->undumpable)
		snprintf(
			why, size,
			"not permitted: it is not dumpable (prctl(2), PR_SET_DUMPABLE: it was set-user-ID, say, or has asked for it); %s",
			advice);
	else if (f->ptrace_scope > 0)
		snprintf(why, size, "not permitted: kernel.yama.ptrace_scope is %d; %s",
			 f->ptrace_scope, advice);
	else
		explain_module(why, size, f);
}

static void read_status(struct refusal_facts *f, pid_t pid)
{
	FILE *status = proc_open(pid, "status");
	char line[256];

	if (!status)
		return;
	while (fgets(line, sizeof(line), status)) {
		sscanf(line, "Uid: %u %u %u", &f->their_uids[0], &f->their_uids[1],
		       &f->their_uids[2]);
		sscanf(line, "Gid: %u %u %u", &f->their_gids[0], &f->their_gids[1],
		       &f->their_gids[2]);
		sscanf(line, "CapPrm: %" SCNx64, &f->their_caps);
	}
	fclose(status);
}

/*
 * Is it in the caller's user namespace? Without the right to trace, namespaces are invisible but
 * their maps are not.
 */
static bool same_namespace(pid_t pid)
{
	char path[64], ours[256], theirs[256];

	snprintf(path, sizeof(path), "/proc/%d/uid_map", pid);
	read_line("/proc/self/uid_map", ours, sizeof(ours));
	read_line(path, theirs, sizeof(theirs));
	return !strcmp(ours, theirs);
}

/*
 * Do the /proc files of a process belong to root, as those of one that is not dumpable do
 * (task_dump_owner() in fs/proc/base.c)?
 */
static bool belongs_to_root(pid_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	return !stat(path, &st) && st.st_uid == 0;
}

void refusal_examine(char *why, size_t size, pid_t pid)
{
	char modules[256];
	struct refusal_facts f = {
		.uid = geteuid(),
		.gid = getegid(),
		.caps = privilege_permitted(),
		.may_trace_all = privilege_may_trace_all(),
		.same_namespace = same_namespace(pid),
		.ptrace_scope = read_number("/proc/sys/kernel/yama/ptrace_scope", -1),
		.modules = modules,
	};

	read_status(&f, pid);
	f.undumpable = f.their_uids[1] && belongs_to_root(pid);
	read_line("/sys/kernel/security/lsm", modules, sizeof(modules));
	refusal_explain(why, size, &f);
}
