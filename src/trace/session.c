// SPDX-License-Identifier: GPL-2.0
#include "trace/session.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/proc.h"
#include "base/text.h"
#include "model/profile.h"

#define NEVER UINT64_MAX
/* The time after which the status line is redrawn; people do not read faster. */
#define STATUS_PERIOD_NS 250000000
/* Most processes that a command leaves behind end soon after it, so they are named later. */
#define NOTE_AFTER_NS 1000000000
/* So many of the processes that a command leaves behind are named. */
#define MAX_NAMED 3

struct clockwork {
	uint64_t start_ns, end_ns, interval_ns, status_ns,
		note_ns;		/* When each is due next, CLOCK_MONOTONIC. */
	struct profile before;		/* The figures of the last interval's end. */
	uint64_t shown_calls, shown_ns; /* What the last status line showed, and when. */
	bool shown;
};

static uint64_t after(uint64_t ns, uint64_t period)
{
	return period ? ns + period : NEVER;
}

/* The timeout of poll(2) until the next thing is due, rounded up so that nothing is early. */
static int timeout_ms(const struct clockwork *w)
{
	uint64_t due = w->end_ns < w->interval_ns ? w->end_ns : w->interval_ns,
		 now = monotonic_ns(), ms;

	if (w->status_ns < due)
		due = w->status_ns;
	if (w->note_ns < due)
		due = w->note_ns;
	if (due == NEVER)
		return -1;
	if (due <= now)
		return 0;
	ms = div_round_up(due - now, 1000000);
	return ms < INT_MAX ? (int)ms : INT_MAX;
}

static void clear_status(struct clockwork *w)
{
	if (w->shown)
		fputs("\r\033[K", stderr);
	w->shown = false;
}

static int show_status(struct session *s, struct clockwork *w)
{
	struct profile p = { 0 };
	int err = s->collector->ops->snapshot(s->collector, &p, false);
	uint64_t now = monotonic_ns();
	double seconds = (now - w->shown_ns) / 1e9;

	if (!err) {
		fprintf(stderr, "\r\033[K%.1fs  %" PRIu64 " calls  %.0f calls/s  lost %" PRIu64,
			(now - w->start_ns) / 1e9, p.returned,
			(p.returned - w->shown_calls) / seconds, p.lost);
		fflush(stderr);
		w->shown = true;
		w->shown_calls = p.returned;
		w->shown_ns = now;
	}
	profile_free(&p);
	return err;
}

static int report_interval(struct session *s, struct clockwork *w)
{
	struct profile now = { 0 }, between = { 0 };
	int err = s->collector->ops->snapshot(s->collector, &now, true);

	if (!err)
		err = profile_difference(&between, &now, &w->before);
	clear_status(w);
	profile_estimate(&between);
	/* After the end of a command there may be nothing left. */
	if (!err && (between.elapsed_ns || between.entered || between.returned))
		err = s->interval(s->arg, &between, now.elapsed_ns);
	profile_free(&between);
	profile_free(&w->before);
	w->before = now;
	return err;
}

static int by_pid(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

/* Replaces tasks by their processes, each once. Returns how many there are. */
static size_t to_processes(pid_t *ids, size_t nr)
{
	size_t nr_processes = 0;

	for (size_t i = 0; i < nr; i++)
		ids[i] = process_of(ids[i]) ?: ids[i];
	qsort(ids, nr, sizeof(*ids), by_pid);
	for (size_t i = 0; i < nr; i++)
		if (!nr_processes || ids[nr_processes - 1] != ids[i])
			ids[nr_processes++] = ids[i];
	return nr_processes;
}

static void describe_processes(const pid_t *pids, size_t nr, FILE *out)
{
	fprintf(out, "%zu process%s (", nr, nr == 1 ? "" : "es");
	for (size_t i = 0; i < nr && i < MAX_NAMED; i++) {
		char comm[64], name[256];

		name_of(pids[i], comm, sizeof(comm));
		fprintf(out, "%s%s %d", i ? ", " : "", ESCAPE_TEXT(name, comm), pids[i]);
	}
	fputs(nr > MAX_NAMED ? ", ...)" : ")", out);
}

/*
 * Describes the processes of tasks that are still traced: "3 processes (nginx 812, nginx 813, nginx
 * 814)"; "" if there are none.
 */
static void describe_remaining(struct collector *c, char *text, size_t size)
{
	size_t nr = c->ops->tasks(c, NULL, 0), room = nr;
	pid_t *ids = calloc(nr ? nr : 1, sizeof(*ids));
	FILE *out;

	*text = '\0';
	if (!ids || !nr)
		goto out;
	nr = c->ops->tasks(c, ids, room);
	nr = to_processes(ids, nr < room ? nr : room);
	out = nr ? fmemopen(text, size, "w") : NULL;
	if (out) {
		describe_processes(ids, nr, out);
		fclose(out);
	}
out:
	free(ids);
}

/* Names the processes that are left when the command has ended. */
static void say_who_is_left(struct session *s, struct clockwork *w)
{
	char whom[256];

	w->note_ns = NEVER;
	describe_remaining(s->collector, whom, sizeof(whom));
	if (!whom[0])
		return;
	clear_status(w);
	message_note("the command has ended; still watching its %s; Ctrl-C ends it", whom);
}

/* Does what is due. Returns 0, 1 if the time is over, or -errno. */
static int tick(struct session *s, struct clockwork *w)
{
	uint64_t now = monotonic_ns();
	int err = 0;

	if (now >= w->end_ns)
		return 1;
	if (now >= w->interval_ns) {
		err = report_interval(s, w);
		/*
		 * Count whole periods from the start, so that they do not drift. Missed periods
		 * become one.
		 */
		while (w->interval_ns <= now)
			w->interval_ns += s->options->interval_ns;
	}
	if (!err && now >= w->status_ns) {
		err = show_status(s, w);
		w->status_ns = now + STATUS_PERIOD_NS;
	}
	if (!err && now >= w->note_ns)
		say_who_is_left(s, w);
	return err;
}

static bool is_over(struct session *s)
{
	if (s->options->scope == SCOPE_COMMAND && target__status(s->target) == -1)
		return false;
	return s->options->until_command || !s->collector->ops->active(s->collector);
}

static int wait_and_tick(struct session *s, struct clockwork *w)
{
	const struct collector_ops *ops = s->collector->ops;
	int event, err = 0;

	while (!is_over(s)) {
		/* While the command runs, the collector's wakeup fd does not matter. */
		bool alone = s->options->scope == SCOPE_COMMAND && target__status(s->target) == -1;

		event = target__wait(s->target, alone ? -1 : ops->wakeup_fd(s->collector),
				     timeout_ms(w));
		if (event < 0)
			return event;
		if (event == TARGET_INTERRUPTED)
			return 0;
		if (event == TARGET_ENDED && !s->options->quiet)
			w->note_ns = monotonic_ns() + NOTE_AFTER_NS;
		err = tick(s, w);
		if (err)
			return err < 0 ? err : 0;
	}
	return 0;
}

int session_run(struct session *s)
{
	const struct trace_options *o = s->options;
	uint64_t now = monotonic_ns();
	struct clockwork w = {
		.start_ns = now,
		.end_ns = after(now, o->duration_ns),
		.interval_ns = after(now, o->interval_ns),
		.status_ns = s->status_line ? now + STATUS_PERIOD_NS : NEVER,
		.note_ns = NEVER,
		.shown_ns = now,
	};
	int err = wait_and_tick(s, &w);

	/*
	 * The rest is an interval too, if a shorter one, so that the intervals add up to the whole.
	 */
	if (o->interval_ns) {
		int stopped = s->collector->ops->stop(s->collector);

		if (!err)
			err = stopped ? stopped : report_interval(s, &w);
	}
	clear_status(&w);
	profile_free(&w.before);
	return err;
}
