// SPDX-License-Identifier: GPL-2.0
/* The syscalls that matter, for people: their figures, histograms and errors. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/errno_name.h"
#include "base/text.h"
#include "model/histogram.h"
#include "report/texts.h"

#define BAR_WIDTH  52
#define MAX_ROWS   20 /* The most rows of a histogram. */
#define LABEL_SIZE 24

/* Prints the edge of a bucket: "4 KiB", "512ns". */
static const char *edge_label(char *buf, uint64_t edge, bool sizes)
{
	return sizes ? format_pow2_bytes(buf, LABEL_SIZE, edge) : format_ns(buf, LABEL_SIZE, edge);
}

/* Returns how many empty rows to skip at row i. A long gap becomes one line. */
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
	/* The length is rounded down, so that only the largest has a full bar. */
	int length = (int)((unsigned __int128)count * BAR_WIDTH / largest);

	fprintf(out, "|%s", length ? style(o, STYLE_BAR) : "");
	for (int i = 0; i < length; i++)
		fputc('@', out);
	fprintf(out, "%s%*s|\n", length ? style(o, STYLE_OFF) : "", BAR_WIDTH - length, "");
}

static void print_histogram(FILE *out, const struct render_options *o,
			    const struct syscall_stats *s, bool sizes)
{
	char low[LABEL_SIZE], high[LABEL_SIZE], range[2 * LABEL_SIZE];
	struct histogram_rows r;
	unsigned octaves = 1;
	int width;

	do
		histogram_rows(&r, sizes ? &size_scale : &latency_scale,
			       sizes ? s->sizes : s->latency, octaves++);
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
			snprintf(range, sizeof(range), " - %s",
				 edge_label(high, r.low[i + 1], sizes));
		fprintf(out, "%8s%-10s %*" PRIu64 " ", edge_label(low, r.low[i], sizes), range,
			width < 9 ? 9 : width, r.count[i]);
		print_bar(out, o, r.count[i], r.largest);
	}
}

/*
 * Prints the latency figures of a syscall, or of a part of its calls, of which the extremes are not
 * known.
 */
static void print_latency(FILE *out, const struct syscall_stats *s, unsigned unknown, bool part)
{
	char buf[24];

	for (size_t i = 0; i < NR_LATENCY_FIGURES; i++) {
		enum figure_id id = latency_figures[i];

		if (part && (id == FIGURE_min_ns || id == FIGURE_max_ns))
			continue;
		fprintf(out, "  %s %s", figures[id].heading,
			figure_known(id, s, unknown)
				? format_ns(buf, sizeof(buf), figure_value(id, s))
				: "-");
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
 * Prints the latency of the calls that slept beside that of those that ran, where there are enough
 * of both.
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

/* Returns the next less frequent errno after *last (NULL: the first). NULL after the last. */
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

/* Returns the sections that have content for this syscall. */
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
		print_histogram(out, o, s, false);
	if (sections & SECTION_SIZES && !(unknown & UNKNOWN_BYTES) &&
	    histogram_total(s->sizes, SIZE_BUCKETS)) {
		fputs("  bytes per call:\n", out);
		print_histogram(out, o, s, true);
	}
	if (sections & SECTION_ERRORS)
		print_errors(out, o, s);
}

int text_of_syscalls(FILE *out, const struct result *r, const struct render_options *o,
		     unsigned sections)
{
	const struct profile *p = r->profile;
	struct render_rows rows;
	const char *before = "";
	int err = render_rows(&rows, p, o);

	for (size_t i = 0; !err && i < rows.nr; i++) {
		unsigned its = syscall_sections(p, o, sections, rows.list[i]);

		if (!its)
			continue;
		fputs(before, out);
		before = "\n";
		print_syscall(out, rows.list[i], p->unknown, o, its);
	}
	free(rows.list);
	return err;
}
