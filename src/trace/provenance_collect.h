/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out where a profile comes from. */
#pragma once

#include "model/provenance.h"

/*
 * Fills in what is known before the run. options are iotrace's own nr_options arguments, argv[0]
 * included; command is NULL if no command is run. Returns 0 or -ENOMEM; call provenance_free() in
 * either case.
 */
int provenance_collect(struct provenance *p, char *const *options, int nr_options,
		       char *const *command);

/* Sets the start of the run to now. Returns 0 or -ENOMEM. */
int provenance_set_start(struct provenance *p);
