/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The result of a run: the profile, and what follows from it. The rules judge it once; reports only
 * read it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/files.h"
#include "model/findings.h"
#include "model/profile.h"

struct intervals;

struct result {
	const struct profile *profile; /* The profile that was judged; not owned. */
	/* The files, those that took most time first. NULL: they are not known. */
	struct file_stats *files;
	size_t nr_files;
	struct findings findings;
	const struct intervals *intervals; /* Those of --interval; not owned. NULL: none. */
};

/*
 * Makes the result of a profile that is complete but for its calibration, which decides what the
 * findings gain: findings_price(). For buffer_size, see findings_judge(). Returns 0 or -ENOMEM.
 * Call result_free() in either case, before profile_free().
 */
int result_judge(struct result *r, const struct profile *p, uint64_t buffer_size);
/* The same and the gains, of a profile that has its calibration, or will not get one. */
int result_make(struct result *r, const struct profile *p, uint64_t buffer_size);
void result_free(struct result *r);
