// SPDX-License-Identifier: GPL-2.0
/*
 * The default report: strace's table, the findings with their files, the histograms of the calls
 * that matter, and whether every call is accounted for.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno_name.h"
#include "base/text.h"
#include "model/histogram.h"
#include "report/fill.h"
#include "report/findings_text.h"
#include "report/render.h"
#include "report/sheets.h"
#include "report/style.h"
#include "report/terminal.h"

#define BAR_WIDTH    52
#define MAX_ROWS     20 /* of a histogram */
#define MAX_INFLIGHT 20 /* calls listed */
#define LABEL_SIZE   24

static const char *style(const struct render_options *o, const char *sequence)
{
	return o->color ? sequence : "";
}

/* A latency edge: "512ns". */
static const char *latency_label(char *buf, uint64_t ns)
{
	return format_ns(buf, LABEL_SIZE, ns);
}

static const char *size_label(char *buf, uint64_t bytes)
{
	return format_pow2_bytes(buf, LABEL_SIZE, bytes);
}

/* The form of one of the two kinds of histogram. */
struct histogram_view {
	const struct histogram_scale *scale;
	const char *(*label)(char *buf, uint64_t low);
};

static const struct histogram_view latency_view = { &latency_scale, latency_label };
static const struct histogram_view size_view = { &size_scale, size_label };

/* The number of empty rows to skip at row i. A long gap becomes one line. */
static size_t gap_at(const struct histogram_rows *r, size_t i)
{
	size_t end = i;

	while (end < r->end && !r->count[end])
		end++;
	return end - i >= 3 ? end - i : 0;
}

static size_t lines_shown(const struct histogram_rows *r)
{
	size_t lines = 0;

	for (size_t i = r->first; i < r->end; lines++) {
		size_t gap = gap_at(r, i);

		i += gap ? gap : 1;
	}
	return lines;
}

static void print_bar(FILE *out, const struct render_options *o, uint64_t count, uint64_t largest)
{
	/* Rounded down, so that only the largest has a full bar. */
	int length = (int)((unsigned __int128)count * BAR_WIDTH / largest);

	fprintf(out, "|%s", length ? style(o, STYLE_BAR) : "");
	for (int i = 0; i < length; i++)
		fputc('@', out);
	fprintf(out, "%s%*s|\n", length ? style(o, STYLE_OFF) : "", BAR_WIDTH - length, "");
}

static void print_histogram(FILE *out, const struct render_options *o,
			    const struct histogram_view *view, const uint64_t *counts)
{
	char low[LABEL_SIZE], high[LABEL_SIZE], range[2 * LABEL_SIZE];
	struct histogram_rows r;
	unsigned octaves = 1;
	int width;

	do
		histogram_rows(&r, view->scale, counts, octaves++);
	while (lines_shown(&r) > MAX_ROWS);

	width = snprintf(NULL, 0, "%" PRIu64, r.largest);
	for (size_t i = r.first; i < r.end; i++) {
		size_t gap = gap_at(&r, i);

		if (gap) {
			fprintf(out, "%8s\n", "...");
			i += gap - 1;
			continue;
		}
		if (i == r.nr - 1)
			strcpy(range, " or more");
		else if (r.low[i + 1] == r.low[i] + 1)
			strcpy(range, "");
		else
			snprintf(range, sizeof(range), " - %s", view->label(high, r.low[i + 1]));
		fprintf(out, "%8s%-10s %*" PRIu64 " ", view->label(low, r.low[i]), range,
			width < 9 ? 9 : width, r.count[i]);
		print_bar(out, o, r.count[i], r.largest);
	}
}

static void print_ns(FILE *out, const char *label, bool known, uint64_t ns)
{
	char buf[24];

	fprintf(out, "  %s %s", label, known ? format_ns(buf, sizeof(buf), ns) : "-");
}

/*
 * The latency figures of a syscall, or of a part of its calls, of which the extremes are not known.
 */
static void print_latency(FILE *out, const struct syscall_stats *s, unsigned unknown, bool part)
{
	for (size_t i = 0; i < NR_LATENCY_FIGURES; i++) {
		enum figure_id id = latency_figures[i];

		if (part && (id == FIGURE_min_ns || id == FIGURE_max_ns))
			continue;
		print_ns(out, figures[id].heading, figure_known(id, s, unknown),
			 figure_value(id, s));
	}
	fputc('\n', out);
}

static void print_name(FILE *out, const struct render_options *o, const struct syscall_stats *s,
		       unsigned unknown)
{
	char buf[24], name[CELL_SIZE];

	fprintf(out, "%s%s%s  %" PRIu64 " call%s", style(o, STYLE_BOLD),
		render_name(name, s->name, s->abi), style(o, STYLE_OFF), s->calls,
		s->calls == 1 ? "" : "s");
	if (figure_known(FIGURE_mean_ns, s, unknown) && s->timed != s->calls)
		fprintf(out, " (%" PRIu64 " timed)", s->timed);
	if (s->transfers)
		fprintf(out, "  %s",
			figure_known(FIGURE_bytes, s, unknown)
				? format_bytes(buf, sizeof(buf), s->bytes)
				: "- B");
	fputc('\n', out);
}

/*
 * The latency of the calls that slept beside that of those that ran, where there are enough of
 * both.
 */
static void print_parts(FILE *out, const struct syscall_stats *s, unsigned unknown)
{
	static const char *const labels[] = { "running", "waiting" };

	if (!figures_split(s, unknown))
		return;
	for (int slept = 0; slept <= 1; slept++) {
		struct syscall_stats part;

		syscall_stats_part(&part, s, slept);
		fprintf(out, "  %s %" PRIu64, labels[slept], part.calls);
		print_latency(out, &part, unknown, true);
	}
}

/* The next less frequent errno after *last; NULL after the last. */
static const struct errno_count *next_errno(const struct syscall_stats *s,
					    const struct errno_count *last)
{
	const struct errno_count *next = NULL;

	for (size_t i = 0; i < s->nr_errnos; i++) {
		const struct errno_count *e = &s->errnos[i];

		if (last && (e->count > last->count || (e->count == last->count && e <= last)))
			continue;
		if (!next || e->count > next->count)
			next = e;
	}
	return next;
}

static void print_errors(FILE *out, const struct render_options *o, const struct syscall_stats *s)
{
	const struct errno_count *e = NULL;
	uint64_t named = 0;
	char buf[40];

	if (!s->errors)
		return;
	fprintf(out, "  %serrors:", style(o, STYLE_RED));
	while ((e = next_errno(s, e))) {
		fprintf(out, "%s %" PRIu64 " %s", named ? "," : "", e->count,
			format_errno(buf, sizeof(buf), e->err));
		named += e->count;
	}
	if (named < s->errors)
		fprintf(out, "%s %" PRIu64 " unknown", named ? "," : "", s->errors - named);
	fprintf(out, "%s\n", style(o, STYLE_OFF));
}

static void print_sizes(FILE *out, const struct render_options *o, const struct syscall_stats *s)
{
	if (!histogram_total(s->sizes, SIZE_BUCKETS))
		return;
	fputs("  bytes per call:\n", out);
	print_histogram(out, o, &size_view, s->sizes);
}

/* The sections that have content for this syscall. */
static unsigned syscall_sections(const struct profile *p, const struct render_options *o,
				 unsigned sections, const struct syscall_stats *s)
{
	unsigned wanted = sections & (SECTION_LATENCY | SECTION_SIZES | SECTION_ERRORS);

	if (!s->transfers)
		wanted &= ~SECTION_SIZES;
	if (!s->errors)
		wanted &= ~SECTION_ERRORS;
	if (render_histogram_wanted(o, p, s, FOR_PEOPLE))
		return wanted;
	return o->histogram == HISTOGRAM_SOME ? wanted & SECTION_ERRORS : 0;
}

static void print_syscall(FILE *out, const struct syscall_stats *s, unsigned unknown,
			  const struct render_options *o, unsigned sections)
{
	print_name(out, o, s, unknown);
	if (sections != SECTION_ERRORS)
		print_latency(out, s, unknown, false);
	if (sections & SECTION_LATENCY)
		print_parts(out, s, unknown);
	if (sections & SECTION_LATENCY && s->timed && !(unknown & UNKNOWN_LATENCY))
		print_histogram(out, o, &latency_view, s->latency);
	if (sections & SECTION_SIZES && !(unknown & UNKNOWN_BYTES))
		print_sizes(out, o, s);
	if (sections & SECTION_ERRORS)
		print_errors(out, o, s);
}

static int print_syscalls(FILE *out, const struct result *r, const struct render_options *o,
			  unsigned sections)
{
	const struct profile *p = r->profile;
	const struct syscall_stats **rows = calloc(p->nr_syscalls + 1, sizeof(*rows));
	const char *before = "";
	int err = rows ? 0 : -ENOMEM;

	for (int abi = 0; !err && abi < NR_ABIS; abi++) {
		size_t nr = 0;

		err = render_rows(rows, &nr, p, (enum iotrace_abi)abi, o->sort);
		for (size_t i = 0; !err && i < nr; i++) {
			unsigned its = syscall_sections(p, o, sections, rows[i]);

			if (!its)
				continue;
			fputs(before, out);
			before = "\n";
			print_syscall(out, rows[i], p->unknown, o, its);
		}
	}
	free(rows);
	return err;
}

static void print_inflight(FILE *out, const struct profile *p)
{
	char comm[80], name[CELL_SIZE];
	size_t nr = p->nr_inflight < MAX_INFLIGHT ? p->nr_inflight : MAX_INFLIGHT;
	uint64_t listed = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct inflight_call *c = &p->inflight[i];

		listed += !c->before;
		fprintf(out, "  %s  ", render_name(name, c->name, c->abi));
		if (!c->pid) {
			fputs("outside this PID namespace\n", out);
			continue;
		}
		fprintf(out, "pid %d", c->pid);
		if (c->tid != c->pid)
			fprintf(out, " tid %d", c->tid);
		fprintf(out, " (%s)",
			escape_text(comm, sizeof(comm), c->comm,
				    strnlen(c->comm, sizeof(c->comm))));
		print_ns(out, c->before ? "for more than" : "for", c->since_ns, c->since_ns);
		fputs(c->before ? ", since before tracing began\n" : "\n", out);
	}
	if (p->in_flight > listed)
		fprintf(out, "  %s%" PRIu64 " not listed\n", nr ? "and " : "",
			p->in_flight - listed);
}

/* Prints whether every call that was entered is accounted for. */
static void print_integrity(FILE *out, const struct profile *p, const struct render_options *o)
{
	bool lost = p->lost || p->lost_tasks || p->lost_errnos;
	uint64_t known = p->returned + p->in_flight + p->died;

	if (p->unknown & UNKNOWN_ENTERED) {
		fprintf(out, "returned %" PRIu64 "; entered and in flight not known", p->returned);
	} else {
		fprintf(out, "entered %" PRIu64 " %s returned %" PRIu64 " + in flight %" PRIu64,
			p->entered, p->entered == known ? "=" : "!=", p->returned, p->in_flight);
		if (p->died)
			fprintf(out, " + died in call %" PRIu64, p->died);
	}
	fprintf(out, "; %slost %" PRIu64, lost ? style(o, STYLE_RED) : "", p->lost);
	if (p->lost_tasks)
		fprintf(out, " and all calls of %" PRIu64 " task%s", p->lost_tasks,
			p->lost_tasks == 1 ? "" : "s");
	if (p->lost_errnos)
		fprintf(out, ", and the errnos of %" PRIu64 " error%s", p->lost_errnos,
			p->lost_errnos == 1 ? "" : "s");
	fputs(lost ? style(o, STYLE_OFF) : "", out);
	if (p->under_way)
		fprintf(out, "; %" PRIu64 " begun before tracing not counted", p->under_way);
	if (p->excluded)
		fprintf(out, "; %" PRIu64 " process%s left out when %s gained privileges",
			p->excluded, p->excluded == 1 ? "" : "es",
			p->excluded == 1 ? "it" : "they");
	fputc('\n', out);
}

/* The note may come from a file. */
static void print_note(FILE *out, const char *note)
{
	char text[512];

	fprintf(out, "%s\n", ESCAPE_TEXT(text, note));
}

/* Calls in parallel threads are added up. */
static void print_overhead(FILE *out, const struct profile *p)
{
	double added_ns = p->overhead_ps / 1e3 * p->returned;
	char each[32], all[32], share[32], run[32];

	if (!p->overhead_ps || !p->elapsed_ns)
		return;
	fprintf(out, "tracing added about %s to each call: %s in all, %s%% of the run's %s\n",
		format_ns(each, sizeof(each), (p->overhead_ps + 500) / 1000),
		format_ns(all, sizeof(all), added_ns < 1e19 ? (uint64_t)added_ns : UINT64_MAX),
		format_fixed(share, sizeof(share), 100 * added_ns / p->elapsed_ns, 1),
		format_ns(run, sizeof(run), p->elapsed_ns));
}

/* Says whether the figures are complete, and what the tasks were doing at the end. */
static int print_account(FILE *out, const struct result *r, const struct render_options *o,
			 unsigned sections)
{
	const struct profile *p = r->profile;

	if (sections & SECTION_INTEGRITY) {
		print_integrity(out, p, o);
		if (p->time_note && !o->quiet)
			print_note(out, p->time_note);
		print_overhead(out, p);
	}
	if (sections & SECTION_INFLIGHT && !(p->unknown & UNKNOWN_ENTERED))
		print_inflight(out, p);
	return 0;
}

/* ---- the document ---- */

static bool nothing_counted(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_syscalls; i++) {
		if (p->syscalls[i].calls)
			return false;
	}
	return true;
}

static int print_summary(FILE *out, const struct result *r, const struct render_options *o,
			 unsigned sections)
{
	(void)sections;
	if (nothing_counted(r->profile)) {
		if (o->quiet)
			return 0;
		fputs("None of the selected calls was counted.\n", out);
	}
	return render_summary(out, r->profile, o);
}

static bool shows_files(const struct result *r, const struct render_options *o)
{
	return files_asked(o) || findings_shown(&r->findings, false);
}

/* Says which files are not among the top. */
static void print_more_files(FILE *out, const struct result *r, size_t top)
{
	uint64_t calls = 0;

	if (!r->nr_files)
		fputs("No call was about a file.\n", out);
	for (size_t i = top; top && i < r->nr_files; i++) {
		struct file_call sum;

		file_stats_sum(&sum, &r->files[i], NR_SYSCALL_ACTIONS);
		calls += sum.calls;
	}
	if (top && top < r->nr_files)
		fprintf(out, "and %zu more with %" PRIu64 " calls\n", r->nr_files - top, calls);
}

/*
 * Says what the table of files lacks. What has lost its place is missing in the findings, too, and
 * is told without the table as well.
 */
static int print_files(FILE *out, const struct result *r, const struct render_options *o,
		       unsigned sections)
{
	const struct profile *p = r->profile;
	uint64_t calls = p->misplaced_calls;
	bool shown = shows_files(r, o);

	(void)sections;
	if (shown && p->unknown & UNKNOWN_FILES) {
		fputs("Which files the calls were about is not known.\n", out);
		return 0;
	}
	if (files_asked(o))
		print_more_files(out, r, o->top_files);
	if (calls)
		fprintf(out,
			"%" PRIu64
			" call%s among those of (other), for lack of room (see --max-files)\n",
			calls, calls == 1 ? " on files is" : "s on files are");
	if (shown && p->lost_file_users)
		fprintf(out,
			"%" PRIu64 " users of files are missing: there was no room for them, or "
			"their process is unknown\n",
			p->lost_file_users);
	return 0;
}

static int print_findings(FILE *out, const struct result *r, const struct render_options *o,
			  unsigned sections)
{
	(void)sections;
	return findings_shown(&r->findings, findings_asked(o)) ? render_findings(out, r, o) : 0;
}

/* The parts of a document for a terminal. What is of the same sections stands together. */
static const struct part {
	unsigned sections;
	enum sheet_form form;
	/* Prints a text, if there is one. NULL: it is a table. 0 or -ENOMEM. */
	int (*print)(FILE *out, const struct result *r, const struct render_options *o,
		     unsigned sections);
} parts[] = {
	{ SECTION_RUN, SHEET_LIST, NULL },
	{ SECTION_SUMMARY, SHEET_TEXT, print_summary },
	{ SECTION_FILES, SHEET_TABLE, NULL },
	{ SECTION_FILES, SHEET_TEXT, print_files },
	{ SECTION_FINDINGS, SHEET_LINES, print_findings },
	{ SECTION_LATENCY | SECTION_SIZES | SECTION_ERRORS, SHEET_LINES, print_syscalls },
	{ SECTION_INTEGRITY | SECTION_INFLIGHT, SHEET_LINES, print_account },
};

static int add_text(struct document *d, const struct part *part, const struct result *r,
		    const struct render_options *o, unsigned sections)
{
	struct sheet *s = document_add(d, "");
	FILE *out = s ? open_memstream(&s->text, &s->text_len) : NULL;
	int err = out ? part->print(out, r, o, sections) : -ENOMEM;

	if (out && fclose(out) && !err)
		err = -ENOMEM;
	if (!err && !s->text_len)
		document_drop(d);
	return err;
}

static int add_tables(struct document *d, const struct part *part, const struct result *r,
		      const struct render_options *o)
{
	if (part->sections == SECTION_FILES && !shows_files(r, o))
		return 0;
	return document_of_result(d, r, o, part->sections, FOR_PEOPLE);
}

static int document_for_terminal(struct document *d, const struct result *r,
				 const struct render_options *o, unsigned sections)
{
	struct render_options options = render_with_columns(o, r->profile);
	unsigned before = 0;
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(parts) / sizeof(*parts); i++) {
		const struct part *part = &parts[i];
		size_t nr = d->nr_sheets;

		if (!(part->sections & sections))
			continue;
		err = part->print ? add_text(d, part, r, &options, sections)
				  : add_tables(d, part, r, &options);
		for (size_t k = nr; k < d->nr_sheets; k++) {
			d->sheets[k].form = part->form;
			d->sheets[k].titled = false;
			d->sheets[k].apart = k && before != part->sections;
			before = part->sections;
		}
	}
	return err;
}

/* ---- drawing ---- */

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

static int table_render(FILE *out, const struct result *result, const struct render_options *o)
{
	struct document d = { 0 };
	int err = document_for_terminal(&d, result, o, render_sections(&render_table, o));

	if (!err)
		err = render_document(out, &render_table, &d);
	document_free(&d);
	return err;
}

int render_interval(FILE *out, const struct renderer *r, const struct result *result,
		    const struct render_options *o, const char *clock, uint64_t elapsed_ns)
{
	struct render_options options =
		render_with_columns(o, r->as_strace ? NULL : result->profile);
	unsigned sections = render_sections(r, o) & (SECTION_FILES | SECTION_FINDINGS);
	struct document d = { 0 };
	char seconds[32];
	int err;

	fprintf(out, "%s  elapsed %s s\n", clock,
		format_fixed(seconds, sizeof(seconds), elapsed_ns / 1e9, 3));
	err = render_summary(out, result->profile, &options);
	if (!result->profile->nr_syscalls)
		fputs("(no calls)\n", out);
	if (!err && !(result->profile->unknown & UNKNOWN_FILES))
		err = document_for_terminal(&d, result, o, sections);
	if (d.nr_sheets)
		d.sheets[0].apart = true;
	if (!err)
		err = render_document(out, &render_table, &d);
	document_free(&d);
	fputc('\n', out);
	return err;
}

const struct renderer render_table = {
	.name = "table",
	.sections = SECTION_ALL,
	.default_sections = SECTION_ALL & ~SECTION_RUN,
	.intervals = true,
	.audience = FOR_PEOPLE,
	.draw = draw,
	.render = table_render,
};
