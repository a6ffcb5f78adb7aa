/* SPDX-License-Identifier: GPL-2.0 */
/* The failures of a comparison's commands, in words. */
#pragma once

#include "model/compare.h"

#define FAILURE_SIZE 32

/* "exit status 3", "signal 9". Returns buf. */
const char *failure_name(char buf[FAILURE_SIZE], const struct failure *failure);
/*
 * "exit status 3 in 1 of 3 runs and in 3 of 3 without iotrace; signal 9 in ...", or "". To be
 * freed; NULL: no memory.
 */
char *failures_text(const struct side *side);
