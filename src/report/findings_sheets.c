// SPDX-License-Identifier: GPL-2.0
/* Findings as tables: for people one each, of names and values; for programs a row each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/sheets.h"
#include "report/texts.h"

static void add_line(struct sheet *s, const char *name, const char *escaped)
{
	sheet_text(s, name);
	sheet_escaped(s, escaped);
}

/* Frees the text. */
static void add_text(struct sheet *s, const char *name, char *text)
{
	if (text)
		add_line(s, name, text);
	else
		s->failed = true;
	free(text);
}

/* Adds a place that calls come from. */
static void add_place(void *sheet, const char *escaped)
{
	add_line(sheet, "from", escaped);
}

void sheet_finding(struct sheet *s, const struct sheet_source *source)
{
	const struct finding *f = source->finding;
	char share[80], more[32];

	sheet_column(s, "finding", true);
	sheet_column(s, f->id, true);
	sheet_text(s, "severity");
	sheet_text(s, severity_name(f->severity));
	sheet_text(s, "file");
	sheet_code(s, f->path);
	if (f->files > 1) {
		sheet_text(s, "files");
		sheet_text(s, finding_more_files(more, sizeof(more), f) + strlen(" "));
	}
	sheet_text(s, "kind");
	sheet_text(s, f->kind);
	add_line(s, "evidence", f->evidence);
	if (finding_share(share, sizeof(share), f, source->profile)) {
		sheet_text(s, "cost");
		sheet_text(s, share);
	}
	if (site_texts(&source->profile->stacks, f->sites, f->nr_sites, f->sites_by, add_place, s))
		s->failed = true;
	sheet_text(s, f->excused ? "note" : "fix");
	sheet_text(s, f->advice);
	if (f->caveat)
		add_line(s, "caveat", f->caveat);
	if (f->condition)
		add_line(s, "condition", f->condition);
	if (f->predicted)
		add_text(s, "gain", finding_prediction(f));
	if (f->basis)
		add_text(s, "basis", finding_basis(f));
}

void sheet_more_findings(struct sheet *s, const struct sheet_source *source)
{
	bool asked = findings_asked(source->options);

	sheet_column(s, "more findings", true);
	sheet_column(s, "number", false);
	for (size_t i = 0; findings_id(i); i++) {
		size_t nr = findings_left_out(&source->result->findings, asked, findings_id(i));

		if (!nr)
			continue;
		sheet_text(s, findings_id(i));
		sheet_number(s, CELL_COUNT, nr);
	}
}

static void add_range(struct sheet *s, bool known, const struct range *r)
{
	sheet_known(s, known, CELL_NS, (uint64_t)r->low);
	sheet_known(s, known, CELL_NS, (uint64_t)r->high);
}

void sheet_findings(struct sheet *s, const struct sheet_source *source)
{
	const struct result *r = source->result;

	SHEET_COLUMNS(s, 3, "id", "severity", "path", "files");
	SHEET_COLUMNS(s, 1, "kind", "calls", "wait_ns", "predicted_calls",
		      "predicted_saving_low_ns", "predicted_saving_high_ns",
		      "predicted_cpu_saving_low_ns", "predicted_cpu_saving_high_ns",
		      "predicted_wall_saving_low_ns", "predicted_wall_saving_high_ns",
		      "predicted_time_saving_low_ns", "predicted_time_saving_high_ns",
		      "predicted_latency_saving_ns");
	sheet_column(s, "each", true);
	sheet_column(s, "each_count", false);
	SHEET_COLUMNS(s, 6, "basis", "reason", "condition", "evidence", "advice", "caveat");
	for (size_t i = 0; i < r->findings.nr; i++) {
		const struct finding *f = &r->findings.list[i];

		sheet_text(s, f->id);
		sheet_text(s, severity_name(f->severity));
		sheet_code(s, f->path);
		sheet_number(s, CELL_COUNT, f->files);
		sheet_text(s, f->kind);
		sheet_number(s, CELL_COUNT, f->calls);
		sheet_known(s, !(r->profile->unknown & (UNKNOWN_LATENCY | UNKNOWN_WAITS)), CELL_NS,
			    f->wait_ns);
		sheet_known(s, f->predicted, CELL_COUNT, f->predicted_calls);
		add_range(s, f->gain.known, &f->gain.syscall_ns);
		add_range(s, f->gain.known, &f->gain.cpu_ns);
		add_range(s, f->gain.known && !f->gain.watched, &f->gain.wall_ns);
		add_range(s, f->gain.known, &f->gain.time_ns);
		sheet_known(s, f->late.nr, CELL_NS, f->late.nr ? f->late.ns / f->late.nr : 0);
		sheet_text(s, f->gain.known ? finding_each(f) : NULL);
		sheet_known(s, f->gain.known, CELL_COUNT, finding_each_count(f));
		sheet_escaped(s, f->basis);
		sheet_escaped(s, f->reason);
		sheet_escaped(s, f->condition);
		sheet_escaped(s, f->evidence);
		sheet_text(s, f->advice);
		sheet_escaped(s, f->caveat);
	}
}
