/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pictures as what picture.gp is told of them, which says what each thing is: panels below
 * each other, with curves or bars.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/compare.h"
#include "model/result.h"

struct picture {
	FILE *values, *data;	       /* The streams into the texts until picture_end(). */
	char *values_text, *data_text; /* Assignments to variables, and the rows of $data. Owned. */
	size_t values_len, data_len;
	size_t nr_sides, nr_panels;
	int err; /* 0, or -ENOMEM: something is missing. */
};

struct panel {
	const char *title, *kind;
	const char *x, *y;	       /* What its axes show. y is NULL for bars. */
	const char *x_title, *y_title; /* The axes' titles. NULL: none. */
};

/*
 * Makes the picture of a run, over time if it has intervals, or of a comparison. 0 or -ENOMEM;
 * picture_free() it in either case.
 */
int picture_of_result(struct picture *p, const struct result *r);
int picture_of_comparison(struct picture *p, const struct comparison *c);
void picture_free(struct picture *p);

/* These build a picture. Names are text from elsewhere. What is added belongs to the last panel. */
void picture_begin(struct picture *p);
void picture_add_side(struct picture *p, const char *name);
void picture_add_panel(struct picture *p, const struct panel *panel);
/* Adds a panel of histograms of bytes, or else of latencies. */
void picture_add_histograms(struct picture *p, const char *title, bool sizes);
/* Adds the name of a bar, or of a curve. */
void picture_add_name(struct picture *p, size_t i, const char *name);
void picture_add_bar(struct picture *p, size_t i, size_t side, double length, double deviation);
/* The points of a curve come one after the other. */
void picture_add_point(struct picture *p, size_t curve, double x, double y);
void picture_add_histogram(struct picture *p, size_t curve, const uint64_t *counts, bool sizes);
/* Adds the panels of a run over time, if it has intervals: a curve for each row. 0 or -ENOMEM. */
int picture_add_intervals(struct picture *p, const struct result *r,
			  const struct syscall_stats *const *rows, size_t nr_rows);
/* Returns 0 or -ENOMEM. */
int picture_end(struct picture *p);

/* ---- drawing by gnuplot ---- */

/* The file formats. NULL after the last. */
extern const char *const gnuplot_extensions[];

/* Is gnuplot installed? 0 or -errno. */
int gnuplot_check(void);

/*
 * Draws a picture in the file format of this extension (one of gnuplot_extensions) to *text, to be
 * freed. 0, or -errno with one line in why.
 */
int gnuplot_draw(const struct picture *p, const char *extension, char **text, size_t *len,
		 char *why, size_t size);
