/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pictures as data: panels below each other, with curves or bars; how they are drawn is gnuplot's
 * business. Text in them is escaped already.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/compare.h"
#include "model/result.h"

enum axis {
	AXIS_NS,      /* logarithmic */
	AXIS_BYTES,   /* logarithmic, to the base of 2 */
	AXIS_COUNT,   /* logarithmic */
	AXIS_PERCENT, /* linear, as all that follow */
	AXIS_SECONDS,
};

struct point {
	double x, y;	  /* of a bar: x is its length, y its category; NAN: none */
	double low, high; /* the ends of an error bar; equal: it has none */
};

struct series {
	char *name;
	size_t color;
	struct point *points;
	size_t nr_points;
	struct point marks[2]; /* p50 and p99; x is NAN: none */
};

struct panel {
	char title[100];
	const char *x_title, *y_title; /* NULL: none */
	bool bars;		       /* horizontal; otherwise curves */
	bool steps;		       /* the curves are of histograms */
	bool key;		       /* the series' names are beside it */
	enum axis x, y;
	char **categories; /* of bars, from the top */
	size_t nr_categories;
	struct series *series;
	size_t nr_series;
};

struct picture {
	/* Names of the colors, above all panels; none if each panel has its own. */
	char **legend;
	size_t nr_legend;
	struct panel *panels;
	size_t nr_panels;
};

/* The figures of an interval. */
struct instant {
	double seconds; /* of its end, since the start */
	double length;	/* of it, in seconds */
	uint64_t calls;
	uint64_t p50_ns, p99_ns; /* 0: not known */
};

/*
 * Make the picture of a run, of a comparison; instants may be none. 0 or -ENOMEM; picture_free() it
 * in either case.
 */
int picture_of_result(struct picture *p, const struct result *r, const struct instant *instants,
		      size_t nr_instants);
int picture_of_comparison(struct picture *p, const struct comparison *c);
void picture_free(struct picture *p);

/* Building. NULL or -ENOMEM: no memory. */
struct panel *picture_add_panel(struct picture *p, const char *title);
int picture_add_legend(struct picture *p, const char *text);
struct series *panel_add_series(struct panel *panel, const char *name, size_t color);
int panel_add_category(struct panel *panel, const char *name);
int series_add(struct series *s, struct point point);
/* The shares of a histogram's buckets, and its p50 and p99. */
int series_add_histogram(struct series *s, const uint64_t *counts,
			 const struct histogram_scale *scale);
