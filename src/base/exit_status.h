/* SPDX-License-Identifier: GPL-2.0 */
/* Exit statuses of iotrace itself; from 125 on as env(1), timeout(1) and chroot(1) have them. */
#pragma once

enum {
	EXIT_BUDGET = 3,       /* a budget of --fail-if is broken */
	EXIT_IOTRACE = 125,    /* iotrace failed, or was used wrongly */
	EXIT_CANNOT_RUN = 126, /* the command was found but could not be run */
	EXIT_NOT_FOUND = 127,  /* the command was not found */
};
