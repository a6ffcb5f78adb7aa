// SPDX-License-Identifier: GPL-2.0
#include "cli/trace_args.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/ids.h"
#include "base/limits.h"
#include "base/link_end.h"
#include "base/message.h"
#include "base/parse.h"
#include "base/text.h"
#include "cli/usage.h"
#include "trace/backends.h"
#include "trace/running.h"

/* Reading the figures takes about so long, in ns. */
#define SHORTEST_INTERVAL 1000000

enum {
	OPT_CGROUP = 256,
	OPT_NO_FOLLOW,
	OPT_WITH_CHILDREN,
	OPT_COMM,
	OPT_UID,
	OPT_DURATION,
	OPT_UNTIL,
	OPT_INTERVAL,
	OPT_NO_LATENCY,
	OPT_BACKEND,
	OPT_OVERHEAD,
	OPT_MAX_FILES,
	OPT_MAX_GROUPS,
	OPT_NO_FILES,
	OPT_CPU,
	OPT_SAMPLE_LATENCY,
	OPT_SECCOMP,
	OPT_NO_STACKS,
};

/* clang-format off */
static const struct argp_option option_table[] = {
	{"trace", 'e', "EXPR", 0,
	 "Trace these syscalls, in strace's grammar: write,openat  all  %file  %output  !close  /^pread  ?name (default: " SYSCALL_SET_DEFAULT ")", 0},
	{"attach", 'p', "PID|NAME,...", 0,
	 "Trace these running processes, or those of this name, all their threads, and what they start; may be repeated", 0},
	{"with-children", OPT_WITH_CHILDREN, NULL, 0,
	 "With -p: trace also what the processes have started before, and what these have", 0},
	{"cgroup", OPT_CGROUP, "PATH", 0, "Trace every task in this cgroup (v2) and below it", 0},
	{"all", 'a', NULL, 0, "Trace the whole system, iotrace excepted", 0},
	{"comm", OPT_COMM, "NAME", 0, "With -a or --cgroup: only tasks of this name", 0},
	{"uid", OPT_UID, "UID", 0,
	 "With -a or --cgroup: only tasks of this user (a number or a name)", 0},
	{"user", 'u', "USER[:GROUP]", 0,
	 "Run COMMAND as this user, with its groups and HOME, SHELL, USER and LOGNAME as su sets them", 0},
	{"no-follow", OPT_NO_FOLLOW, NULL, 0, "Leave out children, keep all threads", 0},
	{"follow-forks", 'f', NULL, 0, "Follow children; always done, accepted as in strace", 0},
	{"duration", OPT_DURATION, "SECS", 0,
	 "Stop tracing after this time; fractions are allowed", 0},
	{"until", OPT_UNTIL, "command|all", 0,
	 "Stop tracing when the command has ended, or all its descendants as well (default: all)", 0},
	{"backend", OPT_BACKEND, "NAME", 0,
	 "Trace by one of {backends}, or auto: by the first of them that can be used (default: auto)", 0},
	{"seccomp", OPT_SECCOMP, NULL, 0,
	 "Have strace, if it is what traces, stop the command by a seccomp filter, at the wanted calls only: set-user-ID programs then lose their rights, also as root", 0},
	{"seccomp-bpf", 0, NULL, OPTION_ALIAS, NULL, 0},
	{"no-latency", OPT_NO_LATENCY, NULL, 0,
	 "Measure no times: only calls, errors, bytes and sizes", 0},
	{"sample-latency", OPT_SAMPLE_LATENCY, "N", 0,
	 "Time one call in N of each task, chosen at random, and estimate the times of the others, with the standard error of their total; calls, errors and bytes are still exact", 0},
	{"no-files", OPT_NO_FILES, NULL, 0,
	 "Do not find out which files the calls use, and report no findings, at a lower cost", 0},
	{"no-stacks", OPT_NO_STACKS, NULL, 0,
	 "Do not find out which lines of code the calls of findings come from", 0},

	{"cpu", OPT_CPU, NULL, 0,
	 "Measure the CPU time of calls, too, as strace -c does without -w, for -S and -U cpu-time and cpu-avg; costs each context switch of the machine some 150 ns", 0},
	{"overhead", OPT_OVERHEAD, NULL, 0,
	 "Report what tracing added to a call on this machine, measured after the run", 0},
	{"interval", OPT_INTERVAL, "SECS", 0, "Report also each interval when it ends", 0},
	{"summary-only", 'c', NULL, 0, "Only a summary; always done, accepted as in strace", 0},
	{"trace-path", 'P', "PATH", 0,
	 "Trace only calls on this file, or on files below this directory; may be repeated", 0},
	{"max-files", OPT_MAX_FILES, "N", 0,
	 "Have a row for each of this many files (default: 8192); all later files share one, (other)", 0},
	{"max-groups", OPT_MAX_GROUPS, "N", 0,
	 "With --by: have a row for each of this many groups (default: 8192); all later groups share one, (other)", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};
/* clang-format on */

#define BLANKS " \t\n"

/* Adds the processes of a name, or says that there are none. */
static error_t add_named(struct ids *ids, const char *name)
{
	int nr = running_add_named(ids, name);
	char shown[256];

	if (nr < 0)
		message_error("-p %s: %s", ESCAPE_TEXT(shown, name), explain_errno(-nr));
	else if (!nr)
		message_error("-p: no process is called '%s'", ESCAPE_TEXT(shown, name));
	return nr < 0 ? EINVAL : 0;
}

/* Adds "12" or, as pidof prints it, "12 34". Keeps each pid once. */
static error_t add_pids(struct ids *ids, const char *list, const char *arg)
{
	for (const char *next = list; *(next += strspn(next, BLANKS));) {
		char *end;
		long pid = strtol(next, &end, 10);

		if (pid <= 0 || pid > INT_MAX)
			return usage_bad_value(
				"-p", arg,
				"process ids or names, separated by commas, or ids by spaces");
		next = end;
		if (!ids_have(ids, pid) && ids_add(ids, pid))
			return ENOMEM;
	}
	return 0;
}

/* Parses a list with commas between ids, groups of ids, and names. */
static error_t parse_targets(struct trace_options *o, const char *arg)
{
	struct ids ids = { o->pids, o->nr_pids };
	char *list = strdup(arg), *rest = list, *part;
	bool any = false;
	error_t err = list ? 0 : ENOMEM;

	while (!err && (part = strsep(&rest, ","))) {
		part += strspn(part, BLANKS);
		if (!*part)
			continue;
		any = true;
		if (!part[strspn(part, "0123456789" BLANKS)]) {
			err = add_pids(&ids, part, arg);
		} else {
			o->named = true;
			part[strcspn(part, "\n")] = '\0';
			err = add_named(&ids, part);
		}
	}
	free(list);
	o->pids = ids.id;
	o->nr_pids = ids.nr;
	if (!err && !any)
		err = usage_bad_value("-p", arg, "process ids or names, not an empty list");
	return err;
}

static error_t parse_backend(struct trace_options *o, const char *arg)
{
	char expected[80] = "auto";

	o->backend = NULL;
	if (!strcmp(arg, "auto"))
		return 0;
	for (size_t i = 0; collectors[i]; i++) {
		const char *name = collectors[i]->name;
		size_t used = strlen(expected);

		if (!strcmp(arg, name))
			o->backend = name;
		snprintf(expected + used, sizeof(expected) - used, "%s%s",
			 collectors[i + 1] ? ", " : " or ", name);
	}
	return o->backend ? 0 : usage_bad_value("--backend", arg, expected);
}

static error_t parse_uid(struct trace_options *o, const char *arg)
{
	struct passwd *user = getpwnam(arg);
	uint64_t uid;

	if (user) {
		o->uid = user->pw_uid;
		return 0;
	}
	if (!parse_number(&uid, arg, 0, UINT32_MAX - 1))
		return usage_bad_value("--uid", arg, "the number or the name of a user");
	o->uid = uid;
	return 0;
}

/* The file, or that which a link leads to, may be created later, but its directory must exist. */
static error_t check_path(const char *arg)
{
	const char *parent;
	struct stat st;
	error_t err = 0;
	char *end;
	int why;

	if (!stat(arg, &st))
		return 0;
	end = link_end(arg);
	if (!end)
		return errno == ENOMEM ? ENOMEM
				       : usage_error("-P '%.255s': %s", arg, strerror(errno));
	parent = dirname(end);
	why = stat(parent, &st) ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
	if (why)
		err = usage_error("-P '%.255s': cannot look into '%.255s': %s", arg, parent,
				  strerror(why));
	free(end);
	return err;
}

static error_t add_path(struct trace_options *o, const char *arg)
{
	const char **path;
	error_t err;

	if (!*arg)
		return usage_error("-P needs the path of a file, not an empty one");
	err = check_path(arg);
	if (err)
		return err;
	if (o->nr_filter_paths == MAX_FILTER_PATHS)
		return usage_error("-P can be given %d times at most", MAX_FILTER_PATHS);
	path = array_append(&o->filter_paths, &o->nr_filter_paths, sizeof(*path));
	if (!path)
		return ENOMEM;
	*path = arg;
	return 0;
}

/* Sets a member to true, for an option that says no more than that. */
static error_t parse_flag(int key, struct trace_options *o)
{
	const struct {
		int key;
		bool *flag;
	} flags[] = {
		{ 'a', &o->all },
		{ OPT_NO_FOLLOW, &o->no_follow },
		{ OPT_WITH_CHILDREN, &o->with_children },
		{ OPT_SECCOMP, &o->seccomp },
		{ OPT_NO_LATENCY, &o->no_latency },
		{ OPT_CPU, &o->cpu },
		{ OPT_OVERHEAD, &o->overhead },
		/* iotrace does so anyway. */
		{ 'f', NULL },
		{ 'c', NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (flags[i].key != key)
			continue;
		if (flags[i].flag)
			*flags[i].flag = true;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct trace_options *o = state->input;
	char why[256];

	switch (key) {
	case 'e':
		return syscall_set_parse(&o->set, arg, why, sizeof(why)) ? usage_error("%s", why)
									 : 0;
	case 'p':
		return parse_targets(o, arg);
	case OPT_CGROUP:
		if (!*arg)
			return usage_error("--cgroup needs a path, not an empty one");
		o->cgroup = arg;
		break;
	case OPT_COMM:
		if (!*arg)
			return usage_error("--comm needs a name, not an empty one");
		o->comm = arg;
		break;
	case OPT_UID:
		return parse_uid(o, arg);
	case 'u':
		o->user = arg;
		break;
	case OPT_DURATION:
		return usage_seconds("--duration", arg, 1, &o->duration_ns);
	case OPT_UNTIL:
		if (strcmp(arg, "command") && strcmp(arg, "all"))
			return usage_bad_value("--until", arg, "command or all");
		o->until_command = !strcmp(arg, "command");
		break;
	case OPT_BACKEND:
		return parse_backend(o, arg);
	case OPT_SAMPLE_LATENCY:
		return usage_number("--sample-latency", arg, 1, 1000000, &o->sample_latency);
	case OPT_NO_STACKS:
		o->stacks = false;
		break;
	case OPT_NO_FILES:
		o->files = false;
		break;
	case OPT_INTERVAL:
		return usage_seconds("--interval", arg, SHORTEST_INTERVAL, &o->interval_ns);
	case 'P':
		return add_path(o, arg);
	case OPT_MAX_GROUPS:
		return usage_number("--max-groups", arg, 1, 1000000, &o->max_groups);
	case OPT_MAX_FILES:
		return usage_number("--max-files", arg, 1, 1000000, &o->max_files);
	default:
		return parse_flag(key, o);
	}
	return 0;
}

const struct argp trace_args_argp = {
	.options = option_table,
	.parser = parse_option,
	.help_filter = help_fill_lists,
};

int trace_args_init(struct trace_options *o)
{
	char why[256];

	memset(o, 0, sizeof(*o));
	o->uid = -1;
	o->files = o->stacks = true;
	o->max_files = 8192;
	o->max_groups = 8192;
	o->sample_latency = 1;
	return syscall_set_parse(&o->set, SYSCALL_SET_DEFAULT, why, sizeof(why));
}

static const char examples[] =
	"  sudo iotrace -- ./app args          profile what a command writes, opens and closes\n"
	"  sudo iotrace -p nginx               watch what runs already; Ctrl-C ends it\n"
	"  iotrace report run.json             print again what -o run.json has kept\n";

/* Is nothing said of whom to trace? */
static bool lacks_target(const struct trace_options *o)
{
	return !o->command && !o->nr_pids && !o->named && !o->cgroup && !o->all;
}

/* Files are looked at wherever they are used, unless it is said by whom. */
static void default_target(struct trace_options *o)
{
	if (o->nr_filter_paths && lacks_target(o))
		o->all = true;
}

static error_t check_rules(const struct trace_options *o)
{
	bool match_per_call = o->all || o->cgroup, attaches = o->nr_pids || o->named;
	const struct {
		bool wrong;
		const char *message;
	} rules[] = {
		{ o->command && attaches, "-p and a command exclude each other" },
		{ o->command && o->cgroup, "--cgroup and a command exclude each other" },
		{ o->command && o->all, "-a and a command exclude each other" },
		{ attaches && o->cgroup, "-p and --cgroup exclude each other" },
		{ attaches && o->all, "-p and -a exclude each other" },
		{ o->cgroup && o->all, "--cgroup and -a exclude each other" },
		{ o->comm && !match_per_call, "--comm needs -a or --cgroup to narrow" },
		{ o->uid >= 0 && !match_per_call, "--uid needs -a or --cgroup to narrow" },
		{ o->user && !o->command, "-u needs a command to run as that user" },
		{ o->until_command && !o->command, "--until=command needs a command" },
		{ o->no_follow && match_per_call, "--no-follow needs a command or -p" },
		{ o->with_children && !attaches, "--with-children needs -p" },
		{ o->with_children && o->no_follow,
		  "--no-follow and --with-children exclude each other" },
		{ !o->files && o->nr_filter_paths, "--no-files and -P exclude each other" },
		{ o->cpu && o->no_latency, "--no-latency and --cpu exclude each other" },
		{ o->sample_latency > 1 && o->no_latency,
		  "--no-latency and --sample-latency exclude each other" },
		{ o->sample_latency > 1 && o->cpu,
		  "--cpu and --sample-latency exclude each other" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].wrong)
			return usage_error("%s", rules[i].message);
	return 0;
}

error_t trace_args_finish(struct trace_options *o)
{
	error_t err;

	default_target(o);
	err = check_rules(o);
	if (err)
		return err;
	if (lacks_target(o)) {
		usage_error("nothing to trace: give a command, -p, --cgroup or -a");
		fputs(examples, stderr);
		return EINVAL;
	}
	/* It has been said already that no process has the name. */
	if (o->named && !o->nr_pids)
		return EINVAL;
	o->files_needed = o->files_needed || o->nr_filter_paths;
	if (!o->files_needed && !syscall_set_uses_files(&o->set))
		o->files = false;
	o->scope = o->all	? SCOPE_ALL
		   : o->cgroup	? SCOPE_CGROUP
		   : o->nr_pids ? SCOPE_PIDS
				: SCOPE_COMMAND;
	return 0;
}

void trace_args_free(struct trace_options *o)
{
	free(o->filter_paths);
	free(o->pids);
	memset(o, 0, sizeof(*o));
}
