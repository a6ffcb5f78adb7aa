// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/helper_thread.h"

#define BUFFER_SIZE (1 << 18)
/*
 * Waking up for each line would interrupt strace and its tracee each time, and double the cost of a
 * call. The pipe holds ten times what they write in this time.
 */
#define PAUSE_MS  1
#define PIPE_SIZE (1 << 20)

/* What a strace has said about a task. */
struct attach_result {
	pid_t pid;
	const struct source *source;
	enum strace_attach state;
	char reason[80];
};

/* What a strace writes. */
struct source {
	int log_fd, err_fd; /* -1: the strace has ended. */

	/* The thread alone uses these two. */
	char message[512];
	size_t message_len;
};

struct strace_reader {
	int done_fd, opened_fd, wake_fd; /* These are eventfds. */
	pthread_t thread;
	bool running;

	pthread_mutex_t lock; /* It is for all below. */
	pthread_cond_t changed;
	struct strace_parser *parser;
	/* Their indices are the numbers of the parser's logs. */
	struct source sources[STRACE_MAX_SOURCES];
	size_t nr_sources;
	struct attach_result *attach;
	size_t nr_attach;
	bool complete; /* No more sources come. */
	bool done, opened, quit;
	uint64_t start_ns, end_ns;
	char said[512];

	char buffer[BUFFER_SIZE]; /* The thread alone uses this. */
};

static pthread_mutex_t *take_lock(struct strace_reader *r)
{
	pthread_mutex_lock(&r->lock);
	return &r->lock;
}

static void drop_lock(pthread_mutex_t **lock)
{
	pthread_mutex_unlock(*lock);
}

/* Holds the lock to the end of the block. */
#define HOLD_LOCK(r) pthread_mutex_t *held __attribute__((cleanup(drop_lock))) = take_lock(r)

/* ---- strace's messages ---- */

static void set_attach(struct strace_reader *r, const struct source *from, long pid,
		       enum strace_attach state, const char *reason)
{
	for (size_t i = 0; i < r->nr_attach; i++) {
		struct attach_result *result = &r->attach[i];

		if (result->pid != pid || result->source != from || result->state != ATTACH_PENDING)
			continue;
		result->state = state;
		snprintf(result->reason, sizeof(result->reason), "%.79s", reason);
	}
	pthread_cond_broadcast(&r->changed);
}

/* Is it a message about a normal event, or advice that is not for our user? */
static bool is_chatter(const char *text)
{
	static const char *const chatter[] = { "[ Process ",	   "Process ",
					       "Could not attach", "matches the uid",
					       "root user",	   "/etc/sysctl.d",
					       "seccomp filter",   "--seccomp-bpf" };

	for (size_t i = 0; i < ARRAY_SIZE(chatter); i++) {
		if (strstr(text, chatter[i]))
			return true;
	}
	return false;
}

static void take_message(struct strace_reader *r, const struct source *from, const char *text)
{
	const char *colon;
	char word[32];
	long pid;

	if (!strncmp(text, "strace: ", 8))
		text += 8;
	if (sscanf(text, "Process %ld %31s", &pid, word) == 2 && !strcmp(word, "attached")) {
		set_attach(r, from, pid, ATTACH_DONE, "");
		return;
	}
	if (!*text || is_chatter(text))
		return;
	if (sscanf(text, "attach: ptrace(%31[A-Z_], %ld)", word, &pid) == 2 ||
	    sscanf(text, "attach: pid %ld", &pid) == 1) {
		colon = strstr(text, "): ");
		set_attach(r, from, pid, ATTACH_FAILED, colon ? colon + 3 : text);
	}
	if (!r->said[0])
		snprintf(r->said, sizeof(r->said), "%s", text);
}

static void take_messages(struct strace_reader *r, struct source *from, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (r->buffer[i] != '\n') {
			if (from->message_len < sizeof(from->message) - 1)
				from->message[from->message_len++] = r->buffer[i];
			continue;
		}
		from->message[from->message_len] = '\0';
		from->message_len = 0;
		take_message(r, from, from->message);
	}
}

/* ---- the thread ---- */

/* Returns 1 if something was read, 0 if there is nothing now, or -1 at the end. */
static int read_some(struct strace_reader *r, int fd, ssize_t *n)
{
	*n = TEMP_FAILURE_RETRY(read(fd, r->buffer, sizeof(r->buffer)));
	if (*n > 0)
		return 1;
	return *n < 0 && errno == EAGAIN ? 0 : -1;
}

static int read_messages(struct strace_reader *r, struct source *from)
{
	ssize_t n;
	int more = read_some(r, from->err_fd, &n);

	if (more <= 0)
		return more;
	HOLD_LOCK(r);
	take_messages(r, from, (size_t)n);
	return more;
}

static int read_log(struct strace_reader *r, struct source *from, ssize_t *n)
{
	int more = read_some(r, from->log_fd, n);

	if (more <= 0)
		return more;
	HOLD_LOCK(r);
	strace_parser__feed(r->parser, (int)(from - r->sources), r->buffer, (size_t)*n,
			    monotonic_ns());
	if (!r->opened && strace_parser__window_open(r->parser, NULL)) {
		r->opened = true;
		eventfd_write(r->opened_fd, 1);
	}
	return more;
}

/* Ends a source whose log has ended, and so has its strace. */
static void end_source(struct strace_reader *r, struct source *from)
{
	while (from->err_fd >= 0 && read_messages(r, from) > 0)
		;
	HOLD_LOCK(r);
	close_fd(&from->log_fd);
	close_fd(&from->err_fd);
	pthread_cond_broadcast(&r->changed);
}

/* Reads what was written before the stop; strace may go on writing. */
static void read_rest(struct strace_reader *r, struct source *from)
{
	int left = 0, more = 1;
	ssize_t n;

	ioctl(from->log_fd, FIONREAD, &left);
	while (left > 0 && more > 0) {
		more = read_log(r, from, &n);
		left -= (int)n;
	}
	if (more < 0)
		end_source(r, from);
}

/* Fills in one for the wake-up, and two for each source. Returns how many. */
static nfds_t list_fds(struct strace_reader *r, struct pollfd *fds)
{
	nfds_t nr = 0;
	HOLD_LOCK(r);

	fds[nr++] = (struct pollfd){ .fd = r->quit ? -1 : r->wake_fd, .events = POLLIN };
	for (size_t i = 0; i < r->nr_sources; i++) {
		fds[nr++] = (struct pollfd){ .fd = r->sources[i].log_fd, .events = POLLIN };
		fds[nr++] = (struct pollfd){ .fd = r->sources[i].err_fd, .events = POLLIN };
	}
	return nr;
}

/* Returns whether something of the log was read. */
static bool read_source(struct strace_reader *r, struct source *from, const struct pollfd *fds)
{
	int more = 0;
	ssize_t n;

	if (fds[1].revents && read_messages(r, from) < 0) {
		HOLD_LOCK(r);
		close_fd(&from->err_fd);
	}
	if (fds[0].revents)
		more = read_log(r, from, &n);
	if (more < 0)
		end_source(r, from);
	return more > 0;
}

/* Is all over? That is when the reader was asked to stop, or all of strace has ended. */
static bool is_over(struct strace_reader *r)
{
	HOLD_LOCK(r);

	r->done = r->complete;
	for (size_t i = 0; i < r->nr_sources; i++)
		r->done &= r->sources[i].log_fd < 0;
	if (r->done)
		r->end_ns = monotonic_ns();
	pthread_cond_broadcast(&r->changed);
	return r->done || r->quit;
}

static void *read_until_end(void *arg)
{
	struct strace_reader *r = arg;
	struct pollfd fds[1 + 2 * STRACE_MAX_SOURCES];
	eventfd_t count;

	while (!is_over(r)) {
		nfds_t nr = list_fds(r, fds);
		bool more = false;

		if (poll(fds, nr, -1) < 0 && errno != EINTR)
			break;
		for (nfds_t i = 1; i < nr; i += 2)
			more |= read_source(r, &r->sources[(i - 1) / 2], &fds[i]);
		if (r->opened && more)
			poll(fds, 1, PAUSE_MS);
		if (fds[0].revents)
			eventfd_read(r->wake_fd, &count);
	}
	for (size_t i = 0; i < r->nr_sources; i++)
		if (r->sources[i].log_fd >= 0)
			read_rest(r, &r->sources[i]);
	if (is_over(r) && r->done)
		eventfd_write(r->done_fd, 1);
	return NULL;
}

/* ---- for others ---- */

int strace_reader__new(struct strace_reader **out, const struct strace_format *format,
		       const struct syscall_set *set)
{
	struct strace_reader *r = calloc(1, sizeof(*r));

	*out = r;
	if (!r)
		return -ENOMEM;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	r->done_fd = eventfd(0, EFD_CLOEXEC);
	r->opened_fd = eventfd(0, EFD_CLOEXEC);
	r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->done_fd < 0 || r->opened_fd < 0 || r->wake_fd < 0)
		return -errno;
	r->parser = strace_parser__new(format, set);
	if (!r->parser)
		return -ENOMEM;
	r->opened = strace_parser__window_open(r->parser, NULL);
	r->start_ns = monotonic_ns();
	return 0;
}

static int add_results(struct strace_reader *r, const struct source *from, const pid_t *pids,
		       size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct attach_result *result =
			array_append(&r->attach, &r->nr_attach, sizeof(*result));

		if (!result)
			return -ENOMEM;
		result->pid = pids[i];
		result->source = from;
	}
	return 0;
}

static int add_source(struct strace_reader *r, int log_fd, int err_fd, const pid_t *pids, size_t nr)
{
	struct source *from = &r->sources[r->nr_sources];
	int err;

	if (r->nr_sources == STRACE_MAX_SOURCES)
		return -E2BIG;
	err = r->nr_sources ? strace_parser__add_log(r->parser) : 0;
	if (err >= 0)
		err = add_results(r, from, pids, nr);
	if (err < 0)
		return err;
	from->log_fd = log_fd;
	from->err_fd = err_fd;
	r->nr_sources++;
	return 0;
}

int strace_reader__add(struct strace_reader *r, int log_fd, int err_fd, const pid_t *pids,
		       size_t nr_pids)
{
	int err;

	fcntl(log_fd, F_SETFL, O_NONBLOCK);
	fcntl(err_fd, F_SETFL, O_NONBLOCK);
	fcntl(log_fd, F_SETPIPE_SZ, PIPE_SIZE); /* The default size works, too. */
	pthread_mutex_lock(&r->lock);
	err = add_source(r, log_fd, err_fd, pids, nr_pids);
	pthread_mutex_unlock(&r->lock);
	if (err) {
		close(log_fd);
		close(err_fd);
		return err;
	}
	if (r->running) {
		eventfd_write(r->wake_fd, 1);
		return 0;
	}
	err = -helper_thread_create(&r->thread, read_until_end, r);
	r->running = !err;
	return err;
}

void strace_reader__complete(struct strace_reader *r)
{
	HOLD_LOCK(r);

	r->complete = true;
	r->start_ns = monotonic_ns();
	eventfd_write(r->wake_fd, 1);
}

int strace_reader__add_process(struct strace_reader *r, pid_t pid)
{
	HOLD_LOCK(r);

	return strace_parser__add_process(r->parser, pid);
}

int strace_reader__expect(struct strace_reader *r, pid_t tid, int nr)
{
	HOLD_LOCK(r);

	return strace_parser__expect(r->parser, tid, nr);
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
	HOLD_LOCK(r);

	return r->done;
}

static bool is_attaching(const struct strace_reader *r)
{
	for (size_t i = 0; i < r->nr_attach; i++)
		if (r->attach[i].state == ATTACH_PENDING && r->attach[i].source->log_fd >= 0)
			return true;
	return false;
}

void strace_reader__wait_attached(struct strace_reader *r)
{
	HOLD_LOCK(r);

	while (is_attaching(r))
		pthread_cond_wait(&r->changed, &r->lock);
}

enum strace_attach strace_reader__attach_state(struct strace_reader *r, pid_t pid, char *reason,
					       size_t size)
{
	enum strace_attach state = ATTACH_PENDING;
	HOLD_LOCK(r);

	*reason = '\0';
	for (size_t i = 0; i < r->nr_attach; i++) {
		if (r->attach[i].pid != pid)
			continue;
		state = r->attach[i].state;
		snprintf(reason, size, "%s", r->attach[i].reason);
	}
	return state;
}

void strace_reader__said(struct strace_reader *r, char *text, size_t size)
{
	HOLD_LOCK(r);

	snprintf(text, size, "%s", r->said);
}

size_t strace_reader__tasks(struct strace_reader *r, pid_t *ids, size_t room)
{
	HOLD_LOCK(r);

	return strace_parser__tasks(r->parser, ids, room);
}

bool strace_reader__saw_filter(struct strace_reader *r)
{
	HOLD_LOCK(r);

	return strace_parser__saw_filter(r->parser);
}

void strace_reader__stop(struct strace_reader *r)
{
	if (!r->running)
		return;
	pthread_mutex_lock(&r->lock);
	r->quit = true;
	pthread_mutex_unlock(&r->lock);
	eventfd_write(r->wake_fd, 1);
	pthread_join(r->thread, NULL);
	r->running = false;
	if (!r->end_ns)
		r->end_ns = monotonic_ns();
}

int strace_reader__put_stacks(struct strace_reader *r, struct profile *p)
{
	HOLD_LOCK(r);

	return strace_parser__put_stacks(r->parser, p);
}

int strace_reader__snapshot(struct strace_reader *r, struct profile *p)
{
	uint64_t now = monotonic_ns(), start, end;
	int err;
	HOLD_LOCK(r);

	end = r->end_ns ? r->end_ns : now;
	if (!strace_parser__window_open(r->parser, &start))
		start = end;
	else if (start < r->start_ns)
		start = r->start_ns;
	err = strace_parser__snapshot(r->parser, p, end);
	p->elapsed_ns = end > start ? end - start : 0;
	return err;
}

void strace_reader__free(struct strace_reader *r)
{
	if (!r)
		return;
	strace_reader__stop(r);
	for (size_t i = 0; i < r->nr_sources; i++) {
		close_fd(&r->sources[i].log_fd);
		close_fd(&r->sources[i].err_fd);
	}
	close_fd(&r->done_fd);
	close_fd(&r->opened_fd);
	close_fd(&r->wake_fd);
	strace_parser__free(r->parser);
	free(r->attach);
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
	free(r);
}
