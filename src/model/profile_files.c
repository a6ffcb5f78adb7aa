// SPDX-License-Identifier: GPL-2.0
#include "model/profile_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "model/figures.h"

/* Returns the index of the first row whose id is not below this one. */
static size_t file_position(const struct profile *p, uint32_t id)
{
	size_t low = 0, high = p->nr_files;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->files[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct file_stats *profile_find_file(const struct profile *p, uint32_t id)
{
	size_t at = file_position(p, id);

	return at < p->nr_files && p->files[at].id == id ? &p->files[at] : NULL;
}

struct file_stats *profile_file(struct profile *p, uint32_t id)
{
	size_t at = file_position(p, id);
	struct file_stats *file;

	if (at < p->nr_files && p->files[at].id == id)
		return &p->files[at];
	file = array_insert(&p->files, &p->nr_files, at, sizeof(*file));
	if (file)
		file->id = id;
	return file;
}

/* Computes the counts of a syscall, in the buckets of files, minus those of the sum. */
static void histogram_remainder(const struct figure_histogram *h, struct file_call *rest,
				const struct syscall_stats *s, const struct file_call *sum)
{
	const uint64_t *whole = figure_counts(h, SCOPE_SYSCALL, (void *)s);
	const uint64_t *part = figure_counts(h, SCOPE_FILE, (void *)sum);
	uint64_t *left = figure_counts(h, SCOPE_FILE, rest);

	for (uint32_t i = 0; i < h->syscall_scale->nr_buckets; i++)
		left[i >> h->octave] += whole[i];
	for (uint32_t i = 0; i < h->file_scale->nr_buckets; i++)
		left[i] = sub_saturated(left[i], part[i]);
}

/* Computes the part of a syscall's figures that is beyond the sum of the files. */
static void file_call_remainder(struct file_call *rest, const struct syscall_stats *s,
				const struct file_call *sum)
{
	memcpy(rest->name, s->name, sizeof(rest->name));
	rest->transfers = s->transfers;
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];

		if (f->scope == SCOPE_BOTH)
			*figure_counter(f, SCOPE_FILE, rest) =
				sub_saturated(*figure_counter(f, SCOPE_SYSCALL, (void *)s),
					      *figure_counter(f, SCOPE_FILE, (void *)sum));
	}
	for (size_t i = 0; i < NR_HISTOGRAMS; i++)
		if (figure_histograms[i].scope == SCOPE_BOTH)
			histogram_remainder(&figure_histograms[i], rest, s, sum);
}

/* Adds up the figures of a syscall on all files. */
static void sum_of_files(struct file_call *sum, const struct profile *p,
			 const struct syscall_stats *s)
{
	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < p->nr_files; i++)
		for (size_t c = 0; c < p->files[i].nr_calls; c++) {
			const struct file_call *call = &p->files[i].calls[c];

			if (call->abi == s->abi && call->nr == s->nr)
				file_call_merge(sum, call);
		}
}

/*
 * Subtracts a call's figures from the rest of its syscall's. Returns false if the rest is smaller.
 * Times that were estimated file by file need not add up.
 */
static bool take_from(struct syscall_stats *left, const struct file_call *c, bool estimated)
{
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];
		uint64_t *whole = figure_counter(f, SCOPE_SYSCALL, left);
		uint64_t part = *figure_counter(f, SCOPE_FILE, (void *)c);

		if (f->scope != SCOPE_BOTH || (estimated && f->needs & UNKNOWN_LATENCY))
			continue;
		if (part > *whole)
			return false;
		*whole -= part;
	}
	return true;
}

int profile_check_files(const struct profile *p)
{
	struct profile left = { .nr_syscalls = p->nr_syscalls };
	int err = 0;

	if (p->to_ns) /* They were read a moment later. */
		return 0;
	left.syscalls = array_copy(p->syscalls, p->nr_syscalls, sizeof(*p->syscalls));
	if (!left.syscalls)
		return -ENOMEM;
	for (size_t i = 0; i < p->nr_files; i++)
		for (size_t c = 0; !err && c < p->files[i].nr_calls; c++) {
			const struct file_call *call = &p->files[i].calls[c];
			struct syscall_stats *s = profile_find_syscall(&left, call->abi, call->nr);

			err = s && take_from(s, call, p->sample_latency > 1) ? 0 : -EINVAL;
		}
	free(left.syscalls);
	return err;
}

int profile_add_other_files(struct profile *p)
{
	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *s = &p->syscalls[i];
		struct syscall_traits traits = syscall_traits_by_name(s->name);
		struct file_stats *other;
		struct file_call sum, *rest;

		if (!syscall_uses_file(&traits))
			continue;
		sum_of_files(&sum, p, s);
		if (s->calls <= sum.calls)
			continue;
		other = profile_file(p, FILE_ID_OTHER);
		if (other && !other->path)
			other->path = strdup("(other)");
		rest = other && other->path ? file_stats_call(other, s->abi, s->nr) : NULL;
		if (!rest)
			return -ENOMEM;
		file_call_remainder(rest, s, &sum);
	}
	return 0;
}
