// SPDX-License-Identifier: GPL-2.0
#include "cli/compare_args.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/exit_status.h"
#include "base/limits.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/run.h"
#include "cli/runner.h"
#include "report/json_capture.h"
#include "report/sections.h"

/* Each command is run in these ways, one after the other. */
enum way { WARMUP, TRACED, BARE };

struct comparing {
	const struct compare_options *options;
	const size_t *side_of;
	struct compared_captures *captures;
	struct runner runner;
	uint64_t round;	     /* Number of the round, from 0; the warm-up counts by itself. */
	uint64_t done, todo; /* Numbers of runs, for the progress. */
	uint64_t start_ns;
	bool progress; /* The progress is shown. */
};

/* What the child of a single run is told. */
struct step {
	const struct compare_options *options;
	struct trace_options trace; /* The options, with the command to run. */
	enum way way;
};

/* ---- What the child does ---- */

/* Returns 0, or an exit status after a message. */
static int redirect(int to, const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);
	char name[256];

	if (fd >= 0 && dup2(fd, to) >= 0) {
		if (fd != to)
			close(fd);
		return 0;
	}
	message_error("cannot open '%s': %s", ESCAPE_TEXT(name, path), explain_errno(errno));
	return EXIT_IOTRACE;
}

static int write_capture(FILE *out, const struct result *result)
{
	int err = json_print_result(out, result, SECTION_ALL);

	if (!err)
		return 0;
	message_error("cannot keep the run: %s", explain_errno(-err));
	return EXIT_IOTRACE;
}

static int run_traced(struct run *run, FILE *out)
{
	int err = run_trace(run);

	if (!err)
		err = run_read(run);
	if (!err)
		err = run->incomplete ? EXIT_IOTRACE : write_capture(out, &run->result);
	return err;
}

/* Writes the time and the wait status. */
static int run_untraced(struct run *run, FILE *out)
{
	uint64_t ns = 0;
	int err = run_bare(run, &ns);

	if (!err)
		fprintf(out, "%" PRIu64 " %d", ns, run_end_status(run));
	return err;
}

static int run_step(void *arg, FILE *out)
{
	const struct step *step = arg;
	const char *to = step->options->stdout_to;
	struct run run;
	int err = redirect(STDIN_FILENO, "/dev/null", O_RDONLY);

	if (!err && to)
		err = redirect(STDOUT_FILENO, to, O_WRONLY | O_CREAT | O_TRUNC);
	if (err)
		return err;
	err = run_init(&run, &step->trace, step->options->own, step->options->nr_own);
	if (!err)
		err = step->way == TRACED ? run_traced(&run, out) : run_untraced(&run, out);
	run_free(&run, true);
	return err;
}

static int prepare(void *arg, FILE *out)
{
	const struct step *step = arg;

	(void)out;
	if (redirect(STDOUT_FILENO, "/dev/null", O_WRONLY))
		return EXIT_IOTRACE;
	execl("/bin/sh", "sh", "-c", step->options->prepare, NULL);
	message_error("cannot run /bin/sh: %s", explain_errno(errno));
	return EXIT_IOTRACE;
}

/* ---- What came out of a run ---- */

static const char *describe_end(char *buf, size_t size, int status)
{
	if (WIFSIGNALED(status))
		snprintf(buf, size, "was killed by signal %d", WTERMSIG(status));
	else
		snprintf(buf, size, "failed with exit status %d", WEXITSTATUS(status));
	return buf;
}

static int say_failed(const struct comparing *c, const char *command, enum way way, int status)
{
	static const char *const ways[] = { "warm-up", "traced run", "run without iotrace" };
	uint64_t of = way == WARMUP ? c->options->warmup : c->options->runs;
	char name[256], end[60];

	message_error("'%s' %s in %s %" PRIu64 " of %" PRIu64 "; -i ignores that",
		      ESCAPE_TEXT(name, command), describe_end(end, sizeof(end), status), ways[way],
		      c->round + 1, of);
	return EXIT_IOTRACE;
}

static int keep_traced(struct comparing *c, size_t input, const struct outcome *o, int *status)
{
	char why[512];
	int err = compared_captures_add(c->captures, c->side_of[input], o->text, o->len, why,
					sizeof(why));

	if (err) {
		message_error("cannot keep the run: %s", why);
		return EXIT_IOTRACE;
	}
	*status = c->captures->list[c->captures->nr - 1]->provenance.status;
	return 0;
}

static int keep_bare(struct comparing *c, size_t input, const struct outcome *o, enum way way,
		     int *status)
{
	struct side *side = &c->captures->comparison.sides[c->side_of[input]];
	uint64_t ns = 0;

	if (sscanf(o->text, "%" SCNu64 " %d", &ns, status) != 2 ||
	    (way == BARE && side_add_bare(side, ns, *status))) {
		message_error("cannot keep the run: %s", explain_errno(ENOMEM));
		return EXIT_IOTRACE;
	}
	return 0;
}

/* ---- The runs ---- */

/* Runs some work to its end. 0, or an exit status after a message of whoever failed. */
static int work(struct comparing *c, int (*what)(void *arg, FILE *out), struct step *step,
		struct outcome *outcome)
{
	int err = runner_run(&c->runner, what, step, outcome);

	if (err)
		message_error("cannot run: %s", explain_errno(-err));
	if (err || c->runner.signal)
		return EXIT_IOTRACE;
	if (WIFSIGNALED(outcome->status)) {
		message_error("the process that runs and traces was killed by signal %d",
			      WTERMSIG(outcome->status));
		return EXIT_IOTRACE;
	}
	return WEXITSTATUS(outcome->status);
}

static int run_prepare(struct comparing *c, struct step *step)
{
	struct outcome outcome;
	char name[256], end[60];
	int err = 0;

	if (!c->options->prepare)
		return 0;
	if (work(c, prepare, step, &outcome)) {
		err = EXIT_IOTRACE;
		if (!c->runner.signal)
			message_error("--prepare '%s' %s", ESCAPE_TEXT(name, c->options->prepare),
				      describe_end(end, sizeof(end), outcome.status));
	}
	free(outcome.text);
	return err;
}

static int run_command(struct comparing *c, size_t input, enum way way)
{
	struct step step = { c->options, c->options->trace, way };
	struct outcome outcome = { 0 };
	int status = 0, err = run_prepare(c, &step);

	step.trace.command = c->options->inputs[input].command;
	/* Notes are printed once. */
	step.trace.quiet = step.trace.quiet || c->round;
	if (!err)
		err = work(c, run_step, &step, &outcome);
	if (!err && way == TRACED)
		err = keep_traced(c, input, &outcome, &status);
	else if (!err)
		err = keep_bare(c, input, &outcome, way, &status);
	free(outcome.text);
	if (!err && status && !c->options->ignore_failures)
		err = say_failed(c, c->options->inputs[input].text, way, status);
	return err;
}

static void show_progress(const struct comparing *c, size_t input, enum way way)
{
	static const char *const ways[] = { "warm-up", "traced", "without iotrace" };
	uint64_t of = way == WARMUP ? c->options->warmup : c->options->runs;
	double took = (double)(monotonic_ns() - c->start_ns);
	char left[24];

	if (!c->progress)
		return;
	fprintf(stderr, "\r%s: run %" PRIu64 "/%" PRIu64 " of %c", ways[way], c->round + 1, of,
		side_letter(c->side_of[input]));
	if (c->done)
		fprintf(stderr, ", %s left",
			format_ns(
				left, sizeof(left),
				(uint64_t)(took / (double)c->done * (double)(c->todo - c->done))));
	fputs("\033[K", stderr);
	fflush(stderr);
}

static void hide_progress(const struct comparing *c)
{
	if (c->progress)
		fputs("\r\033[K", stderr);
}

/* Runs each command once. 0, or an exit status after a message. */
static int run_each(struct comparing *c, enum way way)
{
	int err = 0;

	for (size_t i = 0; !err && i < c->options->nr_inputs; i++) {
		if (!c->options->inputs[i].command)
			continue;
		show_progress(c, i, way);
		err = run_command(c, i, way);
		c->done++;
	}
	return err;
}

/* Removes what the last round has left incomplete. */
static void keep_rounds(struct comparing *c, uint64_t rounds)
{
	for (size_t i = 0; i < c->options->nr_inputs; i++) {
		struct side *side = &c->captures->comparison.sides[c->side_of[i]];

		if (!c->options->inputs[i].command)
			continue;
		if (side->nr_runs > rounds)
			side->nr_runs = rounds;
		if (side->nr_bare > rounds)
			side->nr_bare = rounds;
	}
}

/*
 * Tracing comes first, since it may turn out to be impossible. The round is whole when both ways
 * are.
 */
static int run_rounds(struct comparing *c)
{
	int err = 0;

	for (c->round = 0; !err && c->round < c->options->warmup; c->round++)
		err = run_each(c, WARMUP);
	for (c->round = 0; !err && c->round < c->options->runs; c->round++) {
		err = run_each(c, TRACED);
		if (!err)
			err = run_each(c, BARE);
		if (err)
			keep_rounds(c, c->round);
	}
	return err;
}

static uint64_t count_commands(const struct compare_options *o)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < o->nr_inputs; i++)
		nr += o->inputs[i].command != NULL;
	return nr;
}

/* Checks, before the first run, that the commands and --stdout are there. */
static int check(const struct compare_options *o)
{
	int err = 0, fd;
	char name[256];

	for (size_t i = 0; !err && i < o->nr_inputs; i++)
		if (o->inputs[i].command)
			err = run_check_command(o->inputs[i].command[0]);
	if (err || !o->stdout_to)
		return err;
	fd = open(o->stdout_to, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0 && !close(fd))
		return 0;
	message_error("cannot write to --stdout '%s': %s", ESCAPE_TEXT(name, o->stdout_to),
		      explain_errno(errno));
	return EXIT_IOTRACE;
}

int compare_run_all(const struct compare_options *o, const size_t *side_of,
		    struct compared_captures *captures, int *signal)
{
	struct comparing c = {
		.options = o,
		.side_of = side_of,
		.captures = captures,
		.todo = count_commands(o) * (o->warmup + 2 * o->runs),
		.start_ns = monotonic_ns(),
		.progress = !o->trace.quiet && o->stdout_to && isatty(STDERR_FILENO),
	};
	int err = check(o);

	if (err)
		return err;
	err = runner_begin(&c.runner);
	if (err)
		message_error("cannot run: %s", explain_errno(-err));
	err = err ? EXIT_IOTRACE : run_rounds(&c);
	hide_progress(&c);
	*signal = c.runner.signal;
	runner_end(&c.runner);
	return err;
}
