/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The default report as a document: strace's table, the files and their findings, the syscalls that
 * matter, and whether every call is accounted for. A part of it is a row in terminal_document.c.
 */
#pragma once

#include "model/result.h"
#include "report/document.h"
#include "report/render_options.h"

/* Adds the parts of these sections. 0 or -ENOMEM; document_free() it in either case. */
int document_for_terminal(struct document *d, const struct result *r,
			  const struct render_options *o, unsigned sections);
