// SPDX-License-Identifier: GPL-2.0
/*
 * From the calls that were timed to all of them, where the clock was read for one call in N
 * (--sample-latency).
 *
 * Which calls slept is known of all. So those that did and those that did not are estimated apart,
 * for each system call, and for each on each file: the sum of their times is the mean of the timed
 * ones times their number (stratification after selection: W. G. Cochran, "Sampling Techniques",
 * 3rd ed. 1977, section 5A.9). Calls of a kind of which none was timed stay without a time.
 */
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/figures.h"
#include "model/files.h"
#include "model/histogram.h"
#include "model/profile.h"

/* Calls of one kind: those that slept, or those that did not. */
struct stratum {
	uint64_t timed, calls; /* Number of the timed calls, and of all. */
	uint64_t ns;	       /* Time of the timed calls; once estimated, of all. */
	double error_ns;       /* Standard error of that time. */
};

/* Returns part * all / timed, rounded. */
static uint64_t in_proportion(uint64_t part, uint64_t all, uint64_t timed)
{
	return (uint64_t)(((unsigned __int128)part * all + timed / 2) / timed);
}

/*
 * Makes the counts, which add up to timed, add up to all, in proportion. The rounding of sums from
 * the first bucket on leaves the share of values below each edge right to one call.
 */
static void stretch(uint64_t *counts, uint32_t nr_buckets, uint64_t timed, uint64_t all)
{
	uint64_t sum = 0, before = 0;

	for (uint32_t i = 0; i < nr_buckets; i++) {
		uint64_t until;

		sum += counts[i];
		until = in_proportion(sum, all, timed);
		counts[i] = until - before;
		before = until;
	}
}

/* Returns the middle of a bucket. The last one has no end, and its beginning is returned. */
static double middle(const struct histogram_scale *scale, uint32_t bucket)
{
	double low = (double)scale->low(bucket);

	if (bucket + 1 == scale->nr_buckets)
		return low;
	return (low + (double)scale->low(bucket + 1)) / 2;
}

/*
 * Returns the standard deviation of the values as a multiple of their mean. A single value says
 * nothing of it, and 1 is returned, as if values were distributed exponentially.
 */
static double variation(const struct histogram_scale *scale, const uint64_t *counts, uint64_t nr)
{
	double mean = 0, squares = 0;

	if (nr < 2)
		return 1;
	for (uint32_t i = 0; i < scale->nr_buckets; i++)
		mean += (double)counts[i] * middle(scale, i) / (double)nr;
	for (uint32_t i = 0; i < scale->nr_buckets; i++) {
		double distance = middle(scale, i) - mean;

		squares += (double)counts[i] * distance * distance;
	}
	return mean > 0 ? sqrt(squares / (double)(nr - 1)) / mean : 0;
}

/* Estimates a stratum, and the latencies of its calls, from those of its timed calls. */
static void estimate(struct stratum *s, const struct histogram_scale *scale, uint64_t *counts)
{
	double sampled = (double)s->timed;

	if (!s->timed || s->timed == s->calls) {
		s->calls = s->timed;
		return;
	}
	s->ns = in_proportion(s->ns, s->calls, s->timed);
	s->error_ns = (double)s->ns * variation(scale, counts, s->timed) *
		      sqrt((1 - sampled / (double)s->calls) / sampled);
	stretch(counts, scale->nr_buckets, s->timed, s->calls);
}

/* Returns the part that has the share of the estimated whole that it had of the timed one. */
static uint64_t share_of(uint64_t part, uint64_t timed, uint64_t estimated)
{
	return timed ? in_proportion(part, estimated, timed) : 0;
}

static uint64_t error_of_both(const struct stratum *a, const struct stratum *b)
{
	return (uint64_t)llround(hypot(a->error_ns, b->error_ns));
}

static void estimate_syscall(struct syscall_stats *s)
{
	uint64_t running[LATENCY_BUCKETS];
	struct stratum wait = { s->waits, s->waits + s->estimated_waits, s->wait_ns, 0 };
	uint64_t timed = sub_saturated(s->timed, s->waits);
	struct stratum run = { timed, timed + sub_saturated(s->estimated, s->estimated_waits),
			       sub_saturated(s->total_ns, s->wait_ns), 0 };

	for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
		running[i] = sub_saturated(s->latency[i], s->wait_latency[i]);
	estimate(&run, &latency_scale, running);
	estimate(&wait, &latency_scale, s->wait_latency);
	for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
		s->latency[i] = running[i] + s->wait_latency[i];
	s->timed = run.calls + wait.calls;
	s->waits = wait.calls;
	s->estimated_waits = wait.calls - wait.timed;
	s->estimated = s->timed - run.timed - wait.timed;
	s->total_ns = run.ns + wait.ns;
	s->idle_ns = share_of(s->idle_ns, s->wait_ns, wait.ns);
	s->wait_ns = wait.ns;
	s->error_of_total_ns = error_of_both(&run, &wait);
	/* Of calls without a time, it is not known which were preempted. */
	if (s->preempted > s->timed)
		s->preempted = s->timed;
}

/* A file has one histogram, in octaves: whoever slept is among those that took longest. */
static void take_longest(uint64_t *longest, uint64_t *others, uint64_t nr)
{
	for (uint32_t i = FILE_LATENCY_BUCKETS; i-- > 0;) {
		longest[i] = others[i] < nr ? others[i] : nr;
		others[i] -= longest[i];
		nr -= longest[i];
	}
}

/*
 * Estimates the times of a call on a file, or of a group, whose struct is of that scope. A file's
 * call has no number of timed calls, and a group's none of the time of errors.
 */
static void estimate_in_octaves(enum figure_scope scope, void *call)
{
#define AT(name) figure_counter(&figures[FIGURE_##name], scope, call)
	uint64_t *total_ns = AT(total_ns), *waits = AT(waits), *wait_ns = AT(wait_ns);
	uint64_t *idle_ns = AT(idle_ns);
	uint64_t *estimated = AT(estimated), *estimated_waits = AT(estimated_waits);
	uint64_t *latency = figure_counts(&figure_histograms[HISTOGRAM_latency], scope, call);
	uint64_t waiting[FILE_LATENCY_BUCKETS], before_ns = *total_ns;
	uint64_t timed = histogram_total(latency, FILE_LATENCY_BUCKETS);
	struct stratum wait = { *waits, *waits + *estimated_waits, *wait_ns, 0 };
	struct stratum run = { sub_saturated(timed, *waits), 0, sub_saturated(*total_ns, *wait_ns),
			       0 };

	run.calls = run.timed + *estimated - *estimated_waits;
	take_longest(waiting, latency, wait.timed);
	estimate(&run, &file_latency_scale, latency);
	estimate(&wait, &file_latency_scale, waiting);
	histogram_merge(latency, waiting, FILE_LATENCY_BUCKETS);
	*waits = wait.calls;
	*estimated_waits = wait.calls - wait.timed;
	*estimated = run.calls - run.timed + *estimated_waits;
	*total_ns = run.ns + wait.ns;
	*idle_ns = share_of(*idle_ns, *wait_ns, wait.ns);
	*wait_ns = wait.ns;
	*AT(error_of_total_ns) = error_of_both(&run, &wait);
	if (scope == SCOPE_GROUP)
		*AT(timed) = run.calls + wait.calls;
	if (scope == SCOPE_FILE && before_ns)
		*AT(error_ns) = in_proportion(*AT(error_ns), *total_ns, before_ns);
#undef AT
}

static void estimate_group_call(struct group_call *c)
{
	estimate_in_octaves(SCOPE_GROUP, c);
	/* Of calls without a time, it is not known which were preempted. */
	if (c->preempted > c->timed)
		c->preempted = c->timed;
}

void profile_estimate(struct profile *p)
{
	if (p->sample_latency <= 1)
		return;
	for (size_t i = 0; i < p->nr_syscalls; i++)
		estimate_syscall(&p->syscalls[i]);
	for (size_t i = 0; i < p->nr_files; i++)
		for (size_t c = 0; c < p->files[i].nr_calls; c++)
			estimate_in_octaves(SCOPE_FILE, &p->files[i].calls[c]);
	for (size_t i = 0; i < p->nr_groups; i++)
		for (size_t c = 0; c < p->groups[i].nr_calls; c++)
			estimate_group_call(&p->groups[i].calls[c]);
}
