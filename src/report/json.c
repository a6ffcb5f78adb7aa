// SPDX-License-Identifier: GPL-2.0
/* Results and comparisons as JSON, in lines that diff(1) can show. */
#include "report/json_capture.h"
#include "report/json_comparison.h"
#include "report/render.h"

static int json_render(FILE *out, const struct result *r, const struct render_options *o)
{
	return json_print_result(out, r, render_sections(&render_json, o));
}

const struct renderer render_json = {
	.name = "json",
	.extensions = { "json" },
	.sections = SECTION_ALL,
	.default_sections = SECTION_ALL,
	.writes_captures = true,
	.render = json_render,
	.compare = json_print_comparison,
};
