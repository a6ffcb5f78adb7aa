// SPDX-License-Identifier: GPL-2.0
/*
 * JSON in lines: one for each interval as it ends, then one with the whole run. The objects are
 * those of a capture.
 */
#include "report/interval_report.h"

#include <errno.h>

#include "report/json_capture.h"
#include "report/json_intervals.h"
#include "report/render.h"

static int jsonl_interval(FILE *out, const struct interval_report *i, unsigned sections)
{
	struct json_object line = json_of_interval(i->interval, sections, NULL);

	if (!line.err &&
	    json_dumpf(line.json, out, JSON_COMPACT | JSON_REAL_PRECISION(SHARE_DIGITS)))
		line.err = -ENOMEM;
	fputc('\n', out);
	json_decref(line.json);
	return line.err;
}

static int jsonl_render(FILE *out, const struct result *r, const struct render_options *o)
{
	return json_print_line(out, r, render_sections(&render_jsonl, o) & ~SECTION_INTERVALS);
}

const struct renderer render_jsonl = {
	.name = "jsonl",
	.extensions = { "jsonl" },
	.sections = SECTION_ALL,
	.default_sections = SECTION_ALL,
	.intervals = INTERVALS_OF_ITS_OWN,
	.interval = jsonl_interval,
	.render = jsonl_render,
};
