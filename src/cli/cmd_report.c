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
#include "cli/usage.h"
#include "report/json_capture.h"

struct parsing {
	struct report_options report;
	const char *capture; /* "-": stdin */
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
		/* A run leaves stdout to its command; here there is no command. */
		return report_args_finish(&parsing->report, NULL, "-");
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_child children[] = {
	{ &report_args_argp, 0, "What is reported:", 1 },
	{ NULL, 0, NULL, 0 },
};

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.children = children,
	.args_doc = "CAPTURE",
	.doc = "Prints what the run that wrote CAPTURE (-o FILE.json; \"-\" is standard input) would have printed, on standard output.\v  iotrace report run.json\n"
	       "  iotrace report run.json --section=summary --format=markdown\n"
	       "  iotrace report run.json -o run.csv -o run.tex",
};

/* Returns an exit status. */
static int write_reports(const struct report_options *o, const struct result *result)
{
	struct reports *reports = NULL;
	bool broken = false;
	int err = reports__open(&reports, o, false);

	if (!err)
		err = reports__write(reports, result, &broken);
	reports__close(reports);
	return err ? EXIT_IOTRACE : broken ? EXIT_BUDGET : 0;
}

static int report_profile(const struct report_options *o, const struct profile *p)
{
	struct result result;
	int status = EXIT_IOTRACE;

	if (result_make(&result, p, o->render.buffer_size))
		message_error("%s", explain_errno(ENOMEM));
	else
		status = write_reports(o, &result);
	result_free(&result);
	return status;
}

static int report(const struct parsing *parsing)
{
	struct capture capture;
	char err[512], name[256];
	int result, status = EXIT_IOTRACE;

	/* Read the capture before opening anything for writing: it may be the same file. */
	result = capture_read(&capture, parsing->capture, err, sizeof(err));
	if (result) {
		ESCAPE_TEXT(name, parsing->capture);
		message_error("cannot read the capture '%s': %s", name, err);
	}
	if (!result)
		status = report_profile(&parsing->report, &capture.profile);
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
