// SPDX-License-Identifier: GPL-2.0
#include "model/syscall_stats.h"

#include <errno.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/figures.h"

int syscall_stats_add_errno(struct syscall_stats *s, int err, uint64_t count)
{
	struct errno_count *added;
	size_t at = 0;

	while (at < s->nr_errnos && s->errnos[at].err < err)
		at++;
	if (at < s->nr_errnos && s->errnos[at].err == err) {
		s->errnos[at].count += count;
		return 0;
	}
	added = array_insert(&s->errnos, &s->nr_errnos, at, sizeof(*added));
	if (!added)
		return -ENOMEM;
	*added = (struct errno_count){ err, count };
	return 0;
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

/* Takes the extremes from the histogram, kept between these two. */
static void extremes_from_buckets(struct syscall_stats *s, uint64_t min_ns, uint64_t max_ns)
{
	uint32_t first = 0, last = LATENCY_BUCKETS - 1;

	s->min_ns = s->max_ns = 0;
	if (!s->timed)
		return;
	while (first < last && !s->latency[first])
		first++;
	while (last > first && !s->latency[last])
		last--;
	s->min_ns = latency_bucket_low(first);
	s->max_ns = last < LATENCY_BUCKETS - 1 ? latency_bucket_low(last + 1) - 1 : max_ns;
	if (s->min_ns < min_ns)
		s->min_ns = min_ns;
	if (s->max_ns > max_ns)
		s->max_ns = max_ns;
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
	extremes_from_buckets(part, s->min_ns, s->max_ns);
}

/* Subtracts the counts of before, and removes the errnos that are left with none. */
static void subtract_errnos(struct syscall_stats *s, const struct syscall_stats *before)
{
	size_t nr = 0, b = 0;

	for (size_t i = 0; i < s->nr_errnos; i++) {
		struct errno_count e = s->errnos[i];

		while (b < before->nr_errnos && before->errnos[b].err < e.err)
			b++;
		if (b < before->nr_errnos && before->errnos[b].err == e.err)
			e.count = sub_saturated(e.count, before->errnos[b].count);
		if (e.count)
			s->errnos[nr++] = e;
	}
	s->nr_errnos = nr;
}

void syscall_stats_subtract(struct syscall_stats *s, const struct syscall_stats *before)
{
	figures_subtract(SCOPE_SYSCALL, s, before);
	if (before->timed)
		extremes_from_buckets(s, s->min_ns, s->max_ns);
	subtract_errnos(s, before);
}
