/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The diagnosis: bad habits in the I/O of a run, where they are, and what fixing them would save.
 * Each rule is in rules/ and a row in findings.c, and a pure function of the profile.
 */
#ifndef IOTRACE_FINDINGS_H
#define IOTRACE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/predict.h"
#include "model/profile.h"

/*
 * By what the fix would save of the time that the programs concerned are busy: low from 1 %, medium
 * from 5 %, high from 20 %.
 */
enum severity {
	SEVERITY_INFO, /* below 1 %, or nothing to gain */
	SEVERITY_LOW,
	SEVERITY_MEDIUM,
	SEVERITY_HIGH,
	NR_SEVERITIES,
};

struct finding {
	const char *id; /* stable: "flush-per-line" */
	enum severity severity;
	char *path; /* the file's, as in struct file_stats; of several, that which weighs most */
	uint64_t files;	  /* how many files it is about */
	const char *kind; /* file_kind_name() */
	uint64_t calls;	  /* those that the finding is about */
	double share;	/* of what its programs are busy, without iotrace; 0 if that is not known */
	double busy_ns; /* what that is a share of; of several files: the whole run */
	bool excused;	/* there is nothing to gain: info at most */
	bool minor;	/* known to gain next to nothing: shown to people who ask for it */
	uint64_t wait_ns; /* of their time: that of the calls that slept; 0 if that is not known */
	char *evidence;	  /* figures, in words; text from elsewhere is escaped */
	const char *advice;

	/* Predicted result of the fix. */
	bool predicted;
	uint64_t predicted_calls;
	struct gain gain; /* of time that was not slept */
	char *basis;	  /* what the gain rests on; NULL without one */
};

struct findings {
	struct finding *list; /* the most severe first */
	size_t nr;
};

/*
 * files are files_by_path(). buffer_size is that of the buffered writes and reads that are
 * predicted; 0: those of each program's language. 0 or -ENOMEM; findings_free() it.
 */
int findings_make(struct findings *f, const struct profile *p, const struct file_stats *files,
		  size_t nr_files, uint64_t buffer_size);
void findings_free(struct findings *f);
/*
 * Will a finding predict what a fix gains? Then a calibration is wanted. Stops at the first that
 * does.
 */
bool findings_predict_time(const struct profile *p);

/*
 * How many of them, from the first on, people want to see: all if they ask, or else those that are
 * not minor. A report shows the first of these, and counts the rest.
 */
size_t findings_wanted(const struct findings *f, bool asked);
size_t findings_shown(const struct findings *f, bool asked);

/* The ids of all rules; NULL after the last. */
const char *findings_id(size_t i);

const char *severity_name(enum severity severity); /* "info", "low", "medium", "high" */
#endif
