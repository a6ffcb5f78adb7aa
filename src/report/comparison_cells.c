// SPDX-License-Identifier: GPL-2.0
#include "report/comparison_cells.h"

#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/arithmetic.h"
#include "base/text.h"
#include "report/texts.h"

/* Prints three digits that are not leading zeroes: "26.7", "0.00103". */
static const char *format_ratio(char *buf, size_t size, double value)
{
	int digits;

	if (isinf(value))
		return "inf";
	digits = value > 0 ? 2 - (int)floor(log10(value)) : 0;
	return format_fixed(buf, size, value, digits < 0 ? 0 : digits > 9 ? 9 : digits);
}

void sheet_real(struct sheet *s, enum audience audience, bool known, enum cell_kind kind,
		double value)
{
	int decimals = value == floor(value) ? 0 : audience == FOR_PEOPLE ? 1 : 3;
	char buf[340]; /* It holds a double of 1e308. */

	if (!known)
		sheet_none(s);
	else if (audience == FOR_PEOPLE && kind != CELL_COUNT)
		sheet_number(s, kind, rounded(value));
	else
		sheet_text(s, format_fixed(buf, sizeof(buf), value, decimals));
}

void sheet_mean(struct sheet *s, enum cell_kind kind, const struct compared *c)
{
	sheet_real(s, FOR_PEOPLE, c->spread.nr, kind, c->spread.mean);
}

void sheet_ratio(struct sheet *s, const struct difference *d)
{
	char buf[40];

	sheet_text(s, isnan(d->ratio) ? NULL : format_ratio(buf, sizeof(buf), d->ratio));
}

static void add_p(struct sheet *s, const struct difference *d, enum audience audience)
{
	char buf[40];

	if (isnan(d->p))
		sheet_none(s);
	else if (audience == FOR_PEOPLE && d->p < 0.0001)
		sheet_text(s, "<0.0001");
	else
		sheet_text(s, format_fixed(buf, sizeof(buf), d->p, audience == FOR_PEOPLE ? 4 : 9));
}

void sheet_compared(struct sheet *s, enum audience audience, enum cell_kind kind,
		    const struct compared *c)
{
	const struct spread *spread = &c->spread;

	sheet_real(s, audience, spread->nr, kind, spread->mean);
	sheet_real(s, audience, spread->nr > 1, kind, spread->deviation);
	sheet_real(s, audience, spread->nr > 1, kind, spread->min);
	sheet_real(s, audience, spread->nr > 1, kind, spread->max);
	sheet_ratio(s, &c->difference);
	add_p(s, &c->difference, audience);
	sheet_text(s, c->difference.kind ? difference_name(c->difference.kind) : NULL);
}

void sheet_letter(struct sheet *s, size_t i)
{
	sheet_text(s, (const char[]){ side_letter(i), '\0' });
}

const char *failure_name(char buf[FAILURE_SIZE], const struct failure *failure)
{
	if (WIFSIGNALED(failure->status))
		snprintf(buf, FAILURE_SIZE, "signal %d", WTERMSIG(failure->status));
	else
		snprintf(buf, FAILURE_SIZE, "exit status %d", WEXITSTATUS(failure->status));
	return buf;
}

static void print_failure(FILE *out, const struct side *side, const struct failure *f)
{
	char how[FAILURE_SIZE];

	fputs(failure_name(how, f), out);
	if (f->nr_runs)
		fprintf(out, " in %zu of %zu runs", f->nr_runs, side->nr_runs);
	if (f->nr_bare)
		fprintf(out, "%s in %zu of %zu %swithout iotrace", f->nr_runs ? " and" : "",
			f->nr_bare, side->nr_bare, f->nr_runs ? "" : "runs ");
}

char *failures_text(const struct side *side)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; out && i < side->nr_failures; i++) {
		if (i)
			fputs("; ", out);
		print_failure(out, side, &side->failures[i]);
	}
	return text_of_stream(out, &text);
}

void sheet_failures(struct sheet *s, const struct side *side)
{
	char *text = failures_text(side);

	s->failed = s->failed || !text;
	sheet_text(s, text && *text ? text : NULL);
	free(text);
}
