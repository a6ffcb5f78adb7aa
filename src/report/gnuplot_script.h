/* SPDX-License-Identifier: GPL-2.0 */
/* Pictures as a program for gnuplot. */
#pragma once

#include <stdio.h>

#include "report/picture.h"

/* The file formats; NULL after the last. */
extern const char *const gnuplot_extensions[];

/* Prints the program, which writes the picture to its standard output. */
void gnuplot_print(FILE *out, const struct picture *p, const char *extension);
