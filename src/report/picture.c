// SPDX-License-Identifier: GPL-2.0
#include "report/picture.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/histogram.h"

#define MAX_NAME 56 /* Columns of the longest name. */

void picture_begin(struct picture *p)
{
	memset(p, 0, sizeof(*p));
	p->values = open_memstream(&p->values_text, &p->values_len);
	p->data = open_memstream(&p->data_text, &p->data_len);
	if (!p->values || !p->data)
		p->err = -ENOMEM;
}

static void close_stream(struct picture *p, FILE **stream)
{
	if (*stream && fclose(*stream))
		p->err = -ENOMEM;
	*stream = NULL;
}

int picture_end(struct picture *p)
{
	if (!p->err)
		fprintf(p->values, "sides = %zu\npanels = %zu\n", p->nr_sides, p->nr_panels);
	close_stream(p, &p->values);
	close_stream(p, &p->data);
	return p->err;
}

void picture_free(struct picture *p)
{
	free(p->values_text);
	free(p->data_text);
}

/*
 * Sets a string. All that may mean something to gnuplot is written as its number in octal: what
 * stands for a character is read after all substitutions. gnuplot reads the digits of a number to
 * their end, so a digit after one is written as a number, too.
 */
static void set(struct picture *p, const char *name, size_t i, const char *text)
{
	bool number = false;

	fprintf(p->values, "%s%zu = \"", name, i);
	for (; *text; text++) {
		bool plain = isalpha((unsigned char)*text) || strchr(" ./:-_", *text) ||
			     (isdigit((unsigned char)*text) && !number);

		fprintf(p->values, plain ? "%c" : "\\%03o", (unsigned char)*text);
		number = !plain;
	}
	fputs("\"\n", p->values);
}

void picture_add_panel(struct picture *p, const struct panel *panel)
{
	size_t nr = p->nr_panels++;

	if (p->err)
		return;
	set(p, "title", nr, panel->title);
	set(p, "kind", nr, panel->kind);
	set(p, "x", nr, panel->x);
	set(p, "y", nr, panel->y ? panel->y : "");
	set(p, "xtitle", nr, panel->x_title ? panel->x_title : "");
	set(p, "ytitle", nr, panel->y_title ? panel->y_title : "");
	/* Two empty lines divide datasets. */
	fprintf(p->data, "%s-1 0 0 0\n", nr ? "\n\n" : "");
}

/* Copies foreign text, escaped and shortened. NULL: no memory. */
static char *shown_name(struct picture *p, const char *text)
{
	char *name = p->err ? NULL : escape_text_dup(text, strlen(text));

	if (!name)
		p->err = -ENOMEM;
	return name ? shorten_text(name, MAX_NAME) : NULL;
}

void picture_add_side(struct picture *p, const char *name)
{
	char *shown = shown_name(p, name);

	if (shown)
		set(p, "side", p->nr_sides++, shown);
	free(shown);
}

void picture_add_name(struct picture *p, size_t i, const char *name)
{
	char *shown = shown_name(p, name), panel[32];

	if (shown) {
		fprintf(p->values, "width%zu_%zu = %zu\n", p->nr_panels - 1, i,
			text_width(shown, strlen(shown)));
		snprintf(panel, sizeof(panel), "name%zu_", p->nr_panels - 1);
		set(p, panel, i, shown);
	}
	free(shown);
}

static void add_row(struct picture *p, size_t i, unsigned what, double x, double y)
{
	if (!p->err)
		fprintf(p->data, "%zu %u %.15g %.15g\n", i, what, x, y);
}

void picture_add_bar(struct picture *p, size_t i, size_t side, double length, double deviation)
{
	add_row(p, side, (unsigned)i, length, deviation);
}

void picture_add_point(struct picture *p, size_t curve, double x, double y)
{
	add_row(p, curve, 0, x, y);
}

void picture_add_histograms(struct picture *p, const char *title, bool sizes)
{
	picture_add_panel(p, &(struct panel){
				     .title = title,
				     .kind = "steps",
				     .x = sizes ? "bytes" : "ns",
				     .y = "percent",
				     .x_title = sizes ? "bytes" : "time of a call",
				     .y_title = "calls [%]",
			     });
}

/* Returns the place of an edge. A logarithmic axis has no 0: it stands where a half would. */
static double edge(uint64_t value)
{
	return value ? (double)value : 0.5;
}

/* Adds the place of a percentile. percent: the percentage that a call is. */
static void add_mark(struct picture *p, size_t curve, const uint64_t *counts,
		     const struct histogram_scale *scale, unsigned percentile, double percent)
{
	uint64_t value = histogram_percentile(scale, counts, percentile / 100.0, 0, UINT64_MAX);
	uint32_t bucket = 0;

	while (bucket + 1 < scale->nr_buckets && scale->low(bucket + 1) <= value)
		bucket++;
	add_row(p, curve, percentile, edge(value), percent * (double)counts[bucket]);
}

void picture_add_histogram(struct picture *p, size_t curve, const uint64_t *counts, bool sizes)
{
	const struct histogram_scale *scale = sizes ? &size_scale : &latency_scale;
	uint32_t first = 0, end = scale->nr_buckets;
	double percent = 100.0 / (double)histogram_total(counts, end), last;

	if (!isfinite(percent))
		return;
	while (!counts[first])
		first++;
	while (!counts[end - 1])
		end--;
	picture_add_point(p, curve, edge(scale->low(first)), 0);
	for (uint32_t i = first; i < end; i++)
		picture_add_point(p, curve, edge(scale->low(i)), percent * (double)counts[i]);
	last = end < scale->nr_buckets ? edge(scale->low(end)) : 2 * edge(scale->low(end - 1));
	picture_add_point(p, curve, last, 0);
	add_mark(p, curve, counts, scale, 50, percent);
	add_mark(p, curve, counts, scale, 99, percent);
}
