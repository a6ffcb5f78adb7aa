/* SPDX-License-Identifier: GPL-2.0 */
/* A document is a list of tables, made from one result or from several. */
#pragma once

#include "report/sheet.h"

struct document {
	struct sheet *sheets;
	size_t nr_sheets;
};

/* A new table at its end. NULL: no memory. The pointer is good until the next call. */
struct sheet *document_add(struct document *d, const char *title);
/* Takes the last table away. */
void document_drop(struct document *d);
void document_free(struct document *d);
