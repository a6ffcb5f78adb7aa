// SPDX-License-Identifier: GPL-2.0
#include "report/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct sheet *document_add(struct document *d, const char *title)
{
	struct sheet *s = array_append(&d->sheets, &d->nr_sheets, sizeof(*s));

	if (s)
		snprintf(s->title, sizeof(s->title), "%s", title);
	return s;
}

void document_drop(struct document *d)
{
	sheet_free(&d->sheets[--d->nr_sheets]);
}

void document_free(struct document *d)
{
	while (d->nr_sheets)
		document_drop(d);
	free(d->sheets);
	memset(d, 0, sizeof(*d));
}
