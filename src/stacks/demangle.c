// SPDX-License-Identifier: GPL-2.0
#include "stacks/demangle.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#else
#define DMGL_AUTO 0

static char *cplus_demangle(const char *symbol, int options)
{
	(void)symbol;
	(void)options;
	return NULL;
}
#endif

/* Longer names take the demangler too long. */
#define MAX_SYMBOL 4096

char *demangled(const char *symbol)
{
	char *text = NULL;

	if (strlen(symbol) <= MAX_SYMBOL)
		text = cplus_demangle(symbol, DMGL_AUTO);
	return text ? text : strdup(symbol);
}
