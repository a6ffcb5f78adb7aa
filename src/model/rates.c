// SPDX-License-Identifier: GPL-2.0
#include "model/rates.h"

#include <math.h>
#include <stdio.h>

#include "base/arithmetic.h"
#include "base/text.h"

const struct rate rates[NR_RATES] = {
	[RATE_CALLS] = { "rate", "calls/s", FIGURE_calls },
	[RATE_ERRORS] = { "errors_rate", "errors/s", FIGURE_errors },
	[RATE_BYTES] = { "bytes_rate", "bytes/s", FIGURE_bytes },
};

double rate_value(enum rate_id id, enum figure_scope scope, const void *stats, uint64_t elapsed_ns)
{
	uint64_t value = figure_value_in(scope, rates[id].of, stats);

	return elapsed_ns ? (double)value / ((double)elapsed_ns / 1e9) : NAN;
}

/* Rates below this have decimals. */
#define FEW 100

const char *format_rate(char buf[FORMATTED_RATE], enum rate_id id, double rate)
{
	char number[FORMATTED_COUNT];

	if (figures[rates[id].of].unit == UNIT_BYTES && rate >= FEW) {
		snprintf(buf, FORMATTED_RATE, "%s/s",
			 format_bytes(number, sizeof(number), rounded(rate)));
		return buf;
	}
	if (rate > 0 && rate < FEW)
		format_fixed(number, sizeof(number), rate, 2);
	else
		format_grouped(number, rounded(rate));
	snprintf(buf, FORMATTED_RATE, "%s %s", number, rates[id].heading);
	return buf;
}
