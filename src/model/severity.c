// SPDX-License-Identifier: GPL-2.0
/* How much a finding matters: by what its fix gains. */
#include <math.h>

#include "model/rules/rule.h"

/* A range that spans more than this factor is wide. */
#define WIDE 2.5
/* This part of what the programs concerned use of the CPU is worth being told. */
#define MUCH_CPU 0.2
/* Less CPU time than this part of the run is not worth being told. */
#define TRIFLE 0.005
/* Less than this part of one CPU's time is not worth being told of running programs. */
#define TRIFLE_WATCHED 0.001
/* A gain of less than this part of the run is lost in what one run differs from the next. */
#define SEEN_BY_TIMING 0.02

static enum severity severity_of(double share)
{
	return share >= 0.2    ? SEVERITY_HIGH
	       : share >= 0.05 ? SEVERITY_MEDIUM
	       : share >= 0.01 ? SEVERITY_LOW
			       : SEVERITY_INFO;
}

/* Returns the figure that a range stands for: a wide one is no better than its low end. */
static double worth(const struct range *r)
{
	return r->high > WIDE * r->low ? r->low : range_middle(r);
}

/*
 * Returns the severity of CPU time that is gained where the run ends no sooner: if it is a good
 * part of what the programs concerned use, and no trifle of the run, one level below that of the
 * same elapsed time, and low at least.
 */
static enum severity severity_of_cpu(const struct gain *g)
{
	double cpu_ns = g->cpu_ns.low;
	enum severity by_run;

	if (cpu_ns < MUCH_CPU * g->tasks_ns.high || cpu_ns < TRIFLE * g->run_ns.high)
		return SEVERITY_INFO;
	by_run = severity_of(cpu_ns / g->run_ns.high);
	return by_run > SEVERITY_LOW ? by_run - 1 : SEVERITY_LOW;
}

enum severity finding_severity(const struct finding *f)
{
	enum severity wall, cpu;

	if (f->excused || !f->predicted)
		return SEVERITY_INFO;
	if (finding_is_latency(f))
		return severity_of(rule_ratio(f->late.nr, f->late.of));
	if (!f->gain.known)
		return severity_of(f->share);
	if (f->gain.watched)
		return f->gain.time_ns.high < TRIFLE_WATCHED * f->gain.run_ns.high
			       ? SEVERITY_INFO
			       : severity_of(worth(&f->gain.share));
	wall = f->gain.share.high < SEEN_BY_TIMING ? SEVERITY_INFO
						   : severity_of(worth(&f->gain.share));
	cpu = severity_of_cpu(&f->gain);
	return wall > cpu ? wall : cpu;
}
