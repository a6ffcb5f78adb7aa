/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Predicts the gain of a fix: how many calls go away, how much time iotrace counted for them, and
 * how much shorter the run without iotrace becomes. Pure functions of the profile and its
 * calibration.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/busy.h"
#include "model/calibration.h"
#include "model/files.h"
#include "model/profile.h"
#include "model/range.h"

/*
 * What a fix gains in two bare runs, and what a third run says of it, differ by no more than this
 * factor in nine of ten rounds of `make promises` on a virtual machine, which has neighbours.
 */
#define RUN_TO_RUN 1.25
/* The relative error of a calibrated call: its two halves are some 30 ms apart. */
#define CALIBRATION_ERROR 0.05

enum pace {
	PACE_OWN,    /* Nothing does. */
	PACE_WAITS,  /* The tasks concerned wait for others or the clock, or end before others. */
	PACE_OTHERS, /* Another program takes the rest of the run. */
};

/* All in nanoseconds, except the share. */
struct gain {
	bool known;
	struct range syscall_ns; /* System call time of all tasks, as iotrace measures it. */
	struct range cpu_ns;	 /* CPU time of all tasks without iotrace. */
	/* What the tasks concerned take less, at work and waiting, summed over them. */
	struct range time_ns;
	/*
	 * A command's run without iotrace takes so much less, and this share of its time, 0 to 1.
	 * Of running programs that were watched there is no run: the share is that of time_ns in
	 * the time that they worked, or waited for something else than others and timers.
	 */
	struct range wall_ns;
	struct range share;
	struct range cpu_share; /* cpu_ns as a part of the time of one CPU; may exceed 1. */
	struct range run_ns;	/* Elapsed time of the whole run without iotrace. */
	struct range tasks_ns;	/* CPU time of the tasks concerned without iotrace. */
	/* What else sets the pace of the run, so that the low end of wall_ns is less. */
	enum pace pace;
	bool has_own_work; /* The high end has all the work of the tasks concerned. */
	bool watched;	   /* It is of running programs that were watched. */
};

/* What a gain is a part of. The last two need no calibration. */
struct whole {
	struct range run_ns; /* Elapsed time of the run without iotrace. */
	/* Time that the tasks concerned are busy, or wait in the calls concerned. */
	struct range tasks_ns;
	/* Number of tasks concerned beside each other, 1 and up: they share what they gain. */
	double beside;
	/* The tasks concerned may work so much less before the run ends any sooner. */
	double slack_ns;
	double others_ns; /* Time that the longest of the other programs takes. */
	bool own_work;	  /* What the tasks do besides the calls may go away with them. */
	/* Tasks slept elsewhere for most of it: who does not wait in these calls waits there. */
	bool idle;
	/* Running programs were watched, which worked, or waited for disks, for so long. */
	bool watched;
	struct range busy_ns;
};

/* What calls of one kind took, as measured. */
struct call_cost {
	double inside_ps; /* Time of a call that did not sleep. */
	double bytes;	  /* Bytes of a call. */
	double total_ns;  /* Time of all calls. */
	/* Two standard errors of an estimated time, as a part of it. 0: every call was timed. */
	double error;
};

/* Bytes that are moved by fewer and larger calls when small ones go away. */
struct moved_bytes {
	uint64_t buffer_size; /* Bytes of a larger call. 0: no bytes are moved. */
	/* Path of the file whose calls in this run tell the cost of a byte. NULL: none does. */
	const char *seen_on;
	struct range seen_ps; /* Picoseconds that a byte costs there. */
	struct range factor;  /* Factor of what the calibration says, where no call was measured. */
};

/* Calls of one kind that a fix removes. */
struct removal {
	struct call_cost call;
	struct range nr; /* Number of those that do not sleep. */
	/* User time that goes with each call, as a multiple of the lightest call. */
	struct range around;
	struct range wait_ns; /* Time slept in those that go away, which goes away with them. */
	struct moved_bytes moved;
};

struct call_cost predict_call_cost(const struct file_call *c);

/* Returns what is known without a calibration of bytes that such calls move on the file. */
struct moved_bytes predict_moved_bytes(const struct file_stats *files, size_t nr_files,
				       const struct file_stats *file, enum syscall_action action,
				       uint64_t buffer_size);

/* Returns the cost of each of these bytes besides the call, in picoseconds. 0: not known. */
struct range predict_byte_ps(const struct calibration *c, const struct moved_bytes *moved);

/*
 * Adds up the gain of these removals. It is not known without times or without a calibration.
 */
struct gain predict_gain(const struct profile *p, const struct removal *removals, size_t nr,
			 const struct whole *whole);

/*
 * Returns the gain of one process instead of all of a group. It is not known without times or
 * without a calibration of processes.
 */
struct gain predict_processes(const struct profile *p, const struct process_group *group,
			      const struct whole *whole);
/* Returns what it takes to start and end one of them without iotrace, at least. 0: not known. */
double predict_start_ns(const struct profile *p, const struct process_group *group);

/* Returns the programs' busy time without iotrace. If it is not known: the run's elapsed time. */
struct range predict_busy_ns(const struct profile *p, const struct busy *busy);

/* Were running programs watched, and no command run? Then there is no run that could be shorter. */
bool predict_is_watched(const struct profile *p);

/*
 * Returns the whole for calls of the programs with this busy time, which slept for wait_ns in them.
 * Where busy times are not known, nothing is taken to have run beside anything else.
 */
struct whole predict_whole(const struct profile *p, const struct busy *busy, uint64_t wait_ns);

/*
 * Returns the share of a gain in a whole, 0 to 1. A slower run is slower in all of its parts, so
 * the share is more certain than the times are.
 */
struct range predict_share(const struct range *part, const struct range *run);

/* Returns the calls' time without iotrace in ns; with it, if there is no calibration. */
double predict_calls_ns(const struct profile *p, double total_ns, uint64_t calls);

/* Return the time of a call that did not sleep: as measured, and without iotrace. */
double predict_inside_ps(const struct file_call *c);
double predict_bare_ps(const struct calibration *c, double inside_ps);

/* Returns the time that was not slept, even where both figures are of different moments. */
uint64_t file_call_running_ns(const struct file_call *c);
