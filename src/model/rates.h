/* SPDX-License-Identifier: GPL-2.0 */
/* Rates: counters of figures.h by the second that was traced. A row each in rates.c. */
#pragma once

#include <stdint.h>

#include "model/figures.h"

enum rate_id { RATE_CALLS, RATE_ERRORS, RATE_BYTES, NR_RATES };

struct rate {
	const char *key;     /* The name in JSON, CSV and --fail-if; -S and -U have dashes. */
	const char *heading; /* The name for people, which states the unit. */
	enum figure_id of;   /* The counter. */
};

extern const struct rate rates[NR_RATES];

/*
 * Returns the rate of a sum of calls, whose struct is of this scope, a second of a window. NAN: the
 * window's length is not known.
 */
double rate_value(enum rate_id id, enum figure_scope scope, const void *stats, uint64_t elapsed_ns);

/* Prints a rate that is a number, for people: "4,524 calls/s", "0.20 errors/s", "1.2 MB/s". */
#define FORMATTED_RATE 40
const char *format_rate(char buf[FORMATTED_RATE], enum rate_id id, double rate);
