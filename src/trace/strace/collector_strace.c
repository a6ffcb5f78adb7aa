// SPDX-License-Identifier: GPL-2.0
/*
 * The strace backend: runs the real strace and reads its log through a pipe.
 *
 * A command is started by strace (-D, so that it stays iotrace's own child, and strace goes away
 * with the last task). Running processes, and a command that changes its user, are attached to:
 * ptrace then is root's, and set-user-ID programs work.
 */
#include "trace/collector.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/descriptor.h"
#include "base/message.h"
#include "base/proc.h"
#include "model/profile_files.h"
#include "trace/attach.h"
#include "trace/file_rows.h"
#include "trace/running.h"
#include "trace/strace/examine.h"
#include "trace/strace/shim.h"
#include "trace/strace/state.h"

/* The time that a strace that started the command may take to end. */
#define DETACH_MS 5000

/* Options that only eBPF can implement. */
static const char *unsupported_option(const struct trace_options *o)
{
	if (o->scope == SCOPE_CGROUP)
		return "--cgroup";
	if (o->scope == SCOPE_ALL)
		return "-a";
	if (o->cpu)
		return "--cpu";
	if (o->sample_latency > 1)
		return "--sample-latency";
	if ((o->by[0] | o->by[1]) & BY_USER)
		return "--by=user";
	if ((o->by[0] | o->by[1]) & BY_CGROUP)
		return "--by=cgroup";
	if (o->comm)
		return "--comm";
	return o->uid >= 0 ? "--uid" : NULL;
}

static int take_filter_paths(struct strace_state *s)
{
	const struct trace_options *o = s->options;

	if (o->nr_filter_paths)
		s->filter_paths = strace_path_filter__new(o->filter_paths, o->nr_filter_paths);
	return o->nr_filter_paths && !s->filter_paths ? -ENOMEM : 0;
}

static int find_tool(struct strace_state *s, char *why, size_t size)
{
	int err = strace_tool_find(&s->tool, why, size);

	if (err || !s->options->by[0] || strace_prints_comms(&s->tool))
		return err;
	snprintf(why, size, "strace cannot do --by before its version 5.15, and this one is %u.%u",
		 s->tool.major, s->tool.minor);
	return -EOPNOTSUPP;
}

static int strace_open(struct collector *c, const struct trace_options *o, char *why, size_t size)
{
	const char *option = unsupported_option(o);
	struct strace_state *s;
	struct stat st = { 0 };
	int err;

	if (option) {
		snprintf(why, size, "strace cannot do %s: %suse eBPF (sudo, --backend=bpf)", option,
			 o->scope == SCOPE_CGROUP || o->scope == SCOPE_ALL
				 ? "name processes with -p, or "
				 : "");
		return -EOPNOTSUPP;
	}
	s = c->state = calloc(1, sizeof(*s));
	if (!s) {
		snprintf(why, size, "no memory");
		return -ENOMEM;
	}
	s->options = o;
	s->stacks = o->all_stacks && o->files;
	err = take_filter_paths(s);
	if (err) {
		snprintf(why, size, "no memory");
		return err;
	}
	for (int i = 0; i < 2; i++)
		s->log[i] = s->err[i] = s->result[i] = -1;
	s->launched = -1;
	s->wakeup_fd = epoll_create1(EPOLL_CLOEXEC);
	err = find_tool(s, why, size);
	if (err)
		return err;
	if (s->stacks && !s->tool.unwinds) {
		collector_lose(c, FEATURE_STACKS, "this strace was built without -k");
		s->stacks = false;
	}
	err = s->wakeup_fd < 0 ? -errno : pipe_above_stdio(s->log);
	if (!err && fstat(s->log[0], &st))
		err = -errno;
	s->log_pipe = st.st_ino;
	if (!err)
		err = pipe_above_stdio(s->err);
	if (!err)
		err = pipe_above_stdio(s->result);
	if (err)
		snprintf(why, size, "cannot make a pipe: %s", strerror(-err));
	return err;
}

/* ---- a command that strace starts ---- */

/* iotrace's own stderr, saved while strace is forked with its stderr on a pipe. */
struct saved_stderr {
	int fd; /* Copy of it. -1: it is closed. */
	/* The command has none, and iotrace has opened something else in its place. */
	bool is_ours;
};

/* Returns 0 or -errno. */
static int save_stderr(struct saved_stderr *saved)
{
	saved->is_ours = fcntl(STDERR_FILENO, F_GETFD) > 0;
	saved->fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return saved->fd < 0 && errno != EBADF ? -errno : 0;
}

static void restore_stderr(struct saved_stderr *saved)
{
	if (saved->fd >= 0)
		dup3(saved->fd, STDERR_FILENO, saved->is_ours ? O_CLOEXEC : 0);
	else
		close(STDERR_FILENO);
	close_fd(&saved->fd);
}

static int fork_with_stderr(struct strace_state *s, struct target **t, char **argv, int stderr_fd)
{
	int inherited[] = { s->log[1], s->result[1], stderr_fd }, err = 0;

	for (size_t i = 0; i < 3; i++) {
		if (inherited[i] >= 0 && fcntl(inherited[i], F_SETFD, 0))
			return -errno;
	}
	if (dup2(s->err[1], STDERR_FILENO) < 0)
		return -errno;
	err = target__fork(t, s->tool.path, argv, NULL);
	/* If a later child had these ends, the log would not end. */
	close_fd(&s->log[1]);
	close_fd(&s->err[1]);
	close_fd(&s->result[1]);
	return err;
}

static char **shim_command(const struct strace_shim *shim, const char *path, char *const argv[])
{
	static char self[4096], word[64];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char **command;
	size_t nr = 0;

	if (len < 0)
		return NULL;
	self[len] = '\0';
	strace_shim_word(shim, word);
	while (argv[nr])
		nr++;
	command = calloc(nr + 5, sizeof(*command));
	if (!command)
		return NULL;
	command[0] = self;
	command[1] = (char *)STRACE_SHIM_WORD;
	command[2] = word;
	command[3] = (char *)path;
	memcpy(command + 4, argv, nr * sizeof(*command));
	return command;
}

static int strace_fork(struct collector *c, struct target **t, const char *path, char *const argv[],
		       const struct user *user)
{
	struct strace_state *s = c->state;
	struct strace_shim shim = {
		.log_fd = s->log[1],
		.result_fd = s->result[1],
		.not_tracer = tracer_of(getpid()),
	};
	char **command, **line = NULL;
	struct saved_stderr saved;
	int err;

	if (user)
		return target__fork(t, path, argv, user);
	err = save_stderr(&saved);
	if (err)
		return err;
	shim.stderr_fd = saved.is_ours ? -1 : saved.fd;
	command = shim_command(&shim, path, argv);
	s->run = (struct strace_run){
		.launch = true,
		.seccomp = strace_wants_seccomp(&s->tool, s->options),
		.stacks = s->stacks,
		.log_fd = s->log[1],
		.command = command,
	};
	if (command)
		line = strace_command_line(&s->tool, &s->run, s->options);
	err = line ? fork_with_stderr(s, t, line, shim.stderr_fd) : -ENOMEM;
	s->run.command = NULL;
	restore_stderr(&saved);
	free(command);
	free(line);
	return err;
}

static void note_unused_seccomp(const struct strace_state *s)
{
	if (s->options->seccomp && !s->run.seccomp && !s->options->quiet)
		message_note(
			"--seccomp is not used: with -e all, -p, -u, --duration and --no-follow, and before strace 5.3, all calls stop the program");
}

static int strace_await_exec(struct collector *c)
{
	struct strace_state *s = c->state;
	struct pollfd fds[] = {
		{ .fd = s->result[0], .events = POLLIN },
		{ .fd = strace_reader__opened_fd(s->reader), .events = POLLIN },
		{ .fd = strace_reader__done_fd(s->reader), .events = POLLIN },
	};
	struct strace_shim_said result;
	char said[512];

	if (!s->run.launch)
		return 0;
	/*
	 * What the shim says comes before the log of the execve, and is read to its end: strace may
	 * have ended before the first word is read.
	 */
	while (!fds[1].revents && (!fds[2].revents || fds[0].revents)) {
		if (TEMP_FAILURE_RETRY(poll(fds, 3, -1)) < 0)
			return -errno;
		if (!fds[0].revents)
			continue;
		if (read(s->result[0], &result, sizeof(result)) != sizeof(result))
			fds[0].fd = -1; /* The shim is gone, and the log says why. */
		else if (!result.tracer)
			return strace_say_failed(s, "cannot trace the command");
		else if (result.err)
			return -result.err;
		else
			s->launched = proc_open_holder(result.tracer, s->log_pipe);
	}
	if (fds[1].revents)
		return 0;
	strace_reader__said(s->reader, said, sizeof(said));
	/*
	 * If strace says nothing, the command was killed before it was executed, which
	 * target__wait() reports.
	 */
	return said[0] ? strace_say_failed(s, "cannot trace the command") : 0;
}

/* ---- processes that strace attaches to ---- */

/* With --no-follow, tracing ends with the processes themselves. Returns 0 or -errno. */
static int await_end(struct strace_state *s, int pidfd)
{
	struct epoll_event event = { .events = EPOLLIN };
	int *place = array_append(&s->ends, &s->nr_ends, sizeof(*place));

	if (!place) {
		close(pidfd);
		return -ENOMEM;
	}
	*place = pidfd;
	return epoll_ctl(s->wakeup_fd, EPOLL_CTL_ADD, pidfd, &event) ? -errno : 0;
}

/* Adds a process if it may be traced, and names it otherwise. */
static int choose_pid(struct strace_state *s, struct ids *pids, pid_t pid)
{
	char why[512];
	int fd = attach_open_process(pid, why, sizeof(why)), err;

	if (fd < 0) {
		message_error("cannot trace process %d: %s", pid, why);
		return 0;
	}
	err = ids_add(pids, pid);
	if (!err && s->options->no_follow)
		return await_end(s, fd);
	close(fd);
	return err;
}

/* Lists the processes of -p that may be traced, and names the others. */
static int choose_pids(struct strace_state *s, struct ids *pids)
{
	const struct trace_options *o = s->options;
	struct ids given = { .id = array_copy(o->pids, o->nr_pids, sizeof(*o->pids)),
			     .nr = o->nr_pids };
	int err = given.id ? 0 : -ENOMEM;

	if (!err && o->with_children)
		err = running_add_descendants(&given);
	for (size_t i = 0; i < given.nr && err >= 0; i++)
		err = choose_pid(s, pids, given.id[i]);
	ids_free(&given);
	if (err < 0 || pids->nr)
		return err < 0 ? err : 0;
	message_error("none of the processes given by -p can be traced");
	return -ESRCH;
}

/* Attaches to the processes of -p, or to a command. */
static int attach_to_running(struct strace_state *s, pid_t command)
{
	struct ids pids = { 0 };
	int err = command ? ids_add(&pids, command) : choose_pids(s, &pids);

	if (!err)
		err = strace_attach(s, &pids);
	ids_free(&pids);
	return err;
}

static const struct strace_proc proc = {
	.process_of = process_of,
	.parent_of = parent_of,
	.name_of = name_of,
	.executable_of = executable_of,
};

static int begin_reading(struct strace_state *s, pid_t command)
{
	const struct trace_options *o = s->options;
	const struct strace_format format = {
		.numbers = strace_prints_numbers(&s->tool),
		.command = command,
		.skip_execs = s->run.launch, /* The shim's own execve is skipped. */
		.no_follow = s->options->no_follow,
		.proc = &proc,
		.filter_paths = s->filter_paths,
		.max_files = s->options->files ? s->options->max_files : 0,
		.ephemeral = ephemeral_ports(),
		.by = { o->by[0], o->by[1] },
		.max_groups = o->max_groups,
		.stacks = s->stacks,
	};
	struct epoll_event event = { .events = EPOLLIN };
	int err = strace_reader__new(&s->reader, &format, &s->options->set);

	if (!err &&
	    epoll_ctl(s->wakeup_fd, EPOLL_CTL_ADD, strace_reader__done_fd(s->reader), &event))
		err = -errno;
	return err;
}

static int read_launched(struct strace_state *s)
{
	int log_fd = s->log[0], err_fd = s->err[0];

	s->log[0] = s->err[0] = -1; /* They belong to the reader now. */
	return strace_reader__add(s->reader, log_fd, err_fd, NULL, 0);
}

static int strace_start(struct collector *c, const struct target *t, char *why, size_t size)
{
	struct strace_state *s = c->state;
	pid_t command = s->options->scope == SCOPE_COMMAND ? target__pid(t) : 0;
	int err = begin_reading(s, command);

	note_unused_seccomp(s);
	if (s->stacks && !s->options->quiet)
		message_note(
			"strace unwinds the stack of every traced call, which takes some 0.1 to 1 ms each");
	if (!err && s->run.launch)
		err = read_launched(s);
	else if (!err)
		err = attach_to_running(s, command);
	if (!err)
		strace_reader__complete(s->reader);
	else if (err != -ESRCH)
		snprintf(why, size, "cannot run strace: %s", strerror(-err));
	return err;
}

/* ---- the end ---- */

static int strace_wakeup_fd(const struct collector *c)
{
	const struct strace_state *s = c->state;

	return s->wakeup_fd;
}

/* Forgets the processes that have ended. Returns whether one is left. */
static bool one_is_left(struct strace_state *s)
{
	size_t left = 0;

	for (size_t i = 0; i < s->nr_ends; i++) {
		struct pollfd end = { .fd = s->ends[i], .events = POLLIN };

		if (poll(&end, 1, 0) > 0)
			close(s->ends[i]); /* This takes it out of the wake-ups, too. */
		else
			s->ends[left++] = s->ends[i];
	}
	s->nr_ends = left;
	return left;
}

static bool strace_active(struct collector *c)
{
	struct strace_state *s = c->state;

	if (strace_reader__is_done(s->reader))
		return false;
	/* For a command, this is asked after its end. */
	return !s->options->no_follow || one_is_left(s);
}

static size_t strace_tasks(struct collector *c, pid_t *ids, size_t room)
{
	struct strace_state *s = c->state;

	return strace_reader__tasks(s->reader, ids, room);
}

/* Has strace ended by itself, after all that it traced? */
static bool ended_well(struct strace_state *s)
{
	return strace_reap(s) && !strace_reader__tasks(s->reader, NULL, 0);
}

/*
 * Makes strace detach. It cannot if it put a filter into the command: without strace, the filtered
 * calls would fail.
 */
static void detach(struct strace_state *s)
{
	struct pollfd done = { .fd = strace_reader__done_fd(s->reader), .events = POLLIN };

	if (s->run.launch && s->run.seccomp) {
		message_note(
			"strace stays with the command and what it has started until they end: its seccomp filter cannot be taken off");
		return;
	}
	strace_detach(s);
	/* With -D strace ignores other signals. */
	if (s->launched >= 0 && !syscall(SYS_pidfd_send_signal, s->launched, SIGKILL, NULL, 0))
		TEMP_FAILURE_RETRY(poll(&done, 1, DETACH_MS));
}

static int strace_stop(struct collector *c)
{
	struct strace_state *s = c->state;
	int err = 0;

	if (s->stopped)
		return 0;
	s->stopped = true;
	if (!strace_reader__is_done(s->reader)) {
		detach(s);
	} else if (!ended_well(s)) {
		err = -EPIPE;
		message_error(
			"strace has ended before what it traced: the figures are those up to then");
	}
	strace_reader__stop(s->reader);
	if (s->run.seccomp && !s->options->quiet && strace_reader__saw_filter(s->reader))
		message_note(
			"the program has put a seccomp filter on itself: calls that this answers are not seen by strace; with -e all they would be");
	strace_reap(s);
	return err;
}

/*
 * Tells directories and named pipes from regular files, which strace does not. Whether there is
 * still one of this name is good enough for that.
 */
static void tell_kinds(struct profile *p)
{
	struct stat st;

	for (size_t i = 0; i < p->nr_files; i++) {
		struct file_stats *f = &p->files[i];

		if (f->kind != FILE_KIND_REGULAR || f->cut || stat(f->path, &st))
			continue;
		if (S_ISDIR(st.st_mode))
			f->kind = FILE_KIND_DIRECTORY;
		else if (S_ISFIFO(st.st_mode))
			f->kind = FILE_KIND_PIPE;
	}
}

static int strace_snapshot(struct collector *c, struct profile *p, bool files)
{
	struct strace_state *s = c->state;
	int err;

	profile_free(p);
	err = strace_reader__snapshot(s->reader, p);
	if (!err && files && s->options->files)
		err = profile_add_other_files(p);
	if (err)
		return err;
	tell_kinds(p);
	if (s->stacks && files && s->stopped)
		err = strace_reader__put_stacks(s->reader, p);
	if (err)
		return err;
	p->lost_tasks = s->nr_missed;
	p->backend = c->ops->name;
	p->time_note = "times include strace's own two stops at each call";
	p->unknown |= UNKNOWN_GAINS | UNKNOWN_WAITS | UNKNOWN_IDLE | UNKNOWN_CPU | UNKNOWN_NAGLE;
	if (!files || !s->options->files)
		p->unknown |= UNKNOWN_FILES;
	if (s->options->no_latency)
		p->unknown |= UNKNOWN_LATENCY;
	/* The log has no names and no thread groups. */
	for (size_t i = 0; i < p->nr_inflight; i++) {
		struct inflight_call *call = &p->inflight[i];

		call->pid = process_of(call->tid) ?: call->tid;
		name_of(call->tid, call->comm, sizeof(call->comm));
	}
	return 0;
}

static void strace_close(struct collector *c)
{
	struct strace_state *s = c->state;

	if (!s)
		return;
	for (size_t i = 0; i < s->nr_tracers; i++)
		proc_signal(s->tracers[i], SIGINT);
	strace_reap(s);
	strace_reader__free(s->reader);
	for (size_t i = 0; i < s->nr_ends; i++)
		close(s->ends[i]);
	close_fd(&s->launched);
	close_fd(&s->wakeup_fd);
	for (int i = 0; i < 2; i++) {
		close_fd(&s->log[i]);
		close_fd(&s->err[i]);
		close_fd(&s->result[i]);
	}
	strace_path_filter__free(s->filter_paths);
	strace_tool_free(&s->tool);
	free(s->tracers);
	free(s->awaited);
	free(s->ends);
	free(s);
	c->state = NULL;
}

const struct collector_ops collector_strace = {
	.name = "strace",
	.costs =
		"which stops the program twice at each traced call, for some 10 to 50 us, and cannot do --cgroup and -a",
	.examine = strace_examine,
	.be_part = strace_shim_be,
	.open = strace_open,
	.fork = strace_fork,
	.start = strace_start,
	.await_exec = strace_await_exec,
	.wakeup_fd = strace_wakeup_fd,
	.active = strace_active,
	.tasks = strace_tasks,
	.stop = strace_stop,
	.snapshot = strace_snapshot,
	.close = strace_close,
};
