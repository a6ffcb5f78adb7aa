// SPDX-License-Identifier: GPL-2.0
#include "model/figures.h"

#include <math.h>

#include "base/arithmetic.h"
#include "model/files.h"
#include "model/profile.h"

/* Returns a mean, rounded to nearest as strace does. 0: it is of none. */
static uint64_t rounded_mean(uint64_t total, uint64_t nr)
{
	uint64_t rest;

	if (!nr)
		return 0;
	rest = total % nr;
	return total / nr + (rest >= nr - nr / 2);
}

static uint64_t counter(enum figure_id id, enum figure_scope scope, const void *stats)
{
	return *figure_counter(&figures[id], scope, (void *)stats);
}

static uint64_t get_mean(enum figure_scope scope, const void *stats)
{
	return rounded_mean(counter(FIGURE_total_ns, scope, stats),
			    counter(FIGURE_timed, scope, stats));
}

static uint64_t get_run_time(enum figure_scope scope, const void *stats)
{
	return sub_saturated(counter(FIGURE_total_ns, scope, stats),
			     counter(FIGURE_wait_ns, scope, stats));
}

static uint64_t get_busy_time(enum figure_scope scope, const void *stats)
{
	return sub_saturated(counter(FIGURE_total_ns, scope, stats),
			     counter(FIGURE_idle_ns, scope, stats));
}

static uint64_t get_cpu_mean(enum figure_scope scope, const void *stats)
{
	return rounded_mean(counter(FIGURE_cpu_ns, scope, stats),
			    counter(FIGURE_timed, scope, stats));
}

/*
 * What bpf/figures.h says of a counter or a histogram: its scope, and where the structs have it. A
 * group has all counters of a syscall, and of the histograms those that files have, too.
 */
enum {
	COUNTER_OF_SYSCALL = SCOPE_SYSCALL | SCOPE_GROUP,
	COUNTER_OF_FILE = SCOPE_FILE,
	COUNTER_OF_BOTH = SCOPE_BOTH,
#define OFFSETS(scope, name)                                                                  \
	SYSCALL_OFFSET_##name = IN_SYSCALL_##scope(offsetof(struct syscall_stats, name)) + 0, \
	FILE_OFFSET_##name = IN_FILE_##scope(offsetof(struct file_call, name)) + 0,
#define COUNTER_FACTS(scope, cell, name)                                                 \
	SCOPE_OF_##name = COUNTER_OF_##scope,                                            \
	GROUP_OFFSET_##name = IN_SYSCALL_##scope(offsetof(struct group_call, name)) + 0, \
	OFFSETS(scope, name)
#define HISTOGRAM_FACTS(scope, cell, name, buckets, octave_)                          \
	SCOPE_OF_##name = SCOPE_##scope,                                              \
	GROUP_OFFSET_##name = IN_FILE_##scope(offsetof(struct group_call, name)) + 0, \
	OFFSETS(scope, name) OCTAVE_OF_##name = octave_,
	FIGURES(COUNTER_FACTS, NO_FIGURE) HISTOGRAMS(HISTOGRAM_FACTS)
};

#define KEY_AND_OFFSETS(name)                                                       \
	.key = #name, .scope = (enum figure_scope)SCOPE_OF_##name,                  \
	.syscall_offset = SYSCALL_OFFSET_##name, .file_offset = FILE_OFFSET_##name, \
	.group_offset = GROUP_OFFSET_##name
#define SUM(name, heading_, whole)                                          \
	KEY_AND_OFFSETS(name), .heading = heading_, .combine = COMBINE_SUM, \
			       .part_of = FIGURE_##whole
#define TIME(name, heading_, whole) \
	SUM(name, heading_, whole), .unit = UNIT_NS, .needs = UNKNOWN_LATENCY
#define DERIVED_TIME(name, heading_)                                                       \
	.key = #name, .heading = heading_, .scope = (enum figure_scope)COUNTER_OF_SYSCALL, \
	.part_of = FIGURE_none, .unit = UNIT_NS
#define NEEDS_WAITS .needs = UNKNOWN_LATENCY | UNKNOWN_WAITS, .absent = ABSENT_UNKNOWN
#define NEEDS_CPU   .needs = UNKNOWN_LATENCY | UNKNOWN_CPU, .absent = ABSENT_UNKNOWN

const struct figure figures[] = {
	/* The calls that have returned. */
	[FIGURE_calls] = { SUM(calls, "calls", none) },
	/* The results in [-4095, -1]. */
	[FIGURE_errors] = { SUM(errors, "errors", calls) },
	/* The sum of the successful results of a call that transfers. */
	[FIGURE_bytes] = { SUM(bytes, "bytes", none), .unit = UNIT_BYTES, .needs = UNKNOWN_BYTES },
	/* The calls with a latency: all but those that a seccomp filter answered. */
	[FIGURE_timed] = { SUM(timed, "timed", calls) },
	/* The latencies are of the timed calls. All of them are 0 if there is none. */
	[FIGURE_total_ns] = { TIME(total_ns, "total", none) },
	[FIGURE_min_ns] = { KEY_AND_OFFSETS(min_ns), .heading = "min", .unit = UNIT_NS,
			    .combine = COMBINE_MIN, .part_of = FIGURE_max_ns,
			    .needs = UNKNOWN_LATENCY },
	[FIGURE_max_ns] = { KEY_AND_OFFSETS(max_ns), .heading = "max", .unit = UNIT_NS,
			    .combine = COMBINE_MAX, .part_of = FIGURE_none,
			    .needs = UNKNOWN_LATENCY },
	[FIGURE_mean_ns] = { DERIVED_TIME(mean_ns, "mean"), .needs = UNKNOWN_LATENCY,
			     .get = get_mean },
	[FIGURE_p50_ns] = { DERIVED_TIME(p50_ns, "p50"), .needs = UNKNOWN_LATENCY, .share = 0.5 },
	[FIGURE_p90_ns] = { DERIVED_TIME(p90_ns, "p90"), .needs = UNKNOWN_LATENCY, .share = 0.9 },
	[FIGURE_p99_ns] = { DERIVED_TIME(p99_ns, "p99"), .needs = UNKNOWN_LATENCY, .share = 0.99 },
	[FIGURE_p999_ns] = { DERIVED_TIME(p999_ns, "p99.9"), .needs = UNKNOWN_LATENCY,
			     .share = 0.999 },
	/* The timed calls that slept: the task gave up its CPU (task_struct.nvcsw has changed). */
	[FIGURE_waits] = { SUM(waits, "waits", timed), NEEDS_WAITS },
	/* The time of those from entry to exit. */
	[FIGURE_wait_ns] = { SUM(wait_ns, "wait", total_ns), .unit = UNIT_NS, NEEDS_WAITS },
	/* The time of the other timed calls. */
	[FIGURE_run_ns] = { DERIVED_TIME(run_ns, "run"), NEEDS_WAITS, .get = get_run_time },
	/*
	 * The time of those that waited for another program, another machine or a timer: of calls
	 * that do nothing else, and of reads from what is no file with data, and no disk.
	 */
	[FIGURE_idle_ns] = { SUM(idle_ns, "idle", wait_ns), .unit = UNIT_NS,
			     .needs = UNKNOWN_LATENCY | UNKNOWN_IDLE, .absent = ABSENT_UNKNOWN },
	/* The time of all other timed calls. */
	[FIGURE_busy_ns] = { DERIVED_TIME(busy_ns, "busy"), .needs = UNKNOWN_LATENCY | UNKNOWN_IDLE,
			     .absent = ABSENT_UNKNOWN, .get = get_busy_time },
	/* The timed calls that lost the CPU to another task (task_struct.nivcsw has changed). */
	[FIGURE_preempted] = { SUM(preempted, "preempted", timed), NEEDS_WAITS },
	/* The CPU time of the timed calls. */
	[FIGURE_cpu_ns] = { SUM(cpu_ns, "CPU", total_ns), .unit = UNIT_NS, NEEDS_CPU },
	[FIGURE_cpu_mean_ns] = { DERIVED_TIME(cpu_mean_ns, "CPU mean"), NEEDS_CPU,
				 .get = get_cpu_mean },
	/* With --sample-latency, the timed calls whose time is estimated by that of others. */
	[FIGURE_estimated] = { SUM(estimated, "estimated", timed), .needs = UNKNOWN_LATENCY,
			       .absent = ABSENT_ZERO },
	[FIGURE_estimated_waits] = { SUM(estimated_waits, "estimated waits", estimated),
				     .needs = UNKNOWN_LATENCY | UNKNOWN_WAITS,
				     .absent = ABSENT_ZERO },
	/* The standard error that the total has because of those. */
	[FIGURE_error_of_total_ns] = { KEY_AND_OFFSETS(error_of_total_ns),
				       .heading = "total's error", .unit = UNIT_NS,
				       .combine = COMBINE_ROOT, .part_of = FIGURE_total_ns,
				       .needs = UNKNOWN_LATENCY, .absent = ABSENT_ZERO },
	/* The writes of at least one byte whose last byte was read. */
	[FIGURE_last_byte_known] = { SUM(last_byte_known, "last byte known", succeeded),
				     .absent = ABSENT_ZERO },
	/* Of those, the writes whose last byte was a newline. */
	[FIGURE_newlines] = { SUM(newlines, "newlines", last_byte_known), .absent = ABSENT_ZERO },
	/* The writes whose position is known, and the end of their task's write before. */
	[FIGURE_positioned] = { SUM(positioned, "positioned", succeeded), .absent = ABSENT_ZERO },
	/* Of those, the writes that begin there, or behind it where others share the position. */
	[FIGURE_sequential] = { SUM(sequential, "sequential", positioned), .absent = ABSENT_ZERO },
	/* The reads and writes whose length is known. */
	[FIGURE_measured] = { SUM(measured, "measured", succeeded), .absent = ABSENT_ZERO },
	/* Of those, the reads and writes that moved less. */
	[FIGURE_cut_short] = { SUM(cut_short, "cut short", measured), .absent = ABSENT_ZERO },
	/* The writes that begin a run (struct iotrace_file_cache_entry). */
	[FIGURE_runs] = { SUM(runs, "runs", succeeded), .absent = ABSENT_SUCCEEDED },
	/* The writes that pass on what a pipe brought (struct iotrace_file_cache_entry). */
	[FIGURE_passed_on] = { SUM(passed_on, "passed on", succeeded), .absent = ABSENT_ZERO },
	/* The openings that empty the file or have to make it: O_TRUNC, O_EXCL. */
	[FIGURE_anew] = { SUM(anew, "begun anew", succeeded), .absent = ABSENT_ZERO },
	/* The time of the errors. */
	[FIGURE_error_ns] = { TIME(error_ns, "errors' time", total_ns), .absent = ABSENT_ZERO },
	/*
	 * The reads of a TCP connection whose last write Nagle's algorithm had held back for
	 * NAGLE_DELAY_NS or more, until what was sent before was acknowledged.
	 */
	[FIGURE_nagle_delays] = { SUM(nagle_delays, "Nagle delays", succeeded),
				  .needs = UNKNOWN_NAGLE, .absent = ABSENT_UNKNOWN },
	/* The time from the end of each of these writes until the kernel has sent it. */
	[FIGURE_nagle_ns] = { SUM(nagle_ns, "Nagle time", none), .unit = UNIT_NS,
			      .needs = UNKNOWN_NAGLE, .absent = ABSENT_UNKNOWN },
};
_Static_assert(sizeof(figures) == NR_FIGURES * sizeof(*figures), "the last figure has no row");

#define SCALES_NS    .syscall_scale = &latency_scale, .file_scale = &file_latency_scale
#define SCALES_BYTES .syscall_scale = &size_scale, .file_scale = &size_scale
#define HISTOGRAM(name, unit_) \
	KEY_AND_OFFSETS(name), .octave = OCTAVE_OF_##name, .unit = UNIT_##unit_, SCALES_##unit_

const struct figure_histogram figure_histograms[] = {
	[HISTOGRAM_latency] = { HISTOGRAM(latency, NS), .count_of = FIGURE_timed, .exact = true,
				.part_of = HISTOGRAM_none, .needs = UNKNOWN_LATENCY },
	[HISTOGRAM_wait_latency] = { HISTOGRAM(wait_latency, NS), .count_of = FIGURE_waits,
				     .exact = true, .part_of = HISTOGRAM_latency,
				     .needs = UNKNOWN_LATENCY | UNKNOWN_WAITS,
				     .absent = ABSENT_UNKNOWN },
	[HISTOGRAM_sizes] = { HISTOGRAM(sizes, BYTES), .count_of = FIGURE_succeeded,
			      .part_of = HISTOGRAM_none, .needs = UNKNOWN_BYTES },
};
_Static_assert(sizeof(figure_histograms) == NR_HISTOGRAMS * sizeof(*figure_histograms),
	       "a histogram has no row");

const enum figure_id latency_figures[NR_LATENCY_FIGURES] = {
	FIGURE_min_ns, FIGURE_mean_ns, FIGURE_p50_ns, FIGURE_p90_ns,
	FIGURE_p99_ns, FIGURE_p999_ns, FIGURE_max_ns,
};

const enum figure_id compared_figures[NR_COMPARED] = {
	[COMPARED_CALLS] = FIGURE_calls,   [COMPARED_BYTES] = FIGURE_bytes,
	[COMPARED_ERRORS] = FIGURE_errors, [COMPARED_TIME] = FIGURE_total_ns,
	[COMPARED_P50] = FIGURE_p50_ns,	   [COMPARED_P99] = FIGURE_p99_ns,
};

bool figure_is_counter(const struct figure *f, enum figure_scope scope)
{
	return f->scope & scope && f->combine != COMBINE_NOT;
}

uint64_t *figure_counter(const struct figure *f, enum figure_scope scope, void *stats)
{
	return counter_at(stats, scope == SCOPE_FILE	? f->file_offset
				 : scope == SCOPE_GROUP ? f->group_offset
							: f->syscall_offset);
}

uint64_t *figure_counts(const struct figure_histogram *h, enum figure_scope scope, void *stats)
{
	return counter_at(stats, scope == SCOPE_FILE	? h->file_offset
				 : scope == SCOPE_GROUP ? h->group_offset
							: h->syscall_offset);
}

const struct histogram_scale *figure_scale(const struct figure_histogram *h,
					   enum figure_scope scope)
{
	return scope == SCOPE_SYSCALL ? h->syscall_scale : h->file_scale;
}

enum figure_id figure_whole(enum figure_id part_of, enum figure_scope scope)
{
	while (part_of < NR_FIGURES && !(figures[part_of].scope & scope))
		part_of = figures[part_of].part_of;
	return part_of;
}

uint64_t figure_whole_value(enum figure_id whole, enum figure_scope scope, const void *stats)
{
	if (whole == FIGURE_none)
		return UINT64_MAX;
	if (whole == FIGURE_succeeded)
		return sub_saturated(counter(FIGURE_calls, scope, stats),
				     counter(FIGURE_errors, scope, stats));
	return counter(whole, scope, stats);
}

void figures_fit(enum figure_scope scope, void *stats)
{
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];
		uint64_t whole;

		if (!(f->scope & scope) || f->combine != COMBINE_SUM)
			continue;
		whole = figure_whole_value(figure_whole(f->part_of, scope), scope, stats);
		if (*figure_counter(f, scope, stats) > whole)
			*figure_counter(f, scope, stats) = whole;
	}
}

/* Are there calls that minimum and maximum are of? */
static bool has_extremes(enum figure_scope scope, const void *stats)
{
	return counter(scope == SCOPE_FILE ? FIGURE_calls : FIGURE_timed, scope, stats);
}

void figures_add(enum figure_scope scope, void *dst, const void *src)
{
	bool any = has_extremes(scope, src), first = !has_extremes(scope, dst);

	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];
		uint64_t *sum = figure_counter(f, scope, dst), value;

		if (!(f->scope & scope) || f->combine == COMBINE_NOT)
			continue;
		value = counter(id, scope, src);
		if (f->combine == COMBINE_SUM)
			*sum += value;
		else if (f->combine == COMBINE_ROOT)
			*sum = (uint64_t)llround(hypot((double)*sum, (double)value));
		else if (any &&
			 (first || (f->combine == COMBINE_MIN ? value < *sum : value > *sum)))
			*sum = value;
	}
	for (size_t i = 0; i < NR_HISTOGRAMS; i++) {
		const struct figure_histogram *h = &figure_histograms[i];

		if (h->scope & scope)
			histogram_merge(figure_counts(h, scope, dst),
					figure_counts(h, scope, (void *)src),
					figure_scale(h, scope)->nr_buckets);
	}
}

void figures_subtract(enum figure_scope scope, void *whole, const void *part)
{
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		uint64_t *left = figure_counter(&figures[id], scope, whole);

		if (figures[id].scope & scope && figures[id].combine == COMBINE_SUM)
			*left = sub_saturated(*left, counter(id, scope, part));
	}
	for (size_t i = 0; i < NR_HISTOGRAMS; i++) {
		const struct figure_histogram *h = &figure_histograms[i];
		uint64_t *left = figure_counts(h, scope, whole);
		const uint64_t *taken = figure_counts(h, scope, (void *)part);

		for (uint32_t b = 0; h->scope & scope && b < figure_scale(h, scope)->nr_buckets;
		     b++)
			left[b] = sub_saturated(left[b], taken[b]);
	}
}

uint64_t figure_value_in(enum figure_scope scope, enum figure_id id, const void *stats)
{
	const struct figure_histogram *latency = &figure_histograms[HISTOGRAM_latency];
	const struct figure *f = &figures[id];

	if (f->combine != COMBINE_NOT)
		return counter(id, scope, stats);
	if (f->get)
		return f->get(scope, stats);
	return histogram_percentile(figure_scale(latency, scope),
				    figure_counts(latency, scope, (void *)stats), f->share,
				    counter(FIGURE_min_ns, scope, stats),
				    counter(FIGURE_max_ns, scope, stats));
}

uint64_t figure_value(enum figure_id id, const struct syscall_stats *s)
{
	return figure_value_in(SCOPE_SYSCALL, id, s);
}

bool figures_known_if(unsigned needs, bool transfers, bool timed, unsigned unknown)
{
	if (needs & unknown || (needs & UNKNOWN_LATENCY && !timed))
		return false;
	return transfers || !(needs & UNKNOWN_BYTES);
}

bool figures_known(unsigned needs, const struct syscall_stats *s, unsigned unknown)
{
	return figures_known_if(needs, s->transfers, s->timed, unknown);
}

bool figure_known(enum figure_id id, const struct syscall_stats *s, unsigned unknown)
{
	return figures_known(figures[id].needs, s, unknown);
}

bool figures_split(const struct syscall_stats *s, unsigned unknown)
{
	return figure_known(FIGURE_waits, s, unknown) && s->waits > s->timed / 100 &&
	       sub_saturated(s->timed, s->waits) > s->timed / 100;
}
