// SPDX-License-Identifier: GPL-2.0
#include "model/syscall_stats.h"

#include <errno.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/figures.h"
#include "model/histogram.h"

int errno_counts_add(struct errno_count **list, size_t *nr, int err, uint64_t count)
{
	struct errno_count *added;
	size_t at = 0;

	while (at < *nr && (*list)[at].err < err)
		at++;
	if (at < *nr && (*list)[at].err == err) {
		(*list)[at].count += count;
		return 0;
	}
	added = array_insert(list, nr, at, sizeof(*added));
	if (!added)
		return -ENOMEM;
	*added = (struct errno_count){ err, count };
	return 0;
}

void errno_counts_subtract(struct errno_count *list, size_t *nr, const struct errno_count *before,
			   size_t nr_before)
{
	size_t left = 0, b = 0;

	for (size_t i = 0; i < *nr; i++) {
		struct errno_count e = list[i];

		while (b < nr_before && before[b].err < e.err)
			b++;
		if (b < nr_before && before[b].err == e.err)
			e.count = sub_saturated(e.count, before[b].count);
		if (e.count)
			list[left++] = e;
	}
	*nr = left;
}

int syscall_stats_add_errno(struct syscall_stats *s, int err, uint64_t count)
{
	return errno_counts_add(&s->errnos, &s->nr_errnos, err, count);
}

static void add_latency(struct syscall_stats *s, uint64_t ns)
{
	if (!s->timed || ns < s->min_ns)
		s->min_ns = ns;
	if (ns > s->max_ns)
		s->max_ns = ns;
	s->timed++;
	s->total_ns += ns;
	s->latency[latency_bucket(ns)]++;
}

int syscall_stats_add_call(struct syscall_stats *s, int64_t result, bool timed, uint64_t ns)
{
	s->calls++;
	if (timed)
		add_latency(s, ns);
	if (result < 0 && result >= -4095) {
		s->errors++;
		return syscall_stats_add_errno(s, (int)-result, 1);
	}
	if (s->transfers && result >= 0) {
		s->bytes += (uint64_t)result;
		s->sizes[size_bucket((uint64_t)result)]++;
	}
	return 0;
}

void syscall_stats_part(struct syscall_stats *part, const struct syscall_stats *s, bool slept)
{
	*part = (struct syscall_stats){ .abi = s->abi, .nr = s->nr };
	memcpy(part->name, s->name, sizeof(part->name));
	part->timed = part->calls = slept ? s->waits : sub_saturated(s->timed, s->waits);
	part->total_ns = slept ? s->wait_ns : sub_saturated(s->total_ns, s->wait_ns);
	for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
		part->latency[i] = slept ? s->wait_latency[i]
					 : sub_saturated(s->latency[i], s->wait_latency[i]);
	part->min_ns = s->min_ns;
	part->max_ns = s->max_ns;
	histogram_extremes(&latency_scale, part->latency, &part->min_ns, &part->max_ns);
}

void syscall_stats_subtract(struct syscall_stats *s, const struct syscall_stats *before)
{
	figures_subtract(SCOPE_SYSCALL, s, before);
	if (before->timed)
		histogram_extremes(&latency_scale, s->latency, &s->min_ns, &s->max_ns);
	errno_counts_subtract(s->errnos, &s->nr_errnos, before->errnos, before->nr_errnos);
}
