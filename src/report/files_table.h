/* SPDX-License-Identifier: GPL-2.0 */
/* The files and the findings of a run, for people. */
#ifndef IOTRACE_RENDER_FILES_H
#define IOTRACE_RENDER_FILES_H

#include <stdio.h>

#include "model/result.h"
#include "report/render.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The table of the files that took most time; -y says how many. 0 or -errno. */
int render_files(FILE *out, const struct result *r, const struct render_options *o);

/* Each finding in a few lines. */
void render_findings(FILE *out, const struct result *r, const struct render_options *o);

#ifdef __cplusplus
}
#endif
#endif
