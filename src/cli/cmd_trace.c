// SPDX-License-Identifier: GPL-2.0
/* Without a subcommand: runs a command, or watches what runs already, and reports what it did. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/exit_status.h"
#include "base/limits.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/symbolize.h"
#include "trace/running.h"
#include "trace/target.h"

/* Returns the number of iotrace's own arguments, before the command and its "--". */
static int own_arguments(const struct options *o, int argc, char **argv)
{
	int nr = o->trace.command ? (int)(o->trace.command - argv) : argc;

	return o->trace.command && !strcmp(argv[nr - 1], "--") ? nr - 1 : nr;
}

struct interval_reports {
	struct reports *reports;
	/* A command is traced to its end, even if nobody reads what is reported meanwhile. */
	bool command;
};

static int report_interval(void *arg, const struct profile *p, uint64_t elapsed_ns)
{
	const struct interval_reports *r = arg;
	time_t now = time(NULL);
	struct tm local;
	char clock[16];
	int err;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &local));
	err = reports__interval(r->reports, p, clock, elapsed_ns);
	return r->command && err == -EPIPE ? 0 : err;
}

/* A status line must not be drawn over the command's output. */
static bool wants_status_line(const struct options *o)
{
	if (o->trace.quiet || !isatty(STDERR_FILENO))
		return false;
	return o->trace.scope != SCOPE_COMMAND ||
	       (!isatty(STDOUT_FILENO) && reports_to_files(&o->report));
}

/* The exit status of a broken budget may be the command's own. */
static void tell_statuses_apart(const struct options *o, int status, bool broken)
{
	if (!o->report.nr_budgets || o->trace.quiet || status != W_EXITCODE(EXIT_BUDGET, 0))
		return;
	message_note("exit status %d is the command's own; %s", EXIT_BUDGET,
		     broken ? "a budget is broken as well" : "no budget is broken");
}

/* Says which packages bring the names that the code lacks. 0, or an exit status after a message. */
static int name_packages(struct run *run, const struct options *o)
{
	int err = symbolize_packages(&run->profile.stacks, &run->result, o->report.render.stacks);

	if (!err)
		return 0;
	message_error("%s", explain_errno(-err));
	return EXIT_IOTRACE;
}

/* Says why nothing was counted, where that can be known. */
static void say_why_nothing(const struct trace_options *o)
{
	char *why = NULL, *text;
	size_t size = 0;
	FILE *out = open_memstream(&why, &size);

	if (!out)
		return;
	running_explain_nothing(out, o);
	if (!fclose(out) && size && (text = escape_text_dup(why, size))) {
		message_note("nothing was counted: %s", text);
		free(text);
	}
	free(why);
}

/*
 * Traces and reports. Returns 0 or iotrace's own exit status; *status becomes the wait status to
 * end with, or -1 if there is none.
 */
static int run_and_report(const struct options *o, int argc, char **argv, int *status)
{
	struct reports *reports = NULL;
	bool broken = false;
	struct run run;
	int err = run_init(&run, &o->trace, argv, own_arguments(o, argc, argv));

	*status = -1;
	if (!err && reports__open(&reports, &o->report, o->trace.interval_ns))
		err = EXIT_IOTRACE;
	if (err)
		goto out;
	run.status_line = wants_status_line(o);
	run.interval = report_interval;
	run.buffer_size = o->report.render.buffer_size;
	run.arg = &(struct interval_reports){ reports, o->trace.scope == SCOPE_COMMAND };
	err = run_trace(&run);
	if (err)
		goto out;
	err = run_read(&run);
	if (!err)
		err = name_packages(&run, o);
	if (!err && reports_folded_stacks(&o->report) && !run.profile.stacks.samples)
		message_note("no call was sampled, so the folded stacks are empty");
	if (!err)
		err = reports__write(reports, &run.result, &broken);
	if (!err && !o->trace.quiet && !profile_has_calls(&run.profile))
		say_why_nothing(&o->trace);
	if (err || run.incomplete)
		err = EXIT_IOTRACE;
	else if (broken)
		err = EXIT_BUDGET;
	*status = run_end_status(&run);
	tell_statuses_apart(o, *status, broken);
out:
	run_free(&run, true);
	reports__close(reports);
	return err;
}

int cmd_trace(int argc, char **argv)
{
	struct options options;
	int status = -1, err = options_parse(&options, argc, argv);

	if (!err)
		err = run_and_report(&options, argc, argv, &status);
	else
		err = err > 0 ? 0 : EXIT_IOTRACE;
	options_free(&options);
	/* A failed command matters more than a report that could not be written. */
	if (status > 0 || (!err && status == 0))
		target_end_like(status);
	return err;
}
