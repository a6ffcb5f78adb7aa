// SPDX-License-Identifier: GPL-2.0
/* Wiring: options, a paused target, a collector, a profile, a renderer, and an end like the command's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector.h"
#include "commands.h"
#include "inherited.h"
#include "message.h"
#include "options.h"
#include "overhead.h"
#include "privilege.h"
#include "provenance.h"
#include "session.h"
#include "strace_shim.h"
#include "target.h"

struct run {
	struct options options;
	struct user user;
	struct target *target;
	struct collector collector;
	struct profile profile;
	struct provenance provenance;
	uint64_t overhead_ps; /* --overhead; 0: not measured */
};

static int refuse_setuid(void)
{
	if (!privilege_is_setuid())
		return 0;
	message_error(
		"iotrace must not be installed setuid or setgid; give it capabilities instead: "
		"setcap cap_bpf,cap_perfmon+ep iotrace");
	return EXIT_IOTRACE;
}

static int find_user(struct run *run)
{
	char why[256] = "", text[512];

	if (!run->options.user || !user_find(&run->user, run->options.user, why, sizeof(why)))
		return 0;
	message_error("-u: %s", escape_text(text, sizeof(text), why, strlen(why)));
	return EXIT_IOTRACE;
}

static int say_cannot_run(const char *command, int err)
{
	char name[256];

	escape_text(name, sizeof(name), command, strlen(command));
	if (err == -ENOENT) {
		const char *meant = command_suggest(command);

		if (meant)
			message_error("command '%s' not found; did you mean 'iotrace %s'?", name,
				      meant);
		else
			message_error("command '%s' not found", name);
		return EXIT_NOT_FOUND;
	}
	message_error("cannot run '%s': %s", name, strerror(-err));
	return EXIT_CANNOT_RUN;
}

/* Forks the command, paused; by the collector, if there is one with a way of its own. */
static int fork_command(struct run *run)
{
	const struct collector_ops *ops = run->collector.ops;
	const struct user *user = run->options.user ? &run->user : NULL;
	char **command = run->options.command, *path = NULL;
	int err = target_find_command(command[0], &path);

	if (err)
		return say_cannot_run(command[0], err);
	if (ops)
		err = ops->fork(&run->collector, &run->target, path, command, user);
	else
		err = target__fork(&run->target, path, command, user);
	free(path);
	if (!err)
		return 0;
	message_error("cannot start: %s", strerror(-err));
	return EXIT_IOTRACE;
}

/* The target as it is before the first call is traced: a paused command, or nothing but ourselves. */
static int prepare_target(struct run *run)
{
	int err;

	if (run->options.scope == SCOPE_COMMAND)
		return fork_command(run);
	err = target__watch(&run->target);
	if (!err)
		return 0;
	message_error("cannot start: %s", strerror(-err));
	return EXIT_IOTRACE;
}

static int collect_provenance(struct run *run, int argc, char **argv)
{
	char **command = run->options.command;
	int nr_options = command ? (int)(command - argv) : argc;

	if (command && !strcmp(argv[nr_options - 1], "--"))
		nr_options--;
	if (!provenance_collect(&run->provenance, argv, nr_options, command))
		return 0;
	message_error("no memory");
	return EXIT_IOTRACE;
}

/* Lets the command go. 0 once it is executed, or an exit status, after a message. */
static int go(struct run *run)
{
	const struct collector_ops *ops = run->collector.ops;
	int err = target__go(run->target);

	if (!err && ops->await_exec)
		err = ops->await_exec(&run->collector);
	if (err > 0)
		return EXIT_IOTRACE;
	return err ? say_cannot_run(run->options.command[0], err) : 0;
}

/* Before anything of the target's is there: it loads the probes for itself. */
static void calibrate(struct run *run)
{
	const char *backend = run->options.backend;
	int err = -EOPNOTSUPP;

	if (!run->options.overhead)
		return;
	if (!backend || !strcmp(backend, collector_bpf.name))
		err = overhead_measure(&collector_bpf, &run->options, &run->overhead_ps);
	if (err)
		message_note("what tracing adds to a call could not be measured: %s",
			     strerror(-err));
}

/* From nothing to a running, traced target. 0 or an exit status, after a message. */
static int start(struct run *run)
{
	int err = prepare_target(run);

	if (!err && collector__open(&run->collector, &run->options))
		err = EXIT_IOTRACE;
	/* The child that is there gives way to one that the collector forks. */
	if (!err && run->options.scope == SCOPE_COMMAND && run->collector.ops->fork) {
		target__free(run->target, false);
		run->target = NULL;
		err = fork_command(run);
	}
	if (!err && run->collector.ops->start(&run->collector, run->target))
		err = EXIT_IOTRACE;
	if (err)
		return err;
	provenance_set_start(&run->provenance);
	if (run->options.scope == SCOPE_COMMAND)
		return go(run);
	/* Whoever waits for this line knows that no call is missed from now on. */
	if (!run->options.report.render.quiet)
		message_note("tracing has begun; Ctrl-C ends it");
	return 0;
}

/* Writes one interval's figures as they come. */
static int report_interval(void *arg, const struct profile *p, uint64_t elapsed_ns)
{
	struct run *run = arg;
	time_t now = time(NULL);
	struct tm local;
	char clock[16];

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &local));
	return reports_interval(&run->options.report, p, clock, elapsed_ns);
}

/* What a command writes to our terminal is not to be drawn over, unless all of it goes elsewhere. */
static bool wants_status_line(const struct run *run)
{
	const struct options *o = &run->options;

	if (o->report.render.quiet || !isatty(STDERR_FILENO))
		return false;
	return o->scope != SCOPE_COMMAND ||
	       (!isatty(STDOUT_FILENO) && reports_to_files(&o->report));
}

static int trace(struct run *run)
{
	struct session session = {
		.options = &run->options,
		.collector = &run->collector,
		.target = run->target,
		.status_line = wants_status_line(run),
		.interval = report_interval,
		.arg = run,
	};
	int err = session_run(&session);

	if (!err)
		return 0;
	message_error("tracing ended early: %s", strerror(-err));
	return EXIT_IOTRACE;
}

static int report(struct run *run)
{
	int incomplete = run->collector.ops->stop(&run->collector);
	int err = run->collector.ops->snapshot(&run->collector, &run->profile);

	if (err) {
		message_error("cannot read the figures: %s", strerror(-err));
		return EXIT_IOTRACE;
	}
	if (run->options.scope == SCOPE_COMMAND)
		run->provenance.status = target__status(run->target);
	run->profile.provenance = &run->provenance;
	run->profile.overhead_ps = run->overhead_ps;
	if (reports_write(&run->options.report, &run->profile))
		return EXIT_IOTRACE;
	return incomplete ? EXIT_IOTRACE : 0;
}

/* The command's own; one that goes on when only --duration is over is waited for, untraced. */
static int end_status(struct run *run)
{
	while (run->options.duration_ns && target__end_status(run->target) == 0 &&
	       target__status(run->target) == -1) {
		int event = target__wait(run->target, -1, -1);

		if (event < 0 || event == TARGET_INTERRUPTED)
			break;
	}
	return target__end_status(run->target);
}

int main(int argc, char **argv)
{
	const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;
	struct run run = { 0 };
	int status = -1, err;

	if (strace_shim_is(argc, argv))
		strace_shim_run(argv);
	inherited_change();
	if (command)
		return command->run(argc - 1, argv + 1);
	err = options_parse(&run.options, argc, argv);
	if (err) {
		err = err < 0 ? EXIT_IOTRACE : 0;
		goto out;
	}
	err = refuse_setuid();
	if (!err)
		err = find_user(&run);
	if (!err && reports_open(&run.options.report, run.options.interval_ns))
		err = EXIT_IOTRACE;
	if (!err)
		err = collect_provenance(&run, argc, argv);
	if (!err)
		calibrate(&run);
	if (!err)
		err = start(&run);
	if (err)
		goto out;
	err = trace(&run);
	if (report(&run))
		err = EXIT_IOTRACE;
	if (run.options.scope == SCOPE_COMMAND)
		status = end_status(&run);
	/* A command that has failed says more than a report that could not be written. */
	if (status > 0)
		err = 0;
out:
	collector__close(&run.collector);
	target__free(run.target, true);
	profile_free(&run.profile);
	provenance_free(&run.provenance);
	user_free(&run.user);
	options_free(&run.options);
	if (err || status == -1)
		exit(err);
	target_end_like(status);
}
