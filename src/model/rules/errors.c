// SPDX-License-Identifier: GPL-2.0
/* Writes and closes that fail, and writes that are cut short. */
#include <errno.h>

#include "base/arithmetic.h"
#include "base/errno_name.h"
#include "model/rules/rule.h"

#define MIN_ERRORS 10
/* The usual limit of descriptors: so many closes are of all that there could be. */
#define MIN_FUTILE_CLOSES 1024
/* Fewer reads of nothing and seeks than this are no habit. */
#define MIN_FUTILE_CALLS 1000

/*
 * Returns the most frequent errno of the run's calls of an action, because errnos are not counted
 * per file.
 */
static int most_frequent_errno(const struct profile *p, enum syscall_action action)
{
	uint64_t most = 0;
	int err = 0;

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *c = &p->syscalls[i];

		for (size_t j = 0;
		     syscall_traits_by_name(c->name).action == action && j < c->nr_errnos; j++) {
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
	rule_tell_cost(f, &s->failed, "failed write");
}

static bool judge_errors(const struct subject *s, struct finding *f)
{
	int err = most_frequent_errno(s->profile, ACTION_WRITES);
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

/* Whoever polls this often for each message waits longer than it takes to be woken up. */
#define MIN_POLLS 100

/*
 * Has it slept for less than half of the messages? Whoever sleeps until there is one, and reads
 * until there is none, does not wait by reading.
 */
static bool is_awake(const struct subject *s, uint64_t messages)
{
	const struct program_stats *reader =
		s->file->nr_users ? profile_program_of_user(s->profile, &s->file->users[0]) : NULL;

	return reader && 2 * reader->sleeps < messages;
}

/* Judges reads that find nothing, again and again, until somebody has sent something. */
static bool judge_polls(const struct subject *s, struct finding *f)
{
	uint64_t messages = file_call_moved(&s->read);
	struct file_call failed = s->read;
	struct removal removal;

	if (s->read.errors < MIN_POLLS * messages || s->read.errors < MIN_FUTILE_CALLS ||
	    !is_awake(s, messages) || most_frequent_errno(s->profile, ACTION_READS) != EAGAIN)
		return false;
	failed.calls = s->read.errors;
	failed.total_ns = s->read.error_ns;
	failed.waits = failed.wait_ns = 0;
	removal = rule_removal(&failed, (double)failed.calls);
	f->calls = s->read.errors;
	f->fix.total_ns = s->read.error_ns;
	rule_set_text(&f->evidence, "%s of %s reads found nothing (EAGAIN), without a pause",
		      COUNT(s->read.errors), COUNT(s->read.calls));
	rule_advise(s, f, ADVICE_EMPTY);
	rule_predict(f, 2 * messages, &removal, 1, 0);
	f->fix.paced = "the program then sleeps until there is something to read";
	f->fix.idle_share = rule_ratio(s->read.errors, s->busy->run_calls) / 2;
	rule_tell_cost(f, &failed, "empty read");
	return true;
}

/* Judges seeks that lead nowhere: nothing is read or written between most of them. */
static bool judge_seeks(const struct subject *s, struct finding *f)
{
	uint64_t moved = file_call_moved(&s->read) + file_call_moved(&s->write);
	struct file_call seeks;
	struct removal removal;

	file_stats_sum(&seeks, s->file, ACTION_SEEKS);
	if (seeks.calls < MIN_FUTILE_CALLS || seeks.calls < 10 * moved)
		return false;
	removal = rule_removal(&seeks, rule_nr_removed(&seeks, moved));
	f->calls = seeks.calls;
	f->fix.total_ns = seeks.total_ns;
	f->fix.own_work = true;
	rule_set_text(&f->evidence, "%s seeks, for %s reads and writes", COUNT(seeks.calls),
		      COUNT(moved));
	rule_advise(s, f, ADVICE_SEEKS);
	rule_predict(f, moved, &removal, 1, 0);
	rule_tell_cost(f, &seeks, "seek");
	return true;
}

/* Returns the ioctl() of a file. NULL: none. */
static const struct file_call *ioctls_of(const struct file_stats *f)
{
	for (size_t i = 0; i < f->nr_calls; i++)
		if (!strcmp(f->calls[i].name, "ioctl"))
			return &f->calls[i];
	return NULL;
}

/* Returns the most frequent errno of a syscall in the whole run. 0: not known. */
static int errno_of_call(const struct profile *p, const struct file_call *c)
{
	const struct syscall_stats *row = profile_find_syscall(p, c->abi, c->nr);
	uint64_t most = 0;
	int err = 0;

	for (size_t i = 0; row && i < row->nr_errnos; i++) {
		if (row->errnos[i].count <= most)
			continue;
		most = row->errnos[i].count;
		err = row->errnos[i].err;
	}
	return err;
}

/*
 * Judges questions whether what is no terminal is one: isatty() asks by an ioctl() that fails. Some
 * languages do so at each opening, and a shell does at each read.
 */
static bool judge_isatty(const struct subject *s, struct finding *f)
{
	const struct file_call *c = ioctls_of(s->file);
	uint64_t remaining =
		s->open.calls > s->file->processes ? s->open.calls : s->file->processes;
	struct file_call failed;
	struct removal removal;

	remaining = remaining ? remaining : 1;
	if (!c || c->errors < MIN_FUTILE_CALLS || s->file->language == LANGUAGE_SHELL ||
	    c->errors < MIN_CYCLES * remaining || errno_of_call(s->profile, c) != ENOTTY)
		return false;
	failed = *c;
	failed.calls = c->errors;
	failed.total_ns = c->error_ns ? c->error_ns : c->total_ns;
	removal = rule_removal(&failed, rule_nr_removed(&failed, remaining));
	f->calls = failed.calls;
	f->fix.total_ns = failed.total_ns;
	f->fix.own_work = true;
	rule_note_cycles(f, s->file, failed.calls);
	rule_set_text(&f->evidence, "asked %s times whether it is a terminal (isatty())",
		      COUNT(failed.calls));
	rule_advise(s, f, ADVICE_ISATTY);
	rule_predict(f, remaining, &removal, 1, 0);
	rule_tell_cost(f, &failed, "ioctl call");
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
	rule_tell_cost(f, &s->close, "close");
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
	rule_tell_cost(f, &s->write, "write");
	rule_tell_cost(f, &reads, "read");
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

const struct rule rule_write_errors = { "write-errors", false, ABOUT(WRITES), judge_errors };
const struct rule rule_busy_reads = { "busy-reads", false, ABOUT(READS), judge_polls };
const struct rule rule_futile_seeks = { "futile-seeks", false, ABOUT(SEEKS), judge_seeks };
const struct rule rule_isatty = { "repeated-isatty", false, ABOUT(OTHER), judge_isatty };
const struct rule rule_futile_closes = { "futile-closes", false, ABOUT(CLOSES), judge_closes };
const struct rule rule_short_writes = { "short-writes", false, ABOUT(WRITES), judge_short_writes };
