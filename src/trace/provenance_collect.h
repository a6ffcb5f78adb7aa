/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out where a profile comes from. */
#ifndef IOTRACE_PROVENANCE_COLLECT_H
#define IOTRACE_PROVENANCE_COLLECT_H

#include "model/provenance.h"

/*
 * Fills in all of what is known before the run: nr_options arguments, of which argv[0] is the first, are iotrace's
 * own; command is NULL when nothing is run. 0 or -ENOMEM; provenance_free() whatever is returned.
 */
int provenance_collect(struct provenance *p, char *const *options, int nr_options,
		       char *const *command);

/* The run begins now. 0 or -ENOMEM. */
int provenance_set_start(struct provenance *p);

#endif
