// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/rules/rule.h"

/* A call of DIRECT_BUFFER bytes waits for the device up to so many times as long as a small one. */
#define DIRECT_COST 3
/* A thread that is woken runs sooner than that, also on a CPU that was idle. */
#define WAKE_NS 20000

/* ---- what is on the file ---- */

bool rule_synchronous(const struct subject *s)
{
	return s->file->flags & (O_SYNC | O_DSYNC);
}

bool rule_direct(const struct subject *s)
{
	return s->file->flags & O_DIRECT && file_is_on_disk(s->file);
}

uint64_t rule_large_write(const struct subject *s)
{
	return rule_direct(s) ? DIRECT_BUFFER : LARGE_CALL;
}

uint64_t rule_whole_ns(const struct profile *p)
{
	struct whole whole;

	if (!predict_is_watched(p))
		return p->elapsed_ns;
	whole = predict_whole(p, &p->busy, 0);
	return (uint64_t)range_middle(&whole.busy_ns);
}

/* Are there syncs for many of the writes, or do they take much of the run? */
static bool are_often(const struct profile *p, const struct file_call *syncs,
		      const struct file_call *writes)
{
	return rule_ratio(syncs->calls, writes->calls) >= 0.25 ||
	       syncs->total_ns > rule_whole_ns(p) / 20;
}

bool rule_syncs_often(const struct subject *s)
{
	return s->sync.calls && s->alike.syncs >= MIN_CYCLES &&
	       are_often(s->profile, &s->sync, &s->write);
}

bool rule_is_synced_often(const struct profile *p, const struct file_stats *f)
{
	struct file_call syncs, writes;

	file_stats_sum(&syncs, f, ACTION_SYNCS);
	file_stats_sum(&writes, f, ACTION_WRITES);
	return syncs.calls >= MIN_CYCLES && are_often(p, &syncs, &writes);
}

bool rule_begins_anew(const struct subject *s)
{
	return rule_ratio(s->open.anew, s->open.calls - s->open.errors) >= 0.5;
}

bool rule_reopens(const struct subject *s)
{
	double writes = rule_ratio(s->write.calls, s->open.calls);

	return file_is_on_disk(s->file) && !rule_begins_anew(s) && s->alike.opens >= MIN_CYCLES &&
	       s->open.calls - s->open.errors >= MIN_CYCLES_OF_ALIKE && writes >= 0.5 &&
	       writes <= 3;
}

/* May somebody at the other end wait for each run of writes? */
static bool is_awaited(const struct subject *s)
{
	return s->file->kind == FILE_KIND_SOCKET || s->file->kind == FILE_KIND_PIPE ||
	       s->file->kind == FILE_KIND_TTY;
}

static bool is_used_by(const struct file_stats *f, pid_t pid)
{
	for (size_t i = 0; i < f->nr_users; i++)
		if (f->users[i].pid == pid)
			return true;
	return !f->nr_users;
}

static bool answers(const struct profile *p, const struct file_stats *f)
{
	struct file_call read, write;

	if (f->kind != FILE_KIND_SOCKET)
		return false;
	file_stats_sum(&read, f, ACTION_READS);
	file_stats_sum(&write, f, ACTION_WRITES);
	return (file_call_moved(&read) || p->unknown & UNKNOWN_READS) && file_call_moved(&write);
}

bool rule_is_servers(const struct subject *s)
{
	if (!s->file->nr_users)
		return false;
	for (size_t i = 0; i < s->nr_files; i++)
		if (answers(s->profile, &s->files[i]) &&
		    is_used_by(&s->files[i], s->file->users[0].pid))
			return true;
	return false;
}

/* Is it synced for many writes, or every second? One sync at the end is no journal's. */
static bool syncs_now_and_then(const struct subject *s)
{
	return rule_ratio(s->sync.calls, s->write.calls) >= 0.25 ||
	       (s->sync.calls > 1 && s->sync.calls >= s->profile->elapsed_ns / 2000000000);
}

bool rule_is_journal(const struct subject *s)
{
	bool synced = syncs_now_and_then(s) || s->profile->unknown & UNKNOWN_SYNCS;

	return file_is_on_disk(s->file) && synced && rule_is_servers(s);
}

/* Counts the runs of writes by which a program tells somebody else something. */
static uint64_t messages_of(const struct subject *s, const struct file_stats *f)
{
	struct file_call write;

	if ((f->kind != FILE_KIND_SOCKET && f->kind != FILE_KIND_PIPE) || !f->nr_users ||
	    !is_used_by(f, s->file->users[0].pid))
		return 0;
	file_stats_sum(&write, f, ACTION_WRITES);
	return rule_mean(write.runs, f->processes);
}

bool rule_is_confirmed(const struct subject *s, uint64_t records)
{
	uint64_t most = 0;

	for (size_t i = 0; s->file->nr_users && i < s->nr_files; i++) {
		uint64_t messages = messages_of(s, &s->files[i]);

		most = messages > most ? messages : most;
	}
	return most >= records / 2 && most;
}

bool rule_is_datagrams(const struct subject *s)
{
	return s->file->kind == FILE_KIND_SOCKET &&
	       (!strncmp(s->file->path, "udp", 3) || !strncmp(s->file->path, "unix-dgram", 10));
}

bool rule_ends_in_newlines(const struct file_call *write)
{
	double lines = rule_ratio(write->newlines, write->last_byte_known);
	double single = rule_ratio(write->sizes[size_bucket(1)], file_call_moved(write));

	/* Python's print() without a buffer writes the newline by itself, after the line. */
	return lines >= 0.8 || (lines >= 0.4 && single >= 0.8 * lines);
}

/* ---- words ---- */

static void set_text_v(char **text, const char *fmt, va_list args)
{
	free(*text);
	if (vasprintf(text, fmt, args) < 0)
		*text = NULL;
}

void rule_set_text(char **text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set_text_v(text, fmt, args);
	va_end(args);
}

void rule_add_text(char **text, const char *fmt, ...)
{
	char *end = NULL, *whole = NULL;
	va_list args;

	va_start(args, fmt);
	set_text_v(&end, fmt, args);
	va_end(args);
	if (end && *text && asprintf(&whole, "%s%s", *text, end) < 0)
		whole = NULL;
	free(end);
	free(*text);
	*text = whole;
}

void rule_add_escaped(char **text, const char *untrusted)
{
	char *escaped = escape_text_dup(untrusted, strlen(untrusted));

	rule_add_text(text, "%s", escaped ? escaped : "?");
	free(escaped);
}

void rule_tell_delay(struct finding *f, bool sleeps)
{
	if (sleeps)
		f->caveats |= CAVEAT_DELAY;
}

/* Returns bits of enum caveat: what is to be taken care of where records go into a buffer. */
static unsigned caveats_of_gathering(const struct subject *s, enum advice_kind kind)
{
	const struct file_stats *f = s->file;
	bool appends = kind == ADVICE_LINES || kind == ADVICE_REOPEN || f->flags & O_APPEND;
	unsigned caveats = 0;

	if (appends && kind != ADVICE_STDERR && file_is_on_disk(f))
		caveats |= CAVEAT_CRASH;
	if (f->processes > 1)
		caveats |= CAVEAT_PROCESSES;
	else if (f->by_threads)
		caveats |= CAVEAT_THREADS;
	if (file_is_both_outputs(f))
		caveats |= CAVEAT_ORDER;
	if (f->kind == FILE_KIND_PIPE && s->write.runs > 1)
		caveats |= CAVEAT_AWAITED;
	return caveats;
}

void rule_advise(const struct subject *s, struct finding *f, enum advice_kind kind)
{
	bool gathers = kind == ADVICE_LINES || kind == ADVICE_WRITES || kind == ADVICE_REOPEN ||
		       kind == ADVICE_STDERR;

	f->advice = advice_for(kind, s->file);
	f->fix.setting = advice_is_setting(f->advice);
	f->fix.user = s->file->nr_users ? s->file->users[0].pid : 0;
	if (gathers && !f->fix.setting)
		f->caveats |= caveats_of_gathering(s, kind);
}

/* Names the party that a call on the file waits for. */
static const char *waits_for(const struct subject *s, const struct file_call *c)
{
	switch (s->file->kind) {
	case FILE_KIND_PIPE:
		return c == &s->read ? "its writer" : "its reader";
	case FILE_KIND_SOCKET:
		return "the other side";
	case FILE_KIND_TTY:
		return "the terminal";
	case FILE_KIND_REGULAR:
	case FILE_KIND_DELETED:
	case FILE_KIND_BLOCK:
		return "the file system or the disk";
	case FILE_KIND_DEVICE:
		return "the device";
	default:
		return "the kernel";
	}
}

/*
 * Do calls wait for more than 1 % of their time? Then somebody else sets the pace, at least at
 * times.
 */
static bool paced(const struct file_call *c)
{
	return c->wait_ns > c->total_ns / 100;
}

void rule_tell_waiting(const struct subject *s, struct finding *f, const struct file_call *c)
{
	f->wait_ns = c->wait_ns;
	if (paced(c))
		rule_add_text(&f->evidence, "; %.0f %% of their time is waiting for %s",
			      100 * rule_ratio(c->wait_ns, c->total_ns), waits_for(s, c));
}

void rule_tell_cost(struct finding *f, const struct file_call *c, const char *what)
{
	struct fix *fix = &f->fix;

	if (!fix->each) {
		fix->each = what;
		fix->nr_each = c->calls;
	}
	fix->costs[fix->nr_costs].what = what;
	fix->costs[fix->nr_costs++].inside_ps = predict_inside_ps(c);
}

/* ---- predictions ---- */

static enum stream_kind output_of(const struct subject *s)
{
	if (file_is_stdout(s->file))
		return STREAM_STDOUT;
	return rule_ends_in_newlines(&s->write) ? STREAM_TEXT : STREAM_BYTES;
}

uint64_t rule_output_buffer(const struct subject *s)
{
	enum advice_kind kind = rule_ends_in_newlines(&s->write) ? ADVICE_LINES : ADVICE_WRITES;
	uint64_t setting = s->file->kind == FILE_KIND_SOCKET ? 0 : advice_buffer(kind, s->file);

	if (s->buffer_size || setting)
		return s->buffer_size ? s->buffer_size : setting;
	return rule_direct(s) ? DIRECT_BUFFER : languages[s->file->language].output[output_of(s)];
}

uint64_t rule_input_buffer(const struct subject *s)
{
	uint64_t setting = advice_buffer(ADVICE_READS, s->file);

	if (s->buffer_size || setting)
		return s->buffer_size ? s->buffer_size : setting;
	return languages[s->file->language].input;
}

uint64_t rule_gathered_calls(const struct subject *s, const struct file_call *c,
			     uint64_t buffer_size)
{
	const struct file_call *other = c == &s->read ? &s->write : &s->read;
	uint64_t streams = 1, runs, nr;

	/* If both are done, an opening may have been for the other. */
	if (!other->calls)
		streams = s->open.calls - s->open.errors;
	if (!other->calls && streams < s->file->processes)
		streams = s->file->processes;
	if (!streams)
		streams = 1;
	/* A read that slept took all that was there; the next bytes have to be waited for, too. */
	runs = c == &s->read ? c->waits : rule_least(c->runs, rule_runs_of_source(s, c));
	if (is_awaited(s) && streams < runs)
		streams = runs;
	nr = streams * div_round_up(c->bytes / streams, buffer_size);
	if (nr < streams)
		nr = streams;
	/* Reads at the end of the file stay. */
	return c == &s->read ? nr + (c->calls - file_call_moved(c)) : nr;
}

double rule_nr_removed(const struct file_call *c, uint64_t remaining)
{
	return (double)(c->calls - c->waits) * (1 - rule_ratio(remaining, c->calls));
}

struct range rule_wait_removed(const struct subject *s, const struct file_call *c,
			       uint64_t remaining)
{
	double stays = rule_ratio(remaining, c->calls), wait_ns = (double)c->wait_ns;

	if (!s->file || !file_is_on_disk(s->file))
		return (struct range){ 0, 0 };
	/* What goes to the device by itself waits for it by itself. */
	if (rule_direct(s) && stays * DIRECT_COST < 1)
		return (struct range){ wait_ns * (1 - stays * DIRECT_COST), wait_ns * (1 - stays) };
	return (struct range){ 0, wait_ns * (1 - stays) };
}

void rule_predict(struct finding *f, uint64_t calls, const struct removal *removals, size_t nr,
		  uint64_t wait_ns)
{
	f->predicted = true;
	f->predicted_calls = calls;
	memcpy(f->fix.removals, removals, nr * sizeof(*removals));
	f->fix.nr_removals = nr;
	f->fix.wait_ns = wait_ns;
}

/* Are there as many other calls on the file as these, such as those that lock it? */
static bool has_locks(const struct subject *s, const struct file_call *c)
{
	uint64_t known = s->read.calls + s->write.calls + s->failed.calls + s->open.calls +
			 s->close.calls + s->copy.calls + s->seeks;

	return s->all.calls - rule_least(known, s->all.calls) >= c->calls;
}

/* Returns the calls on the file that are as many, such as seeks before each write. */
static struct file_call companions(const struct subject *s, const struct file_call *c)
{
	struct file_call sum = { 0 };

	for (size_t i = 0; i < s->file->nr_calls; i++) {
		const struct file_call *other = &s->file->calls[i];
		enum syscall_action action = syscall_traits_by_name(other->name).action;

		if (action == ACTION_WRITES || (c == &s->read && action == ACTION_READS) ||
		    action == ACTION_OPENS || action == ACTION_CLOSES ||
		    other->calls < c->calls / 4 * 3)
			continue;
		file_call_merge(&sum, other);
	}
	return sum;
}

/*
 * Time that was slept for somebody else stays. Where the other end sets the pace, all the rest may
 * stay as well: a program that works less then waits longer. Time that was slept for the file, its
 * lock or its disk, goes with the calls, at most all of it.
 */
void rule_predict_gathered(const struct subject *s, struct finding *f, const struct file_call *c,
			   const struct together *with, uint64_t buffer_size)
{
	enum syscall_action action = c == &s->read ? ACTION_READS : ACTION_WRITES;
	const struct work_around *around = &work_around[s->file->language];
	uint64_t nr = rule_gathered_calls(s, c, buffer_size);
	uint64_t nr_with = rule_least(nr * with->kinds, with->calls.calls);
	struct file_call beside = companions(s, c), wakes = { 0 };
	bool pool = rule_by_pool(s, c, &wakes);
	struct removal removals[] = {
		rule_removal(c, rule_nr_removed(c, nr)),
		rule_removal(&with->calls, rule_nr_removed(&with->calls, nr_with)),
		rule_removal(&beside, rule_nr_removed(&beside, 0)),
		rule_removal(&wakes, rule_nr_removed(&wakes, rule_least(2 * nr, wakes.calls))),
	};

	if (nr >= c->calls)
		return;
	if (c == &s->write)
		removals[0].around = rule_ends_in_newlines(c) ? around->line : around->piece;
	else if (c == &s->read)
		removals[0].around = around->read;
	removals[0].wait_ns = rule_wait_removed(s, c, nr);
	removals[0].moved =
		predict_moved_bytes(s->files, s->nr_files, s->file, action, buffer_size);
	f->fix.own_work = pool || has_locks(s, c);
	/* Who sleeps until his own threads are awake is in no slack. */
	if (pool)
		f->fix.busy.slack_ns = sub_saturated(f->fix.busy.slack_ns, 2 * WAKE_NS * c->calls);
	removals[2].nr.low = 0;
	f->fix.doubt = "how many of the file's other calls go with them is not known";
	f->fix.doubtful_ns = beside.total_ns;
	if (paced(c) && !file_is_on_disk(s->file))
		f->fix.paced = "whoever is at the other end may set the pace";
	rule_predict(f, nr * (1 + with->kinds), removals, ARRAY_SIZE(removals), c->wait_ns);
	rule_tell_cost(f, c, action == ACTION_READS ? "read" : "write");
	if (with->kinds)
		rule_tell_cost(f, &with->calls, "call that goes with it");
}
