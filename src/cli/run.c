// SPDX-License-Identifier: GPL-2.0
#include "cli/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "base/exit_status.h"
#include "base/limits.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/symbolize.h"
#include "trace/backends.h"
#include "trace/finish.h"
#include "base/link_end.h"
#include "trace/privilege.h"
#include "trace/provenance_collect.h"
#include "trace/running.h"
#include "trace/session.h"
#include "trace/target.h"

int run_init(struct run *run, const struct trace_options *options, char *const *own, int nr_own)
{
	char why[256] = "", text[512];

	memset(run, 0, sizeof(*run));
	run->options = options;
	if (privilege_is_setuid())
		message_error(
			"iotrace must not be installed setuid or setgid; give it capabilities instead: setcap cap_bpf,cap_perfmon+ep iotrace");
	else if (options->user && user_find(&run->user, options->user, why, sizeof(why)))
		message_error("-u: %s", ESCAPE_TEXT(text, why));
	else if (provenance_collect(&run->provenance, own, nr_own, options->command))
		message_error("%s", explain_errno(ENOMEM));
	else
		return 0;
	return EXIT_IOTRACE;
}

static int say_not_found(const char *command)
{
	const char *meant = command_suggest(command);
	char name[256];

	ESCAPE_TEXT(name, command);
	if (meant)
		message_error("command '%s' not found; did you mean 'iotrace %s'?", name, meant);
	else
		message_error("command '%s' not found", name);
	return EXIT_NOT_FOUND;
}

static int say_cannot_run(const char *command, const char *why)
{
	char name[256];

	message_error("cannot run '%s': %s", ESCAPE_TEXT(name, command), why);
	return EXIT_CANNOT_RUN;
}

/* Finds the path of a command. 0, or an exit status after a message. */
static int find_or_say(const char *name, char **path)
{
	int err = find_command(name, path);

	if (err == -ENOENT)
		return say_not_found(name);
	return err ? say_cannot_run(name, explain_errno(-err)) : 0;
}

/* Returns the exit status for a command whose execve() has failed, after a message. */
static int say_not_executed(const char *name, int err)
{
	char *path, why[600];
	int status = find_or_say(name, &path);

	if (status)
		return status;
	if (!interpreter_explain(why, sizeof(why), path))
		snprintf(why, sizeof(why), "%s", explain_errno(-err));
	free(path);
	return say_cannot_run(name, why);
}

int run_check_command(const char *name)
{
	char *path;
	int err = find_or_say(name, &path);

	free(path);
	return err;
}

/* Forks the command, paused: by the collector, if there is one that has a way of its own. */
static int fork_command(struct run *run, const char *path)
{
	const struct collector_ops *ops = run->collector.ops;
	const struct user *user = run->options->user ? &run->user : NULL;

	if (ops && ops->fork)
		return ops->fork(&run->collector, &run->target, path, run->options->command, user);
	return target__fork(&run->target, path, run->options->command, user);
}

static int say_cannot_start(int err)
{
	if (!err)
		return 0;
	message_error("cannot start: %s", explain_errno(-err));
	return EXIT_IOTRACE;
}

/* Makes the target of an open collector and traces it. Returns as start() of a collector does. */
static int begin(struct run *run, const char *path, char *why, size_t size)
{
	int err = path ? fork_command(run, path) : 0;

	why[0] = '\0';
	if (!err)
		return run->collector.ops->start(&run->collector, run->target, why, size);
	snprintf(why, size, "cannot start: %s", explain_errno(-err));
	return err;
}

/*
 * Begins with the first collector that can trace. path is that of the command to fork; NULL: the
 * target is there already. 0, or an exit status after a message.
 */
static int begin_with_any(struct run *run, const char *path)
{
	char why[600];
	int err = collector__open(&run->collector, run->options);

	while (!err && begin(run, path, why, sizeof(why))) {
		if (!why[0])
			return EXIT_IOTRACE;
		err = collector__open_next(&run->collector, run->options, why);
		if (!err && path) {
			target__free(run->target, false);
			run->target = NULL;
		}
	}
	if (!err && !run->options->quiet)
		collector__note_losses(&run->collector, run->options);
	return err ? EXIT_IOTRACE : 0;
}

/* Forks the command, paused, and traces it. 0, or an exit status after a message. */
static int begin_command(struct run *run)
{
	char *path;
	int err = find_or_say(run->options->command[0], &path);

	if (err)
		return err;
	err = begin_with_any(run, path);
	free(path);
	return err;
}

/* Lets the command go. 0 once it is executed, or an exit status after a message. */
static int go(struct run *run)
{
	const struct collector_ops *ops = run->collector.ops;
	int err = target__go(run->target);

	if (!err && ops->await_exec)
		err = ops->await_exec(&run->collector);
	if (err > 0)
		return EXIT_IOTRACE;
	return err ? say_not_executed(run->options->command[0], err) : 0;
}

/* Notes that a path does not exist: it may come to exist, or its name may be wrong. */
static void note_if_missing(const char *path)
{
	char *end, name[256], target[256];

	if (!access(path, F_OK) || errno != ENOENT)
		return;
	end = link_end(path);
	ESCAPE_TEXT(name, path);
	if (end && strcmp(end, path) != 0)
		message_note("-P '%s' is a link to '%s', which does not exist yet", name,
			     ESCAPE_TEXT(target, end));
	else
		message_note("-P '%s' does not exist yet", name);
	free(end);
}

static int try_reading(void *arg)
{
	struct collector *c = arg;

	return c->ops->try_reading(c);
}

static int drop_capabilities(struct run *run)
{
	int err = 0;

	if (run->collector.ops->try_reading)
		err = privilege_drop(try_reading, &run->collector);
	if (!err)
		return 0;
	message_error("cannot drop capabilities: %s", explain_errno(-err));
	return EXIT_IOTRACE;
}

/* Says which processes have the names of -p. */
static void say_whom(const struct run *run)
{
	char text[1024];

	if (run->provenance.target)
		message_note("tracing %s", ESCAPE_TEXT(text, run->provenance.target));
}

/* Notes what is traced, while it is there. 0 or -errno. */
static int note_target(struct run *run)
{
	size_t size;
	FILE *out = open_memstream(&run->provenance.target, &size);

	if (!out)
		return -errno;
	running_describe(out, run->options);
	return fclose(out) ? -errno : 0;
}

/* Starts the target and its tracing. 0, or an exit status after a message. */
static int start(struct run *run)
{
	bool command = run->options->scope == SCOPE_COMMAND;
	int err = command ? begin_command(run) : say_cannot_start(target__watch(&run->target));

	if (!err && !command)
		err = say_cannot_start(note_target(run));
	if (!err && !command)
		err = begin_with_any(run, NULL);
	if (!err)
		err = drop_capabilities(run);
	if (err)
		return err;
	provenance_set_start(&run->provenance);
	for (size_t i = 0; !run->options->quiet && i < run->options->nr_filter_paths; i++)
		note_if_missing(run->options->filter_paths[i]);
	if (command)
		return go(run);
	if (run->options->named && !run->options->quiet)
		say_whom(run);
	/* Scripts wait for this line: from now on, no call is missed. */
	if (!run->options->quiet)
		message_note("tracing has begun; Ctrl-C ends it");
	return 0;
}

int run_trace(struct run *run)
{
	struct session session = {
		.options = run->options,
		.collector = &run->collector,
		.status_line = run->status_line,
		.interval = run->interval,
		.arg = run->arg,
	};
	int err = start(run);

	if (err)
		return err;
	session.target = run->target;
	err = session_run(&session);
	if (err)
		message_error("tracing ended early: %s", explain_errno(-err));
	run->incomplete = err != 0;
	return 0;
}

int run_bare(struct run *run, uint64_t *ns)
{
	char *path;
	int event, err = find_or_say(run->options->command[0], &path);

	if (!err)
		err = say_cannot_start(fork_command(run, path));
	free(path);
	if (err)
		return err;
	err = target__go(run->target);
	if (err)
		return say_not_executed(run->options->command[0], err);
	event = target__wait(run->target, -1, -1);
	*ns = target__wall_ns(run->target);
	if (event >= 0)
		return 0;
	message_error("cannot wait for the command: %s", explain_errno(-event));
	return EXIT_IOTRACE;
}

/* The findings are judged once: whether one predicts time decides what is measured for its gain. */
static int make_result(struct run *run)
{
	struct findings *findings = &run->result.findings;
	int err = result_judge(&run->result, &run->profile, run->buffer_size);

	if (err)
		return err;
	finish_release(&run->profile, &run->collector, run->options, findings);
	findings_price(findings, &run->profile);
	return 0;
}

int run_read(struct run *run)
{
	bool command = run->options->scope == SCOPE_COMMAND;
	int incomplete = run->collector.ops->stop(&run->collector);
	int err = finish_profile(&run->profile, &run->collector, &run->options->set,
				 &run->provenance, command ? target__status(run->target) : -1);

	if (!err && run->profile.stacks.unnamed)
		err = symbolize(&run->profile.stacks, true, run->options->whole_stacks);
	if (!err)
		err = make_result(run);
	run->incomplete = run->incomplete || incomplete;
	/* What a collector forks is not the command itself. */
	if (command && !run->collector.ops->fork)
		run->provenance.wall_ns = target__wall_ns(run->target);
	if (!err)
		return 0;
	message_error("cannot read the figures: %s", explain_errno(-err));
	return EXIT_IOTRACE;
}

int run_end_status(struct run *run)
{
	if (run->options->scope != SCOPE_COMMAND)
		return -1;
	while (run->options->duration_ns && target__end_status(run->target) == 0 &&
	       target__status(run->target) == -1) {
		int event = target__wait(run->target, -1, -1);

		if (event < 0 || event == TARGET_INTERRUPTED)
			break;
	}
	return target__end_status(run->target);
}

void run_free(struct run *run, bool last)
{
	collector__close(&run->collector);
	target__free(run->target, last);
	result_free(&run->result);
	profile_free(&run->profile);
	provenance_free(&run->provenance);
	user_free(&run->user);
}
