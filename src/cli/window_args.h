/* SPDX-License-Identifier: GPL-2.0 */
/* --from and --to: the part of a capture that a report or a comparison is about. */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/json_capture.h"

/* In ns from the start of the run. All zeroes: the whole run. */
struct window {
	uint64_t from_ns, until_ns; /* until_ns 0: to the end. */
	bool given;
};

extern const struct argp window_argp; /* Its input is a struct window. */

/* Checks both together. 0, or EINVAL after a message. */
error_t window_finish(const struct window *w);

/*
 * Makes a capture one of the window, and says of which time that is, as intervals are not cut.
 * False, after a message, if it has no intervals there.
 */
bool window_apply(const struct window *w, struct capture *c, const char *path, bool quiet);
