// SPDX-License-Identifier: GPL-2.0
/* Writes and closes that fail, and writes that are cut short. */
#include <errno.h>

#include "base/arithmetic.h"
#include "base/errno_name.h"
#include "model/rules/rule.h"

#define MIN_ERRORS 10
/* The usual limit of descriptors: so many closes are of all that there could be. */
#define MIN_FUTILE_CLOSES 1024

/* Returns the most frequent errno of the run's writes, because errnos are not counted per file. */
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

/* Who polls fails once for each time that it has filled the pipe. */
static bool polls(const struct subject *s)
{
	return s->failed.calls <= 2 * s->write.calls;
}

static void predict_waiting(const struct subject *s, struct finding *f)
{
	uint64_t remaining = rule_least(s->write.calls, s->failed.calls);
	double nr = rule_nr_removed(&s->failed, remaining);
	struct removal removal = { .call = predict_call_cost(&s->failed), .nr = { nr, nr } };

	rule_predict(f, remaining, &removal, 1, 0);
	/* Somebody else decides when there is room. */
	f->fix.paced = "the program then waits instead, and only the CPU is free for others";
	rule_tell_cost(f, &s->failed, "a failed write");
}

static bool judge_errors(const struct subject *s, struct finding *f)
{
	int err = most_frequent_errno(s->profile);
	char name[24];

	if (s->failed.calls < MIN_ERRORS || s->file->kind == FILE_KIND_INVALID ||
	    (err == EAGAIN && polls(s)))
		return false;
	f->calls = s->failed.calls;
	f->fix.total_ns = s->failed.total_ns;
	rule_set_text(&f->evidence, "%s of %s writes failed%s%s", COUNT(s->failed.calls),
		      COUNT(s->failed.calls + s->write.calls),
		      err ? "; most frequent of all writes: " : "",
		      err ? format_errno(name, sizeof(name), err) : "");
	rule_advise(s, f, err == EAGAIN ? ADVICE_FULL : err == EPIPE ? ADVICE_GONE : ADVICE_FAILED);
	f->severity = err == EAGAIN || err == EPIPE || err == EINTR ? SEVERITY_INFO : SEVERITY_LOW;
	if (err == EAGAIN)
		predict_waiting(s, f);
	return true;
}

/* Judges closes of descriptors that are not open: of all that there could be. */
static bool judge_closes(const struct subject *s, struct finding *f)
{
	uint64_t remaining = s->close.calls / MIN_FUTILE_CLOSES;
	struct removal removal = rule_removal(&s->close, rule_nr_removed(&s->close, remaining));

	if (s->file->kind != FILE_KIND_INVALID || s->close.errors < MIN_FUTILE_CLOSES)
		return false;
	f->calls = s->close.calls;
	f->fix.total_ns = s->close.total_ns;
	rule_set_text(&f->evidence, "%s closes of descriptors that are not open", COUNT(f->calls));
	rule_predict(f, remaining, &removal, 1, 0);
	rule_tell_cost(f, &s->close, "a close");
	f->advice = advice_text(ADVICE_CLOSES);
	return true;
}

/* What the kernel holds of a connection or a pipe by default, at least. */
#define USUAL_BUFFER 65536

/*
 * Do both ends wait for each other, because what is between them holds little? A reader that is
 * slow does not wait for the writer.
 */
static bool is_buffer_small(const struct subject *s)
{
	struct file_call reads;

	if (s->file->kind != FILE_KIND_SOCKET && s->file->kind != FILE_KIND_PIPE)
		return false;
	rule_sum_of_pipe(&reads, s, ACTION_READS);
	return s->write.cut_short >= s->write.calls / 2 &&
	       rule_mean_bytes(&s->write) < USUAL_BUFFER / 4 && reads.waits >= reads.calls / 2 &&
	       div_round_up(s->write.bytes, USUAL_BUFFER) < s->write.calls / 2;
}

/* Predicts the writes and reads through a buffer of the usual size, which fail as seldom. */
static void predict_usual_buffer(const struct subject *s, struct finding *f)
{
	uint64_t nr = div_round_up(s->write.bytes, USUAL_BUFFER);
	struct file_call reads;
	struct removal removals[3];

	rule_sum_of_pipe(&reads, s, ACTION_READS);
	removals[0] = rule_removal(&s->write, rule_nr_removed(&s->write, nr));
	removals[1] = rule_removal(&reads, (double)(reads.calls - rule_least(nr, reads.calls)));
	removals[2] = rule_removal(&s->failed, (double)s->failed.calls);
	/* The reads waited for the writer, and it for them. */
	removals[1].wait_ns = (struct range){ 0, (double)reads.wait_ns };
	rule_predict(f, 2 * nr, removals, 3, reads.wait_ns);
	f->calls = s->write.calls + s->failed.calls + reads.calls;
	f->fix.own_work = true;
	rule_tell_cost(f, &s->write, "a write");
	rule_tell_cost(f, &reads, "a read");
}

static bool judge_short_writes(const struct subject *s, struct finding *f)
{
	bool small = is_buffer_small(s);

	if (s->write.cut_short < MIN_CYCLES || s->file->kind == FILE_KIND_TTY)
		return false;
	f->calls = s->write.cut_short;
	f->fix.total_ns = rule_mean(s->write.total_ns, s->write.calls) * s->write.cut_short;
	rule_set_text(&f->evidence, "%s of %s writes wrote less than they were given",
		      COUNT(s->write.cut_short), COUNT(s->write.calls));
	rule_advise(s, f, small ? ADVICE_SMALL_BUFFER : ADVICE_CUT_SHORT);
	if (small)
		predict_usual_buffer(s, f);
	return true;
}

const struct rule rule_write_errors = { "write-errors", false, judge_errors };
const struct rule rule_futile_closes = { "futile-closes", false, judge_closes };
const struct rule rule_short_writes = { "short-writes", false, judge_short_writes };
