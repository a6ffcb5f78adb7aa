/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include "report/render_options.h"

#define STYLE_BOLD "\033[1m"
#define STYLE_BAR  "\033[36m"
#define STYLE_RED  "\033[31m"
#define STYLE_OFF  "\033[0m"

/* The sequence, if the report has colors. */
static inline const char *style(const struct render_options *o, const char *sequence)
{
	return o->color ? sequence : "";
}
