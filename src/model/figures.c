// SPDX-License-Identifier: GPL-2.0
#include "model/figures.h"

static uint64_t get_calls(const struct syscall_stats *s)
{
	return s->calls;
}

static uint64_t get_errors(const struct syscall_stats *s)
{
	return s->errors;
}

static uint64_t get_bytes(const struct syscall_stats *s)
{
	return s->bytes;
}

static uint64_t get_timed(const struct syscall_stats *s)
{
	return s->timed;
}

static uint64_t get_total(const struct syscall_stats *s)
{
	return s->total_ns;
}

static uint64_t get_min(const struct syscall_stats *s)
{
	return s->min_ns;
}

static uint64_t get_max(const struct syscall_stats *s)
{
	return s->max_ns;
}

static uint64_t get_waits(const struct syscall_stats *s)
{
	return s->waits;
}

static uint64_t get_wait_time(const struct syscall_stats *s)
{
	return s->wait_ns;
}

static uint64_t get_run_time(const struct syscall_stats *s)
{
	return s->total_ns > s->wait_ns ? s->total_ns - s->wait_ns : 0;
}

static uint64_t get_preempted(const struct syscall_stats *s)
{
	return s->preempted;
}

static uint64_t get_cpu_time(const struct syscall_stats *s)
{
	return s->cpu_ns;
}

static uint64_t get_cpu_mean(const struct syscall_stats *s)
{
	return rounded_mean(s->cpu_ns, s->timed);
}

#define TIME  UNIT_NS, UNKNOWN_LATENCY
#define WAITS UNKNOWN_LATENCY | UNKNOWN_WAITS
#define CPU   UNIT_NS, UNKNOWN_LATENCY | UNKNOWN_CPU
#define BYTES UNIT_BYTES, UNKNOWN_BYTES

/* clang-format off */
const struct figure figures[NR_FIGURES] = {
	[FIGURE_CALLS]  = { "calls",    "calls",  UNIT_COUNT, 0, false, 0, get_calls },
	[FIGURE_ERRORS] = { "errors",   "errors", UNIT_COUNT, 0, false, 0, get_errors },
	[FIGURE_BYTES]  = { "bytes",    "bytes",  BYTES, false, 0,     get_bytes },
	[FIGURE_TIMED]  = { "timed",    "timed",  UNIT_COUNT, 0, false, 0, get_timed },
	[FIGURE_TOTAL]  = { "total_ns", "total",  TIME,  false, 0,     get_total },
	[FIGURE_MIN]    = { "min_ns",   "min",    TIME,  false, 0,     get_min },
	[FIGURE_MAX]    = { "max_ns",   "max",    TIME,  false, 0,     get_max },
	[FIGURE_MEAN]   = { "mean_ns",  "mean",   TIME,  true,  0,     syscall_stats_mean_ns },
	[FIGURE_P50]    = { "p50_ns",   "p50",    TIME,  true,  0.5,   NULL },
	[FIGURE_P90]    = { "p90_ns",   "p90",    TIME,  true,  0.9,   NULL },
	[FIGURE_P99]    = { "p99_ns",   "p99",    TIME,  true,  0.99,  NULL },
	[FIGURE_P999]   = { "p999_ns",  "p99.9",  TIME,  true,  0.999, NULL },
	[FIGURE_WAITS]     = { "waits",     "waits",     UNIT_COUNT, WAITS, false, 0, get_waits },
	[FIGURE_WAIT_TIME] = { "wait_ns",   "wait",      UNIT_NS,    WAITS, false, 0, get_wait_time },
	[FIGURE_RUN_TIME]  = { "run_ns",    "run",       UNIT_NS,    WAITS, true,  0, get_run_time },
	[FIGURE_PREEMPTED] = { "preempted", "preempted", UNIT_COUNT, WAITS, false, 0, get_preempted },
	[FIGURE_CPU_TIME]  = { "cpu_ns",      "CPU",      CPU, false, 0, get_cpu_time },
	[FIGURE_CPU_MEAN]  = { "cpu_mean_ns", "CPU mean", CPU, true,  0, get_cpu_mean },
};
/* clang-format on */

const enum figure_id latency_figures[NR_LATENCY_FIGURES] = {
	FIGURE_MIN, FIGURE_MEAN, FIGURE_P50, FIGURE_P90, FIGURE_P99, FIGURE_P999, FIGURE_MAX,
};

uint64_t figure_value(enum figure_id id, const struct syscall_stats *s)
{
	const struct figure *f = &figures[id];

	return f->get ? f->get(s) : syscall_stats_percentile_ns(s, f->share);
}

bool figures_known(unsigned needs, const struct syscall_stats *s, unsigned unknown)
{
	if (needs & unknown)
		return false;
	if (needs & UNKNOWN_LATENCY && !s->timed)
		return false;
	return !(needs & UNKNOWN_BYTES) || s->transfers;
}

bool figure_known(enum figure_id id, const struct syscall_stats *s, unsigned unknown)
{
	return figures_known(figures[id].needs, s, unknown);
}

bool figures_split(const struct syscall_stats *s, unsigned unknown)
{
	return figure_known(FIGURE_WAITS, s, unknown) && s->waits > s->timed / 100 &&
	       s->timed - s->waits > s->timed / 100;
}
