// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum {
	OPT_HISTOGRAM = 256,
	OPT_COLOR,
	OPT_USAGE,
	OPT_FORMAT,
};

/* clang-format off */
static const struct argp_option option_table[] = {
	{NULL, 0, NULL, 0, "What is traced:", 1},
	{"trace", 'e', "EXPR", 0,
	 "Trace these syscalls, in strace's grammar: write,openat  all  %file  %io  !close  /^pread  ?name "
	 "(default: " SYSCALL_SET_DEFAULT ")", 0},
	{"follow-forks", 'f', NULL, 0, "Follow children; always done, accepted for strace's sake", 0},

	{NULL, 0, NULL, 0, "What is reported:", 2},
	{"output", 'o', "FILE", 0, "Write the report to FILE instead of stderr", 0},
	{"summary-sort-by", 'S', "COLUMN", 0,
	 "Sort by time-percent, total-time, min-time, max-time, avg-time, calls, errors, name, p50, p90, "
	 "p99, p999, bytes, avg-bytes or none (default: time-percent)", 0},
	{"summary-columns", 'U', "COLUMN,...", 0,
	 "Show these columns: names as for -S (default: time-percent,total-time,avg-time,calls,errors,name)", 0},
	{"histogram", OPT_HISTOGRAM, "WHICH", 0,
	 "Show latency histograms of all, none, or these syscalls (default: all with calls)", 0},
	{"format", OPT_FORMAT, "NAME", 0, "Write the report as table (default) or strace (its table alone)", 0},
	{"color", OPT_COLOR, "WHEN", 0, "Use colors: auto, always or never (default: auto)", 0},
	{"quiet", 'q', NULL, 0, "Leave out notes", 0},
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
	bool bad;  /* a message has been given */
};

/* Says what is wrong, once, and makes argp stop. */
static error_t usage_error(struct parsing *parsing, const char *message)
{
	if (!parsing->bad)
		message_error("%s; see 'iotrace --help'", message);
	parsing->bad = true;
	return EINVAL;
}

static error_t bad_value(struct parsing *parsing, const char *option, const char *value,
			 const char *expected)
{
	char text[200], message[400];

	escape_text(text, sizeof(text), value, strlen(value));
	snprintf(message, sizeof(message), "invalid %s '%s': it must be %s", option, text, expected);
	return usage_error(parsing, message);
}

static error_t parse_format(struct parsing *parsing, const char *arg)
{
	char names[128] = "";

	for (size_t i = 0; renderers[i]; i++) {
		size_t used = strlen(names);

		if (!strcmp(arg, renderers[i]->name)) {
			parsing->o->renderer = renderers[i];
			return 0;
		}
		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "", renderers[i]->name);
	}
	return bad_value(parsing, "--format", arg, names);
}

static error_t parse_color(struct parsing *parsing, const char *arg)
{
	static const char *const names[] = {"auto", "always", "never"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(arg, names[i])) {
			parsing->o->color = (enum color_choice)i;
			return 0;
		}
	return bad_value(parsing, "--color", arg, "auto, always or never");
}

/* A list of names that exist in some ABI, so that a typo is not a histogram silently missing. */
static error_t parse_histogram_names(struct parsing *parsing, const char *arg)
{
	struct render_options *r = &parsing->o->render;
	size_t nr = 2;
	char *name, *rest;

	for (const char *c = arg; *c; c++)
		nr += *c == ',';
	free(parsing->o->histogram_text);
	free(r->histogram_names);
	parsing->o->histogram_text = strdup(arg);
	r->histogram_names = calloc(nr, sizeof(*r->histogram_names));
	if (!parsing->o->histogram_text || !r->histogram_names)
		return ENOMEM;
	nr = 0;
	rest = parsing->o->histogram_text;
	while ((name = strsep(&rest, ","))) {
		bool known = false;

		for (int abi = 0; abi < NR_ABIS; abi++)
			known = known || syscall_number((enum iotrace_abi)abi, name) >= 0;
		if (!known)
			return bad_value(parsing, "--histogram", name, "all, none or names of syscalls");
		r->histogram_names[nr++] = name;
	}
	return 0;
}

static error_t parse_histogram(struct parsing *parsing, const char *arg)
{
	struct render_options *r = &parsing->o->render;

	if (!strcmp(arg, "all"))
		r->histogram = HISTOGRAM_ALL;
	else if (!strcmp(arg, "none"))
		r->histogram = HISTOGRAM_NONE;
	else
		r->histogram = HISTOGRAM_LISTED;
	return r->histogram == HISTOGRAM_LISTED ? parse_histogram_names(parsing, arg) : 0;
}

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

static error_t parse_report_option(struct parsing *parsing, int key, char *arg)
{
	struct render_options *r = &parsing->o->render;
	char why[256];

	switch (key) {
	case 'o':
		if (!*arg)
			return usage_error(parsing, "-o needs the name of a file, not an empty one");
		parsing->o->output = arg;
		return 0;
	case 'S':
		return column_parse_sort(&r->sort, arg, why, sizeof(why)) ? usage_error(parsing, why) : 0;
	case 'U':
		return column_parse_list(r->columns, &r->nr_columns, arg, why, sizeof(why))
			       ? usage_error(parsing, why)
			       : 0;
	case OPT_HISTOGRAM:
		return parse_histogram(parsing, arg);
	case OPT_FORMAT:
		return parse_format(parsing, arg);
	case OPT_COLOR:
		return parse_color(parsing, arg);
	case 'q':
		r->quiet = true;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct options *o = parsing->o;
	char why[256];

	switch (key) {
	case 'e':
		return syscall_set_parse(&o->set, arg, why, sizeof(why)) ? usage_error(parsing, why) : 0;
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
		return print_and_stop(parsing, state, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC);
	case OPT_USAGE:
		return print_and_stop(parsing, state, ARGP_HELP_USAGE);
	case ARGP_KEY_ARG:
		/* The command begins here: what follows are its own arguments. */
		o->command = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!o->command && !parsing->done)
			return usage_error(parsing, "no command to run");
		return 0;
	}
	return parse_report_option(parsing, key, arg);
}

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "COMMAND [ARG...]",
	.doc = "Runs COMMAND and reports its syscalls: how many, how long, how much and how often in vain, "
	       "counted in the kernel by eBPF, laid out as strace -c -w does.\v"
	       "The exit status is the command's own; if a signal killed it, iotrace dies of the same one. 125: "
	       "iotrace failed or was used wrongly; 126: the command cannot be run; 127: it was not found.\n\n"
	       "  sudo iotrace -- ./endl_loop > 1.txt\n"
	       "  sudo iotrace -e trace=%file -S calls -- make",
};

static int set_defaults(struct options *o)
{
	char why[256];

	memset(o, 0, sizeof(*o));
	o->renderer = renderers[0];
	o->render.sort = COLUMN_TIME_PERCENT;
	column_default_list(o->render.columns, &o->render.nr_columns);
	return syscall_set_parse(&o->set, SYSCALL_SET_DEFAULT, why, sizeof(why));
}

int options_parse(struct options *o, int argc, char **argv)
{
	struct parsing parsing = {.o = o};
	int err = set_defaults(o);

	if (err)
		return err;
	/* argp's own messages begin with this. */
	program_invocation_short_name = (char *)"iotrace";
	err = argp_parse(&argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, &parsing);
	if (err == ENOMEM)
		message_error("no memory");
	if (err)
		return -err;
	return parsing.done ? 1 : 0;
}

void options_free(struct options *o)
{
	free(o->render.histogram_names);
	free(o->histogram_text);
}
