// SPDX-License-Identifier: GPL-2.0
#include "trace/examination.h"

#include "base/text.h"

void examination_begin(FILE *out, const char *backend, bool usable)
{
	fprintf(out, "%s: %s\n", backend, usable ? "usable" : "not usable");
}

void examination_say(FILE *out, bool ok, const char *what, const char *advice)
{
	fprintf(out, "  %-8s %s%s%s\n", ok ? "ok" : "missing", what, ok ? "" : ": ",
		ok ? "" : advice);
}

void examination_tried(FILE *out, const char *what, const char *without, const char *why)
{
	char advice[1200], text[600];

	snprintf(advice, sizeof(advice), "%s%s%s", without, *without ? ": " : "",
		 ESCAPE_TEXT(text, why));
	examination_say(out, !why[0], what, advice);
}

void examination_limited(FILE *out, const char *how)
{
	fprintf(out, "  limited  %s\n", how);
}
