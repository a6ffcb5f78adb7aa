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

/*
 * The report that is being printed; begun: a block has been printed, so the next needs a blank line
 * before it.
 */
struct table_report {
	FILE *out;
	const struct result *result;
	const struct profile *profile; /* the result's */
	const struct render_options *options;
	unsigned sections;
	bool begun;
};

static void begin_block(struct table_report *r)
{
	if (r->begun)
		fputc('\n', r->out);
	r->begun = true;
}

/* Prints a part of the report in lines that fit. 0 or -errno. */
static int print_lines(struct table_report *r, int (*print)(struct table_report *part))
{
	struct table_report part = *r;
	char *text = NULL;
	size_t size;
	int err;

	part.out = open_memstream(&text, &size);
	if (!part.out)
		return -ENOMEM;
	err = print(&part);
	if (fclose(part.out) && !err)
		err = -ENOMEM;
	if (!err)
		err = fill_lines(r->out, text);
	free(text);
	r->begun = part.begun;
	return err;
}

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
static unsigned syscall_sections(const struct table_report *r, const struct syscall_stats *s)
{
	unsigned wanted = r->sections & (SECTION_LATENCY | SECTION_SIZES | SECTION_ERRORS);

	if (!s->transfers)
		wanted &= ~SECTION_SIZES;
	if (!s->errors)
		wanted &= ~SECTION_ERRORS;
	if (render_histogram_wanted(r->options, r->profile, s, FOR_PEOPLE))
		return wanted;
	return r->options->histogram == HISTOGRAM_SOME ? wanted & SECTION_ERRORS : 0;
}

static void print_syscall(struct table_report *r, const struct syscall_stats *s)
{
	unsigned sections = syscall_sections(r, s), unknown = r->profile->unknown;

	if (!sections)
		return;
	begin_block(r);
	print_name(r->out, r->options, s, unknown);
	if (sections != SECTION_ERRORS)
		print_latency(r->out, s, unknown, false);
	if (sections & SECTION_LATENCY)
		print_parts(r->out, s, unknown);
	if (sections & SECTION_LATENCY && s->timed && !(unknown & UNKNOWN_LATENCY))
		print_histogram(r->out, r->options, &latency_view, s->latency);
	if (sections & SECTION_SIZES && !(unknown & UNKNOWN_BYTES))
		print_sizes(r->out, r->options, s);
	if (sections & SECTION_ERRORS)
		print_errors(r->out, r->options, s);
}

static int print_syscalls(struct table_report *r)
{
	const struct profile *p = r->profile;
	const struct syscall_stats **rows;
	int err = 0;

	if (!p->nr_syscalls)
		return 0;
	rows = reallocarray(NULL, p->nr_syscalls, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	for (int abi = 0; !err && abi < NR_ABIS; abi++) {
		size_t nr;

		err = render_rows(rows, &nr, p, (enum iotrace_abi)abi, r->options->sort);
		for (size_t i = 0; !err && i < nr; i++)
			print_syscall(r, rows[i]);
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

static bool nothing_counted(const struct profile *p)
{
	for (size_t i = 0; i < p->nr_syscalls; i++) {
		if (p->syscalls[i].calls)
			return false;
	}
	return true;
}

static void print_summary(struct table_report *r, int *err)
{
	bool nothing = nothing_counted(r->profile);

	if (nothing && r->options->quiet)
		return;
	begin_block(r);
	if (nothing)
		fputs("None of the selected calls was counted.\n", r->out);
	*err = render_summary(r->out, r->profile, r->options);
}

static int print_run(struct table_report *r)
{
	struct document d;
	int err = document_of_result(&d, r->result, r->options, SECTION_RUN, FOR_PEOPLE);

	begin_block(r);
	for (size_t i = 0; !err && i < d.nr_sheets; i++)
		terminal_draw_list(r->out, &d.sheets[i]);
	document_free(&d);
	return err;
}

/* The files that are not among the top. */
static void print_more_files(const struct table_report *r)
{
	size_t nr = r->result->nr_files, top = r->options->top_files;
	uint64_t calls = 0;

	if (!nr)
		fputs("No call was about a file.\n", r->out);
	for (size_t i = top; top && i < nr; i++) {
		struct file_call sum;

		file_stats_sum(&sum, &r->result->files[i], NR_SYSCALL_ACTIONS);
		calls += sum.calls;
	}
	if (top && top < nr)
		fprintf(r->out, "and %zu more with %" PRIu64 " calls\n", nr - top, calls);
}

/* What the table of files lacks, the findings lack, too: it is told in any case. */
static void print_misplaced(const struct table_report *r)
{
	uint64_t calls = r->profile->misplaced_calls;

	fprintf(r->out,
		"%" PRIu64
		" call%s on files %s among those of (other), for lack of room (see --max-files)\n",
		calls, calls == 1 ? "" : "s", calls == 1 ? "is" : "are");
}

/* Prints what the table of files lacks. */
static void print_missing_files(const struct table_report *r)
{
	const struct profile *p = r->profile;

	if (p->misplaced_calls)
		print_misplaced(r);
	if (p->lost_file_users)
		fprintf(r->out,
			"%" PRIu64 " users of files are missing: there was no room for them, or "
			"their process is unknown\n",
			p->lost_file_users);
}

static int print_table_of_files(const struct table_report *r)
{
	struct document d;
	int err = document_of_result(&d, r->result, r->options, SECTION_FILES, FOR_PEOPLE);

	for (size_t i = 0; !err && i < d.nr_sheets; i++)
		err = terminal_draw_columns(r->out, &d.sheets[i]);
	document_free(&d);
	return err;
}

static int print_files(struct table_report *r)
{
	bool asked = files_asked(r->options);
	int err;

	if (!asked && !findings_shown(&r->result->findings, false)) {
		if (r->profile->misplaced_calls) {
			begin_block(r);
			print_misplaced(r);
		}
		return 0;
	}
	begin_block(r);
	if (r->profile->unknown & UNKNOWN_FILES) {
		fputs("Which files the calls were about is not known.\n", r->out);
		return 0;
	}
	err = print_table_of_files(r);
	if (asked)
		print_more_files(r);
	print_missing_files(r);
	return err;
}

static int print_findings(struct table_report *r)
{
	if (!(r->sections & SECTION_FINDINGS) ||
	    !findings_shown(&r->result->findings, findings_asked(r->options)))
		return 0;
	begin_block(r);
	return render_findings(r->out, r->result, r->options);
}

static int print_files_and_findings(struct table_report *r)
{
	int err = r->sections & SECTION_FILES ? print_files(r) : 0;

	return err ? err : print_lines(r, print_findings);
}

int render_interval(FILE *out, const struct renderer *r, const struct result *result,
		    const struct render_options *o, const char *clock, uint64_t elapsed_ns)
{
	struct render_options options =
		render_with_columns(o, r->as_strace ? NULL : result->profile);
	struct table_report report = {
		out, result, result->profile, &options, render_sections(r, o), true
	};
	char seconds[32];
	int err;

	fprintf(out, "%s  elapsed %s s\n", clock,
		format_fixed(seconds, sizeof(seconds), elapsed_ns / 1e9, 3));
	err = render_summary(out, result->profile, &options);
	if (!result->profile->nr_syscalls)
		fputs("(no calls)\n", out);
	if (!err && !(result->profile->unknown & UNKNOWN_FILES))
		err = print_files_and_findings(&report);
	fputc('\n', out);
	return err;
}

/* Prints whether the figures are complete, and what the tasks were doing at the end. */
static int print_account(struct table_report *r)
{
	const struct profile *p = r->profile;

	if (!(r->sections & (SECTION_INTEGRITY | SECTION_INFLIGHT)))
		return 0;
	begin_block(r);
	if (r->sections & SECTION_INTEGRITY) {
		print_integrity(r->out, p, r->options);
		if (p->time_note && !r->options->quiet)
			print_note(r->out, p->time_note);
		print_overhead(r->out, p);
	}
	if (r->sections & SECTION_INFLIGHT && !(p->unknown & UNKNOWN_ENTERED))
		print_inflight(r->out, p);
	return 0;
}

static int table_render(FILE *out, const struct result *result, const struct render_options *o)
{
	struct render_options options = render_with_columns(o, result->profile);
	struct table_report r = {
		out, result, result->profile, &options, render_sections(&render_table, o), false
	};
	int err = 0;

	if (r.sections & SECTION_RUN)
		err = print_lines(&r, print_run);
	if (!err && r.sections & SECTION_SUMMARY)
		print_summary(&r, &err);
	if (!err)
		err = print_files_and_findings(&r);
	if (!err)
		err = print_lines(&r, print_syscalls);
	return err ? err : print_lines(&r, print_account);
}

/* A table of a document that is not a run's. */
static int draw(FILE *out, const struct sheet *s)
{
	int err;

	if (s->titled)
		fprintf(out, "%s\n\n", s->title);
	err = terminal_draw_columns(out, s);
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
	.draw = draw,
	.render = table_render,
};
