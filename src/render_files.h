/* SPDX-License-Identifier: GPL-2.0 */
/* The files and the findings of a run, for people. */
#ifndef IOTRACE_RENDER_FILES_H
#define IOTRACE_RENDER_FILES_H

#include <stdio.h>

#include "findings.h"
#include "render.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The table of the files that took most time; -y says how many. 0 or -errno. */
int render_files(FILE *out, const struct profile *p, const struct render_options *o);

/* Each finding in a few lines. */
void render_findings(FILE *out, const struct findings *f, const struct profile *p,
		     const struct render_options *o);

#ifdef __cplusplus
}
#endif
#endif
