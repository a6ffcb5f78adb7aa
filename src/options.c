// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "report_options.h"
#include "usage.h"

enum {
	OPT_USAGE = 256,
	OPT_CGROUP,
	OPT_NO_FOLLOW,
	OPT_COMM,
	OPT_UID,
	OPT_DURATION,
	OPT_UNTIL,
	OPT_INTERVAL,
	OPT_NO_LATENCY,
	OPT_BACKEND,
	OPT_OVERHEAD,
};

/* clang-format off */
static const struct argp_option option_table[] = {
	{NULL, 0, NULL, 0, "What is traced:", 1},
	{"trace", 'e', "EXPR", 0,
	 "Trace these syscalls, in strace's grammar: write,openat  all  %file  %io  !close  /^pread  ?name "
	 "(default: " SYSCALL_SET_DEFAULT ")", 0},
	{"attach", 'p', "PID,...", 0,
	 "Trace these running processes, all their threads, and what they start; may be repeated", 0},
	{"cgroup", OPT_CGROUP, "PATH", 0, "Trace every task in this cgroup (v2) and below it", 0},
	{"all", 'a', NULL, 0, "Trace the whole system, iotrace excepted", 0},
	{"comm", OPT_COMM, "NAME", 0, "With -a and --cgroup: only tasks of this name", 0},
	{"uid", OPT_UID, "UID", 0, "With -a and --cgroup: only tasks of this user (a number or a name)", 0},
	{"user", 'u', "USER[:GROUP]", 0,
	 "Run COMMAND as this user, with its groups and HOME, SHELL, USER and LOGNAME as su sets them", 0},
	{"no-follow", OPT_NO_FOLLOW, NULL, 0, "Leave out children, keep all threads", 0},
	{"follow-forks", 'f', NULL, 0, "Follow children; always done, accepted for strace's sake", 0},
	{"duration", OPT_DURATION, "SECS", 0, "Stop tracing after this time; fractions are fine", 0},
	{"until", OPT_UNTIL, "command|all", 0,
	 "Stop tracing when the command has ended, or all that it has started as well (default: all)", 0},
	{"backend", OPT_BACKEND, "NAME", 0,
	 "Trace by bpf, strace, or auto: bpf where it can be used, else strace (default: auto)", 0},
	{"no-latency", OPT_NO_LATENCY, NULL, 0,
	 "Take no times: calls, errors, bytes and sizes only, at the lowest cost", 0},

	{"overhead", OPT_OVERHEAD, NULL, 0,
	 "Measure first what tracing adds to a call on this machine, and report it", 0},
	{"interval", OPT_INTERVAL, "SECS", 0, "Report what happened in each interval too, as it ends", 0},
	{"summary-only", 'c', NULL, 0, "Only a summary; always done, accepted for strace's sake", 0},
	{"summary-wall-clock", 'w', NULL, 0, "Wall-clock time; always done, accepted for strace's sake", 0},

	{NULL, 0, NULL, 0, "Other:", 3},
	{"verbose", 'v', NULL, 0, "Show what libbpf says", 0},
	{"version", 'V', NULL, 0, "Print the version and exit", 0},
	{"help", 'h', NULL, 0, "Print this help and exit", 0},
	{"usage", OPT_USAGE, NULL, 0, "Print a short usage line and exit", 0},
	{NULL, '?', NULL, OPTION_HIDDEN, NULL, 0},
	{NULL, 0, NULL, 0, NULL, 0},
};
/* clang-format on */

struct parsing {
	struct options *o;
	bool done; /* --help and the like */
};

static error_t print_and_stop(struct parsing *parsing, struct argp_state *state, unsigned flags)
{
	if (flags)
		argp_state_help(state, stdout, flags);
	else
		printf("iotrace %s\n", IOTRACE_VERSION);
	parsing->done = true;
	state->next = state->argc;
	return 0;
}

static int by_pid(const void *a, const void *b)
{
	return *(const pid_t *)a - *(const pid_t *)b;
}

/* "12,34" or "12 34" (pidof's): each pid once. */
static error_t parse_pids(struct parsing *parsing, const char *arg)
{
	struct options *o = parsing->o;
	const char *next = arg;
	size_t nr = 0;

	while (*(next += strspn(next, ", \t\n"))) {
		char *end;
		long pid = strtol(next, &end, 10);
		pid_t *pids;

		if (end == next || pid <= 0 || pid > INT_MAX || (*end && !strchr(", \t\n", *end)))
			return usage_bad_value("-p", arg,
					       "process ids, separated by commas or spaces");
		pids = reallocarray(o->pids, o->nr_pids + 1, sizeof(*pids));
		if (!pids)
			return ENOMEM;
		o->pids = pids;
		pids[o->nr_pids] = pid;
		if (!lfind(&pids[o->nr_pids], pids, &o->nr_pids, sizeof(*pids), by_pid))
			o->nr_pids++;
		nr++;
		next = end;
	}
	return nr ? 0 : usage_bad_value("-p", arg, "process ids, not an empty list");
}

static error_t parse_seconds(const char *option, const char *arg, uint64_t *ns)
{
	char *end;
	double seconds;

	errno = 0;
	seconds = strtod(arg, &end);
	/* A nanosecond is the least that can be asked for, a century the most. */
	if (end == arg || *end || errno || !(seconds >= 1e-9 && seconds <= 100 * 365.25 * 86400))
		return usage_bad_value(
			option, arg,
			"a number of seconds above 0, and a century (3155760000) at most");
	*ns = seconds * 1e9;
	return 0;
}

static error_t parse_uid(struct parsing *parsing, const char *arg)
{
	struct passwd *user = getpwnam(arg);
	unsigned long uid;
	char *end;

	if (user) {
		parsing->o->uid = user->pw_uid;
		return 0;
	}
	errno = 0;
	uid = strtoul(arg, &end, 10);
	if (end == arg || *end || *arg == '-' || errno || uid >= UINT32_MAX)
		return usage_bad_value("--uid", arg, "the number or the name of a user");
	parsing->o->uid = uid;
	return 0;
}

static error_t parse_target_option(struct parsing *parsing, int key, char *arg)
{
	struct options *o = parsing->o;

	switch (key) {
	case 'p':
		return parse_pids(parsing, arg);
	case OPT_CGROUP:
		if (!*arg)
			return usage_error("--cgroup needs a path, not an empty one");
		o->cgroup = arg;
		return 0;
	case 'a':
		o->all = true;
		return 0;
	case OPT_COMM:
		if (!*arg)
			return usage_error("--comm needs a name, not an empty one");
		o->comm = arg;
		return 0;
	case OPT_UID:
		return parse_uid(parsing, arg);
	case 'u':
		o->user = arg;
		return 0;
	case OPT_NO_FOLLOW:
		o->no_follow = true;
		return 0;
	case OPT_DURATION:
		return parse_seconds("--duration", arg, &o->duration_ns);
	case OPT_UNTIL:
		if (strcmp(arg, "command") && strcmp(arg, "all"))
			return usage_bad_value("--until", arg, "command or all");
		o->until_command = !strcmp(arg, "command");
		return 0;
	case OPT_INTERVAL:
		return parse_seconds("--interval", arg, &o->interval_ns);
	case OPT_NO_LATENCY:
		o->no_latency = true;
		return 0;
	case OPT_BACKEND:
		if (strcmp(arg, "auto") && strcmp(arg, "bpf") && strcmp(arg, "strace"))
			return usage_bad_value("--backend", arg, "auto, bpf or strace");
		o->backend = strcmp(arg, "auto") ? arg : NULL;
		return 0;
	case OPT_OVERHEAD:
		o->overhead = true;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const char examples[] =
	"  sudo iotrace -- ./app args          profile what a command writes, opens and closes\n"
	"  sudo iotrace -p \"$(pidof nginx)\"    watch what runs already; Ctrl-C ends it\n"
	"  iotrace report run.json             print again what -o run.json has kept\n";

/* Options that exclude each other, and those that need another: rows of what is there and what it may not be with. */
static error_t check_combination(struct parsing *parsing)
{
	struct options *o = parsing->o;
	bool on_sight = o->all || o->cgroup;
	bool files_asked = o->report.render.files || o->files.nr_only_paths;
	const struct {
		bool wrong;
		const char *message;
	} rules[] = {
		{ o->command && o->nr_pids, "-p and a command exclude each other" },
		{ o->command && o->cgroup, "--cgroup and a command exclude each other" },
		{ o->command && o->all, "-a and a command exclude each other" },
		{ o->nr_pids && o->cgroup, "-p and --cgroup exclude each other" },
		{ o->nr_pids && o->all, "-p and -a exclude each other" },
		{ o->cgroup && o->all, "--cgroup and -a exclude each other" },
		{ o->comm && !on_sight, "--comm needs -a or --cgroup to narrow" },
		{ o->uid >= 0 && !on_sight, "--uid needs -a or --cgroup to narrow" },
		{ o->user && !o->command, "-u needs a command to run as that user" },
		{ o->until_command && !o->command, "--until=command needs a command" },
		{ o->no_follow && on_sight, "--no-follow needs a command or -p" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].wrong)
			return usage_error(rules[i].message);
	if (!o->command && !o->nr_pids && !on_sight) {
		usage_error("nothing to trace: give a command, -p, --cgroup or -a");
		fputs(examples, stderr);
		return EINVAL;
	}
	/* Asked for, because the probes that know of files take longer to load. */
	o->files.collect = files_asked;
	o->scope = o->all	? SCOPE_ALL
		   : o->cgroup	? SCOPE_CGROUP
		   : o->nr_pids ? SCOPE_PIDS
				: SCOPE_COMMAND;
	return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct options *o = parsing->o;
	char why[256];

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->files;
		state->child_inputs[1] = &o->report;
		return 0;
	case 'e':
		o->set_given = true;
		return syscall_set_parse(&o->set, arg, why, sizeof(why)) ? usage_error(why) : 0;
	case 'f':
	case 'c':
	case 'w':
		return 0; /* what iotrace does anyway */
	case 'v':
		o->verbose = true;
		return 0;
	case 'V':
		return print_and_stop(parsing, state, 0);
	case 'h':
	case '?':
		return print_and_stop(parsing, state,
				      ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC);
	case OPT_USAGE:
		return print_and_stop(parsing, state, ARGP_HELP_USAGE);
	case ARGP_KEY_ARG:
		/* The command begins here: what follows are its own arguments. */
		o->command = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (parsing->done)
			return 0;
		return check_combination(parsing) ?: report_options_finish(&o->report);
	}
	return parse_target_option(parsing, key, arg);
}

static const struct argp_child children[] = {
	{ &files_options_argp, 0, NULL, 1 },
	{ &report_options_argp, 0, "What is reported:", 2 },
	{ NULL, 0, NULL, 0 },
};

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.children = children,
	.args_doc = "[--] COMMAND [ARG...]\n-p PID[,PID...]\n--cgroup PATH\n-a\n"
		    "report CAPTURE\nschema\ndoctor",
	.doc = "Runs COMMAND, or watches what runs already, and reports its syscalls: how many, "
	       "how long, how much "
	       "and how often in vain, counted in the kernel by eBPF, laid out as strace -c -w "
	       "does.\v"
	       "The exit status is the command's own; if a signal killed it, iotrace dies of the "
	       "same one. 125: "
	       "iotrace failed or was used wrongly; 126: the command cannot be run; 127: it was "
	       "not found.\n\n"
	       "  sudo iotrace -- ./endl_loop > 1.txt\n"
	       "  sudo iotrace -e trace=%file -S calls -- make\n"
	       "  sudo iotrace --duration 10 -p \"$(pidof nginx)\"",
};

static int set_defaults(struct options *o)
{
	char why[256];

	memset(o, 0, sizeof(*o));
	o->uid = -1;
	o->files.max_files = 8192;
	report_options_init(&o->report);
	return syscall_set_parse(&o->set, SYSCALL_SET_DEFAULT, why, sizeof(why));
}

int options_parse(struct options *o, int argc, char **argv)
{
	struct parsing parsing = { .o = o };
	int err = set_defaults(o);

	if (err)
		return err;
	/* argp's own messages begin with this. */
	program_invocation_short_name = (char *)"iotrace";
	err = argp_parse(&argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP | ARGP_NO_EXIT, NULL,
			 &parsing);
	if (err == ENOMEM)
		message_error("no memory");
	if (err)
		return -err;
	return parsing.done ? 1 : 0;
}

void options_free(struct options *o)
{
	report_options_free(&o->report);
	files_options_free(&o->files);
	free(o->pids);
}
