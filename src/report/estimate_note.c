// SPDX-License-Identifier: GPL-2.0
#include "report/estimate_note.h"

#include <inttypes.h>
#include <stdio.h>

const char *estimate_note(char *buf, size_t size, const struct profile *p)
{
	struct syscall_stats sum;
	int len;

	if (p->sample_latency <= 1)
		return NULL;
	profile_sum(&sum, p);
	len = snprintf(
		buf, size,
		"one call in %" PRIu64
		" was timed: times are estimated; standard error of their total: %.6f s (%.1f %%)",
		p->sample_latency, (double)sum.error_of_total_ns / 1e9,
		sum.total_ns ? 100.0 * (double)sum.error_of_total_ns / (double)sum.total_ns : 0);
	if (sum.calls > sum.timed && len > 0 && (size_t)len < size)
		snprintf(buf + len, size - (size_t)len, "; %" PRIu64 " calls have no time",
			 sum.calls - sum.timed);
	return buf;
}
