/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IOTRACE_FINDINGS_TEXT_H
#define IOTRACE_FINDINGS_TEXT_H

#include <stdio.h>

#include "report/render.h"

/* The findings for people, each in a few lines. */
void render_findings(FILE *out, const struct result *r, const struct render_options *o);
#endif
