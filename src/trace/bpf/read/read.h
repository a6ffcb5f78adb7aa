/* SPDX-License-Identifier: GPL-2.0 */
/* From the probes' maps to a profile. */
#pragma once

#include "model/files.h"
#include "trace/bpf/load/load.h"

/* ---- read.c ---- */

/*
 * Adds up the cells of a slot of all CPUs, which stay in s->cells, and the errors with the slot's
 * first errno. 0 or -errno.
 */
int bpf_read_slot(struct bpf_state *s, uint32_t slot, struct syscall_stats *row,
		  uint64_t *first_errors);

/* Adds the calls that have returned, by syscall and errno. 0 or -errno. */
int bpf_read_calls(struct bpf_state *s, struct profile *p);

/*
 * Adds what tasks that have not ended hold: the number of calls entered, and the calls that they
 * are in. 0 or -errno.
 */
int bpf_read_tasks(struct bpf_state *s, struct profile *p);

/* Adds what tasks that have ended have left behind. */
void bpf_read_ended_tasks(const struct bpf_state *s, struct profile *p);

void bpf_read_losses(const struct bpf_state *s, struct profile *p);

/* The time that the figures cover. */
uint64_t bpf_elapsed_ns(const struct bpf_state *s);

/* ---- cells.c: the cells of files and of groups, each of which begins with its key ---- */

struct bpf_cells {
	const struct bpf_map *numbered; /* An array; cell 0 is none. */
	uint32_t end;			/* Numbers to below this are in use. */
	const struct added_cells
		*added;		    /* Those that have been added to it. NULL: there are none. */
	const struct bpf_map *more; /* A hash of those that have no number. */
};

/* Takes a cell, which is gone afterwards. Returns 0 or -errno. */
typedef int (*bpf_take_cell)(void *arg, const void *cell);

/* Hands over each cell that is in use, until that fails. Returns that error, or its own -errno. */
int bpf_each_cell(const struct bpf_cells *c, bpf_take_cell take, void *arg);

/* ---- read_files.c ---- */

/* Adds the files to the profile, after bpf_read_calls(). 0 or -errno. */
int bpf_read_files(struct bpf_state *s, struct profile *p);

/* ---- read_groups.c ---- */

/* Adds the groups with their calls to the profile, and the sums to s->grouped. 0 or -errno. */
int bpf_read_groups(struct bpf_state *s, struct profile *p);

/* Adds errors with an errno to the group with that number, as they are in row. 0 or -ENOMEM. */
int bpf_groups_add_errno(struct profile *p, uint32_t group, const struct syscall_stats *row,
			 uint32_t err, uint64_t count);

/* Adds the calls of a slot that groups have to those that none has. 0 or -errno. */
int bpf_groups_add_slot(struct bpf_state *s, uint32_t slot, struct syscall_stats *row);

/* ---- file_names.c: what the row that the probes made of a file says of it ---- */

enum file_kind bpf_file_kind(const struct iotrace_file_key *key, const struct iotrace_file *f);

/* Allocated; NULL without memory. */
char *bpf_file_path(const struct iotrace_file *f, enum file_kind kind);

/* ---- calibrate.c ---- */

/*
 * Takes the probes off, and measures what calls cost with and without them. After the last
 * snapshot: the figures are spoilt afterwards. 0 or -errno.
 */
int bpf_calibrate(struct bpf_state *s, struct calibration *cal);
