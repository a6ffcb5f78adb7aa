// SPDX-License-Identifier: GPL-2.0
#include "model/findings.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/errno_name.h"
#include "base/text.h"
#include "model/files.h"

/* Fewer calls are not a habit. */
#define MIN_CALLS  100
#define MIN_CYCLES 50 /* of several calls each: openings, syncs */
/* Calls with fewer bytes are small: they cost what the call costs, whatever the bytes. */
#define SMALL_BYTES 512

/* One file, its calls by what they do, and what all rules share. */
struct subject {
	const struct profile *profile;
	const struct file_stats *file; /* NULL: the rule is about all of them */
	const struct file_stats *files;
	size_t nr_files;
	uint64_t buffer_size;
	const struct iotrace_busy *busy;
	struct range busy_ns; /* of the processes concerned, without iotrace */
	struct file_call all, read, write, open, close, sync;
};

struct rule {
	const char *id;
	bool of_run; /* looked at once, not for each file */
	bool slept;  /* it is about time that is slept: fewer calls sleep less */
	/* Does it apply? Fills in calls, total time, evidence and prediction. */
	bool (*judge)(const struct subject *s, struct finding *f, uint64_t *total_ns);
};

const char *severity_name(enum severity severity)
{
	static const char *const names[NR_SEVERITIES] = { "info", "low", "medium", "high" };

	return names[severity];
}

/* Do the calls' times say what a fix would gain? */
static bool times_hold(const struct profile *p)
{
	return !(p->unknown & (UNKNOWN_LATENCY | UNKNOWN_GAINS));
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static uint64_t mean(uint64_t total, uint64_t nr)
{
	return nr ? total / nr : 0;
}

/* Do calls wait for more than 1 % of their time? Then it is somebody else who sets the pace, at least at times. */
static bool paced(const struct file_call *c)
{
	return c->wait_ns > c->total_ns / 100;
}

static bool on_disk(const struct subject *s)
{
	return s->file->kind == FILE_KIND_REGULAR || s->file->kind == FILE_KIND_DELETED ||
	       s->file->kind == FILE_KIND_BLOCK;
}

static bool ends_in_newlines(const struct file_call *write)
{
	return write->last_byte_known && ratio(write->newlines, write->last_byte_known) >= 0.8;
}

/* Writes that jump to another position each time are not a stream that a buffer could gather. */
static bool is_stream(const struct file_call *write)
{
	return !write->positioned || ratio(write->sequential, write->positioned) >= 0.5;
}

static bool syncs_often(const struct subject *s)
{
	return s->sync.calls >= MIN_CYCLES && ratio(s->sync.calls, s->write.calls) >= 0.25;
}

static bool synchronous(const struct subject *s)
{
	return s->file->flags & (O_SYNC | O_DSYNC);
}

static bool reopens(const struct subject *s)
{
	return on_disk(s) && s->open.calls - s->open.errors >= MIN_CYCLES && s->write.calls &&
	       ratio(s->write.calls, s->open.calls) <= 3;
}

static void set_text_v(char **text, const char *fmt, va_list args)
{
	free(*text);
	if (vasprintf(text, fmt, args) < 0)
		*text = NULL;
}

static void __attribute__((format(printf, 2, 3))) set_text(char **text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set_text_v(text, fmt, args);
	va_end(args);
}

/* Appends to a text; NULL, without memory, stays NULL. */
static void __attribute__((format(printf, 2, 3))) add_text(char **text, const char *fmt, ...)
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

/* What a call on the file waits for. */
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

/* The share of the calls' time that fewer calls would not save, as a part of the evidence. */
static void tell_waiting(const struct subject *s, struct finding *f, const struct file_call *c)
{
	f->wait_ns = c->wait_ns;
	if (paced(c))
		add_text(&f->evidence, "; waits for %s: %.0f %% of this time stays",
			 waits_for(s, c), 100 * ratio(c->wait_ns, c->total_ns));
}

static const char *format_ps(char *buf, size_t size, double ps)
{
	return format_ns(buf, size, (uint64_t)(ps / 1000 + 0.5));
}

/* "a write takes 917ns under iotrace, 871ns without" */
static void tell_cost(const struct subject *s, struct finding *f, const struct file_call *c,
		      const char *what)
{
	double inside = predict_inside_ps(c);
	char traced[24], bare[24];

	if (!f->basis) /* a failed one stays NULL */
		set_text(&f->basis, "%s", "");
	add_text(&f->basis, "%s%s takes %s under iotrace, %s without", *f->basis ? "; " : "", what,
		 format_ps(traced, sizeof(traced), inside),
		 format_ps(bare, sizeof(bare), predict_bare_ps(&s->profile->calibration, inside)));
}

static void tell_byte_cost(struct finding *f, const struct byte_cost *cost, uint64_t buffer_size)
{
	char size[24], *path = NULL;

	if (!cost->known)
		return;
	add_text(&f->basis, "; each byte %.2f to %.2f ns more, by ", cost->ps.low / 1000,
		 cost->ps.high / 1000);
	if (cost->seen_on) {
		path = escape_text_dup(cost->seen_on->path, strlen(cost->seen_on->path));
		add_text(&f->basis, "the larger calls on %s", path ? path : "another file");
		free(path);
	} else {
		add_text(&f->basis, "a measurement on a file in memory");
	}
	add_text(&f->basis, ", in calls of %s", format_bytes(size, sizeof(size), buffer_size));
}

/* The share of the calls that goes away, of those that do not sleep. */
static double nr_removed(const struct file_call *c, uint64_t remaining)
{
	return (double)(c->calls - c->waits) * (1 - ratio(remaining, c->calls));
}

/* What a gain is a share of: the time that the programs are busy, or wait in these calls. */
static struct range busy_or_waiting(const struct subject *s, uint64_t wait_ns)
{
	struct range r = s->busy_ns;

	/* The run's time, which is taken otherwise, includes the waiting. */
	if (busy_known(s->busy)) {
		r.low += (double)wait_ns;
		r.high += (double)wait_ns;
	}
	return r;
}

/*
 * Predicts small calls gathered into calls of the buffer's size. Time that was slept stays; and where the other end
 * sets the pace, so may all the rest, for who works less then waits longer.
 */
static void predict_gathered(const struct subject *s, struct finding *f, const struct file_call *c)
{
	enum syscall_action action = c == &s->read ? ACTION_READS : ACTION_WRITES;
	uint64_t size = s->buffer_size, nr = (c->bytes + size - 1) / size;
	struct removal removal = { .call = c };
	struct range whole_ns = busy_or_waiting(s, c->wait_ns);

	if (nr >= c->calls)
		return;
	f->predicted = true;
	f->predicted_calls = nr;
	removal.nr = nr_removed(c, nr);
	removal.stays = predict_byte_cost(s->profile, s->files, s->nr_files, s->file, action, size);
	f->gain = predict_gain(s->profile, &removal, 1, &whole_ns);
	if (!f->gain.known)
		return;
	if (paced(c))
		f->gain.syscall_ns.low = f->gain.wall_ns.low = f->gain.share.low = 0;
	tell_cost(s, f, c, action == ACTION_READS ? "a read" : "a write");
	tell_byte_cost(f, &removal.stays, size);
}

static void tell_writes(const struct subject *s, struct finding *f)
{
	const struct file_call *w = &s->write;
	char bytes[24];

	format_bytes(bytes, sizeof(bytes), mean(w->bytes, file_call_moved(w)));
	if (w->last_byte_known)
		set_text(&f->evidence,
			 "%" PRIu64 " writes of %s on average; %.0f %% of them end in a newline",
			 w->calls, bytes, 100 * ratio(w->newlines, w->last_byte_known));
	else
		set_text(&f->evidence, "%" PRIu64 " writes of %s on average", w->calls, bytes);
}

/* Many small writes, unless another rule explains them better. */
static bool writes_little(const struct subject *s, uint64_t bytes)
{
	uint64_t moved = file_call_moved(&s->write);

	return moved >= MIN_CALLS && mean(s->write.bytes, moved) < bytes && !syncs_often(s) &&
	       !synchronous(s) && !reopens(s);
}

/* Why buffering is not good advice for this file; NULL if it is. */
static const char *excuse(const struct subject *s)
{
	if (s->file->kind == FILE_KIND_TTY)
		return "This is a terminal, where streams are line-buffered so that each line "
		       "appears at once: there is nothing to gain.";
	if (s->file->kind == FILE_KIND_SOCKET)
		return "This is a socket: the other side may wait for each message. If it does "
		       "not, gather them in user space, or use MSG_MORE or TCP_CORK.";
	if (s->file->is_stderr)
		return "This is standard error, which is unbuffered (cerr has unitbuf set) so that "
		       "messages survive a crash. For bulk output, use std::clog or `std::cerr << "
		       "std::nounitbuf`.";
	if (s->file->kind == FILE_KIND_EVENTFD || s->file->kind == FILE_KIND_ANON)
		return "These are signals between threads, not output.";
	return NULL;
}

/* Small writes to a file, with the advice to gather them unless the file has an excuse. */
static bool advise_gathering(const struct subject *s, struct finding *f, uint64_t *total_ns,
			     const char *advice)
{
	f->calls = s->write.calls;
	*total_ns = s->write.total_ns;
	tell_writes(s, f);
	tell_waiting(s, f, &s->write);
	f->advice = excuse(s);
	if (f->advice)
		return true;
	predict_gathered(s, f, &s->write);
	f->advice = advice;
	return true;
}

static bool judge_lines(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	if (!writes_little(s, s->buffer_size / 4) || !ends_in_newlines(&s->write))
		return false;
	return advise_gathering(
		s, f, total_ns,
		"Each line is flushed by itself. End lines with '\\n' instead of std::endl, drop "
		"fflush() and line buffering (setvbuf(f, NULL, _IOFBF, 1 << 16); python: "
		"without -u; log formats: buffer=64k).");
}

static bool judge_tiny_writes(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	if (!writes_little(s, SMALL_BYTES) || ends_in_newlines(&s->write) || !is_stream(&s->write))
		return false;
	return advise_gathering(
		s, f, total_ns,
		"The output is not buffered. Write through a buffer: fwrite() or an ofstream "
		"without unitbuf instead of write(), or gather the parts and use writev().");
}

static bool judge_tiny_reads(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	const struct file_call *r = &s->read;
	uint64_t moved = file_call_moved(r);
	char bytes[24];

	if (moved < MIN_CALLS || mean(r->bytes, moved) >= SMALL_BYTES || !r->bytes ||
	    (!on_disk(s) && s->file->kind != FILE_KIND_PIPE))
		return false;
	f->calls = r->calls;
	*total_ns = r->total_ns;
	format_bytes(bytes, sizeof(bytes), mean(r->bytes, moved));
	set_text(&f->evidence, "%" PRIu64 " reads of %s on average", moved, bytes);
	tell_waiting(s, f, r);
	predict_gathered(s, f, r);
	f->advice = "The input is not buffered. Read through a buffer: fread() or an ifstream "
		    "instead of read(), or read() into one of 64 KiB.";
	return true;
}

/* Predicts a file that is kept open: opened and closed once, and its records buffered, as streams do. */
static void predict_kept_open(const struct subject *s, struct finding *f)
{
	uint64_t nr = (s->write.bytes + s->buffer_size - 1) / s->buffer_size;
	struct removal removals[] = {
		{ .call = &s->open, .nr = nr_removed(&s->open, 1) },
		{ .call = &s->close, .nr = s->close.calls ? nr_removed(&s->close, 1) : 0 },
		{ .call = &s->write },
	};

	if (nr > s->write.calls)
		nr = s->write.calls;
	f->predicted = true;
	f->predicted_calls = 1 + (s->close.calls != 0) + nr;
	removals[2].nr = nr_removed(&s->write, nr);
	removals[2].stays = predict_byte_cost(s->profile, s->files, s->nr_files, s->file,
					      ACTION_WRITES, s->buffer_size);
	f->gain = predict_gain(s->profile, removals, 3, &s->busy_ns);
	if (!f->gain.known)
		return;
	tell_cost(s, f, &s->open, "an opening");
	tell_cost(s, f, &s->write, "a write");
	tell_byte_cost(f, &removals[2].stays, s->buffer_size);
}

static bool judge_reopen(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	char bytes[24];

	if (!reopens(s))
		return false;
	f->calls = s->open.calls + s->close.calls + s->write.calls;
	*total_ns = s->open.total_ns + s->close.total_ns + s->write.total_ns;
	set_text(&f->evidence,
		 "opened %" PRIu64 " times and closed %" PRIu64
		 " times, with %.1f writes of %s in between",
		 s->open.calls, s->close.calls, ratio(s->write.calls, s->open.calls),
		 format_bytes(bytes, sizeof(bytes),
			      mean(s->write.bytes, file_call_moved(&s->write))));
	predict_kept_open(s, f);
	f->advice = "The file is opened anew for every record. Open it once and keep it open (with "
		    "O_APPEND; after a log rotation, reopen it on SIGHUP or when the date changes; "
		    "shell: `exec 3>>file`, then `>&3`).";
	return true;
}

static bool judge_sync(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	bool flagged = synchronous(s) && s->write.calls >= MIN_CYCLES;
	char flags[32];

	if (!flagged && !syncs_often(s))
		return false;
	f->calls = s->sync.calls + (flagged ? s->write.calls : 0);
	*total_ns = s->sync.total_ns + (flagged ? s->write.total_ns : 0);
	if (flagged)
		set_text(&f->evidence, "%" PRIu64 " writes to a file opened with %s",
			 s->write.calls,
			 file_flags_text(flags, s->file->flags & (O_SYNC | O_DSYNC)));
	else
		set_text(&f->evidence, "%" PRIu64 " syncs to %" PRIu64 " writes", s->sync.calls,
			 s->write.calls);
	f->wait_ns = s->sync.wait_ns + (flagged ? s->write.wait_ns : 0);
	if (f->wait_ns)
		add_text(&f->evidence, "; %.0f %% of their time was slept, as syncing is waiting",
			 100 * ratio(f->wait_ns, *total_ns));
	f->advice =
		"Every write waits for the disk. That is necessary if each record must be safe "
		"before the next one. Otherwise commit in groups: one fsync() for many records, "
		"one transaction for many inserts (BEGIN ... COMMIT), appendfsync everysec.";
	return true;
}

/* The most frequent errno of all writes of the run; errnos are not counted per file. */
static int most_frequent_errno(const struct profile *p)
{
	uint64_t most = 0;
	int err = 0;

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *c = &p->syscalls[i];

		for (size_t j = 0;
		     syscall_traits_by_name(c->name).action == ACTION_WRITES && j < c->nr_errnos;
		     j++) {
			if (c->errnos[j].count <= most)
				continue;
			most = c->errnos[j].count;
			err = c->errnos[j].err;
		}
	}
	return err;
}

static bool judge_write_errors(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	int err = most_frequent_errno(s->profile);
	char name[24];

	if (s->write.errors < MIN_CYCLES / 5 || s->file->kind == FILE_KIND_INVALID)
		return false;
	f->calls = s->write.errors;
	*total_ns = mean(s->write.total_ns, s->write.calls) * s->write.errors;
	set_text(&f->evidence, "%" PRIu64 " of %" PRIu64 " writes failed%s%s", s->write.errors,
		 s->write.calls, err ? "; most frequent of all writes: " : "",
		 err ? format_errno(name, sizeof(name), err) : "");
	if (err == EAGAIN)
		f->advice = "The program writes to a full pipe or socket again and again: wait for "
			    "room with poll() or epoll_wait() (POLLOUT) before the next write.";
	else if (err == EPIPE)
		f->advice = "The reader has gone: stop writing at the first EPIPE.";
	else
		f->advice =
			"Data that could not be written is lost unless it is written again: stop "
			"at the first such error and report it; check the disk's space and the "
			"quota.";
	f->severity = err == EAGAIN || err == EPIPE || err == EINTR ? SEVERITY_INFO : SEVERITY_LOW;
	return true;
}

static bool judge_short_writes(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	if (s->write.cut_short < MIN_CYCLES || s->file->kind == FILE_KIND_TTY)
		return false;
	f->calls = s->write.cut_short;
	*total_ns = mean(s->write.total_ns, s->write.calls) * s->write.cut_short;
	set_text(&f->evidence, "%" PRIu64 " of %" PRIu64 " writes wrote less than they were given",
		 s->write.cut_short, s->write.calls);
	f->advice = "The rest must be written again, after waiting for room (POLLOUT). Larger "
		    "buffers at the other end (F_SETPIPE_SZ, SO_SNDBUF) make this rarer.";
	return true;
}

static bool is_missing(const struct file_stats *f)
{
	return f->kind == FILE_KIND_FAILED && f->err == ENOENT;
}

/* Predicts that none of the openings that fail is made. */
static void predict_no_search(const struct subject *s, struct finding *f)
{
	struct file_call failed = { 0 };
	struct removal removal = { .call = &failed };

	for (size_t i = 0; i < s->nr_files; i++)
		for (size_t j = 0; j < s->files[i].nr_calls; j++)
			if (is_missing(&s->files[i]))
				file_call_merge(&failed, &s->files[i].calls[j]);
	removal.nr = nr_removed(&failed, 0);
	f->predicted = true;
	f->gain = predict_gain(s->profile, &removal, 1, &s->busy_ns);
	if (f->gain.known)
		tell_cost(s, f, &failed, "an opening that fails");
}

static bool judge_failed_opens(const struct subject *s, struct finding *f, uint64_t *total_ns)
{
	const struct file_stats *most = NULL;
	uint64_t paths = 0, most_calls = 0, opens = 0;
	char *path;

	for (size_t i = 0; i < s->nr_files; i++) {
		struct file_call open;

		file_stats_sum(&open, &s->files[i], ACTION_OPENS);
		opens += open.calls;
		if (!is_missing(&s->files[i]))
			continue;
		paths++;
		f->calls += open.calls;
		*total_ns += open.total_ns;
		if (open.calls > most_calls) {
			most_calls = open.calls;
			most = &s->files[i];
		}
	}
	if (!most || f->calls < MIN_CALLS)
		return false;
	f->path = strdup(most->path);
	f->kind = file_kind_name(most->kind);
	path = escape_text_dup(most->path, strlen(most->path));
	set_text(&f->evidence,
		 "%" PRIu64 " of %" PRIu64 " openings were of %" PRIu64
		 " paths that do not exist; %s alone %" PRIu64 " times",
		 f->calls, opens, paths, path ? path : "?", most_calls);
	free(path);
	predict_no_search(s, f);
	f->advice = "A program searches directories that do not contain the file. Shorten or "
		    "reorder the search path (LD_LIBRARY_PATH, PYTHONPATH, -I), or remember "
		    "which files are missing.";
	return true;
}

static const struct rule rules[] = {
	{ "sync-per-write", false, true, judge_sync },
	{ "reopen-per-record", false, false, judge_reopen },
	{ "flush-per-line", false, false, judge_lines },
	{ "tiny-writes", false, false, judge_tiny_writes },
	{ "tiny-reads", false, false, judge_tiny_reads },
	{ "write-errors", false, false, judge_write_errors },
	{ "short-writes", false, false, judge_short_writes },
	{ "failed-open-search", true, false, judge_failed_opens },
};

const char *findings_id(size_t i)
{
	return i < sizeof(rules) / sizeof(*rules) ? rules[i].id : NULL;
}

static enum severity severity_of(double share)
{
	return share >= 0.2    ? SEVERITY_HIGH
	       : share >= 0.05 ? SEVERITY_MEDIUM
	       : share >= 0.01 ? SEVERITY_LOW
			       : SEVERITY_INFO;
}

static void free_finding(struct finding *f)
{
	free(f->path);
	free(f->evidence);
	free(f->basis);
}

static int add_finding(struct findings *f, const struct finding *found)
{
	struct finding *added = array_append(&f->list, &f->nr, sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = *found;
	return 0;
}

/* What calls take of that. */
static double share_of_busy(const struct subject *s, double total_ns, uint64_t wait_ns,
			    uint64_t calls)
{
	struct range whole = busy_or_waiting(s, wait_ns);
	double calls_ns = predict_calls_ns(s->profile, total_ns, calls);
	double whole_ns = (whole.low + whole.high) / 2;

	if (calls_ns <= 0)
		return 0;
	return calls_ns < whole_ns ? calls_ns / whole_ns : 1;
}

static int apply(struct findings *f, const struct rule *rule, const struct subject *s)
{
	struct finding found = { .id = rule->id };
	uint64_t total_ns = 0;
	double gain = 0;
	int err = 0;

	if (!rule->judge(s, &found, &total_ns))
		goto none;
	if (!found.path) {
		found.path = strdup(s->file->path);
		found.kind = file_kind_name(s->file->kind);
	}
	if (times_hold(s->profile)) {
		found.share = share_of_busy(s, (double)total_ns, found.wait_ns, found.calls);
		if (!rule->slept)
			total_ns -= found.wait_ns < total_ns ? found.wait_ns : total_ns;
		gain = share_of_busy(s, (double)total_ns, found.wait_ns, found.calls);
	}
	if (found.gain.known)
		gain = (found.gain.share.low + found.gain.share.high) / 2;
	/* A finding without a gain stays at info, however long the calls took. */
	if (!(s->file && excuse(s) && found.advice == excuse(s)) &&
	    severity_of(gain) > found.severity)
		found.severity = severity_of(gain);
	if (!found.path || !found.evidence)
		err = -ENOMEM;
	else
		err = add_finding(f, &found);
	if (!err)
		return 0;
none:
	free_finding(&found);
	return err;
}

static int by_severity(const void *x, const void *y)
{
	const struct finding *a = x, *b = y;

	if (a->severity != b->severity)
		return b->severity > a->severity ? 1 : -1;
	if (a->share != b->share)
		return b->share > a->share ? 1 : -1;
	return strcmp(a->path, b->path);
}

/* All rules of a kind on one subject. */
static int judge(struct findings *f, const struct subject *s, bool of_run)
{
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].of_run == of_run)
			err = apply(f, &rules[i], s);
	return err;
}

static int judge_file(struct findings *f, struct subject *s, const struct file_stats *file)
{
	if (file->kind == FILE_KIND_OTHER || file->kind == FILE_KIND_FAILED)
		return 0;
	s->file = file;
	s->busy = &file->busy;
	s->busy_ns = predict_busy_ns(s->profile, s->busy);
	file_stats_sum(&s->all, file, NR_SYSCALL_ACTIONS);
	file_stats_sum(&s->read, file, ACTION_READS);
	file_stats_sum(&s->write, file, ACTION_WRITES);
	file_stats_sum(&s->open, file, ACTION_OPENS);
	file_stats_sum(&s->close, file, ACTION_CLOSES);
	file_stats_sum(&s->sync, file, ACTION_SYNCS);
	return judge(f, s, false);
}

int findings_make(struct findings *f, const struct profile *p, const struct file_stats *files,
		  size_t nr_files, uint64_t buffer_size)
{
	struct subject s = {
		.profile = p, .files = files, .nr_files = nr_files, .buffer_size = buffer_size
	};
	int err = 0;

	memset(f, 0, sizeof(*f));
	for (size_t i = 0; !err && i < nr_files; i++)
		err = judge_file(f, &s, &files[i]);
	s.file = NULL;
	s.busy = &p->busy;
	s.busy_ns = predict_busy_ns(p, s.busy);
	if (!err)
		err = judge(f, &s, true);
	if (f->nr)
		qsort(f->list, f->nr, sizeof(*f->list), by_severity);
	if (err)
		findings_free(f);
	return err;
}

void findings_free(struct findings *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free_finding(&f->list[i]);
	free(f->list);
	memset(f, 0, sizeof(*f));
}
