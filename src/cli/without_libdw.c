// SPDX-License-Identifier: GPL-2.0
/* Takes the place of symbolize.c where libdw is missing: names stay as they are. */
#include "cli/symbolize.h"

const char *symbolize_lacks(void)
{
	return " (lines need libdw, which this build is without)";
}

int symbolize(struct stacks *s, bool by_path, bool whole)
{
	(void)s;
	(void)by_path;
	(void)whole;
	return 0;
}

int symbolize_packages(struct stacks *s, const struct result *r, bool all)
{
	(void)s;
	(void)r;
	(void)all;
	return 0;
}
