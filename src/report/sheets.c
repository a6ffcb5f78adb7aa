// SPDX-License-Identifier: GPL-2.0
/* Makes the tables of a result. A new table is a function and a row in kinds[]. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/arithmetic.h"
#include "base/array.h"
#include "base/errno_name.h"
#include "base/text.h"
#include "model/abi.h"
#include "model/figures.h"
#include "model/histogram.h"
#include "model/tallies.h"
#include "model/provenance.h"
#include "report/sheets.h"
#include "report/texts.h"
#include "report/waiting_row.h"

#define RATE_DECIMALS 3 /* For programs. */

/*
 * Adds the name of a syscall: for people one cell, with the ABI unless it is the native one; for
 * programs one cell each.
 */
static void add_name(struct sheet *s, const struct sheet_source *source, const char *name,
		     enum iotrace_abi abi)
{
	char buf[CELL_SIZE];

	if (source->audience == FOR_PEOPLE) {
		sheet_escaped(s, render_name(buf, name, abi));
		return;
	}
	sheet_code(s, name);
	sheet_text(s, abi_name(abi));
}

/* ---- run ---- */

static void add_exit(struct sheet *s, int status)
{
	char buf[40];

	if (status != -1 && WIFSIGNALED(status))
		snprintf(buf, sizeof(buf), "signal %d", WTERMSIG(status));
	else
		snprintf(buf, sizeof(buf), "%d", WEXITSTATUS(status));
	sheet_text(s, status == -1 ? NULL : buf);
}

/* Adds "/home/me/1.txt (regular, ext4)". */
static void add_stdout(struct sheet *s, const struct provenance *v)
{
	char *text;

	if (!v->stdout_kind)
		sheet_none(s);
	else if (asprintf(&text, "%s (%s%s%s)", v->stdout_path ? v->stdout_path : "?",
			  v->stdout_kind, v->stdout_fstype ? ", " : "",
			  v->stdout_fstype ? v->stdout_fstype : "") < 0)
		s->failed = true;
	else {
		sheet_code(s, text);
		free(text);
	}
}

/* Adds what was traced: a command, or what ran already. */
static void add_target(struct sheet *s, const struct provenance *v, bool keys)
{
	if (keys || v->command || !v->target) {
		sheet_text(s, "command");
		sheet_words(s, v->command);
	}
	if (keys || v->target) {
		sheet_text(s, "target");
		sheet_code(s, v->target);
	}
}

/* Adds the cost that tracing adds to a call. */
static void add_overhead(struct sheet *s, uint64_t ps, bool keys)
{
	sheet_text(s, keys ? "overhead_ps" : "overhead");
	if (keys)
		sheet_known(s, ps, CELL_COUNT, ps);
	else
		sheet_known(s, ps, CELL_NS, ps / 1000 + (ps % 1000 >= 500));
}

/* Adds whether times are estimated; for programs, one call in how many was timed. */
static void add_sampling(struct sheet *s, const struct profile *p, bool keys)
{
	char note[256];

	sheet_text(s, keys ? "sample_latency" : "times");
	if (keys)
		sheet_known(s, p->sample_latency > 1, CELL_COUNT, p->sample_latency);
	else
		sheet_code(s, estimate_note(note, sizeof(note), p));
}

static void add_rate(struct sheet *s, const struct profile *p, const struct syscall_stats *row,
		     enum rate_id id)
{
	double rate = rate_value(id, SCOPE_SYSCALL, row, p->elapsed_ns);
	char buf[32];

	if (figure_known(rates[id].of, row, p->unknown) && isfinite(rate))
		sheet_text(s, format_fixed(buf, sizeof(buf), rate, RATE_DECIMALS));
	else
		sheet_none(s);
}

/* Adds how many calls, errors and bytes there were a second. */
static void add_rates(struct sheet *s, const struct profile *p, bool keys)
{
	struct syscall_stats sum;
	char buf[RATES_SIZE];

	if (!keys) {
		sheet_text(s, "rate");
		sheet_text(s, rates_text(buf, p));
		return;
	}
	profile_sum(&sum, p);
	for (enum rate_id id = 0; id < NR_RATES; id++) {
		sheet_text(s, rates[id].key);
		add_rate(s, p, &sum, id);
	}
}

static void fill_run(struct sheet *s, const struct sheet_source *source)
{
	const struct provenance *v = profile_provenance(source->profile);
	bool keys = source->audience == FOR_PROGRAMS;

	sheet_column(s, "run", true);
	sheet_column(s, keys ? "value" : "", true);
	add_target(s, v, keys);
	sheet_text(s, "options");
	sheet_words(s, v->options);
	sheet_text(s, "backend");
	sheet_code(s, source->profile->backend);
	sheet_text(s, "note");
	sheet_code(s, source->profile->time_note);
	add_sampling(s, source->profile, keys);
	sheet_text(s, "iotrace");
	sheet_code(s, v->version);
	sheet_text(s, "start");
	sheet_code(s, v->start);
	sheet_text(s, keys ? "elapsed_ns" : "elapsed");
	sheet_number(s, CELL_NS, source->profile->elapsed_ns);
	add_rates(s, source->profile, keys);
	sheet_text(s, keys ? "wall_ns" : "wall time");
	sheet_known(s, v->wall_ns, CELL_NS, v->wall_ns);
	add_overhead(s, source->profile->overhead_ps, keys);
	sheet_text(s, "exit");
	add_exit(s, v->status);
	sheet_text(s, "kernel");
	sheet_code(s, v->kernel);
	sheet_text(s, "machine");
	sheet_code(s, v->machine);
	sheet_text(s, "cpu model");
	sheet_code(s, v->cpu_model);
	sheet_text(s, "cpus");
	sheet_known(s, v->cpus, CELL_COUNT, v->cpus);
	sheet_text(s, "stdout");
	add_stdout(s, v);
}

/* ---- summary ---- */

/* Fills in the columns of -U, as the table has them, with the total and what waited. */
static void fill_summary(struct sheet *s, const struct sheet_source *source)
{
	const struct render_options *o = source->options;
	struct column_sums sums;
	char buf[CELL_SIZE], waiting[WAITING_SIZE];

	for (size_t i = 0; i < o->nr_columns; i++)
		sheet_column(s, columns[o->columns[i]].heading, columns[o->columns[i]].left);
	if (!source->nr_rows)
		return;
	column_sums(&sums, source->rows, source->nr_rows, source->profile);
	for (size_t r = 0; r <= source->nr_rows; r++) {
		const struct syscall_stats *row =
			r < source->nr_rows ? source->rows[r] : &sums.total;

		for (size_t i = 0; i < o->nr_columns; i++) {
			column_cell(buf, o->columns[i], row, &sums);
			if (o->columns[i] == COLUMN_NAME && row != &sums.total)
				add_name(s, source, row->name, row->abi);
			else
				sheet_text(s, buf);
		}
	}
	for (size_t i = 0; i < o->nr_columns && waiting_row_wanted(o, &sums); i++)
		sheet_text(s, waiting_cell(waiting, i, o, source->rows, source->nr_rows, &sums));
}

static void add_figure(struct sheet *s, const struct sheet_source *source,
		       const struct syscall_stats *row, enum figure_id id)
{
	sheet_known(s, figure_known(id, row, source->profile->unknown), cell_kind_of(id),
		    figure_value(id, row));
}

/* Fills in all figures of a syscall, except the number of timed calls, which only JSON has. */
static void fill_figures(struct sheet *s, const struct sheet_source *source)
{
	SHEET_COLUMNS(s, 2, "syscall", "abi");
	for (int id = 0; id < NR_SYSCALL_FIGURES; id++)
		if (id != FIGURE_timed)
			sheet_column(s, figures[id].key, false);
	for (enum rate_id id = 0; id < NR_RATES; id++)
		sheet_column(s, rates[id].key, false);
	for (size_t i = 0; i < source->nr_rows; i++) {
		add_name(s, source, source->rows[i]->name, source->rows[i]->abi);
		for (int id = 0; id < NR_SYSCALL_FIGURES; id++)
			if (id != FIGURE_timed)
				add_figure(s, source, source->rows[i], id);
		for (enum rate_id id = 0; id < NR_RATES; id++)
			add_rate(s, source->profile, source->rows[i], id);
	}
}

/* ---- latency ---- */

/* Adds a row with the latency of some calls of a syscall. which: "" for all of them. */
static void add_latency(struct sheet *s, const struct sheet_source *source,
			const struct syscall_stats *row, const char *which)
{
	char name[CELL_SIZE], buf[CELL_SIZE + 16];

	snprintf(buf, sizeof(buf), "%s%s", render_name(name, row->name, row->abi), which);
	sheet_escaped(s, buf);
	sheet_number(s, CELL_COUNT, row->calls);
	for (size_t f = 0; f < NR_LATENCY_FIGURES; f++) {
		enum figure_id id = latency_figures[f];

		/* The extremes of a part of the calls are not known. */
		if (*which && (id == FIGURE_min_ns || id == FIGURE_max_ns))
			sheet_none(s);
		else
			add_figure(s, source, row, id);
	}
}

static void fill_latency(struct sheet *s, const struct sheet_source *source)
{
	SHEET_COLUMNS(s, 1, "syscall", "calls");
	for (size_t i = 0; i < NR_LATENCY_FIGURES; i++)
		sheet_column(s, figures[latency_figures[i]].heading, false);
	for (size_t i = 0; i < source->nr_rows; i++) {
		const struct syscall_stats *row = source->rows[i];
		bool split = figures_split(row, source->profile->unknown);

		add_latency(s, source, row, "");
		for (int slept = 0; split && slept <= 1; slept++) {
			struct syscall_stats part;

			syscall_stats_part(&part, row, slept);
			add_latency(s, source, &part, slept ? " (waiting)" : " (running)");
		}
	}
}

/* Does the syscall have a histogram of bytes, or else of latencies, that --histogram selects? */
static bool has_histogram(const struct sheet_source *source, const struct syscall_stats *row,
			  bool sizes)
{
	return render_histogram_wanted(source->options, source->profile, row, source->audience) &&
	       figures_known(sizes ? UNKNOWN_BYTES : UNKNOWN_LATENCY, row,
			     source->profile->unknown);
}

/* Adds buckets merged to powers of two, which is enough for people. */
static void add_octaves(struct sheet *s, const struct sheet_source *source,
			const struct syscall_stats *row, bool sizes)
{
	const struct histogram_scale *scale = sizes ? &size_scale : &latency_scale;
	const uint64_t *counts = sizes ? row->sizes : row->latency;
	uint64_t total = histogram_total(counts, scale->nr_buckets);
	enum cell_kind kind = sizes ? CELL_BYTES : CELL_NS;
	struct histogram_rows r;

	histogram_rows(&r, scale, counts, 1);
	for (size_t i = r.first; i < r.end; i++) {
		bool last = i + 1 == r.nr;

		if (!r.count[i])
			continue;
		add_name(s, source, row->name, row->abi);
		sheet_number(s, kind, r.low[i]);
		sheet_known(s, !last, kind, last ? 0 : r.low[i + 1]);
		sheet_number(s, CELL_COUNT, r.count[i]);
		sheet_number(s, CELL_SHARE, rounded((double)r.count[i] / (double)total * 10000));
	}
}

static void fill_octaves(struct sheet *s, const struct sheet_source *source, bool sizes)
{
	SHEET_COLUMNS(s, 1, "syscall", "from", "below", "calls", "share");
	for (size_t i = 0; i < source->nr_rows; i++)
		if (has_histogram(source, source->rows[i], sizes))
			add_octaves(s, source, source->rows[i], sizes);
}

static void fill_latency_octaves(struct sheet *s, const struct sheet_source *source)
{
	fill_octaves(s, source, false);
}

static void fill_size_octaves(struct sheet *s, const struct sheet_source *source)
{
	fill_octaves(s, source, true);
}

static void add_bucket(struct sheet *s, const struct sheet_source *source,
		       const struct syscall_stats *row, const struct histogram_scale *scale,
		       uint32_t bucket, uint64_t count, enum cell_kind kind)
{
	add_name(s, source, row->name, row->abi);
	sheet_number(s, kind, scale->low(bucket));
	sheet_known(s, bucket + 1 < scale->nr_buckets, kind, scale->low(bucket + 1));
	sheet_number(s, CELL_COUNT, count);
}

/* Fills in the buckets of latencies, and how many calls of each slept. */
static void fill_latency_buckets(struct sheet *s, const struct sheet_source *source)
{
	SHEET_COLUMNS(s, 2, "syscall", "abi", "low_ns", "high_ns", "count", "waits");
	for (size_t i = 0; i < source->nr_rows; i++) {
		const struct syscall_stats *row = source->rows[i];
		bool waits_known = figure_known(FIGURE_waits, row, source->profile->unknown);

		if (!has_histogram(source, row, false))
			continue;
		for (uint32_t b = 0; b < LATENCY_BUCKETS; b++) {
			if (!row->latency[b])
				continue;
			add_bucket(s, source, row, &latency_scale, b, row->latency[b], CELL_NS);
			sheet_known(s, waits_known, CELL_COUNT, row->wait_latency[b]);
		}
	}
}

static void fill_size_buckets(struct sheet *s, const struct sheet_source *source)
{
	SHEET_COLUMNS(s, 2, "syscall", "abi", "low_bytes", "high_bytes", "count");
	for (size_t i = 0; i < source->nr_rows; i++) {
		const struct syscall_stats *row = source->rows[i];

		if (!has_histogram(source, row, true))
			continue;
		for (uint32_t b = 0; b < SIZE_BUCKETS; b++)
			if (row->sizes[b])
				add_bucket(s, source, row, &size_scale, b, row->sizes[b],
					   CELL_BYTES);
	}
}

/* ---- sizes ---- */

static void fill_sizes(struct sheet *s, const struct sheet_source *source)
{
	SHEET_COLUMNS(s, 1, "syscall", "calls", "bytes", "bytes/call");
	for (size_t i = 0; i < source->nr_rows; i++) {
		const struct syscall_stats *row = source->rows[i];
		bool known = figure_known(FIGURE_bytes, row, source->profile->unknown);

		if (!row->transfers)
			continue;
		add_name(s, source, row->name, row->abi);
		sheet_number(s, CELL_COUNT, row->calls);
		sheet_known(s, known, CELL_BYTES, row->bytes);
		sheet_known(s, known, CELL_BYTES, row->bytes / row->calls);
	}
}

/* ---- errors ---- */

static void fill_errors(struct sheet *s, const struct sheet_source *source)
{
	bool keys = source->audience == FOR_PROGRAMS;
	char buf[24];

	if (keys)
		SHEET_COLUMNS(s, 3, "syscall", "abi", "errno", "code", "count");
	else
		SHEET_COLUMNS(s, 2, "syscall", "errno", "calls");
	for (size_t i = 0; i < source->nr_rows; i++) {
		const struct syscall_stats *row = source->rows[i];

		for (size_t e = 0; e < row->nr_errnos; e++) {
			add_name(s, source, row->name, row->abi);
			sheet_text(s, format_errno(buf, sizeof(buf), row->errnos[e].err));
			if (keys)
				sheet_number(s, CELL_COUNT, (uint64_t)row->errnos[e].err);
			sheet_number(s, CELL_COUNT, row->errnos[e].count);
		}
	}
}

/* ---- integrity ---- */

static void fill_integrity(struct sheet *s, const struct sheet_source *source)
{
	bool keys = source->audience == FOR_PROGRAMS;

	for (size_t i = 0; i < NR_TALLIES; i++) {
		sheet_column(s, keys ? tallies[i].key : tallies[i].heading, false);
		sheet_known(s, tally_known(&tallies[i], source->profile), CELL_COUNT,
			    tally_value(&tallies[i], source->profile));
	}
}

static void fill_inflight(struct sheet *s, const struct sheet_source *source)
{
	const struct profile *p = source->profile;
	bool keys = source->audience == FOR_PROGRAMS;

	if (keys)
		SHEET_COLUMNS(s, 3, "syscall", "abi", "comm", "pid", "tid", "before", "since_ns");
	else
		SHEET_COLUMNS(s, 2, "syscall", "comm", "pid", "tid", "for");
	for (size_t i = 0; i < p->nr_inflight; i++) {
		const struct inflight_call *c = &p->inflight[i];
		char buf[40], since[24];

		add_name(s, source, c->name, c->abi);
		sheet_code(s, c->pid ? c->comm : NULL);
		sheet_known(s, c->pid, CELL_COUNT, (uint64_t)c->pid);
		sheet_known(s, c->pid, CELL_COUNT, (uint64_t)c->tid);
		if (keys) {
			sheet_number(s, CELL_COUNT, c->before);
			sheet_known(s, c->since_ns, CELL_NS, c->since_ns);
			continue;
		}
		snprintf(buf, sizeof(buf), "%s%s", c->before ? "more than " : "",
			 format_ns(since, sizeof(since), c->since_ns));
		sheet_text(s, c->since_ns ? buf : NULL);
	}
}

/* ---- files and findings ---- */

/* Fills in what is missing in the table of files; there is no such table where nothing is. */
static void fill_missing_files(struct sheet *s, const struct sheet_source *source)
{
	const struct profile *p = source->profile;

	SHEET_COLUMNS(s, 0, "calls among (other)'s for lack of room (see --max-files)",
		      "users of files that are not known");
	if (!p->misplaced_calls && !p->lost_file_users)
		return;
	sheet_number(s, CELL_COUNT, p->misplaced_calls);
	sheet_number(s, CELL_COUNT, p->lost_file_users);
}

/* Fills in how many samples of stacks are missing, if any are. */
static void fill_missing_samples(struct sheet *s, const struct sheet_source *source)
{
	const struct stacks *stacks = &source->profile->stacks;

	SHEET_COLUMNS(s, 0, "samples of stacks that are missing", "samples that are there");
	if (!stacks->lost)
		return;
	sheet_number(s, CELL_COUNT, stacks->lost);
	sheet_number(s, CELL_COUNT, stacks->samples);
}

enum repetition {
	ONCE,
	PER_ABI,
	PER_FINDING,
	/* It is usually empty: if another table is alone in its section, that needs no title. */
	IF_NEEDED,
};

/* The tables in the order of printing. */
static const struct sheet_kind {
	unsigned section;
	enum audience audience;
	enum repetition repetition;
	const char *title;
	void (*fill)(struct sheet *s, const struct sheet_source *source);
} kinds[] = {
	{ SECTION_RUN, FOR_PEOPLE, ONCE, "Run", fill_run },
	{ SECTION_RUN, FOR_PROGRAMS, ONCE, "run", fill_run },
	{ SECTION_SUMMARY, FOR_PEOPLE, PER_ABI, "System calls", fill_summary },
	{ SECTION_SUMMARY, FOR_PROGRAMS, ONCE, "summary", fill_figures },
	{ SECTION_INTERVALS, FOR_PEOPLE, ONCE, "Over time", sheet_intervals },
	{ SECTION_GROUPS, FOR_PEOPLE, IF_NEEDED, "Who makes the calls", sheet_groups },
	{ SECTION_GROUPS, FOR_PROGRAMS, ONCE, "groups", sheet_group_calls },
	{ SECTION_FILES, FOR_PEOPLE, ONCE, "Files", sheet_files },
	{ SECTION_FILES, FOR_PEOPLE, IF_NEEDED, "Missing in the files", fill_missing_files },
	{ SECTION_FINDINGS, FOR_PEOPLE, PER_FINDING, "Finding", sheet_finding },
	{ SECTION_FINDINGS, FOR_PEOPLE, ONCE, "More findings", sheet_more_findings },
	{ SECTION_STACKS, FOR_PEOPLE, ONCE, "Sites", sheet_sites },
	{ SECTION_FINDINGS | SECTION_STACKS, FOR_PEOPLE, IF_NEEDED, "Missing in the stacks",
	  fill_missing_samples },
	{ SECTION_LATENCY, FOR_PEOPLE, ONCE, "Latency", fill_latency },
	{ SECTION_LATENCY, FOR_PEOPLE, ONCE, "Distribution of latency", fill_latency_octaves },
	{ SECTION_LATENCY, FOR_PROGRAMS, ONCE, "latency", fill_latency_buckets },
	{ SECTION_SIZES, FOR_PEOPLE, ONCE, "Bytes", fill_sizes },
	{ SECTION_SIZES, FOR_PEOPLE, ONCE, "Distribution of bytes per call", fill_size_octaves },
	{ SECTION_SIZES, FOR_PROGRAMS, ONCE, "sizes", fill_size_buckets },
	{ SECTION_ERRORS, FOR_PEOPLE, ONCE, "Errors", fill_errors },
	{ SECTION_ERRORS, FOR_PROGRAMS, ONCE, "errors", fill_errors },
	{ SECTION_FILES, FOR_PROGRAMS, ONCE, "files", sheet_file_calls },
	{ SECTION_FINDINGS, FOR_PROGRAMS, ONCE, "findings", sheet_findings },
	{ SECTION_STACKS, FOR_PROGRAMS, ONCE, "stacks", sheet_site_calls },
	{ SECTION_INTEGRITY, FOR_PEOPLE, ONCE, "Calls accounted for", fill_integrity },
	{ SECTION_INTEGRITY, FOR_PROGRAMS, ONCE, "integrity", fill_integrity },
	{ SECTION_INFLIGHT, FOR_PEOPLE, ONCE, "Calls in flight", fill_inflight },
	{ SECTION_INFLIGHT, FOR_PROGRAMS, ONCE, "inflight", fill_inflight },
};

#define NR_KINDS ARRAY_SIZE(kinds)

static int add_sheet(struct document *d, const struct sheet_source *source,
		     const struct sheet_kind *kind, const char *mode, bool titled)
{
	char title[64];
	struct sheet *s;

	snprintf(title, sizeof(title), "%s%s", kind->title, mode);
	s = document_add(d, title);
	if (!s)
		return -ENOMEM;
	s->titled = titled;
	kind->fill(s, source);
	if (s->failed)
		return -ENOMEM;
	if (!sheet_rows(s) && kind->audience == FOR_PEOPLE)
		document_drop(d);
	return 0;
}

static int add_kind(struct document *d, const struct sheet_source *source,
		    const struct render_rows *rows, const struct sheet_kind *kind, bool titled)
{
	static const char *const modes[NR_ABIS] = { "", " (32 bit)", " (x32)" };
	const struct findings *findings = &source->result->findings;
	size_t shown = findings_shown(findings, findings_asked(source->options));
	struct sheet_source part = *source;
	int err = 0;

	if (kind->repetition == ONCE || kind->repetition == IF_NEEDED)
		return add_sheet(d, source, kind, "", titled || kind->repetition == IF_NEEDED);
	for (int abi = 0; !err && kind->repetition == PER_ABI && abi < NR_ABIS; abi++) {
		part.nr_rows = rows->nr_of[abi];
		err = add_sheet(d, &part, kind, modes[abi], titled);
		part.rows += part.nr_rows;
	}
	for (size_t i = 0; !err && kind->repetition == PER_FINDING && i < shown; i++) {
		part.finding = &findings->list[i];
		err = add_sheet(d, &part, kind, "", titled || shown > 1);
	}
	return err;
}

int document_of_result(struct document *d, const struct result *r, const struct render_options *o,
		       unsigned sections, enum audience audience)
{
	struct render_options options = render_with_columns(o, r->profile);
	struct render_rows rows;
	int err = render_rows(&rows, r->profile, o);
	struct sheet_source source = {
		r, r->profile, &options, audience, rows.list, rows.nr, NULL
	};
	size_t nr = 0;

	for (size_t i = 0; i < NR_KINDS; i++)
		nr += kinds[i].section & sections && kinds[i].audience == audience &&
		      kinds[i].repetition != IF_NEEDED;
	for (size_t i = 0; !err && i < NR_KINDS; i++) {
		if (kinds[i].section & sections && kinds[i].audience == audience)
			err = add_kind(d, &source, &rows, &kinds[i], nr > 1);
	}
	free(rows.list);
	return err;
}
