// SPDX-License-Identifier: GPL-2.0
/* iotrace report: prints the report of a run from its capture. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/limits.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/report_args.h"
#include "cli/symbolize.h"
#include "cli/usage.h"
#include "cli/window_args.h"
#include "report/json_capture.h"

struct parsing {
	struct report_options report;
	struct window window;
	const char *capture; /* Path of the capture. "-": standard input. */
	bool done;
};

static const struct argp_option option_table[] = {
	{ "help", 'h', NULL, 0, "Print this help and exit", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &parsing->report;
		state->child_inputs[1] = &parsing->window;
		return 0;
	case 'h':
		return usage_help(state, USAGE_HELP, &parsing->done);
	case ARGP_KEY_ARG:
		if (parsing->capture)
			return usage_error("report takes one capture, not several");
		parsing->capture = arg;
		return 0;
	case ARGP_KEY_END:
		if (parsing->done)
			return 0;
		if (!parsing->capture)
			return usage_error("report needs a capture: iotrace report run.json");
		if (window_finish(&parsing->window))
			return EINVAL;
		/* A run leaves stdout to its command; here there is no command. */
		return report_args_finish(&parsing->report, NULL, "-");
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_child children[] = {
	{ &report_args_argp, 0, "What is reported:", 1 },
	{ &window_argp, 0, NULL, 1 },
	{ NULL, 0, NULL, 0 },
};

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.children = children,
	.args_doc = "CAPTURE",
	.doc = "Prints what the run that wrote CAPTURE (-o FILE.json; \"-\" is standard input) would have printed, on standard output.\v  iotrace report run.json\n"
	       "  iotrace report run.json --section=summary --format=markdown\n"
	       "  iotrace report run.json -o run.csv -o run.tex\n"
	       "  iotrace report run.json --from=10 --to=20",
};

/* Says so if stacks are to be shown, and the capture has none, or not what they are to show. */
static bool lacks_stacks(const struct report_options *o, const struct profile *p, const char *path)
{
	bool folded = reports_folded_stacks(o);
	char name[256];

	if ((folded || o->render.stacks) && !p->stacks.samples) {
		usage_no_stacks(path);
		return true;
	}
	if (folded && o->render.weight == WEIGHT_TIME && p->unknown & UNKNOWN_LATENCY) {
		message_error("the capture '%s' has no latencies, which --weight=time needs",
			      ESCAPE_TEXT(name, path));
		return true;
	}
	return false;
}

/* Says so if the run over time is to be shown, and was not kept. */
static bool lacks_intervals(const struct report_options *o, const struct capture *c,
			    const char *path)
{
	char name[256];

	if (!report_args_ask_intervals(&o->render) || c->intervals.nr)
		return false;
	message_error("the capture '%s' has no intervals: trace with --interval",
		      ESCAPE_TEXT(name, path));
	return true;
}

static int report(const struct parsing *parsing)
{
	const struct report_options *o = &parsing->report;
	struct reports *reports = NULL;
	struct result result = { 0 };
	struct capture capture;
	char why[512], name[256];
	int status = EXIT_IOTRACE;
	bool broken = false;

	/* Read the capture before opening anything for writing: it may be the same file. */
	if (capture_read(&capture, parsing->capture, why, sizeof(why))) {
		message_error("cannot read the capture '%s': %s",
			      ESCAPE_TEXT(name, parsing->capture), why);
		goto out;
	}
	if (!window_apply(&parsing->window, &capture, parsing->capture, o->render.quiet))
		goto out;
	if (symbolize(&capture.profile.stacks, false,
		      o->render.whole_stacks || reports_folded_stacks(o)) ||
	    result_make(&result, &capture.profile, o->render.buffer_size)) {
		message_error("%s", explain_errno(ENOMEM));
		goto out;
	}
	if (capture.intervals.nr)
		result.intervals = &capture.intervals;
	if (lacks_stacks(o, &capture.profile, parsing->capture) ||
	    lacks_intervals(o, &capture, parsing->capture) ||
	    report_args_lack_groups(&o->render, o->render.sections == SECTION_GROUPS,
				    &capture.profile, parsing->capture))
		goto out;
	if (!reports__open(&reports, o, false) && !reports__write(reports, &result, &broken))
		status = broken ? EXIT_BUDGET : 0;
out:
	reports__close(reports);
	result_free(&result);
	capture_free(&capture);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct parsing parsing = { 0 };
	int status = EXIT_IOTRACE;

	report_args_init(&parsing.report);
	if (!usage_parse(&argp, "iotrace report", argc, argv, 0, &parsing))
		status = parsing.done ? 0 : report(&parsing);
	report_args_free(&parsing.report);
	return status;
}
