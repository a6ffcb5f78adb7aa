/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules of the diagnosis share this. For them, and for findings.c, price.c, merge.c and
 * severity.c alone.
 */
#pragma once

#include <inttypes.h>

#include "base/text.h"
#include "model/advice.h"
#include "model/files.h"
#include "model/findings.h"

/* Fewer calls are not a habit. */
#define MIN_CALLS  100
#define MIN_CYCLES 50 /* A cycle has several calls: openings, syncs. */
/* So many are a habit on a file whose program does as much with others beside it. */
#define MIN_CYCLES_OF_ALIKE 5
/* Larger calls gain next to nothing from becoming larger still. */
#define LARGE_CALL 4096
/* Nor do such calls, where each goes to the device by itself. */
#define DIRECT_BUFFER (256 << 10)

/*
 * The files of one kind that one program uses in one directory. What is a habit is so on all of
 * them together.
 */
struct alike {
	uint64_t opens, syncs; /* Calls that succeeded. */
	uint64_t looks;	       /* Looks at what was there. */
	bool first;	       /* This file is the first of them. */
};

/* One file, its calls by what they do, and what all rules share. */
struct subject {
	const struct profile *profile;
	/* The file that is judged. NULL: the rule is about all of them. */
	const struct file_stats *file;
	const struct file_stats *files;
	size_t nr_files;
	const struct findings *found; /* What has been found until now. */
	uint64_t buffer_size;	      /* Bytes of --buffer-size. 0: the language's own. */
	const struct busy *busy;      /* Busy time of the processes concerned. */
	struct file_call all, read, open, close, sync, copy;
	struct file_call write;	 /* Writes that did not fail. */
	struct file_call failed; /* Writes that failed: calls and total_ns alone. */
	struct alike alike;	 /* The file and those like it. */
	uint64_t seeks;		 /* Number of calls that set the position. */
	uint64_t jumps; /* Number of calls that set the position, or read at one of their own. */
};

#define ABOUT(action) (1U << ACTION_##action)
/* The rule is about the time of its calls, not their number. */
#define BY_TIME	  (1U << 31)
#define ABOUT_ALL (~BY_TIME)

struct rule {
	const char *id;
	bool of_run; /* The run is judged once, instead of each file. */
	/* The calls whose place in the code is told: bits of enum syscall_action, and BY_TIME. */
	unsigned about;
	/* Does it apply? Fills in calls, evidence, advice and the facts of the fix. */
	bool (*judge)(const struct subject *s, struct finding *f);
};

extern const struct rule rule_sync_per_write, rule_reopen_per_record, rule_reread,
	rule_flush_per_line, rule_tiny_writes, rule_tiny_reads, rule_write_errors,
	rule_short_writes, rule_path_storm, rule_tiny_copies, rule_rewrite, rule_futile_closes,
	rule_delayed_writes, rule_looks, rule_msync, rule_temporary, rule_busy_reads,
	rule_futile_seeks, rule_taken, rule_processes, rule_isatty, rule_costly;

/*
 * Returns for each file those that are alike, in an array to be freed. NULL: no memory. The files
 * have their users sorted.
 */
struct alike *rule_find_alike(const struct file_stats *files, size_t nr_files);

/* Fills in where the finding's calls come from. Returns 0 or -ENOMEM. */
int rule_locate(const struct rule *rule, const struct subject *s, struct finding *f);

/* ---- groups.c: who makes the calls (--by) ---- */

/* Adds the calls on a file, or those of the finding's syscall. These return 0 or -ENOMEM. */
int rule_add_groups(struct finding *f, const struct file_stats *file);
int rule_add_callers(struct finding *f, const struct profile *p);
/* Adds the calls that another finding is about. */
int rule_merge_groups(struct finding *f, const struct finding *other);
/* Names the groups that make most of the calls. */
void rule_name_groups(struct findings *f, const struct profile *p);

/* ---- arithmetic ---- */

/* Returns a ratio. 0: the whole is 0. */
static inline double rule_ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* Returns a mean. 0: it is of none. */
static inline uint64_t rule_mean(uint64_t total, uint64_t nr)
{
	return nr ? total / nr : 0;
}

static inline uint64_t rule_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the mean of the calls that moved any bytes. */
static inline uint64_t rule_mean_bytes(const struct file_call *c)
{
	return rule_mean(c->bytes, file_call_moved(c));
}

/* ---- what is on the file ---- */

/* Does every write wait for the device? */
bool rule_synchronous(const struct subject *s);
bool rule_syncs_often(const struct subject *s);
bool rule_is_synced_often(const struct profile *p, const struct file_stats *f);
/* Does every write of it go to the device by itself? */
bool rule_direct(const struct subject *s);
/* Returns how many bytes make a write a large one. */
uint64_t rule_large_write(const struct subject *s);
/* Is it opened anew for each record? */
bool rule_reopens(const struct subject *s);
/* Is it made for each step of one process, and removed after it? */
bool rule_is_temporary(const struct subject *s);
/* Do most of its openings empty it, or have to make it? */
bool rule_begins_anew(const struct subject *s);
/*
 * Does a process read from this pipe or pair of sockets what it has itself written, to wake up its
 * event loop?
 */
bool rule_is_own_reader(const struct subject *s);
/* Do most of these writes pass on what a read of a pipe has brought? */
static inline bool rule_are_passed_on(const struct file_call *writes)
{
	return rule_ratio(writes->passed_on, file_call_moved(writes)) >= 0.5;
}

/* Do most of these reads get less than they ask for? Then the writer makes them small. */
static inline bool rule_gets_less(const struct file_call *reads)
{
	return rule_ratio(reads->cut_short, reads->measured) >= 0.5;
}

/* Does the program that uses it most answer on sockets? */
bool rule_is_servers(const struct subject *s);
/*
 * Is it synced again and again, by a program that answers on sockets? Its records must be written
 * before the answers leave.
 */
bool rule_is_journal(const struct subject *s);
/* Does the program that syncs it tell somebody of each record, on a socket or a pipe? */
bool rule_is_confirmed(const struct subject *s, uint64_t records);
/* Are the writes lines, perhaps each with its newline apart? */
bool rule_ends_in_newlines(const struct file_call *write);
/* Do its messages have limits that the other side sees? */
bool rule_is_datagrams(const struct subject *s);

/* ---- calls that are as many because of others ---- */

/* Calls on other files, except the reads of a pipe. Each write has so many kinds of them. */
struct together {
	struct file_call calls;
	uint64_t kinds;
	const struct file_stats *file; /* The first of the files. NULL: there is none. */
	uint64_t files;
};

/*
 * Finds the calls of an action on another file of the same program that are as many as these, of as
 * many bytes: it copies from one file to the other. This is one habit, told at the writes, and
 * decides the size of both.
 */
struct together rule_copied(const struct subject *s, enum syscall_action action,
			    const struct file_call *calls);
/*
 * Returns how often the writes' program had to wait for what it passes on, where a pipe brings that
 * in larger pieces than it reads. UINT64_MAX: there is no such pipe.
 */
uint64_t rule_runs_of_source(const struct subject *s, const struct file_call *writes);
/* Sums up the calls of an action on this pipe, whose ends may have a row each. */
void rule_sum_of_pipe(struct file_call *sum, const struct subject *s, enum syscall_action action);
/*
 * Finds the reads of this pipe, and the writes of its readers that pass on what these bring, up to
 * the last of several pipes.
 */
struct together rule_passed_further(const struct subject *s);

/*
 * Do the threads of a pool make these calls of the file, and wake an event loop after each by an
 * eventfd? Then that loop's own work goes with the calls, and so do those on the eventfd: *wakes.
 */
bool rule_by_pool(const struct subject *s, const struct file_call *c, struct file_call *wakes);

/* ---- words ---- */

/* Texts such as "1,000,000" and "4.0 kB", in a buffer of the expression's own. */
#define COUNT(nr) format_grouped((char[FORMATTED_COUNT]){ 0 }, nr)
#define BYTES(nr) format_bytes((char[24]){ 0 }, 24, nr)

/* Set and append to a text of a finding. NULL, without memory, stays NULL. */
void rule_set_text(char **text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rule_add_text(char **text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends text from elsewhere, escaped. */
void rule_add_escaped(char **text, const char *untrusted);

/*
 * Advises what this kind of advice says to the file's program, with the caveats of gathering what
 * it writes.
 */
void rule_advise(const struct subject *s, struct finding *f, enum advice_kind kind);

/* Warns of output that appears later, if the program sleeps between its writes. */
void rule_tell_delay(struct finding *f, bool sleeps);
/* The time of a command's run, or that running programs worked and waited for disks. */
uint64_t rule_whole_ns(const struct profile *p);
/* Tells the share of the calls' time that fewer calls would not save, as a part of the evidence. */
void rule_tell_waiting(const struct subject *s, struct finding *f, const struct file_call *c);
/*
 * Makes a part of the basis what such a call, a "write", takes. The first kind that is told is what
 * a gain for each is told of.
 */
void rule_tell_cost(struct finding *f, const struct file_call *c, const char *what);

/* ---- predictions ---- */

/* Return the buffer that the fixed program has: --buffer-size, or that of its language. */
uint64_t rule_output_buffer(const struct subject *s);
uint64_t rule_input_buffer(const struct subject *s);

/*
 * Returns the calls that move these bytes through a buffer: at least one for each opening, and for
 * each process, whose bytes cannot be gathered with those of others; and on a pipe, a socket or a
 * terminal for each run of writes.
 */
uint64_t rule_gathered_calls(const struct subject *s, const struct file_call *c,
			     uint64_t buffer_size);

/* Returns the part of the calls that do not sleep that goes away if so many remain. */
double rule_nr_removed(const struct file_call *c, uint64_t remaining);

/* Returns the part of the time slept in calls that may go away if so many remain. */
struct range rule_wait_removed(const struct subject *s, const struct file_call *c,
			       uint64_t remaining);

/* Describes the removal of so many of these calls, and of what belongs to a light call. */
static inline struct removal rule_removal(const struct file_call *c, double nr)
{
	return (struct removal){ .call = predict_call_cost(c),
				 .nr = { nr, nr },
				 .around = AROUND_LIGHT };
}

/* Says how often the file's first user does what the finding is about. */
static inline void rule_note_cycles(struct finding *f, const struct file_stats *file,
				    uint64_t cycles)
{
	f->fix.user = file->nr_users ? file->users[0].pid : 0;
	f->fix.cycles = f->fix.user ? cycles : 0;
}

/* Predicts so many calls, and the gain of these removals from calls that slept for wait_ns. */
void rule_predict(struct finding *f, uint64_t calls, const struct removal *removals, size_t nr,
		  uint64_t wait_ns);

/*
 * Predicts the finding's calls gathered into calls of this size, and the others, which go with
 * them.
 */
void rule_predict_gathered(const struct subject *s, struct finding *f, const struct file_call *c,
			   const struct together *with, uint64_t buffer_size);

/* ---- after the rules ---- */

/* Returns the severity that the gain makes, or the share of the run if none is predicted. */
enum severity finding_severity(const struct finding *f);
/* Makes one finding of those that have one cause, and of the same habit on many files. */
void findings_merge_causes(struct findings *f);
void findings_merge_alike(struct findings *f);
