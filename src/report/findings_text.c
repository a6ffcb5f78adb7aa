// SPDX-License-Identifier: GPL-2.0
/* The findings for people: what, where, the evidence, what the fix would save, and the fix. */
#include "report/findings_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/fill.h"

char *finding_prediction(const struct finding *f, const struct profile *p)
{
	char low[24], high[24], *text = NULL;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return NULL;
	fprintf(line, "%" PRIu64 " call%s instead of %" PRIu64, f->predicted_calls,
		f->predicted_calls == 1 ? "" : "s", f->calls);
	if (f->saving_high_ns && !f->saving_low_ns && p->elapsed_ns)
		fprintf(line, ", saving at most %s (%.0f %% of the run's time)",
			format_ns(high, sizeof(high), f->saving_high_ns),
			100.0 * (double)f->saving_high_ns / (double)p->elapsed_ns);
	else if (f->saving_high_ns && p->elapsed_ns)
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
	char *prediction = finding_prediction(f, p);

	if (prediction)
		fprintf(out, "  Predicted: %s\n", prediction);
	free(prediction);
	return prediction ? 0 : -ENOMEM;
}

/* The path has what is left of the line. */
static int print_heading(FILE *out, const struct finding *f, const struct render_options *o)
{
	const char *on = "", *off = o->color ? STYLE_OFF : "",
		   *severity = severity_name(f->severity);
	char *path = escape_text_dup(f->path, strlen(f->path));
	size_t others = strlen(severity) + strlen(f->id) + strlen(f->kind) + strlen(":    ()");

	if (!path)
		return -ENOMEM;
	if (o->color)
		on = f->severity >= SEVERITY_MEDIUM ? STYLE_RED : STYLE_BOLD;
	fprintf(out, "%s%s: %s%s  %s (%s)\n", on, severity, f->id, off,
		shorten_text(path, LINE_WIDTH - others), f->kind);
	free(path);
	return 0;
}

/* Returns 0 or -ENOMEM. */
static int print_finding(FILE *out, const struct finding *f, const struct profile *p,
			 const struct render_options *o)
{
	int err = print_heading(out, f, o);

	fprintf(out, "  %s\n", f->evidence);
	if (finding_share_known(f, p))
		fprintf(out, "  They took %.1f %% of the run's time.\n", 100 * f->share);
	if (!err && f->predicted)
		err = print_prediction(out, f, p);
	fprintf(out, "  %s\n", f->advice);
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
