/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of a comparison. Which tables there are is a row each in comparison_sheets.c. */
#pragma once

#include "model/compare.h"
#include "report/document.h"

/*
 * The tables of these sections (enum comparison_section). 0 or -ENOMEM; document_free() it in
 * either case.
 */
int document_of_comparison(struct document *d, const struct comparison *c, unsigned sections,
			   enum audience audience);
