// SPDX-License-Identifier: GPL-2.0
#include "cli/options.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>

#include "cli/report_args.h"
#include "cli/trace_args.h"
#include "cli/usage.h"

enum {
	OPT_USAGE = 1024,
};

/* clang-format off */
static const struct argp_option option_table[] = {
	{NULL, 0, NULL, 0, "Other:", 3},
	{"verbose", 'v', NULL, 0, "Show the messages of libbpf", 0},
	{"version", 'V', NULL, 0, "Print the version and exit", 0},
	{"help", 'h', NULL, 0, "Print this help and exit", 0},
	{"usage", OPT_USAGE, NULL, 0, "Print a short usage line and exit", 0},
	{NULL, '?', NULL, OPTION_HIDDEN, NULL, 0},
	{NULL, 0, NULL, 0, NULL, 0},
};
/* clang-format on */

struct parsing {
	struct options *o;
	bool done; /* A help or the version has been printed. */
};

/* Refuses folded stacks that would have nothing to show. */
static error_t check_folded(const struct options *o)
{
	bool by_strace = o->trace.backend && !strcmp(o->trace.backend, "strace");

	if (!o->trace.stacks || !o->trace.files)
		return usage_error(
			"folded stacks (-o FILE.folded) are of calls on files: --no-stacks, --no-files or -e leaves them out");
	if (by_strace && !o->report.render.stacks)
		return usage_error(
			"with --backend=strace, folded stacks (-o FILE.folded) need --stacks");
	if (o->trace.no_latency && o->report.render.weight == WEIGHT_TIME)
		return usage_error("--no-latency excludes --weight=time");
	return 0;
}

/* Copies what one half needs from the other, then checks each half. */
static error_t finish(struct options *o)
{
	error_t err;

	o->trace.quiet = o->report.render.quiet;
	/* Stacks of calls without a file are sampled by what counts calls on files. */
	o->trace.files_needed = files_asked(&o->report.render) ||
				(o->report.render.stacks && o->trace.files && o->trace.stacks);
	o->trace.all_stacks = o->report.render.stacks;
	memcpy(o->trace.by, o->report.render.by, sizeof(o->trace.by));
	err = trace_args_finish(&o->trace);
	if (!err && o->trace.files_needed && !o->trace.files)
		err = usage_error("--no-files excludes -y and --section=files");
	if (!err && !o->trace.files && o->report.render.sections == SECTION_FINDINGS)
		err = usage_error("--no-files excludes --section=findings");
	if (!err && o->report.render.stacks && !(o->trace.stacks && o->trace.files))
		err = usage_error("--no-stacks and --no-files exclude --stacks");
	if (!err && o->report.render.sections == SECTION_STACKS &&
	    !(o->trace.stacks && o->trace.files))
		err = usage_error("--no-stacks and --no-files exclude --section=stacks");
	if (!err && o->report.render.sections == SECTION_GROUPS && !o->trace.by[0])
		err = usage_error("--section=groups needs --by");
	if (!err)
		err = report_args_finish(&o->report, &o->trace, NULL);
	if (err)
		return err;
	/* A flame graph is of all functions. */
	o->trace.whole_stacks = o->report.render.whole_stacks || reports_folded_stacks(&o->report);
	return reports_folded_stacks(&o->report) ? check_folded(o) : 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	struct options *o = parsing->o;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->trace;
		state->child_inputs[1] = &o->report;
		return 0;
	case 'v':
		o->trace.verbose = true;
		return 0;
	case 'V':
		printf("iotrace %s\n", IOTRACE_VERSION);
		return usage_help(state, 0, &parsing->done);
	case 'h':
	case '?':
		return usage_help(state, USAGE_HELP, &parsing->done);
	case OPT_USAGE:
		return usage_help(state, ARGP_HELP_USAGE, &parsing->done);
	case ARGP_KEY_ARG:
		/* The command begins here: what follows are its own arguments. */
		o->trace.command = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		return parsing->done ? 0 : finish(o);
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_child children[] = {
	{ &trace_args_argp, 0, "What is traced:", 1 },
	{ &report_args_argp, 0, "What is reported:", 2 },
	{ NULL, 0, NULL, 0 },
};

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.children = children,
	.args_doc = "[--] COMMAND [ARG...]\n-p PID[,PID...]\n--cgroup PATH\n-a\n"
		    "report CAPTURE\ncompare A B [C...]\nschema\ndoctor",
	.doc = "Runs COMMAND, or attaches to running processes, and reports their syscalls in the layout of strace -c -w: calls, times, bytes and errors, counted in the kernel by eBPF.\v"
	       "The exit status is the command's own; if a signal killed it, iotrace dies of the same one. "
	       "3: a budget of --fail-if was broken; "
	       "125: iotrace failed or was used wrongly; "
	       "126: the command cannot be run; "
	       "127: it was not found.\n\n"
	       "  sudo iotrace -- ./endl_loop > 1.txt\n"
	       "  sudo iotrace -e trace=%file -S calls -- make\n"
	       "  sudo iotrace --duration 10 -p \"$(pidof nginx)\"",
};

int options_parse(struct options *o, int argc, char **argv)
{
	struct parsing parsing = { .o = o };
	int err = trace_args_init(&o->trace);

	report_args_init(&o->report);
	if (err)
		return err;
	err = usage_parse(&argp, NULL, argc, argv, ARGP_IN_ORDER, &parsing);
	if (err)
		return -err;
	return parsing.done ? 1 : 0;
}

void options_free(struct options *o)
{
	report_args_free(&o->report);
	trace_args_free(&o->trace);
}
