/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The intervals of a run, in little memory: only what changed is kept, as short numbers, and blocks
 * of intervals are compressed. When that is too much after all, the oldest intervals become one for
 * each two, so that a run of any length finds room.
 */
#pragma once

#include "model/interval.h"
#include "model/packing.h"

struct interval_block;

struct intervals {
	struct interval_block *blocks; /* Compressed, the oldest first. */
	size_t nr_blocks;
	struct packing tail; /* Those that are in no block yet. */
	size_t nr_in_tail;
	size_t nr;	   /* Number of all intervals. */
	size_t compressed; /* Bytes of the blocks. */
	size_t packed;	   /* Bytes of all intervals before compression. */
	size_t most;	   /* The most bytes before compression. 0: INTERVALS_MOST. */
	bool merged;	   /* Intervals became one for lack of room. */
	/* Only those whose middle lies between are visited, in ns of the run. 0: to the end. */
	uint64_t from_ns, until_ns;
};

/*
 * As JSON they take up to nine times as many bytes, so a capture has at most 1 GiB of intervals.
 * Compressed they take half of it, or less. A day of seconds of a server that makes a dozen
 * different calls, on a dozen files, stays below: it has some 1 kB a second.
 */
#define INTERVALS_MOST ((size_t)112 << 20)

/* Adds an interval at the end. 0 or -ENOMEM. A zeroed struct has none. */
int intervals_add(struct intervals *s, const struct interval *i);
void intervals_free(struct intervals *s);

/*
 * Hands over each interval, the first first, with the names that the run's profile has. Ends with
 * the first result that is not 0, and returns it; -ENOMEM without memory.
 */
int intervals_each(const struct intervals *s, const struct profile *run,
		   int (*hand)(void *arg, const struct interval *i), void *arg);

/*
 * Adds up the intervals, in parts of several neighbours of the same number each (the last may have
 * fewer), and hands over the sums as intervals_each() does.
 */
int intervals_each_sum(const struct intervals *s, const struct profile *run, size_t neighbours,
		       int (*hand)(void *arg, const struct interval *i), void *arg);

struct interval_span {
	uint64_t begin_ns, end_ns; /* From the start of the run. */
	size_t nr;		   /* Number of intervals. */
};

/*
 * Makes the profile of a run that of the intervals whose middle lies between two times of it, and
 * visits no others from then on; until_ns 0: to the end. *span becomes the time of these intervals.
 * 0, -ENOMEM, or -ENOENT if there is none: the profile is untouched then, and *span is that of all.
 */
int intervals_cut(struct intervals *s, struct profile *run, uint64_t from_ns, uint64_t until_ns,
		  struct interval_span *span);

/* Counts those that are visited. 0 or -ENOMEM. */
int intervals_count(const struct intervals *s, const struct profile *run, size_t *nr);
