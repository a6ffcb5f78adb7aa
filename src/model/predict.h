/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a fix would gain: calls that are not made any more, the time that iotrace counted for them,
 * and the time that the run without iotrace would be shorter by. Pure functions of the profile and
 * its calibration.
 */
#ifndef IOTRACE_PREDICT_H
#define IOTRACE_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/busy.h"
#include "model/calibration.h"
#include "model/files.h"
#include "model/profile.h"

/*
 * How much longer or shorter the same program takes the next time: on a virtual machine, whose
 * neighbours come and go, 15 % (`make predictions` shows what it is).
 */
#define RUN_TO_RUN 0.15
/* How far what the calibration says of a call may be off: its two halves are some 30 ms apart. */
#define CALIBRATION_ERROR 0.05

struct range {
	double low, high;
};

/* Nanoseconds, but for the share. */
struct gain {
	bool known;
	struct range syscall_ns; /* of the calls' time, as iotrace measures it */
	struct range wall_ns;	 /* of the processes' time without iotrace */
	struct range share;	 /* of what they are busy without iotrace: 0 to 1 */
};

/* What a byte of a call costs, beside the call itself; picoseconds. */
struct byte_cost {
	bool known;
	struct range ps;
	const struct file_stats
		*seen_on; /* its larger calls in this run; NULL: the calibration's */
};

/* A part of what a fix does away with. */
struct removal {
	const struct file_call *call; /* of which kind */
	struct range nr;	      /* how many that do not sleep */
	double around; /* what goes with each outside of it, as a multiple of the lightest call */
	struct byte_cost
		stays; /* of each byte of theirs, which others move then; !known: nothing */
};

/*
 * What a byte costs in calls of an action on this file, when they are of buffer_size bytes: seen on
 * other calls of this run, or else calibrated.
 */
struct byte_cost predict_byte_cost(const struct profile *p, const struct file_stats *files,
				   size_t nr_files, const struct file_stats *file,
				   enum syscall_action action, uint64_t buffer_size);

/*
 * Sums up the gain of these removals; busy_ns is what its share is of. Not known without times, or
 * without a calibration.
 */
struct gain predict_gain(const struct profile *p, const struct removal *removals, size_t nr,
			 const struct range *busy_ns);

/*
 * How long programs would be busy without iotrace; the run's elapsed time where it is not known how
 * long they were.
 */
struct range predict_busy_ns(const struct profile *p, const struct busy *busy);

/* The time of such calls without iotrace; as measured if there is no calibration. ns */
double predict_calls_ns(const struct profile *p, double total_ns, uint64_t calls);

/* A call that did not sleep, as measured, and without iotrace; picoseconds. */
double predict_inside_ps(const struct file_call *c);
double predict_bare_ps(const struct calibration *c, double inside_ps);

/* Time that was not slept. Figures of a running program are not of one moment. */
uint64_t file_call_running_ns(const struct file_call *c);
#endif
