// SPDX-License-Identifier: GPL-2.0
#include "report/picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "model/histogram.h"

#define MAX_NAME 56 /* columns */

/* A copy of foreign text, escaped and shortened. */
static char *name_of(const char *text)
{
	char *name = escape_text_dup(text, strlen(text));

	return name ? shorten_text(name, MAX_NAME) : NULL;
}

static int add_name(char ***list, size_t *nr, const char *text)
{
	char *name = name_of(text);
	char **place = name ? array_append(list, nr, sizeof(*place)) : NULL;

	if (!place) {
		free(name);
		return -ENOMEM;
	}
	*place = name;
	return 0;
}

struct panel *picture_add_panel(struct picture *p, const char *title)
{
	struct panel *panel = array_append(&p->panels, &p->nr_panels, sizeof(*panel));

	if (panel)
		snprintf(panel->title, sizeof(panel->title), "%s", title);
	return panel;
}

int picture_add_legend(struct picture *p, const char *text)
{
	return add_name(&p->legend, &p->nr_legend, text);
}

int panel_add_category(struct panel *panel, const char *name)
{
	return add_name(&panel->categories, &panel->nr_categories, name);
}

struct series *panel_add_series(struct panel *panel, const char *name, size_t color)
{
	char *copy = name_of(name);
	struct series *s =
		copy ? array_append(&panel->series, &panel->nr_series, sizeof(*s)) : NULL;

	if (!s) {
		free(copy);
		return NULL;
	}
	s->name = copy;
	s->color = color;
	s->marks[0].x = s->marks[1].x = NAN;
	return s;
}

int series_add(struct series *s, struct point point)
{
	struct point *added = array_append(&s->points, &s->nr_points, sizeof(*added));

	if (!added)
		return -ENOMEM;
	*added = point;
	return 0;
}

/* A logarithmic axis has no 0: it stands where a half would. */
static double edge(uint64_t value)
{
	return value ? (double)value : 0.5;
}

static void mark(struct point *mark, const uint64_t *counts, const struct histogram_scale *scale,
		 double share, uint64_t total)
{
	uint64_t value = histogram_percentile(scale, counts, share, 0, UINT64_MAX);
	uint32_t bucket = 0;

	while (bucket + 1 < scale->nr_buckets && scale->low(bucket + 1) <= value)
		bucket++;
	mark->x = edge(value);
	mark->y = 100.0 * (double)counts[bucket] / (double)total;
}

int series_add_histogram(struct series *s, const uint64_t *counts,
			 const struct histogram_scale *scale)
{
	uint64_t total = histogram_total(counts, scale->nr_buckets);
	uint32_t first = 0, end = scale->nr_buckets;
	int err;

	if (!total)
		return 0;
	while (!counts[first])
		first++;
	while (!counts[end - 1])
		end--;
	err = series_add(s, (struct point){ .x = edge(scale->low(first)) });
	for (uint32_t i = first; !err && i < end; i++)
		err = series_add(s,
				 (struct point){ .x = edge(scale->low(i)),
						 .y = 100.0 * (double)counts[i] / (double)total });
	if (!err)
		err = series_add(s, (struct point){ .x = end < scale->nr_buckets
								 ? edge(scale->low(end))
								 : 2 * edge(scale->low(end - 1)) });
	mark(&s->marks[0], counts, scale, 0.5, total);
	mark(&s->marks[1], counts, scale, 0.99, total);
	return err;
}

static void free_names(char **list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(list[i]);
	free(list);
}

void picture_free(struct picture *p)
{
	for (size_t i = 0; i < p->nr_panels; i++) {
		struct panel *panel = &p->panels[i];

		for (size_t k = 0; k < panel->nr_series; k++) {
			free(panel->series[k].name);
			free(panel->series[k].points);
		}
		free(panel->series);
		free_names(panel->categories, panel->nr_categories);
	}
	free(p->panels);
	free_names(p->legend, p->nr_legend);
	memset(p, 0, sizeof(*p));
}
