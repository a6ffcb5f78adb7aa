// SPDX-License-Identifier: GPL-2.0
/* Tables and texts on a terminal. */
#include "report/fill.h"
#include "report/render.h"
#include "report/terminal.h"

static int draw(FILE *out, const struct sheet *s)
{
	int err = 0;

	if (s->apart)
		fputc('\n', out);
	if (s->titled)
		fprintf(out, "%s\n\n", s->title);
	if (s->form == SHEET_TABLE)
		err = terminal_draw_columns(out, s);
	else if (s->form == SHEET_LIST)
		err = terminal_draw_list(out, s);
	else if (s->form == SHEET_LINES)
		err = fill_lines(out, s->text);
	else
		fputs(s->text, out);
	if (s->titled)
		fputc('\n', out);
	return err;
}

const struct renderer render_table = {
	.name = "table",
	.sections = SECTION_ALL,
	.default_sections = SECTION_ALL & ~SECTION_RUN,
	.intervals = true,
	.audience = FOR_PEOPLE,
	.terminal = true,
	.draw = draw,
};
