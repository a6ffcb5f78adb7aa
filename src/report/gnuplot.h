/* SPDX-License-Identifier: GPL-2.0 */
/* Has gnuplot draw pictures. */
#pragma once

#include <stddef.h>

#include "report/picture.h"

/* The file formats; NULL after the last. */
extern const char *const gnuplot_extensions[];

/* Is it installed? 0 or -errno. */
int gnuplot_check(void);

/*
 * Draws a picture in the file format of this extension (one of gnuplot_extensions) to *text, to be
 * freed. 0, or -errno with one line in why.
 */
int gnuplot_draw(const struct picture *p, const char *extension, char **text, size_t *len,
		 char *why, size_t size);
