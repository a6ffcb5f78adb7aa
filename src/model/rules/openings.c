// SPDX-License-Identifier: GPL-2.0
/* Files that are opened again and again: to write each record, or to read the same bytes. */
#include <string.h>

#include "base/arithmetic.h"
#include "model/rules/rule.h"

/* rule_reread judges files up to this size: of a larger one, reading takes longer than opening. */
#define REREAD_SIZE (16 << 20)
/* With more, each opening is for other parts of a large file. */
#define MAX_JUMPS 8
/* Parsing what was read takes up to so many times the lightest call. */
#define PARSING 3

static void take_out(struct file_call *rest, const struct file_call *part)
{
	rest->calls -= part->calls;
	rest->total_ns -= part->total_ns;
	rest->waits -= part->waits;
	rest->wait_ns -= part->wait_ns;
}

/* All calls on the file except openings, closes and writes. */
static struct file_call others(const struct subject *s)
{
	struct file_call rest = s->all;

	take_out(&rest, &s->open);
	take_out(&rest, &s->close);
	take_out(&rest, &s->write);
	rest.bytes = 0;
	return rest;
}

/* Returns the least number of openings: one by each process. */
static uint64_t necessary_openings(const struct subject *s)
{
	uint64_t nr = s->file->processes ? s->file->processes : 1;

	return rule_least(nr, s->open.calls);
}

/* Returns the writes that remain on a file that is kept open, in buffers of the language. */
static uint64_t kept_writes(const struct subject *s, uint64_t openings)
{
	uint64_t size = rule_output_buffer(s), nr;

	nr = openings * div_round_up(s->write.bytes / openings, size);
	return rule_least(nr > openings ? nr : openings, s->write.calls);
}

static struct removal removal_of(const struct subject *s, const struct file_call *c,
				 uint64_t remaining)
{
	uint64_t nr = rule_least(remaining, c->calls);
	struct removal removal = rule_removal(c, rule_nr_removed(c, nr));

	removal.wait_ns = rule_wait_removed(s, c, nr);
	return removal;
}

/* Predicts so many openings and writes. */
static void predict_kept_open(const struct subject *s, struct finding *f, uint64_t openings,
			      uint64_t nr)
{
	struct file_call rest = others(s);
	struct removal removals[] = {
		removal_of(s, &s->open, openings),
		removal_of(s, &s->close, openings),
		removal_of(s, &rest, rest.calls * openings / s->open.calls),
		removal_of(s, &s->write, nr),
	};

	removals[0].around = work_around[s->file->language].opening;
	removals[3].around = work_around[s->file->language].piece;
	if (nr < s->write.calls)
		removals[3].moved = predict_moved_bytes(s->files, s->nr_files, s->file,
							ACTION_WRITES, rule_output_buffer(s));
	f->fix.own_work = true;
	rule_predict(f, openings + rule_least(openings, s->close.calls) + nr, removals, 4,
		     s->all.wait_ns);
	rule_tell_delay(f, nr < s->write.calls &&
				   predict_whole(s->profile, s->busy, s->all.wait_ns).idle);
	rule_tell_cost(f, &s->open, "opening");
	rule_tell_cost(f, &s->write, "write");
}

/* Says what is done to the file in each cycle. */
static void tell_cycles(const struct subject *s, struct finding *f, const char *opened)
{
	f->calls = s->open.calls + s->close.calls + s->write.calls;
	rule_set_text(&f->evidence,
		      "%s %s times and closed %s times, with %.1f writes of %s in between", opened,
		      COUNT(s->open.calls), COUNT(s->close.calls),
		      rule_ratio(s->write.calls, s->open.calls), BYTES(rule_mean_bytes(&s->write)));
}

static bool judge_reopen(const struct subject *s, struct finding *f)
{
	uint64_t openings = necessary_openings(s);

	if (!rule_reopens(s) || s->open.calls < 2 * openings)
		return false;
	tell_cycles(s, f, "opened");
	f->fix.total_ns = s->open.total_ns + s->close.total_ns + s->write.total_ns;
	predict_kept_open(s, f, openings, kept_writes(s, openings));
	rule_advise(s, f, ADVICE_REOPEN);
	return true;
}

/*
 * Judges a file that is emptied and written anew each time. A file that is made anew each time, to
 * be renamed or removed, is another matter.
 */
static bool judge_rewrite(const struct subject *s, struct finding *f)
{
	uint64_t opened = s->open.calls - s->open.errors;

	if (!file_is_on_disk(s->file) || !rule_begins_anew(s) || s->file->inodes != 1 ||
	    opened < MIN_CYCLES || !file_call_moved(&s->write) || s->write.calls > 3 * opened ||
	    opened < 2 * necessary_openings(s))
		return false;
	tell_cycles(s, f, "emptied by opening it");
	f->fix.total_ns = s->open.total_ns + s->close.total_ns + s->write.total_ns;
	predict_kept_open(s, f, necessary_openings(s), s->write.calls);
	rule_advise(s, f, ADVICE_STATUS);
	return true;
}

/* Predicts that the file is read once, or, if the reads stay, opened once. */
static void predict_reread(const struct subject *s, struct finding *f, bool reads_stay)
{
	uint64_t openings = necessary_openings(s);
	struct file_call rest = others(s), stay = reads_stay ? s->read : (struct file_call){ 0 };
	struct removal removals[3];

	take_out(&rest, &stay);
	removals[0] = removal_of(s, &s->open, openings);
	removals[1] = removal_of(s, &s->close, openings);
	removals[2] = removal_of(s, &rest, rest.calls * openings / s->open.calls);
	removals[0].around = work_around[s->file->language].opening;
	if (!reads_stay)
		removals[0].around.high += PARSING;
	f->fix.own_work = true;
	rule_predict(f, stay.calls + (s->all.calls - stay.calls) * openings / s->open.calls,
		     removals, 3, s->all.wait_ns);
	f->fix.each = "opening";
	f->fix.nr_each = s->open.calls;
	rule_tell_cost(f, &s->all, "call");
}

/* So many times is a file to be read over, before its places are worth being kept. */
#define MIN_TIMES_OVER 16

/* Judges a file whose places are read again and again, without opening it anew. */
static bool judge_places(const struct subject *s, struct finding *f)
{
	uint64_t remaining, mean = rule_mean_bytes(&s->read);
	struct removal removal;

	/* A server reads what it is asked for. */
	if (s->file->kind != FILE_KIND_REGULAR || !s->file->size || !mean || rule_is_servers(s) ||
	    s->read.bytes / s->file->size < MIN_TIMES_OVER ||
	    s->write.calls > s->read.calls / MIN_TIMES_OVER)
		return false;
	remaining = div_round_up(s->file->size, mean);
	removal = rule_removal(&s->read, rule_nr_removed(&s->read, remaining));
	f->calls = s->read.calls;
	rule_note_cycles(f, s->file, s->read.calls);
	f->fix.total_ns = s->read.total_ns;
	f->fix.own_work = true;
	rule_set_text(&f->evidence, "%s reads of %s from a file of %s: all of it %s times over",
		      COUNT(s->read.calls), BYTES(mean), BYTES(s->file->size),
		      COUNT(s->read.bytes / s->file->size));
	rule_predict(f, rule_least(remaining, s->read.calls), &removal, 1, 0);
	rule_tell_cost(f, &s->read, "read");
	rule_advise(s, f, ADVICE_PLACES);
	return true;
}

/* Judges one small file that processes read from its beginning again and again. */
static bool judge_reread(const struct subject *s, struct finding *f)
{
	uint64_t opened = s->open.calls - s->open.errors;
	bool pseudo = file_is_pseudo(s->file);

	if ((s->file->kind != FILE_KIND_REGULAR && s->file->kind != FILE_KIND_DIRECTORY) ||
	    opened < MIN_CYCLES || s->write.calls > opened / MIN_CYCLES || s->sync.calls ||
	    s->read.bytes / opened > REREAD_SIZE || s->jumps > MAX_JUMPS * opened ||
	    opened < MIN_CYCLES * necessary_openings(s))
		return judge_places(s, f);
	f->calls = s->all.calls;
	rule_note_cycles(f, s->file, opened);
	f->fix.seen_before = true;
	f->fix.total_ns = s->all.total_ns;
	rule_set_text(&f->evidence, "opened %s times", COUNT(opened));
	if (s->read.bytes)
		rule_add_text(&f->evidence, ", and read %s each time",
			      BYTES(s->read.bytes / opened));
	rule_add_text(&f->evidence, ", in %s calls in all", COUNT(s->all.calls));
	rule_advise(s, f, pseudo ? ADVICE_PSEUDO : ADVICE_REREAD);
	/* A kernel file says something else each time, and a program may want other parts of it. */
	predict_reread(s, f, pseudo || s->jumps > opened || f->fix.setting);
	return true;
}

static bool is_rollback_journal(const struct file_stats *f)
{
	const char *end = strrchr(f->path, '-');

	return end && !strcmp(end, "-journal");
}

bool rule_is_temporary(const struct subject *s)
{
	uint64_t opened = s->open.calls - s->open.errors;
	double brought = rule_ratio(s->read.bytes, s->write.bytes);
	/* It has one name, or a new one each time. */
	bool comes_and_goes = opened >= MIN_CYCLES ? s->file->inodes >= opened / 4
						   : s->file->kind == FILE_KIND_DELETED &&
							     s->alike.opens >= MIN_CYCLES;

	if (!file_is_on_disk(s->file) || !opened || !comes_and_goes || s->file->processes != 1 ||
	    !s->write.bytes)
		return false;
	return is_rollback_journal(s->file) ||
	       (rule_begins_anew(s) && brought >= 0.9 && brought <= 1.1);
}

/*
 * Judges a file that is made for each step, and removed after it: to hand data on to the next step,
 * or as the journal of a database, which has one for each transaction. Synced ones are told there.
 */
static bool judge_temporary(const struct subject *s, struct finding *f)
{
	bool journal = is_rollback_journal(s->file);
	struct file_call rest = others(s);
	struct removal removals[] = {
		removal_of(s, &s->open, 0),
		removal_of(s, &s->close, 0),
		removal_of(s, &rest, 0),
		removal_of(s, &s->write, 0),
	};

	if (!rule_is_temporary(s) || rule_syncs_often(s))
		return false;
	f->calls = s->all.calls;
	f->fix.total_ns = s->all.total_ns;
	rule_note_cycles(f, s->file, s->file->inodes);
	rule_set_text(&f->evidence, "made anew and removed");
	if (s->file->inodes > 1)
		rule_add_text(&f->evidence, " %s times", COUNT(s->file->inodes));
	rule_add_text(&f->evidence, ", with %s written each time",
		      BYTES(s->write.bytes / s->file->inodes));
	if (!journal)
		rule_add_text(&f->evidence, " and read again by the same process");
	removals[0].around = work_around[s->file->language].opening;
	f->fix.own_work = true;
	f->commits = journal;
	rule_predict(f, 0, removals, 4, s->all.wait_ns);
	rule_tell_cost(f, &s->open, "opening");
	rule_advise(s, f, journal ? ADVICE_SYNC : ADVICE_HANDS_OVER);
	return true;
}

const struct rule rule_temporary = { "temporary-files", false, ABOUT_ALL, judge_temporary };
const struct rule rule_reopen_per_record = { "reopen-per-record", false, ABOUT(OPENS),
					     judge_reopen };
const struct rule rule_rewrite = { "rewrite-per-record", false, ABOUT(OPENS), judge_rewrite };
const struct rule rule_reread = { "reread", false, ABOUT(OPENS), judge_reread };
