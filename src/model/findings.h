/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The diagnosis: bad habits in the I/O of a run, where they are, and what fixing them would save.
 * Each rule is in rules/ and a row in findings.c, and a pure function of the profile.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/predict.h"
#include "model/profile.h"

/*
 * The fix would save this share of the run's elapsed time; of running programs that are watched, of
 * the time that they work or wait for disks.
 */
enum severity {
	SEVERITY_INFO,	 /* Below 1 %, or nothing to gain. */
	SEVERITY_LOW,	 /* From 1 %. */
	SEVERITY_MEDIUM, /* From 5 %. */
	SEVERITY_HIGH,	 /* From 20 %. */
	NR_SEVERITIES,
};

#define MAX_REMOVALS 4
#define MAX_COSTS    2

/* Facts of a run that the gain of a fix follows from, once the machine is calibrated. */
struct fix {
	uint64_t total_ns;   /* Measured time of the finding's calls. */
	const char *syscall; /* The syscall of a finding that has no file. NULL: it has one. */
	/*
	 * The process that makes most of them, and how often it does so. Findings that are as often
	 * in one process may have one cause. 0: this one has its own.
	 */
	pid_t user;
	uint64_t cycles;
	uint64_t processes; /* Number of processes that make them. 0: it is not known. */
	/* The processes that it is about, which its calls then are; not owned. NULL: calls. */
	const struct process_group *group;
	struct busy busy; /* Busy time of the processes concerned. */
	struct removal removals[MAX_REMOVALS];
	size_t nr_removals;
	uint64_t wait_ns; /* Time slept in the calls that are removed. */
	/* Calls whose cost the gain rests on. */
	struct {
		const char *what; /* The call, such as "write". */
		double inside_ps; /* Time of a call as it was measured. */
	} costs[MAX_COSTS];
	size_t nr_costs;
	/* What the program does again and again, such as "write", and how often it did. */
	const char *each; /* NULL: the calls themselves. */
	uint64_t nr_each;
	const char *basis; /* What the gain rests on besides. NULL: nothing. */
	bool seen_before;  /* It is about what the program has looked at or read before. */
	bool setting;	   /* It is a setting of the program, which mends all alike. */
	bool own_work;	   /* The program does more for each call than that call. */
	const char *paced; /* Why the run may become no shorter. NULL: it will. */
	/* The run becomes no shorter, and this part of the CPU time goes away at least. */
	double idle_share;
	const char *doubt; /* Why fewer calls may go away. NULL: nothing is in doubt. */
	uint64_t doubtful_ns;
};

/* Calls, and which groups (--by) make them; those that no group has are of an unknown one. */
struct calls_by_group {
	uint64_t calls;
	struct file_group *groups;
	size_t nr;
};

/* Requests whose answers are late, while nobody works on them. */
struct late_requests {
	uint64_t nr; /* 0: the finding is not about these. */
	uint64_t of; /* Number of all requests, the others among them. */
	uint64_t ns; /* What they lose together. */
	bool paces;  /* The run waits for them. */
};

struct finding {
	const char *id; /* The name of the habit, which is stable: "flush-per-line". */
	enum severity severity;
	char *path;	  /* As in struct file_stats; of several files, the one that weighs most. */
	uint64_t files;	  /* Number of files that it is about. */
	uint64_t joined;  /* Number of findings of the same cause that it stands for, too. */
	const char *kind; /* Kind of the file, by file_kind_name(). */
	uint64_t calls;	  /* Number of calls that the fix changes. */
	double share;	  /* Share of the run without iotrace that its calls take. 0: not known. */
	bool commits;	  /* A journal beside the file has a part in each of its commits. */
	bool excused;	  /* Nothing can be gained, and it stays at SEVERITY_INFO. */
	bool minor;	  /* The gain is known to be next to nothing, and text reports omit it. */
	uint64_t wait_ns; /* Time of its calls that slept. 0: not known. */
	char *evidence;	  /* Figures in words. Text from elsewhere in it is escaped. */
	const char *advice;
	unsigned caveats; /* What the advice costs: bits of enum caveat. */
	char *caveat;	  /* The same in words, set by findings_price(). NULL: nothing. */
	/* What the gain is on, such as "if records may be lost". NULL: nothing. */
	const char *condition;

	/* The predicted result of the fix. */
	bool predicted;
	uint64_t predicted_calls;
	struct gain gain;
	struct late_requests late;
	char *basis;	    /* The figures that the gain rests on. NULL: none. */
	const char *reason; /* Why the gain's interval is wide. NULL: it is not. */
	struct site *sites; /* Where its calls come from; that is not known of all of them. */
	size_t nr_sites;
	enum stack_weight sites_by; /* What their shares are of. */
	/* Those on its files, or those of its syscall if it has none. */
	struct calls_by_group made;
	/* The group that makes most of them, set by findings_price(). id 0: it is not known. */
	struct file_group group;
	unsigned about; /* The calls that it is about, as in struct rule, besides its rule's. */
	struct fix fix;
};

struct findings {
	struct finding *list; /* The findings, the most severe first. */
	size_t nr;
};

/*
 * Finds what is done badly, with all facts but the gains. The files come from files_by_path(), and
 * outlive the findings. Predictions assume buffers of buffer_size bytes; 0: those of each program's
 * language. Returns 0 or -ENOMEM. Call findings_free() after it.
 */
int findings_judge(struct findings *f, const struct profile *p, const struct file_stats *files,
		   size_t nr_files, uint64_t buffer_size);
void finding_free(struct finding *f);
void findings_free(struct findings *f);

/* Does any finding predict a gain? Then the machine has to be calibrated. */
bool findings_predict_time(const struct findings *f, const struct profile *p);
/* Is any about processes? Then their start has to be calibrated, too. */
bool findings_are_of_processes(const struct findings *f);
/*
 * Computes the gains by the profile's calibration, and from these severity and order; one finding
 * then stands for many that are alike. Call it once.
 */
void findings_price(struct findings *f, const struct profile *p);

/*
 * Counts the findings that a text report is about, which come first in the list: all if asked,
 * otherwise those that are not minor. The report shows findings_shown() of them, and counts the
 * rest.
 */
size_t findings_wanted(const struct findings *f, bool asked);
size_t findings_shown(const struct findings *f, bool asked);

/* Is the gain that answers come sooner, and not that the run is shorter? */
static inline bool finding_is_latency(const struct finding *f)
{
	return f->late.nr && !f->late.paces;
}

/*
 * Returns what a gain is told for each of: "write", "opening", "process"; and how many of them there
 * were, 1 or more.
 */
const char *finding_each(const struct finding *f);
uint64_t finding_each_count(const struct finding *f);

/* Returns the ids of all rules, one after the other. NULL: there are no more. */
const char *findings_id(size_t i);

const char *severity_name(enum severity severity); /* Returns "info", "low", "medium" or "high". */
