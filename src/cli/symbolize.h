/* SPDX-License-Identifier: GPL-2.0 */
/* Names code that had no names where it was sampled, from the files that are here. */
#pragma once

#include <stdbool.h>

#include "model/result.h"
#include "model/sites.h"

/* Returns, for the help, what this build lacks for that. NULL: nothing. */
const char *symbolize_lacks(void);

/*
 * Names the frames without a line whose files, or the debug information of which, are here, by
 * build id; with by_path also those of files without one, and the functions that are known are not
 * trusted. whole: those of libraries of the system,
 * too. Returns 0 or -ENOMEM.
 */
int symbolize(struct stacks *s, bool by_path, bool whole);

/*
 * Names the packages that have the debug information of code which the findings name, or with all
 * any site, but without a line. s: the stacks of the result's profile. Returns 0 or -ENOMEM.
 */
int symbolize_packages(struct stacks *s, const struct result *r, bool all);
