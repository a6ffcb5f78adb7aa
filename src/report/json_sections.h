/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sections of a capture, each of which is written and read in a file json_SECTION.c. Errors of
 * what reads are set as in json_reader.h.
 */
#pragma once

#include "model/calibration.h"
#include "model/programs.h"
#include "model/provenance.h"
#include "model/result.h"
#include "report/json_reader.h"
#include "report/json_writer.h"

/*
 * Puts what was run, when, and on what machine: "command", "options", "start", "exit" and others.
 */
void json_put_run(struct json_object *o, const struct provenance *v);
void json_read_run(struct provenance *v, const struct json_node *root);

/* Puts "syscalls": those with calls, with the figures of these sections (enum section). */
void json_put_syscalls(struct json_object *o, const struct profile *p, unsigned sections);
/* Returns the sum of their calls. */
uint64_t json_read_syscalls(struct profile *p, const struct json_node *root);

/* These are the "errnos" of a row of a syscall; they add up to no more than its errors. */
void json_put_errnos(struct json_object *o, const struct errno_count *errnos, size_t nr);
void json_read_errnos(struct errno_count **errnos, size_t *nr, uint64_t errors,
		      const struct json_node *row);

/* Puts "groups" without the rows, and null without --by. */
void json_put_groups(struct json_object *o, const struct profile *p);
/* Hands over a row for each group, as json_each_file_row() does for files. */
int json_each_group(const void *result, int (*hand)(void *to, struct json_object *row), void *to);
/* Reads them after the syscalls, of which they are the parts. Older captures lack them. */
void json_read_groups(struct profile *p, const struct json_node *root);

/* "integrity" says whether every call is accounted for. calls: the sum of all syscalls'. */
void json_put_integrity(struct json_object *o, const struct profile *p);
void json_read_integrity(struct profile *p, uint64_t calls, const struct json_node *root);
/* "inflight" has the calls that had not returned. */
void json_put_inflight(struct json_object *o, const struct profile *p);
void json_read_inflight(struct profile *p, const struct json_node *root);

/*
 * Puts "files" without the rows, null where they are not known, and "files_missing", what the rows
 * lack.
 */
void json_put_files(struct json_object *o, const struct result *r);
/*
 * Hands over a row for each file and syscall of a struct result, those of one file together, until
 * that fails. 0, or -errno as hand() returned it.
 */
int json_each_file_row(const void *result, int (*hand)(void *to, struct json_object *row),
		       void *to);
/* Reads both, after the syscalls. Sets UNKNOWN_FILES where there are none. */
void json_read_files(struct profile *p, const struct json_node *root);

/* Puts "programs", the calls of each. Older captures lack them. */
void json_put_programs(struct json_object *o, const struct profile *p);
/* Reads them after the syscalls, whose calls they have a part of. */
void json_read_programs(struct profile *p, uint64_t calls, const struct json_node *root);

/* Puts "repeated_processes", those that were started again and again. Older captures lack them. */
void json_put_processes(struct json_object *o, const struct profile *p);
void json_read_processes(struct profile *p, const struct json_node *root);
/*
 * "stacks" are the stacks of the samples and their frames; null, as in older captures, if there are
 * no samples. The "sites" of a row of a file are what its samples stand for, by stack.
 */
void json_put_stacks(struct json_object *o, const struct profile *p);
void json_put_sites(struct json_object *o, const struct file_stats *f, const struct file_call *c);
/* Reads them before the files. */
void json_read_stacks(struct profile *p, const struct json_node *root);
void json_read_sites(struct file_stats *f, const struct json_node *row, const struct file_call *c,
		     const struct stacks *s);
/* Puts what a frame of the code is. */
void json_put_frame(struct json_object *o, const struct code_frame *f);
/*
 * Puts the "sites" of a finding: the places in the user's own code, those with the largest share of
 * the weight first.
 */
void json_put_places(struct json_object *o, const struct stacks *s, const struct site *sites,
		     size_t nr_sites, enum stack_weight weight);

/* Puts "findings", null where the files are not known. */
void json_put_findings(struct json_object *o, const struct result *r);

/*
 * "calibration" and "busy" are what predictions rest on, null if nothing was measured or is known.
 * Older captures lack both, and what is read of them is all zeroes.
 */
void json_put_calibration(struct json_object *o, const struct calibration *c);
void json_read_calibration(struct calibration *c, const struct json_node *root);
void json_put_busy(struct json_object *o, const struct busy *busy);
void json_read_busy(struct busy *busy, const struct json_node *n);
