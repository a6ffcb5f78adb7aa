// SPDX-License-Identifier: GPL-2.0
/* Small reads that a buffer would gather. */
#include <string.h>

#include "model/rules/rule.h"

/* If reads jump, a buffer would read bytes that nobody wants. */
static bool jumps(const struct subject *s)
{
	return s->jumps >= file_call_moved(&s->read) / 2;
}

/* Larger writes into a pipe are no messages. */
#define MESSAGE 512
/* Larger reads of a socket may be lengths and bodies in turn. */
#define SHORT_READ 32

/* Does the reader wait for every few bytes, or for messages? Then the writer sets the pace. */
static bool is_dialogue(const struct subject *s)
{
	struct file_call writes;

	if (s->file->kind != FILE_KIND_PIPE && s->file->kind != FILE_KIND_SOCKET)
		return false;
	if (s->read.waits > s->read.calls / 20 || s->read.wait_ns > s->read.total_ns / 2)
		return true;
	if (s->file->kind == FILE_KIND_SOCKET)
		return rule_mean_bytes(&s->read) >= SHORT_READ;
	rule_sum_of_pipe(&writes, s, ACTION_WRITES);
	return writes.calls && writes.bytes / writes.calls < MESSAGE &&
	       s->read.waits > writes.calls / 20;
}

/* Can a program read more of it than it needs next? Of datagrams and most devices, it cannot. */
static bool can_be_buffered(const struct subject *s)
{
	const struct file_stats *f = s->file;

	if (f->kind == FILE_KIND_DEVICE)
		return !strcmp(f->path, "/dev/urandom") || !strcmp(f->path, "/dev/random") ||
		       !strcmp(f->path, "/dev/zero");
	return file_is_on_disk(f) || f->kind == FILE_KIND_PIPE ||
	       (f->kind == FILE_KIND_SOCKET && !rule_is_datagrams(s));
}

static bool judge(const struct subject *s, struct finding *f)
{
	const struct file_call *r = &s->read;
	uint64_t moved = file_call_moved(r), size = rule_input_buffer(s);

	if (moved < MIN_CALLS || !r->bytes || rule_mean_bytes(r) >= LARGE_CALL || jumps(s) ||
	    rule_gets_less(r) || is_dialogue(s) || rule_is_own_reader(s) || rule_is_temporary(s) ||
	    rule_copied(s, ACTION_WRITES, r).file || !can_be_buffered(s) ||
	    rule_gathered_calls(s, r, size) > r->calls / 2)
		return false;
	f->calls = r->calls;
	f->fix.total_ns = r->total_ns;
	rule_set_text(&f->evidence, "%s reads of %s: the input is not buffered", COUNT(moved),
		      BYTES(rule_mean_bytes(r)));
	rule_tell_waiting(s, f, r);
	rule_predict_gathered(s, f, r, &(struct together){ 0 }, size);
	rule_advise(s, f, ADVICE_READS);
	return true;
}

/* The kernel moves up to a pipe's capacity in a call, between files far more. */
#define COPIED_AT_ONCE 65536

/*
 * Judges small pieces, copied by sendfile(), splice(), copy_file_range(). To a connection, they may
 * be small files, each of them an answer.
 */
static bool judge_copies(const struct subject *s, struct finding *f)
{
	const struct file_call *c = &s->copy;
	uint64_t moved = file_call_moved(c);

	if (moved < MIN_CALLS || s->file->kind == FILE_KIND_SOCKET ||
	    rule_gathered_calls(s, c, COPIED_AT_ONCE) > moved / 2 ||
	    rule_mean_bytes(c) >= LARGE_CALL)
		return false;
	f->calls = c->calls;
	f->fix.total_ns = c->total_ns;
	rule_set_text(&f->evidence, "%s calls of sendfile(), splice() or the like copy %s each",
		      COUNT(moved), BYTES(rule_mean_bytes(c)));
	rule_tell_waiting(s, f, c);
	rule_predict_gathered(s, f, c, &(struct together){ 0 }, COPIED_AT_ONCE);
	rule_advise(s, f, ADVICE_COPIES);
	return true;
}

const struct rule rule_tiny_copies = { "tiny-copies", false, ABOUT(COPIES), judge_copies };
const struct rule rule_tiny_reads = { "tiny-reads", false, ABOUT(READS), judge };
