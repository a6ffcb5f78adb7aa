/* SPDX-License-Identifier: GPL-2.0 */
/* Exit statuses of iotrace itself. Those from 125 on mean the same in env(1) and timeout(1). */
#pragma once

enum {
	EXIT_BUDGET = 3,       /* A budget of --fail-if is broken. */
	EXIT_IOTRACE = 125,    /* iotrace failed, or was used wrongly. */
	EXIT_CANNOT_RUN = 126, /* The command was found but could not be run. */
	EXIT_NOT_FOUND = 127,  /* The command was not found. */
};
