// SPDX-License-Identifier: GPL-2.0
#include "model/figures.h"

#include <math.h>

#include "base/saturate.h"
#include "model/files.h"
#include "model/profile.h"

static uint64_t get_mean(const struct syscall_stats *s)
{
	return rounded_mean(s->total_ns, s->timed);
}

static uint64_t get_run_time(const struct syscall_stats *s)
{
	return sub_saturated(s->total_ns, s->wait_ns);
}

static uint64_t get_cpu_mean(const struct syscall_stats *s)
{
	return rounded_mean(s->cpu_ns, s->timed);
}

#define OFFSETS(scope, name)                                                            \
	.syscall_offset = IN_SYSCALL_##scope(offsetof(struct syscall_stats, name)) + 0, \
	.file_offset = IN_FILE_##scope(offsetof(struct file_call, name)) + 0

const struct figure figures[NR_FIGURES] = {
#define COUNTER_ROW(scope_, cell, name, heading_, unit_, combine_, part, needs_, absent_, ...) \
	[FIGURE_##name] = {                                                                    \
		.key = #name,                                                                  \
		.heading = heading_,                                                           \
		.scope = SCOPE_##scope_,                                                       \
		.unit = UNIT_##unit_,                                                          \
		.combine = COMBINE_##combine_,                                                 \
		.part_of = FIGURE_##part,                                                      \
		.needs = needs_,                                                               \
		.absent = ABSENT_##absent_,                                                    \
		OFFSETS(scope_, name),                                                         \
	},
#define DERIVED_ROW(name, heading_, unit_, needs_, absent_, share_, get_, ...) \
	[FIGURE_##name] = {                                                    \
		.key = #name,                                                  \
		.heading = heading_,                                           \
		.scope = SCOPE_SYSCALL,                                        \
		.unit = UNIT_##unit_,                                          \
		.combine = COMBINE_NOT,                                        \
		.part_of = FIGURE_none,                                        \
		.needs = needs_,                                               \
		.absent = ABSENT_##absent_,                                    \
		.share = share_,                                               \
		.get = get_,                                                   \
	},
	FIGURES(COUNTER_ROW, DERIVED_ROW)
};

#define SCALE_NS	 latency_scale
#define SCALE_BYTES	 size_scale
#define FILE_SCALE_NS	 file_latency_scale
#define FILE_SCALE_BYTES size_scale
#define EXACT		 true
#define AT_MOST		 false

const struct figure_histogram figure_histograms[NR_HISTOGRAMS] = {
#define HISTOGRAM_ROW(scope_, cell, name, unit_, buckets, octave_, of, exact_, part, needs_, \
		      absent_)                                                               \
	[HISTOGRAM_##name] = {                                                               \
		.key = #name,                                                                \
		.scope = SCOPE_##scope_,                                                     \
		.unit = UNIT_##unit_,                                                        \
		.octave = octave_,                                                           \
		.count_of = FIGURE_##of,                                                     \
		.exact = exact_,                                                             \
		.part_of = HISTOGRAM_##part,                                                 \
		.needs = needs_,                                                             \
		.absent = ABSENT_##absent_,                                                  \
		OFFSETS(scope_, name),                                                       \
		.syscall_scale = &SCALE_##unit_,                                             \
		.file_scale = &FILE_SCALE_##unit_,                                           \
	},
	HISTOGRAMS(HISTOGRAM_ROW)
};

const enum figure_id latency_figures[NR_LATENCY_FIGURES] = {
	FIGURE_min_ns, FIGURE_mean_ns, FIGURE_p50_ns, FIGURE_p90_ns,
	FIGURE_p99_ns, FIGURE_p999_ns, FIGURE_max_ns,
};

uint64_t *figure_counter(const struct figure *f, enum figure_scope scope, void *stats)
{
	size_t offset = scope == SCOPE_FILE ? f->file_offset : f->syscall_offset;

	return (uint64_t *)((char *)stats + offset);
}

static uint64_t counter(enum figure_id id, enum figure_scope scope, const void *stats)
{
	return *figure_counter(&figures[id], scope, (void *)stats);
}

uint64_t *figure_counts(const struct figure_histogram *h, enum figure_scope scope, void *stats)
{
	size_t offset = scope == SCOPE_FILE ? h->file_offset : h->syscall_offset;

	return (uint64_t *)((char *)stats + offset);
}

const struct histogram_scale *figure_scale(const struct figure_histogram *h,
					   enum figure_scope scope)
{
	return scope == SCOPE_FILE ? h->file_scale : h->syscall_scale;
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
		return counter(FIGURE_calls, scope, stats) - counter(FIGURE_errors, scope, stats);
	return counter(whole, scope, stats);
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

uint64_t figure_value(enum figure_id id, const struct syscall_stats *s)
{
	const struct figure *f = &figures[id];

	if (f->combine != COMBINE_NOT)
		return counter(id, SCOPE_SYSCALL, s);
	return f->get ? f->get(s) : syscall_stats_percentile_ns(s, f->share);
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
	       s->timed - s->waits > s->timed / 100;
}
