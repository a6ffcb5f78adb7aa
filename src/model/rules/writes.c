// SPDX-License-Identifier: GPL-2.0
/* Small writes that a buffer would gather: flushed lines, and output without a buffer. */
#include <string.h>

#include "model/rules/rule.h"

/* A buffer cannot gather writes that jump to another position each time. */
static bool is_stream(const struct subject *s)
{
	const struct file_call *w = &s->write;

	/* It may seek to where it is. */
	if (w->positioned >= file_call_moved(w) / 2 && w->positioned)
		return rule_ratio(w->sequential, w->positioned) >= 0.75;
	return !s->seeks || s->seeks < file_call_moved(w) / 2;
}

/* Is it a character device that is more than a source and a sink of bytes? */
static bool takes_messages(const struct file_stats *f)
{
	return f->kind == FILE_KIND_DEVICE && strcmp(f->path, "/dev/null") &&
	       strcmp(f->path, "/dev/zero") && strcmp(f->path, "/dev/full");
}

/* Returns the advice instead of buffering, where that is no good advice; otherwise ADVICE_NONE. */
static enum advice_kind excuse(const struct subject *s)
{
	if (s->file->kind == FILE_KIND_TTY)
		return ADVICE_TERMINAL;
	if (s->file->kind == FILE_KIND_EVENTFD || s->file->kind == FILE_KIND_ANON ||
	    rule_is_own_reader(s))
		return ADVICE_SIGNALS;
	if (rule_is_datagrams(s))
		return ADVICE_DATAGRAMS;
	if (takes_messages(s->file))
		return ADVICE_MESSAGES;
	if (rule_is_journal(s))
		return ADVICE_JOURNAL;
	if (rule_are_passed_on(&s->write))
		return ADVICE_PASSED_ON;
	if (s->file->kind == FILE_KIND_SOCKET && s->profile->unknown & UNKNOWN_READS)
		return ADVICE_ANSWERS;
	if (file_is_on_disk(s->file) && !file_is_stdout(s->file) && !file_is_stderr(s->file) &&
	    s->profile->unknown & UNKNOWN_SYNCS)
		return ADVICE_UNSYNCED;
	return ADVICE_NONE;
}

static void tell_writes(const struct subject *s, struct finding *f)
{
	const struct file_call *w = &s->write;

	rule_set_text(&f->evidence, "%s writes of %s", COUNT(w->calls), BYTES(rule_mean_bytes(w)));
	if (rule_ratio(w->newlines, w->last_byte_known) >= 0.995)
		rule_add_text(&f->evidence, ", each a line: every line is flushed by itself");
	else if (rule_ends_in_newlines(w))
		rule_add_text(&f->evidence,
			      ", %.0f %% of which end a line: lines are flushed one by one",
			      100 * rule_ratio(w->newlines, w->last_byte_known));
	else
		rule_add_text(&f->evidence, ": the output is not buffered");
}

static void tell_source(struct finding *f, const struct together *source)
{
	rule_add_text(&f->evidence, "; %s reads of ", COUNT(source->calls.calls));
	rule_add_escaped(&f->evidence, source->file->path);
	rule_add_text(&f->evidence, " bring them");
}

static void tell_readers(struct finding *f, const struct together *readers)
{
	rule_add_text(&f->evidence, "; %s more calls read them", COUNT(readers->calls.calls));
	if (readers->file) {
		rule_add_text(&f->evidence, " and pass them on to ");
		rule_add_escaped(&f->evidence, readers->file->path);
	}
	if (readers->files > 1)
		rule_add_text(&f->evidence, " and %" PRIu64 " more", readers->files - 1);
}

/* Tells which other calls are as many because of the writes, and returns them. */
static struct together tell_together(const struct subject *s, struct finding *f)
{
	struct together with = rule_copied(s, ACTION_READS, &s->write);

	if (with.kinds) {
		tell_source(f, &with);
		return with;
	}
	with = rule_passed_further(s);
	if (with.kinds)
		tell_readers(f, &with);
	return with;
}

/* Would a buffer save half of the writes or more, and does no other rule explain them better? */
static bool writes_little(const struct subject *s)
{
	return file_call_moved(&s->write) >= MIN_CALLS &&
	       rule_mean_bytes(&s->write) < rule_large_write(s) && is_stream(s) &&
	       rule_gathered_calls(s, &s->write, rule_output_buffer(s)) <= s->write.calls / 2 &&
	       !rule_syncs_often(s) && !rule_synchronous(s) && !rule_reopens(s) &&
	       !rule_is_temporary(s);
}

/* Reports small writes. The advice is to gather them, unless the file has an excuse. */
static bool advise_gathering(const struct subject *s, struct finding *f, enum advice_kind advice)
{
	enum advice_kind excused = excuse(s);
	struct together with = { 0 };

	tell_writes(s, f);
	if (excused == ADVICE_NONE)
		with = tell_together(s, f);
	f->calls = s->write.calls + with.calls.calls;
	f->fix.total_ns = s->write.total_ns + file_call_running_ns(&with.calls);
	rule_tell_waiting(s, f, &s->write);
	f->excused = excused != ADVICE_NONE;
	if (f->excused)
		advice = excused;
	else if (file_is_stderr(s->file))
		advice = ADVICE_STDERR;
	rule_advise(s, f, advice);
	if (!f->excused)
		rule_predict_gathered(s, f, &s->write, &with, rule_output_buffer(s));
	rule_tell_delay(f, f->predicted && file_is_on_disk(s->file) &&
				   s->write.runs > f->predicted_calls);
	return true;
}

static bool judge_lines(const struct subject *s, struct finding *f)
{
	if (!writes_little(s) || !rule_ends_in_newlines(&s->write) ||
	    s->file->kind == FILE_KIND_SOCKET)
		return false;
	return advise_gathering(s, f, ADVICE_LINES);
}

static bool judge_pieces(const struct subject *s, struct finding *f)
{
	bool socket = s->file->kind == FILE_KIND_SOCKET;

	if (!writes_little(s) || (rule_ends_in_newlines(&s->write) && !socket))
		return false;
	return advise_gathering(s, f, socket ? ADVICE_SOCKET : ADVICE_WRITES);
}

const struct rule rule_flush_per_line = { "flush-per-line", false, ABOUT(WRITES), judge_lines };
const struct rule rule_tiny_writes = { "tiny-writes", false, ABOUT(WRITES), judge_pieces };
