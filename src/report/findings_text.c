// SPDX-License-Identifier: GPL-2.0
/* The findings for people: what, where, the evidence, what the fix would save, and the fix. */
#include "report/findings_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define TEXT_WIDTH 96

/* Fills words into indented lines. */
static void print_filled(FILE *out, const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column && column + 1 + len > TEXT_WIDTH) {
			fputc('\n', out);
			column = 0;
		}
		fprintf(out, "%s%.*s", column ? " " : "  ", (int)len, text);
		column += len + (column ? 1 : 2);
		text += len;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

char *finding_prediction(const struct finding *f, const struct profile *p)
{
	char low[24], high[24], *text = NULL;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return NULL;
	fprintf(line, "%" PRIu64 " call%s instead of %" PRIu64, f->predicted_calls,
		f->predicted_calls == 1 ? "" : "s", f->calls);
	if (f->saving_high_ns && p->elapsed_ns)
		fprintf(line, ", saving %s to %s (%.0f to %.0f %% of the run's time)",
			format_ns(low, sizeof(low), f->saving_low_ns),
			format_ns(high, sizeof(high), f->saving_high_ns),
			100.0 * (double)f->saving_low_ns / (double)p->elapsed_ns,
			100.0 * (double)f->saving_high_ns / (double)p->elapsed_ns);
	if (f->basis)
		fprintf(line, ". Basis: %s", f->basis);
	fputc('.', line);
	if (!fclose(line))
		return text;
	free(text);
	return NULL;
}

bool finding_share_known(const struct finding *f, const struct profile *p)
{
	return f->share >= 0.0005 && !(p->unknown & UNKNOWN_LATENCY);
}

/* Returns 0 or -ENOMEM. */
static int print_prediction(FILE *out, const struct finding *f, const struct profile *p)
{
	char *prediction = finding_prediction(f, p), *text = NULL;
	int err = prediction && asprintf(&text, "Predicted: %s", prediction) >= 0 ? 0 : -ENOMEM;

	if (!err)
		print_filled(out, text);
	free(err ? NULL : text);
	free(prediction);
	return err;
}

/* Returns 0 or -ENOMEM. */
static int print_finding(FILE *out, const struct finding *f, const struct profile *p,
			 const struct render_options *o)
{
	const char *on = "", *off = o->color ? STYLE_OFF : "";
	char *path = escape_text_dup(f->path, strlen(f->path));
	int err = 0;

	if (!path)
		return -ENOMEM;
	if (o->color)
		on = f->severity >= SEVERITY_MEDIUM ? STYLE_RED : STYLE_BOLD;
	fprintf(out, "%s%s: %s%s  %s (%s)\n", on, severity_name(f->severity), f->id, off, path,
		f->kind);
	free(path);
	print_filled(out, f->evidence);
	if (finding_share_known(f, p))
		fprintf(out, "  They took %.1f %% of the run's time.\n", 100 * f->share);
	if (f->predicted)
		err = print_prediction(out, f, p);
	print_filled(out, f->advice);
	return err;
}

int render_findings(FILE *out, const struct result *r, const struct render_options *o)
{
	int err = 0;

	for (size_t i = 0; !err && i < r->findings.nr; i++) {
		if (i)
			fputc('\n', out);
		err = print_finding(out, &r->findings.list[i], r->profile, o);
	}
	return err;
}
