// SPDX-License-Identifier: GPL-2.0
#include "model/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/files.h"
#include "model/histogram.h"
#include "model/provenance.h"
#include "model/tallies.h"

static void free_files(struct profile *p)
{
	for (size_t i = 0; i < p->nr_files; i++)
		file_stats_free(&p->files[i]);
	free(p->files);
}

void profile_free(struct profile *p)
{
	for (size_t i = 0; i < p->nr_syscalls; i++)
		free(p->syscalls[i].errnos);
	free(p->syscalls);
	free(p->inflight);
	programs_free(p);
	free_files(p);
	memset(p, 0, sizeof(*p));
}

/* The index of (abi, nr) in the sorted rows, or the index to insert it at. */
static size_t syscall_position(const struct profile *p, enum iotrace_abi abi, int nr, bool *found)
{
	size_t low = 0, high = p->nr_syscalls;

	*found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct syscall_stats *s = &p->syscalls[middle];

		if (s->abi == abi && s->nr == nr) {
			*found = true;
			return middle;
		}
		if (s->abi < abi || (s->abi == abi && s->nr < nr))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct syscall_stats *profile_find_syscall(struct profile *p, enum iotrace_abi abi, int nr)
{
	bool found;
	size_t at = syscall_position(p, abi, nr, &found);

	return found ? &p->syscalls[at] : NULL;
}

struct syscall_stats *profile_syscall(struct profile *p, enum iotrace_abi abi, int nr)
{
	struct syscall_stats *row;
	bool found;
	size_t at = syscall_position(p, abi, nr, &found);

	if (found)
		return &p->syscalls[at];
	row = array_insert(&p->syscalls, &p->nr_syscalls, at, sizeof(*row));
	if (row) {
		row->abi = abi;
		row->nr = nr;
	}
	return row;
}

static int by_duration(const void *a, const void *b)
{
	const struct inflight_call *x = a, *y = b;

	if (x->since_ns != y->since_ns)
		return y->since_ns > x->since_ns ? 1 : -1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

void profile_sort_inflight(struct profile *p)
{
	if (p->nr_inflight)
		qsort(p->inflight, p->nr_inflight, sizeof(*p->inflight), by_duration);
}

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

int syscall_stats_merge(struct syscall_stats *dst, const struct syscall_stats *src)
{
	int err = 0;

	dst->calls += src->calls;
	dst->errors += src->errors;
	if (src->timed) {
		if (!dst->timed || src->min_ns < dst->min_ns)
			dst->min_ns = src->min_ns;
		if (src->max_ns > dst->max_ns)
			dst->max_ns = src->max_ns;
	}
	dst->timed += src->timed;
	dst->total_ns += src->total_ns;
	dst->waits += src->waits;
	dst->wait_ns += src->wait_ns;
	dst->preempted += src->preempted;
	dst->cpu_ns += src->cpu_ns;
	dst->bytes += src->bytes;
	histogram_merge(dst->latency, src->latency, LATENCY_BUCKETS);
	histogram_merge(dst->wait_latency, src->wait_latency, LATENCY_BUCKETS);
	histogram_merge(dst->sizes, src->sizes, SIZE_BUCKETS);
	for (size_t i = 0; i < src->nr_errnos; i++) {
		if (syscall_stats_add_errno(dst, src->errnos[i].err, src->errnos[i].count))
			err = -ENOMEM;
	}
	return err;
}

uint64_t rounded_mean(uint64_t total, uint64_t nr)
{
	uint64_t rest;

	if (!nr)
		return 0;
	rest = total % nr;
	return total / nr + (rest >= nr - nr / 2);
}

uint64_t syscall_stats_mean_ns(const struct syscall_stats *s)
{
	return rounded_mean(s->total_ns, s->timed);
}

uint64_t syscall_stats_percentile_ns(const struct syscall_stats *s, double share)
{
	return histogram_percentile(&latency_scale, s->latency, share, s->min_ns, s->max_ns);
}

static int copy_inflight(struct profile *dst, const struct profile *src)
{
	if (!src->nr_inflight)
		return 0;
	dst->inflight = array_copy(src->inflight, src->nr_inflight, sizeof(*src->inflight));
	if (!dst->inflight)
		return -ENOMEM;
	dst->nr_inflight = src->nr_inflight;
	return 0;
}

static int copy_syscalls(struct profile *dst, const struct profile *src)
{
	if (!src->nr_syscalls)
		return 0;
	dst->syscalls = array_copy(src->syscalls, src->nr_syscalls, sizeof(*src->syscalls));
	if (!dst->syscalls)
		return -ENOMEM;
	/* Count a row only when it owns its errnos, so that profile_free() is correct at any time. */
	for (; dst->nr_syscalls < src->nr_syscalls; dst->nr_syscalls++) {
		struct syscall_stats *s = &dst->syscalls[dst->nr_syscalls];

		s->errnos = array_copy(s->errnos, s->nr_errnos, sizeof(*s->errnos));
		if (!s->errnos)
			return -ENOMEM;
	}
	return 0;
}

/* Everything but the arrays. */
static void copy_figures(struct profile *dst, const struct profile *src)
{
	*dst = *src;
	dst->syscalls = NULL;
	dst->nr_syscalls = 0;
	dst->inflight = NULL;
	dst->nr_inflight = 0;
	dst->files = NULL;
	dst->nr_files = 0;
	dst->programs = NULL;
	dst->nr_programs = 0;
}

static int copy_files(struct profile *dst, const struct profile *src)
{
	int err = 0;

	if (!src->nr_files)
		return 0;
	dst->files = reallocarray(NULL, src->nr_files, sizeof(*dst->files));
	if (!dst->files)
		return -ENOMEM;
	while (!err && dst->nr_files < src->nr_files) {
		err = file_stats_copy(&dst->files[dst->nr_files], &src->files[dst->nr_files]);
		dst->nr_files += !err;
	}
	return err;
}

const struct provenance *profile_provenance(const struct profile *p)
{
	static const struct provenance nothing = { .status = -1 };

	return p->provenance ? p->provenance : &nothing;
}

int profile_copy(struct profile *dst, const struct profile *src)
{
	int err;

	copy_figures(dst, src);
	err = copy_syscalls(dst, src);
	if (!err)
		err = copy_inflight(dst, src);
	if (!err)
		err = copy_files(dst, src);
	if (err)
		profile_free(dst);
	return err;
}

/* Counters only grow. If one did not, the difference is 0 and not a huge number. */
static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* The extremes, as far as the histogram shows them. */
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
	part->timed = part->calls = slept ? s->waits : grown(s->timed, s->waits);
	part->total_ns = slept ? s->wait_ns : grown(s->total_ns, s->wait_ns);
	for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
		part->latency[i] =
			slept ? s->wait_latency[i] : grown(s->latency[i], s->wait_latency[i]);
	extremes_from_buckets(part, s->min_ns, s->max_ns);
}

/* Subtracts before from s, which is a copy of now but for the errnos. */
static int subtract(struct syscall_stats *s, const struct syscall_stats *now,
		    const struct syscall_stats *before)
{
	size_t j = 0;

	s->calls = grown(now->calls, before->calls);
	s->errors = grown(now->errors, before->errors);
	s->timed = grown(now->timed, before->timed);
	s->total_ns = grown(now->total_ns, before->total_ns);
	s->waits = grown(now->waits, before->waits);
	s->wait_ns = grown(now->wait_ns, before->wait_ns);
	s->preempted = grown(now->preempted, before->preempted);
	s->cpu_ns = grown(now->cpu_ns, before->cpu_ns);
	s->bytes = grown(now->bytes, before->bytes);
	for (uint32_t i = 0; i < LATENCY_BUCKETS; i++) {
		s->latency[i] = grown(now->latency[i], before->latency[i]);
		s->wait_latency[i] = grown(now->wait_latency[i], before->wait_latency[i]);
	}
	for (uint32_t i = 0; i < SIZE_BUCKETS; i++)
		s->sizes[i] = grown(now->sizes[i], before->sizes[i]);
	if (before->timed)
		extremes_from_buckets(s, now->min_ns, now->max_ns);

	for (size_t i = 0; i < now->nr_errnos; i++) {
		const struct errno_count *e = &now->errnos[i];
		uint64_t count;

		while (j < before->nr_errnos && before->errnos[j].err < e->err)
			j++;
		count = e->count;
		if (j < before->nr_errnos && before->errnos[j].err == e->err)
			count = grown(count, before->errnos[j].count);
		if (count && syscall_stats_add_errno(s, e->err, count))
			return -ENOMEM;
	}
	return 0;
}

static int subtract_syscalls(struct profile *out, const struct profile *now,
			     const struct profile *before)
{
	static const struct syscall_stats none;

	if (!now->nr_syscalls)
		return 0;
	out->syscalls = reallocarray(NULL, now->nr_syscalls, sizeof(*out->syscalls));
	if (!out->syscalls)
		return -ENOMEM;
	for (size_t i = 0; i < now->nr_syscalls; i++) {
		const struct syscall_stats *s = &now->syscalls[i];
		struct syscall_stats *d = &out->syscalls[out->nr_syscalls];
		bool found;
		size_t at = syscall_position(before, s->abi, s->nr, &found);
		const struct syscall_stats *b = found ? &before->syscalls[at] : &none;

		if (s->calls <= b->calls)
			continue;
		*d = *s;
		d->errnos = NULL;
		d->nr_errnos = 0;
		out->nr_syscalls++;
		if (subtract(d, s, b))
			return -ENOMEM;
	}
	return 0;
}

int profile_difference(struct profile *out, const struct profile *now, const struct profile *before)
{
	int err;

	copy_figures(out, now);
	out->unknown |= before->unknown;
	out->elapsed_ns = grown(now->elapsed_ns, before->elapsed_ns);
	for (size_t i = 0; i < NR_TALLIES; i++)
		*tally_of(&tallies[i], out) =
			grown(tally_value(&tallies[i], now), tally_value(&tallies[i], before));
	/* Calls that were in flight at the beginning return, die or stay in flight during it. */
	out->entered = grown(now->entered + before->in_flight, before->entered);
	out->in_flight = now->in_flight;

	out->misplaced_calls = grown(now->misplaced_calls, before->misplaced_calls);
	out->lost_file_users = grown(now->lost_file_users, before->lost_file_users);

	err = subtract_syscalls(out, now, before);
	if (!err && !(out->unknown & UNKNOWN_FILES))
		err = profile_subtract_files(out, now, before);
	if (!err)
		err = copy_inflight(out, now);
	if (err)
		profile_free(out);
	return err;
}
