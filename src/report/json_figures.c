// SPDX-License-Identifier: GPL-2.0
#include "report/json_figures.h"

#include <errno.h>
#include <math.h>

#include "model/profile.h"
#include "model/rates.h"
#include "report/json_members.h"

/* The keys of the edges of a bucket, by the unit of the histogram. */
static const char *const edges[][2] = {
	[UNIT_NS] = { "low_ns", "high_ns" },
	[UNIT_BYTES] = { "low_bytes", "high_bytes" },
};

/* Is anything known that needs this? A file's calls are all timed. */
static bool is_known(unsigned needs, enum figure_scope scope, const void *stats, bool transfers,
		     unsigned unknown)
{
	bool timed = scope == SCOPE_FILE ||
		     *figure_counter(&figures[FIGURE_timed], scope, (void *)stats);

	return figures_known_if(needs, transfers, timed, unknown);
}

void json_put_figure(struct json_object *o, enum figure_id id, enum figure_scope scope,
		     const void *stats, bool transfers, unsigned unknown)
{
	const struct figure *f = &figures[id];

	json_put_number(o, f->key, is_known(f->needs, scope, stats, transfers, unknown),
			scope == SCOPE_FILE ? *figure_counter(f, scope, (void *)stats)
					    : figure_value_in(scope, id, stats));
}

void json_put_rates(struct json_object *o, enum figure_scope scope, const void *stats,
		    bool transfers, const struct profile *p)
{
	for (enum rate_id id = 0; id < NR_RATES; id++) {
		unsigned needs = figures[rates[id].of].needs;
		double rate = rate_value(id, scope, stats, p->elapsed_ns);

		if (!is_known(needs, scope, stats, transfers, p->unknown))
			rate = NAN;
		json_put_real(o, rates[id].key, rate);
	}
}

void json_put_figure_histogram(struct json_object *o, enum histogram_id id, enum figure_scope scope,
			       const void *stats, bool transfers, unsigned unknown)
{
	const struct figure_histogram *h = &figure_histograms[id];

	json_put_histogram(o, h->key, is_known(h->needs, scope, stats, transfers, unknown),
			   figure_counts(h, scope, (void *)stats), figure_scale(h, scope),
			   edges[h->unit]);
}

/* Does it follow from two others that are there? */
static bool is_quotient_or_rest(enum figure_id id)
{
	return id == FIGURE_mean_ns || id == FIGURE_run_ns || id == FIGURE_cpu_mean_ns;
}

void json_put_sparse_figures(struct json_object *o, enum figure_scope scope, const void *stats,
			     bool transfers, unsigned unknown)
{
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];
		uint64_t value;

		if (!(f->scope & scope) || is_quotient_or_rest(id) ||
		    !is_known(f->needs, scope, stats, transfers, unknown))
			continue;
		value = scope == SCOPE_FILE ? *figure_counter(f, scope, (void *)stats)
					    : figure_value_in(scope, id, stats);
		if (value)
			json_put_number(o, f->key, true, value);
	}
}

/* Makes the list of the buckets that hold something. */
static json_t *sparse_buckets(struct json_object *o, const struct histogram_scale *scale,
			      const uint64_t *counts)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < scale->nr_buckets; i++) {
		json_t *bucket = counts[i] ? json_array() : NULL;

		if (!counts[i])
			continue;
		json_array_append_new(bucket, json_integer((json_int_t)scale->low(i)));
		json_array_append_new(bucket, json_integer((json_int_t)counts[i]));
		if (json_array_size(bucket) != 2 || json_array_append(list, bucket))
			o->err = o->err ? o->err : -ENOMEM;
		json_decref(bucket);
	}
	return list;
}

void json_put_sparse_histograms(struct json_object *o, enum figure_scope scope, const void *stats,
				bool transfers, unsigned unknown)
{
	for (enum histogram_id id = 0; id < NR_HISTOGRAMS; id++) {
		const struct figure_histogram *h = &figure_histograms[id];
		json_t *list;

		if (!(h->scope & scope) || !is_known(h->needs, scope, stats, transfers, unknown))
			continue;
		list = sparse_buckets(o, figure_scale(h, scope),
				      figure_counts(h, scope, (void *)stats));
		if (json_array_size(list))
			json_put(o, h->key, list);
		else
			json_decref(list);
	}
}

unsigned json_figures_lacking(const struct json_node *row, enum figure_scope scope)
{
	unsigned lacking = 0;

	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figures[id].scope & scope &&
		    (scope == SCOPE_SYSCALL || !(figures[id].scope & SCOPE_SYSCALL)) &&
		    figures[id].absent == ABSENT_UNKNOWN && !json_has(row, figures[id].key))
			lacking |= figures[id].needs & ~(unsigned)UNKNOWN_LATENCY;
	return lacking;
}

/* Does an older capture lack it? */
static bool is_absent(const struct json_node *row, const char *key, enum figure_absent absent,
		      bool known)
{
	if (absent == ABSENT_REQUIRED || (absent == ABSENT_UNKNOWN && known))
		return false;
	return !json_has(row, key);
}

static uint64_t read_figure(const struct json_node *row, const struct figure *f,
			    enum figure_scope scope, const void *stats, bool known)
{
	if (!is_absent(row, f->key, f->absent, known))
		return json_member_known(row, f->key, known);
	if (f->absent == ABSENT_SUCCEEDED)
		return figure_whole_value(FIGURE_succeeded, scope, stats);
	return 0;
}

static const char *name_of_whole(enum figure_id whole)
{
	return whole == FIGURE_succeeded ? "the calls without an error" : figures[whole].key;
}

static void check_part(const struct json_node *row, const struct figure *f, enum figure_scope scope,
		       void *stats)
{
	enum figure_id whole = figure_whole(f->part_of, scope);

	if (!row->reader->part &&
	    *figure_counter(f, scope, stats) > figure_whole_value(whole, scope, stats))
		json_fail(row, -EINVAL, "%s must not be more than %s", f->key,
			  name_of_whole(whole));
}

static void check_buckets(const struct json_node *row, const struct figure_histogram *h,
			  enum figure_scope scope, void *stats)
{
	const struct figure_histogram *whole = &figure_histograms[h->part_of];

	for (uint32_t i = 0; !row->reader->part && i < figure_scale(h, scope)->nr_buckets; i++)
		if (figure_counts(h, scope, stats)[i] > figure_counts(whole, scope, stats)[i])
			json_fail(row, -EINVAL, "%s must be a part of %s", h->key, whole->key);
}

static void read_histogram(const struct json_node *row, const struct figure_histogram *h,
			   enum figure_scope scope, void *stats, bool known)
{
	enum figure_id whole = figure_whole(h->count_of, scope);
	bool exact = h->exact && scope != SCOPE_FILE;
	uint64_t counts, calls = figure_whole_value(whole, scope, stats);

	if (is_absent(row, h->key, h->absent, known))
		return;
	counts = json_member_histogram(row, h->key, known, figure_scale(h, scope), edges[h->unit],
				       figure_counts(h, scope, stats));
	if (known && !row->reader->part && (counts > calls || (exact && counts != calls)))
		json_fail(row, -EINVAL, "the counts of %s must add up to %s%s", h->key,
			  exact ? "" : "no more than ", name_of_whole(whole));
	if (h->part_of != HISTOGRAM_none)
		check_buckets(row, h, scope, stats);
}

/* There must be calls, and no counter may be more than what it is a part of. */
static void check_figures(const struct json_node *row, enum figure_scope scope, void *stats)
{
	if (!figure_whole_value(FIGURE_calls, scope, stats))
		json_fail(row, -EINVAL, "calls must be more than 0");
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figures[id].scope & scope && figures[id].combine != COMBINE_NOT)
			check_part(row, &figures[id], scope, stats);
}

void json_read_figures(const struct json_node *row, enum figure_scope scope, void *stats,
		       bool transfers, unsigned unknown)
{
	for (enum figure_id id = 0; id < NR_FIGURES; id++) {
		const struct figure *f = &figures[id];
		uint64_t value;

		if (!(f->scope & scope))
			continue;
		value = read_figure(row, f, scope, stats,
				    is_known(f->needs, scope, stats, transfers, unknown));
		if (f->combine != COMBINE_NOT) /* The others are computed anew. */
			*figure_counter(f, scope, stats) = value;
	}
	check_figures(row, scope, stats);
	for (size_t i = 0; i < NR_HISTOGRAMS; i++) {
		const struct figure_histogram *h = &figure_histograms[i];

		if (h->scope & scope)
			read_histogram(row, h, scope, stats,
				       is_known(h->needs, scope, stats, transfers, unknown));
	}
}

/* Reads the pairs of [low, count] of a histogram. */
static void read_sparse_buckets(const struct json_node *list, const struct histogram_scale *scale,
				uint64_t *counts)
{
	uint64_t sum = 0;
	uint32_t at = 0;

	json_for_each (bucket, list) {
		struct json_node low = json_element(&bucket, 0), count = json_element(&bucket, 1);
		uint64_t edge = json_number(&low), number = json_number(&count);

		while (at < scale->nr_buckets && scale->low(at) != edge)
			at++;
		if (at == scale->nr_buckets || !number ||
		    __builtin_add_overflow(sum, number, &sum)) {
			json_fail(&bucket, -EINVAL,
				  "must be the lower edge of a bucket, ascending, and a count");
			break;
		}
		counts[at++] = number;
	}
}

void json_read_sparse_figures(const struct json_node *row, enum figure_scope scope, void *stats)
{
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figures[id].scope & scope && figures[id].combine != COMBINE_NOT)
			*figure_counter(&figures[id], scope, stats) =
				json_member_if_there(row, figures[id].key);
	check_figures(row, scope, stats);
	for (size_t i = 0; i < NR_HISTOGRAMS; i++) {
		const struct figure_histogram *h = &figure_histograms[i];
		struct json_node list;

		if (!(h->scope & scope))
			continue;
		list = json_optional(row, h->key);
		if (!json_is_none(&list))
			read_sparse_buckets(&list, figure_scale(h, scope),
					    figure_counts(h, scope, stats));
	}
}
