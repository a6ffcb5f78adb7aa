// SPDX-License-Identifier: GPL-2.0
#include "report/render.h"

#include "base/text.h"
#include "report/interval_report.h"
#include "report/sheets.h"
#include "report/texts.h"

const struct renderer *const renderers[] = {
	&render_table,	&render_strace,	  &render_json,	 &render_csv,
	&render_tsv,	&render_markdown, &render_latex, &render_asciidoc,
	&render_folded, &render_jsonl,	  NULL,
};

/* Draws a document. 0 or -ENOMEM. */
static int render_document(FILE *out, const struct renderer *r, const struct document *d)
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
	unsigned sections = render_sections(r, o);
	unsigned others = sections & ~(unsigned)SECTION_INTERVALS;
	struct document d = { 0 };
	int err;

	if (r->render)
		return r->render(out, result, o);
	if (r->terminal)
		err = document_for_terminal(&d, result, o, sections);
	else if (r->audience == FOR_PROGRAMS && sections & SECTION_INTERVALS && result->intervals)
		err = document_of_intervals(&d, result, o, others ? others : SECTION_SUMMARY);
	else
		err = document_of_result(&d, result, o, sections, r->audience);
	if (!err)
		err = render_document(out, r, &d);
	document_free(&d);
	return err;
}

/* Prints strace's table of an interval, and its files and findings in r's format. */
static int render_tables(FILE *out, const struct renderer *r, const struct interval_report *i,
			 const struct render_options *o)
{
	const struct result *result = i->result;
	struct render_options options =
		render_with_columns(o, r->as_strace ? NULL : result->profile);
	unsigned wanted = render_sections(r, o), sections = wanted & SECTION_GROUPS;
	struct document d = { 0 };
	char seconds[32];
	int err;

	options.wall |= r->as_strace;
	fprintf(out, "%s  elapsed %s s\n", i->clock,
		format_fixed(seconds, sizeof(seconds), (double)i->interval->end_ns / 1e9, 3));
	err = render_summary(out, result->profile, &options);
	if (!result->profile->nr_syscalls)
		fputs("(no calls)\n", out);
	if (!(result->profile->unknown & UNKNOWN_FILES))
		sections |= wanted & (SECTION_FILES | SECTION_FINDINGS);
	if (!err)
		err = document_for_terminal(&d, result, o, sections);
	if (d.nr_sheets)
		d.sheets[0].apart = true;
	if (!err)
		err = render_document(out, renderers[0], &d); /* The default format draws tables. */
	document_free(&d);
	fputc('\n', out);
	return err;
}

int render_interval(FILE *out, const struct renderer *r, const struct interval_report *i,
		    const struct render_options *o)
{
	switch (r->intervals) {
	case INTERVALS_AS_LINES: /* Whoever asks for files gets the whole tables. */
		return o->files ? render_tables(out, r, i, o) : print_interval_line(out, i);
	case INTERVALS_AS_TABLES:
		return render_tables(out, r, i, o);
	default:
		return r->interval(out, i, render_sections(r, o));
	}
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
