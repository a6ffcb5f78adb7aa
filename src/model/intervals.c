// SPDX-License-Identifier: GPL-2.0
#include "model/intervals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/interval_packing.h"

/* Intervals of a new block. More compress no better, and take longer to be merged. */
#define BLOCK_INTERVALS 64

struct interval_block {
	unsigned char *bytes; /* By zlib, owned. */
	size_t len, packed_len, nr;
	unsigned level; /* How often its intervals became half as many. */
};

/* ---- blocks ---- */

/* Compresses what is packed. 0 or -ENOMEM. */
static int block_make(struct interval_block *b, const struct packing *from, size_t nr)
{
	uLongf len = compressBound(from->len);
	unsigned char *bytes = malloc(len);

	if (!bytes || compress2(bytes, &len, from->bytes, from->len, Z_BEST_SPEED) != Z_OK) {
		free(bytes);
		return -ENOMEM;
	}
	b->bytes = realloc(bytes, len);
	if (!b->bytes)
		b->bytes = bytes; /* It is only longer than it need be. */
	b->len = len;
	b->packed_len = from->len;
	b->nr = nr;
	return 0;
}

/* Returns what was compressed, to be freed. NULL: no memory. */
static unsigned char *block_open(const struct interval_block *b, struct unpacking *u)
{
	unsigned char *bytes = malloc(b->packed_len + 1);
	uLongf len = b->packed_len;

	if (!bytes || uncompress(bytes, &len, b->bytes, b->len) != Z_OK) {
		free(bytes);
		return NULL;
	}
	*u = (struct unpacking){ bytes, bytes + len };
	return bytes;
}

/* ---- making room ---- */

/* The sums of each two intervals of some blocks. */
struct halving {
	struct packing to;
	struct interval first;
	bool has_first;
	size_t nr;
};

static int halve(struct halving *h, struct interval *i)
{
	int err;

	if (!h->has_first) {
		h->first = *i;
		memset(i, 0, sizeof(*i));
		h->has_first = true;
		return 0;
	}
	err = interval_merge(&h->first, i);
	if (!err)
		err = interval_trim(&h->first);
	if (!err)
		interval_pack(&h->to, &h->first);
	interval_free(&h->first);
	h->has_first = false;
	h->nr++;
	return err;
}

static int halve_block(struct halving *h, const struct interval_block *b)
{
	struct unpacking u;
	unsigned char *bytes = block_open(b, &u);
	int err = bytes ? 0 : -ENOMEM;

	for (size_t k = 0; !err && k < b->nr; k++) {
		struct interval i;

		err = interval_unpack(&i, &u, NULL);
		if (!err)
			err = halve(h, &i);
		interval_free(&i);
	}
	free(bytes);
	return err;
}

/* Returns the first of the two neighbouring blocks whose intervals are the shortest. */
static size_t shortest_pair(const struct intervals *s)
{
	size_t best = 0;

	for (size_t i = 0; i + 1 < s->nr_blocks; i++) {
		const struct interval_block *b = &s->blocks[i], *chosen = &s->blocks[best];

		if (b[0].level + b[1].level < chosen[0].level + chosen[1].level)
			best = i;
	}
	return best;
}

/* Makes two blocks one, of half as many intervals. */
static int merge_blocks(struct intervals *s)
{
	struct interval_block *b = &s->blocks[shortest_pair(s)], block = { 0 };
	struct halving h = { 0 };
	int err = halve_block(&h, &b[0]);

	if (!err)
		err = halve_block(&h, &b[1]);
	if (!err && h.has_first) {
		interval_pack(&h.to, &h.first);
		h.nr++;
	}
	interval_free(&h.first);
	if (!err)
		err = h.to.failed ? -ENOMEM : block_make(&block, &h.to, h.nr);
	packing_free(&h.to);
	if (err)
		return err;
	block.level = (b[0].level > b[1].level ? b[0].level : b[1].level) + 1;
	s->nr -= b[0].nr + b[1].nr - block.nr;
	s->packed -= b[0].packed_len + b[1].packed_len - block.packed_len;
	s->compressed -= b[0].len + b[1].len;
	s->compressed += block.len;
	s->merged = true;
	free(b[0].bytes);
	free(b[1].bytes);
	b[0] = block;
	memmove(&b[1], &b[2], (size_t)(s->blocks + s->nr_blocks - &b[2]) * sizeof(*b));
	s->nr_blocks--;
	return 0;
}

/* ---- adding ---- */

static int end_block(struct intervals *s)
{
	struct interval_block *b;
	int err;

	b = array_append(&s->blocks, &s->nr_blocks, sizeof(*b));
	if (!b)
		return -ENOMEM;
	err = block_make(b, &s->tail, s->nr_in_tail);
	if (err) {
		s->nr_blocks--;
		return err;
	}
	s->compressed += b->len;
	s->tail.len = 0;
	s->nr_in_tail = 0;
	return 0;
}

int intervals_add(struct intervals *s, const struct interval *i)
{
	size_t before = s->tail.len, most = s->most ? s->most : INTERVALS_MOST;
	int err = 0;

	interval_pack(&s->tail, i);
	if (s->tail.failed) {
		s->tail.len = before;
		s->tail.failed = false;
		return -ENOMEM;
	}
	s->packed += s->tail.len - before;
	s->nr++;
	if (++s->nr_in_tail == BLOCK_INTERVALS)
		err = end_block(s);
	while (!err && s->packed > most && s->nr_blocks > 1)
		err = merge_blocks(s);
	return err;
}

void intervals_free(struct intervals *s)
{
	for (size_t i = 0; i < s->nr_blocks; i++)
		free(s->blocks[i].bytes);
	free(s->blocks);
	packing_free(&s->tail);
	memset(s, 0, sizeof(*s));
}

/* ---- visiting ---- */

/* A visitor of intervals, and what it gets of them. */
struct visit {
	const struct intervals *intervals;
	const struct profile *run;
	int (*hand)(void *arg, const struct interval *i);
	void *arg;
};

static bool is_visited(const struct intervals *s, const struct interval *i)
{
	uint64_t middle = sub_saturated(i->end_ns, i->profile.elapsed_ns / 2);

	return middle >= s->from_ns && (!s->until_ns || middle <= s->until_ns);
}

static int visit_packed(const struct visit *v, struct unpacking *u, size_t nr)
{
	int err = 0;

	for (size_t k = 0; !err && k < nr; k++) {
		struct interval i;

		err = interval_unpack(&i, u, v->run);
		if (!err && is_visited(v->intervals, &i))
			err = v->hand(v->arg, &i);
		interval_free(&i);
	}
	return err;
}

int intervals_each(const struct intervals *s, const struct profile *run,
		   int (*hand)(void *arg, const struct interval *i), void *arg)
{
	const struct visit v = { s, run, hand, arg };
	struct unpacking u = { s->tail.bytes, s->tail.bytes + s->tail.len };
	int err = 0;

	for (size_t i = 0; !err && i < s->nr_blocks; i++) {
		struct unpacking block;
		unsigned char *bytes = block_open(&s->blocks[i], &block);

		err = bytes ? visit_packed(&v, &block, s->blocks[i].nr) : -ENOMEM;
		free(bytes);
	}
	return err ? err : visit_packed(&v, &u, s->nr_in_tail);
}

/* The sum of some neighbours so far. */
struct summing {
	size_t neighbours, nr;
	struct interval sum;
	int (*hand)(void *arg, const struct interval *i);
	void *arg;
};

static int end_sum(struct summing *s)
{
	int err = s->nr ? s->hand(s->arg, &s->sum) : 0;

	interval_free(&s->sum);
	s->nr = 0;
	return err;
}

static int add_to_sum(void *arg, const struct interval *i)
{
	struct summing *s = arg;
	int err = s->nr ? interval_merge(&s->sum, i) : interval_copy(&s->sum, i);

	s->nr++;
	return !err && s->nr == s->neighbours ? end_sum(s) : err;
}

int intervals_each_sum(const struct intervals *s, const struct profile *run, size_t neighbours,
		       int (*hand)(void *arg, const struct interval *i), void *arg)
{
	struct summing summing = { .neighbours = neighbours, .hand = hand, .arg = arg };
	int err = intervals_each(s, run, add_to_sum, &summing);

	if (!err)
		err = end_sum(&summing);
	interval_free(&summing.sum);
	return err;
}

static int note_span(void *arg, const struct interval *i)
{
	struct interval_span *span = arg;

	if (!span->nr++)
		span->begin_ns = sub_saturated(i->end_ns, i->profile.elapsed_ns);
	span->end_ns = i->end_ns;
	return 0;
}

static int find_span(const struct intervals *s, const struct profile *run,
		     struct interval_span *span)
{
	memset(span, 0, sizeof(*span));
	return intervals_each(s, run, note_span, span);
}

int intervals_count(const struct intervals *s, const struct profile *run, size_t *nr)
{
	struct interval_span span;
	int err = 0;

	*nr = s->nr;
	if (!s->from_ns && !s->until_ns)
		return 0;
	err = find_span(s, run, &span);
	*nr = span.nr;
	return err;
}

/* ---- a part of a run ---- */

static int take_copy(void *sum, const struct interval *i)
{
	return interval_copy(sum, i);
}

int intervals_cut(struct intervals *s, struct profile *run, uint64_t from_ns, uint64_t until_ns,
		  struct interval_span *span)
{
	struct interval sum = { 0 };
	struct profile whole = *run;
	int err;

	s->from_ns = from_ns;
	s->until_ns = until_ns;
	err = find_span(s, run, span);
	if (!err && !span->nr) {
		s->from_ns = s->until_ns = 0;
		err = find_span(s, run, span);
		return err ? err : -ENOENT;
	}
	if (!err)
		err = intervals_each_sum(s, run, SIZE_MAX, take_copy, &sum);
	if (err) {
		interval_free(&sum);
		return err;
	}
	*run = sum.profile;
	run->from_ns = span->begin_ns;
	run->to_ns = span->end_ns;
	memset(&sum.profile, 0, sizeof(sum.profile));
	interval_free(&sum);
	profile_free(&whole);
	return 0;
}
