// SPDX-License-Identifier: GPL-2.0
/* What the renderers share. */
#include "report/render.h"

#include <string.h>

#include "base/text.h"
#include "report/sheet.h"

const struct renderer *const renderers[] = {
	&render_table,	  &render_strace, &render_json,	    &render_csv, &render_tsv,
	&render_markdown, &render_latex,  &render_asciidoc, NULL,
};

const char *abi_name(enum iotrace_abi abi)
{
	static const char *const names[NR_ABIS] = { "64", "32", "x32" };

	return names[abi];
}

int render_result(FILE *out, const struct renderer *r, const struct result *result,
		  const struct render_options *o)
{
	if (r->render)
		return r->render(out, result, o);
	return sheets_draw(out, result, o, render_sections(r, o), r->audience, r->draw);
}

unsigned render_sections(const struct renderer *r, const struct render_options *o)
{
	return r->sections & (o->sections ? o->sections : r->default_sections);
}

struct render_options render_with_columns(const struct render_options *o, const struct profile *p)
{
	struct render_options filled = *o;

	if (!filled.nr_columns)
		column_default_list(filled.columns, &filled.nr_columns, p);
	return filled;
}

bool render_histogram_wanted(const struct render_options *o, const struct syscall_stats *s)
{
	if (o->histogram != HISTOGRAM_LISTED)
		return o->histogram == HISTOGRAM_ALL;
	for (char **name = o->histogram_names; name && *name; name++) {
		if (!strncmp(*name, s->name, sizeof(s->name)))
			return true;
	}
	return false;
}

const char *render_name(char *buf, const char *name, enum iotrace_abi abi)
{
	escape_text(buf, CELL_SIZE, name, strnlen(name, sizeof(((struct syscall_stats *)0)->name)));
	/* If every byte of the name is escaped, CELL_SIZE has no room for more. */
	if (abi != ABI_64)
		snprintf(buf + strlen(buf), CELL_SIZE - strlen(buf), "@%s", abi_name(abi));
	return buf;
}

int render_rows(const struct syscall_stats **rows, size_t *nr_rows, const struct profile *p,
		enum iotrace_abi abi, enum column_id sort)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_syscalls; i++) {
		if (p->syscalls[i].abi == abi && p->syscalls[i].calls)
			rows[nr++] = &p->syscalls[i];
	}
	*nr_rows = nr;
	return column_sort(rows, nr, sort);
}
