/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "model/result.h"
#include "report/render_options.h"

/* The findings for people, each in a few lines, which fill_lines() is to break. 0 or -ENOMEM. */
int render_findings(FILE *out, const struct result *r, const struct render_options *o);

/*
 * "2 calls instead of 5,000; the run takes ...": the gain of a finding with a prediction. To be
 * freed; NULL: no memory.
 */
char *finding_prediction(const struct finding *f);
/* The figures that this rests on. To be freed; NULL: there are none, or there is no memory. */
char *finding_basis(const struct finding *f);
/* "12.3 % of the run"; false: it is not known, or not worth a word. */
bool finding_share(char *buf, size_t size, const struct finding *f, const struct profile *p);
/* " and 96 more"; "" of a single file. */
char *finding_more_files(char *buf, size_t size, const struct finding *f);

/* Counts the wanted findings with this id that are not shown. */
size_t findings_left_out(const struct findings *f, bool asked, const char *id);
