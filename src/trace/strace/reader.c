// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"

#define BUFFER_SIZE (1 << 18)
/*
 * Waking up for each line would interrupt strace and its tracee each time, and double the cost of a
 * call. The pipe holds ten times what they write in this time.
 */
#define PAUSE_MS  1
#define PIPE_SIZE (1 << 20)

/* A message of strace about a pid. */
struct attach_result {
	enum strace_attach state;
	char reason[80];
};

struct strace_reader {
	int log_fd, err_fd;
	int done_fd, opened_fd, quit_fd; /* eventfds */
	const pid_t *pids;
	struct attach_result *attach;
	size_t nr_pids;
	pthread_t thread;
	bool running;

	pthread_mutex_t lock; /* for all below */
	pthread_cond_t changed;
	struct strace_parser *parser;
	bool done, opened;
	uint64_t start_ns, end_ns;
	char said[512];

	/* Used by the thread alone. */
	char message[512];
	size_t message_len;
	char buffer[BUFFER_SIZE];
};

static void raise_fd(int fd)
{
	uint64_t one = 1;

	/* It cannot block: nobody reads the counter, and it is written once. */
	if (write(fd, &one, sizeof(one)) != sizeof(one))
		return;
}

/* ---- strace's messages ---- */

static void set_attach(struct strace_reader *r, long pid, enum strace_attach state,
		       const char *reason)
{
	for (size_t i = 0; i < r->nr_pids; i++) {
		struct attach_result *result = &r->attach[i];

		if (r->pids[i] != pid || result->state != ATTACH_PENDING)
			continue;
		result->state = state;
		snprintf(result->reason, sizeof(result->reason), "%.79s", reason);
	}
	pthread_cond_broadcast(&r->changed);
}

/* Messages about normal events, and advice that is not for our user. */
static bool is_chatter(const char *text)
{
	static const char *const chatter[] = { "[ Process ",	   "Process ",
					       "Could not attach", "matches the uid",
					       "root user",	   "/etc/sysctl.d",
					       "seccomp filter",   "--seccomp-bpf" };

	for (size_t i = 0; i < sizeof(chatter) / sizeof(chatter[0]); i++) {
		if (strstr(text, chatter[i]))
			return true;
	}
	return false;
}

static void take_message(struct strace_reader *r, const char *text)
{
	const char *colon;
	char word[32];
	long pid;

	if (!strncmp(text, "strace: ", 8))
		text += 8;
	if (sscanf(text, "Process %ld %31s", &pid, word) == 2 && !strcmp(word, "attached")) {
		set_attach(r, pid, ATTACH_DONE, "");
		return;
	}
	if (!*text || is_chatter(text))
		return;
	if (sscanf(text, "attach: ptrace(%31[A-Z_], %ld)", word, &pid) == 2 ||
	    sscanf(text, "attach: pid %ld", &pid) == 1) {
		colon = strstr(text, "): ");
		set_attach(r, pid, ATTACH_FAILED, colon ? colon + 3 : text);
	}
	if (!r->said[0])
		snprintf(r->said, sizeof(r->said), "%s", text);
}

static void take_messages(struct strace_reader *r, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (data[i] != '\n') {
			if (r->message_len < sizeof(r->message) - 1)
				r->message[r->message_len++] = data[i];
			continue;
		}
		r->message[r->message_len] = '\0';
		r->message_len = 0;
		take_message(r, r->message);
	}
}

/* ---- the thread ---- */

/* Returns 1 if something was read, 0 if there is nothing now, -1 at the end. */
static int read_some(struct strace_reader *r, int fd, ssize_t *n)
{
	*n = TEMP_FAILURE_RETRY(read(fd, r->buffer, sizeof(r->buffer)));
	if (*n > 0)
		return 1;
	return *n < 0 && errno == EAGAIN ? 0 : -1;
}

static int read_messages(struct strace_reader *r)
{
	ssize_t n;
	int more = read_some(r, r->err_fd, &n);

	if (more <= 0)
		return more;
	pthread_mutex_lock(&r->lock);
	take_messages(r, r->buffer, (size_t)n);
	pthread_mutex_unlock(&r->lock);
	return more;
}

static int read_log(struct strace_reader *r, ssize_t *n)
{
	int more = read_some(r, r->log_fd, n);

	if (more <= 0)
		return more;
	pthread_mutex_lock(&r->lock);
	strace_parser__feed(r->parser, r->buffer, (size_t)*n, monotonic_ns());
	if (!r->opened && strace_parser__window_open(r->parser, NULL)) {
		r->opened = true;
		raise_fd(r->opened_fd);
	}
	pthread_mutex_unlock(&r->lock);
	return more;
}

static void finish(struct strace_reader *r)
{
	while (read_messages(r) > 0)
		;
	pthread_mutex_lock(&r->lock);
	r->done = true;
	r->end_ns = monotonic_ns();
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	raise_fd(r->done_fd);
}

/* Reads what was written before the stop; strace may go on writing. */
static int read_rest(struct strace_reader *r)
{
	int left = 0, more = 1;
	ssize_t n;

	ioctl(r->log_fd, FIONREAD, &left);
	while (left > 0 && more > 0) {
		more = read_log(r, &n);
		left -= (int)n;
	}
	return left > 0 ? more : 0;
}

static void *run(void *arg)
{
	struct strace_reader *r = arg;
	struct pollfd fds[] = {
		{ .fd = r->log_fd, .events = POLLIN },
		{ .fd = r->err_fd, .events = POLLIN },
		{ .fd = r->quit_fd, .events = POLLIN },
	};
	int more = 0;
	ssize_t n;

	while (more >= 0 && !fds[2].revents) {
		if (poll(fds, 3, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents && read_messages(r) < 0)
			fds[1].fd = -1;
		if (fds[0].revents)
			more = read_log(r, &n);
		if (r->opened && more > 0)
			poll(&fds[2], 1, PAUSE_MS);
	}
	if (more >= 0)
		more = read_rest(r);
	if (more < 0)
		finish(r);
	return NULL;
}

/* The thread blocks all signals: they are for the main thread. */
static int start_thread(struct strace_reader *r)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = -pthread_create(&r->thread, NULL, run, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	r->running = !err;
	return err;
}

/* ---- for others ---- */

int strace_reader__new(struct strace_reader **out, int log_fd, int err_fd,
		       const struct strace_format *format, const struct syscall_set *set,
		       const pid_t *pids, size_t nr_pids)
{
	struct strace_reader *r = calloc(1, sizeof(*r));
	int err = -ENOMEM;

	*out = r;
	if (!r) {
		close(log_fd);
		close(err_fd);
		return err;
	}
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	r->log_fd = log_fd;
	r->err_fd = err_fd;
	r->pids = pids;
	r->nr_pids = nr_pids;
	r->done_fd = eventfd(0, EFD_CLOEXEC);
	r->opened_fd = eventfd(0, EFD_CLOEXEC);
	r->quit_fd = eventfd(0, EFD_CLOEXEC);
	r->attach = calloc(nr_pids + 1, sizeof(*r->attach));
	r->parser = strace_parser__new(format, set);
	if (!r->attach || !r->parser)
		return err;
	if (r->done_fd < 0 || r->opened_fd < 0 || r->quit_fd < 0)
		return -errno;
	fcntl(log_fd, F_SETFL, O_NONBLOCK);
	fcntl(err_fd, F_SETFL, O_NONBLOCK);
	fcntl(log_fd, F_SETPIPE_SZ, PIPE_SIZE); /* the default size works, too */
	r->opened = strace_parser__window_open(r->parser, NULL);
	r->start_ns = monotonic_ns();
	return start_thread(r);
}

int strace_reader__done_fd(const struct strace_reader *r)
{
	return r->done_fd;
}

int strace_reader__opened_fd(const struct strace_reader *r)
{
	return r->opened_fd;
}

bool strace_reader__is_done(struct strace_reader *r)
{
	bool done;

	pthread_mutex_lock(&r->lock);
	done = r->done;
	pthread_mutex_unlock(&r->lock);
	return done;
}

static bool is_attaching(const struct strace_reader *r)
{
	for (size_t i = 0; i < r->nr_pids; i++) {
		if (r->attach[i].state == ATTACH_PENDING)
			return true;
	}
	return false;
}

void strace_reader__wait_attached(struct strace_reader *r)
{
	pthread_mutex_lock(&r->lock);
	while (!r->done && is_attaching(r))
		pthread_cond_wait(&r->changed, &r->lock);
	r->start_ns = monotonic_ns();
	pthread_mutex_unlock(&r->lock);
}

enum strace_attach strace_reader__attach_state(struct strace_reader *r, size_t pid_index,
					       char *reason, size_t size)
{
	enum strace_attach state;

	pthread_mutex_lock(&r->lock);
	state = r->attach[pid_index].state;
	snprintf(reason, size, "%s", r->attach[pid_index].reason);
	pthread_mutex_unlock(&r->lock);
	return state;
}

void strace_reader__said(struct strace_reader *r, char *text, size_t size)
{
	pthread_mutex_lock(&r->lock);
	snprintf(text, size, "%s", r->said);
	pthread_mutex_unlock(&r->lock);
}

size_t strace_reader__tasks(struct strace_reader *r, pid_t *ids, size_t room)
{
	size_t nr;

	pthread_mutex_lock(&r->lock);
	nr = strace_parser__tasks(r->parser, ids, room);
	pthread_mutex_unlock(&r->lock);
	return nr;
}

bool strace_reader__saw_filter(struct strace_reader *r)
{
	bool saw;

	pthread_mutex_lock(&r->lock);
	saw = strace_parser__saw_filter(r->parser);
	pthread_mutex_unlock(&r->lock);
	return saw;
}

void strace_reader__stop(struct strace_reader *r)
{
	if (!r->running)
		return;
	raise_fd(r->quit_fd);
	pthread_join(r->thread, NULL);
	r->running = false;
	if (!r->end_ns)
		r->end_ns = monotonic_ns();
}

int strace_reader__snapshot(struct strace_reader *r, struct profile *p)
{
	uint64_t now = monotonic_ns(), start, end;
	int err;

	pthread_mutex_lock(&r->lock);
	end = r->end_ns ? r->end_ns : now;
	if (!strace_parser__window_open(r->parser, &start))
		start = end;
	else if (start < r->start_ns)
		start = r->start_ns;
	err = strace_parser__snapshot(r->parser, p, end);
	p->elapsed_ns = end > start ? end - start : 0;
	pthread_mutex_unlock(&r->lock);
	return err;
}

void strace_reader__free(struct strace_reader *r)
{
	if (!r)
		return;
	strace_reader__stop(r);
	close_fd(&r->log_fd);
	close_fd(&r->err_fd);
	close_fd(&r->done_fd);
	close_fd(&r->opened_fd);
	close_fd(&r->quit_fd);
	strace_parser__free(r->parser);
	free(r->attach);
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
