// SPDX-License-Identifier: GPL-2.0
#include "report/render.h"

#include "report/sheets.h"

const struct renderer *const renderers[] = {
	&render_table,	  &render_strace, &render_json,	    &render_csv, &render_tsv,
	&render_markdown, &render_latex,  &render_asciidoc, NULL,
};

int render_document(FILE *out, const struct renderer *r, const struct document *d)
{
	int err = 0;

	if (r->head)
		fputs(r->head, out);
	for (size_t i = 0; !err && i < d->nr_sheets; i++)
		err = r->draw(out, &d->sheets[i]);
	if (r->tail)
		fputs(r->tail, out);
	return err;
}

int render_result(FILE *out, const struct renderer *r, const struct result *result,
		  const struct render_options *o)
{
	struct document d = { 0 };
	int err;

	if (r->render)
		return r->render(out, result, o);
	err = document_of_result(&d, result, o, render_sections(r, o), r->audience);
	if (!err)
		err = render_document(out, r, &d);
	document_free(&d);
	return err;
}

bool render_compares(const struct renderer *r)
{
	return r->compare || r->draw;
}

int render_comparison(FILE *out, const struct renderer *r, const struct comparison *c,
		      const struct render_options *o)
{
	unsigned own = r->one_section ? COMPARISON_FIGURES : COMPARISON_ALL;
	struct document d = { 0 };
	int err;

	if (r->compare)
		return r->compare(out, c);
	err = document_of_comparison(&d, c, o->sections ? o->sections : own, r->audience);
	if (!err)
		err = render_document(out, r, &d);
	document_free(&d);
	return err;
}
