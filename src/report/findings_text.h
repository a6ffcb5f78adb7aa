/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IOTRACE_FINDINGS_TEXT_H
#define IOTRACE_FINDINGS_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/render.h"

/* The findings for people, each in a few lines, which fill_lines() is to break. 0 or -ENOMEM. */
int render_findings(FILE *out, const struct result *r, const struct render_options *o);

/* "2 calls instead of 5000; saves ...": what the fix of a finding with a prediction gains. To be freed; NULL: no memory. */
char *finding_prediction(const struct finding *f);
/* Is the share of the run's time known, and worth a word? */
bool finding_share_known(const struct finding *f, const struct profile *p);
#endif
