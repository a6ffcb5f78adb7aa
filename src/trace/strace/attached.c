// SPDX-License-Identifier: GPL-2.0
/*
 * strace attaches to one task after the other. What a task makes that it has not attached to yet is
 * not traced; so another strace attaches to those, until there are none. In the end, each task that
 * could make others is traced, and so are these.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/descriptor.h"
#include "base/exit_status.h"
#include "base/inherited_state.h"
#include "base/message.h"
#include "base/proc.h"
#include "base/text.h"
#include "trace/strace/state.h"

/*
 * It ends when so many looks in a row find no task that is not traced, if each may have missed
 * some.
 */
#define NR_LOOKS 32
/* At most so many more straces attach to what was missed. */
#define MAX_WAVES 16
/* The time that tasks may take to stop. */
#define STOP_MS 100
/* The time that strace may take to detach. */
#define DETACH_MS 5000

/* The pipes of one strace. */
struct pipes {
	int log[2], err[2];
};

static void close_pipes(struct pipes *p)
{
	for (int i = 0; i < 2; i++) {
		close_fd(&p->log[i]);
		close_fd(&p->err[i]);
	}
}

static void __attribute__((noreturn))
run_strace(const struct strace_state *s, char **argv, const struct pipes *p, pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	/* iotrace decides when strace stops, not the terminal's keys. */
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	inherited_state_put_back();
	/* strace must detach if iotrace dies. */
	prctl(PR_SET_PDEATHSIG, SIGINT);
	if (getppid() != parent)
		_exit(EXIT_IOTRACE);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(p->err[1], STDERR_FILENO);
	fcntl(p->log[1], F_SETFD, 0);
	execv(s->tool.path, argv);
	dprintf(STDERR_FILENO, "exec: %s\n", strerror(errno));
	_exit(EXIT_IOTRACE);
}

static int fork_strace(struct strace_state *s, const struct pipes *p, const struct ids *tasks)
{
	const struct strace_run run = {
		.pids = tasks->id, .nr_pids = tasks->nr, .stacks = s->stacks, .log_fd = p->log[1]
	};
	char **line = strace_command_line(&s->tool, &run, s->options);
	pid_t parent = getpid(), *tracer;
	int err = 0;

	tracer = line ? array_append(&s->tracers, &s->nr_tracers, sizeof(*tracer)) : NULL;
	if (tracer) {
		*tracer = fork();
		if (!*tracer)
			run_strace(s, line, p, parent);
		if (*tracer < 0) {
			err = -errno;
			s->nr_tracers--;
		}
	}
	free(line);
	return tracer ? err : -ENOMEM;
}

/* Has one more strace attach to tasks, and waits for that. Returns 0 or -errno. */
static int attach_to(struct strace_state *s, const struct ids *tasks)
{
	struct pipes p = { { -1, -1 }, { -1, -1 } };
	int err = pipe_above_stdio(p.log);

	if (!err)
		err = pipe_above_stdio(p.err);
	if (!err)
		err = fork_strace(s, &p, tasks);
	if (!err) {
		err = strace_reader__add(s->reader, p.log[0], p.err[0], tasks->id, tasks->nr);
		p.log[0] = p.err[0] = -1; /* They belong to the reader now. */
	}
	close_pipes(&p);
	if (!err)
		strace_reader__wait_attached(s->reader);
	return err;
}

/*
 * Tells the reader which call a task is in. strace will stop it once, and once more where that call
 * begins again.
 */
static int expect_call(struct strace_state *s, pid_t pid, pid_t tid)
{
	long switches = strace_switches_of(pid, tid);
	int nr = strace_call_of(pid, tid);
	struct strace_awaited *awaited =
		array_append(&s->awaited, &s->nr_awaited, sizeof(*awaited));

	if (!awaited)
		return -ENOMEM;
	*awaited = (struct strace_awaited){ pid, tid, switches + (nr >= 0) };
	return strace_reader__expect(s->reader, tid, nr);
}

/* Does the same for the tasks of a process, beginning with the first-th. */
static int expect_calls(struct strace_state *s, pid_t pid, const struct ids *tasks, size_t first)
{
	int err = 0;

	for (size_t i = first; i < tasks->nr && !err; i++)
		err = expect_call(s, pid, tasks->id[i]);
	return err;
}

static bool is_stopped(const struct strace_awaited *a)
{
	long switches = strace_switches_of(a->pid, a->tid);

	return switches < 0 || switches > a->switches;
}

/*
 * Waits for tasks to stop: strace says that it has attached before they have. One that sleeps where
 * nothing can wake it stops later.
 */
static void await_stops(struct strace_state *s)
{
	size_t i = 0;

	for (int ms = 0; i < s->nr_awaited && ms < STOP_MS;) {
		if (is_stopped(&s->awaited[i])) {
			i++;
			continue;
		}
		poll(NULL, 0, 1);
		ms++;
	}
	s->nr_awaited = 0;
}

static void say_not_attached(const struct strace_state *s, pid_t pid, const char *reason)
{
	char text[200], advice[128] = "";
	pid_t tracer = tracer_of(pid);
	bool ours = false;

	for (size_t i = 0; i < s->nr_tracers; i++)
		ours |= s->tracers[i] == tracer;
	if (tracer && !ours)
		snprintf(advice, sizeof(advice), " (process %d traces it already)", tracer);
	else
		strace_advise(advice, sizeof(advice), reason);
	message_error("cannot trace process %d: %s%s", pid, ESCAPE_TEXT(text, reason), advice);
}

/*
 * The thread of a process that strace attaches to, and with it to the others. It is the main
 * thread, unless that has ended; then it is the oldest, which the list has last.
 */
static pid_t way_in(pid_t pid, const struct ids *threads)
{
	return !threads->nr || ids_have(threads, pid) ? pid : threads->id[threads->nr - 1];
}

/*
 * Adds the way into a process, and tells the reader of the process and its calls. Returns 0 or
 * -errno.
 */
static int prepare_process(struct strace_state *s, pid_t pid, struct ids *ways)
{
	struct ids threads = { 0 };
	int err = strace_list_untraced(pid, &threads);

	if (err >= 0)
		err = ids_add(ways, way_in(pid, &threads));
	if (!err)
		err = strace_reader__add_process(s->reader, pid);
	if (!err)
		err = expect_calls(s, pid, &threads, 0);
	ids_free(&threads);
	return err;
}

/*
 * Has the first strace attach to the processes. Those that it could attach to remain in the list,
 * the others are named. Returns 0 or -errno.
 */
static int attach_first(struct strace_state *s, struct ids *processes)
{
	struct ids ways = { 0 };
	size_t attached = 0;
	char reason[80];
	int err = 0;

	for (size_t i = 0; i < processes->nr && !err; i++)
		err = prepare_process(s, processes->id[i], &ways);
	if (!err)
		err = attach_to(s, &ways);
	for (size_t i = 0; i < processes->nr && !err; i++) {
		switch (strace_reader__attach_state(s->reader, ways.id[i], reason,
						    sizeof(reason))) {
		case ATTACH_DONE:
			processes->id[attached++] = processes->id[i];
			break;
		case ATTACH_FAILED:
			say_not_attached(s, processes->id[i], reason);
			break;
		case ATTACH_PENDING:
			strace_say_failed(s, "cannot attach");
			err = -ESRCH;
		}
	}
	processes->nr = attached;
	ids_free(&ways);
	return err || attached ? err : -ESRCH;
}

/*
 * Adds the children of a process that are new and not traced. Returns how many it has, or -errno.
 */
static int add_new_children(struct ids *processes, pid_t pid, const struct ids *old)
{
	struct ids children = { 0 }, untraced = { 0 };
	int err = strace_list_children(pid, &children);

	for (size_t i = 0; i < children.nr && err >= 0; i++) {
		pid_t child = children.id[i];

		if (ids_have(old, child) || ids_have(processes, child))
			continue;
		untraced.nr = 0;
		err = strace_list_untraced(child, &untraced);
		if (err >= 0 && untraced.nr)
			err = ids_add(processes, child);
	}
	ids_free(&children);
	ids_free(&untraced);
	return err < 0 ? err : (int)children.nr;
}

/*
 * Lists the tasks that were not there in time to be attached to. Returns 1, or 0 if there may be
 * more, or -errno.
 */
static int list_missed(struct strace_state *s, struct ids *processes, const struct ids *old,
		       struct ids *missed)
{
	bool all = true;
	int err = 0;

	missed->nr = 0;
	/* The list grows meanwhile. */
	for (size_t i = 0; i < processes->nr && err >= 0; i++) {
		size_t first = missed->nr;

		err = strace_list_untraced(processes->id[i], missed);
		all &= err == 1;
		if (err >= 0)
			err = expect_calls(s, processes->id[i], missed, first);
		if (err >= 0 && !s->options->no_follow)
			err = add_new_children(processes, processes->id[i], old);
		all &= err == 0;
	}
	return err < 0 ? err : all;
}

/* Attaches to what began while the first strace attached. */
static int attach_rest(struct strace_state *s, struct ids *processes, const struct ids *old)
{
	struct ids missed = { 0 };
	int err = 0, empty = 0, waves = 0;
	bool all = false;

	while (!all && empty < NR_LOOKS) {
		err = list_missed(s, processes, old, &missed);
		if (err < 0 || (missed.nr && waves++ == MAX_WAVES))
			break;
		if (!missed.nr) {
			all = err == 1;
			empty++;
			continue;
		}
		empty = 0;
		err = attach_to(s, &missed);
		if (err < 0)
			break;
	}
	s->nr_missed = err < 0 ? 0 : missed.nr;
	ids_free(&missed);
	return err < 0 ? err : 0;
}

int strace_attach(struct strace_state *s, struct ids *processes)
{
	struct ids old = { 0 };
	int err = 0;

	for (size_t i = 0; i < processes->nr && !err && !s->options->with_children; i++)
		err = strace_list_children(processes->id[i], &old);
	if (!err)
		err = attach_first(s, processes);
	if (!err)
		err = attach_rest(s, processes, &old);
	if (!err)
		await_stops(s);
	ids_free(&old);
	return err;
}

void strace_detach(struct strace_state *s)
{
	struct pollfd done = { .fd = strace_reader__done_fd(s->reader), .events = POLLIN };

	for (size_t i = 0; i < s->nr_tracers; i++)
		proc_signal(s->tracers[i], SIGINT);
	if (!s->nr_tracers || TEMP_FAILURE_RETRY(poll(&done, 1, DETACH_MS)) != 0)
		return;
	for (size_t i = 0; i < s->nr_tracers; i++)
		proc_signal(s->tracers[i], SIGKILL);
}

bool strace_reap(struct strace_state *s)
{
	bool well = true;

	while (s->nr_tracers) {
		int status = 0;
		pid_t tracer = s->tracers[--s->nr_tracers];

		if (TEMP_FAILURE_RETRY(waitpid(tracer, &status, 0)) == tracer)
			well &= WIFEXITED(status);
	}
	return well;
}
