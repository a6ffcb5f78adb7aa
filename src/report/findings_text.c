// SPDX-License-Identifier: GPL-2.0
/* The findings for people: what is done where, the fix, and what it gains. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/fill.h"
#include "report/texts.h"

/* "840ms to 1.1s", "at most 12ms". no_low: the lower end is next to nothing. */
static void print_range(FILE *out, const char *low, const char *high, bool no_low, const char *unit)
{
	if (no_low)
		fprintf(out, "at most %s%s", high, unit);
	else if (!strcmp(low, high))
		fprintf(out, "%s%s", low, unit);
	else
		fprintf(out, "%s to %s%s", low, high, unit);
}

static void print_times(FILE *out, const struct range *r)
{
	char low[24], high[24];

	format_ns(low, sizeof(low), (uint64_t)r->low);
	format_ns(high, sizeof(high), (uint64_t)r->high);
	print_range(out, low, high, r->low < 1, "");
}

static void print_share(FILE *out, const struct range *share)
{
	char low[24], high[24];

	format_fixed(low, sizeof(low), 100 * share->low, share->high < 0.1);
	format_fixed(high, sizeof(high), 100 * share->high, share->high < 0.1);
	print_range(out, low, high, share->low <= 0, " %");
}

/* Prints what the programs use less of the CPU, where the run may end no sooner. */
static void print_cpu_gain(FILE *out, const struct gain *g)
{
	char all[24];

	print_times(out, &g->cpu_ns);
	fprintf(out, " of CPU time, of %s",
		format_ns(all, sizeof(all), (uint64_t)g->tasks_ns.high));
}

/*
 * Prints what running programs would use less of a CPU, and take less for each thing that they do
 * again and again.
 */
static void print_watched_gain(FILE *out, const struct finding *f)
{
	const struct gain *g = &f->gain;
	const char *each = finding_each(f);
	const char *at = strstr(each, " at "); /* "look at what is not there" */
	size_t head = at ? (size_t)(at - each) : strlen(each);
	uint64_t nr = finding_each_count(f);
	char count[FORMATTED_COUNT];
	struct range of_each = g->time_ns;

	if (g->cpu_share.high >= 0.0005) {
		print_share(out, &g->cpu_share);
		fputs(" of one CPU; ", out);
	}
	of_each.low /= (double)nr;
	of_each.high /= (double)nr;
	print_times(out, &of_each);
	if (nr == 1)
		fprintf(out, " of the one %s", each);
	else
		fprintf(out, " of each of %s %.*s%s%s", format_grouped(count, nr), (int)head, each,
			f->fix.group ? "es" : "s", each + head);
}

static void print_gain(FILE *out, const struct gain *g)
{
	if (g->pace && g->wall_ns.low < 1) {
		print_cpu_gain(out, g);
	} else {
		fputs("the run takes ", out);
		print_share(out, &g->share);
		fputs(" less, ", out);
		print_times(out, &g->wall_ns);
	}
}

/* Prints how much sooner answers come. */
static void print_latency(FILE *out, const struct late_requests *late)
{
	char mean[24], count[FORMATTED_COUNT];

	fprintf(out, "; each of %s requests is answered %s sooner", format_grouped(count, late->nr),
		format_ns(mean, sizeof(mean), late->ns / late->nr));
}

char *finding_prediction(const struct finding *f)
{
	char *text = NULL, remaining[FORMATTED_COUNT], calls[FORMATTED_COUNT];
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return NULL;
	fprintf(line, "%s %s instead of %s", format_grouped(remaining, f->predicted_calls),
		f->fix.group		  ? "process"
		: f->predicted_calls == 1 ? "call"
					  : "calls",
		format_grouped(calls, f->calls));
	if (f->late.nr)
		print_latency(line, &f->late);
	if (f->gain.known && !finding_is_latency(f)) {
		fputs("; ", line);
		if (f->gain.watched)
			print_watched_gain(line, f);
		else
			print_gain(line, &f->gain);
	}
	if (f->gain.known && f->reason && !finding_is_latency(f))
		fprintf(line, "; %s", f->reason);
	fputc('.', line);
	return text_of_stream(line, &text);
}

char *finding_basis(const struct finding *f)
{
	char *text = NULL;
	size_t size;
	FILE *line = f->basis ? open_memstream(&text, &size) : NULL;

	if (!line)
		return NULL;
	fputs(f->basis, line);
	if (!finding_is_latency(f)) {
		fputs("; that is ", line);
		print_times(line, &f->gain.syscall_ns);
		fputs(" of system call time as measured here", line);
	}
	fputc('.', line);
	return text_of_stream(line, &text);
}

bool finding_share(char *buf, size_t size, const struct finding *f, const struct profile *p)
{
	if (f->share < 0.0005 || p->unknown & UNKNOWN_LATENCY)
		return false;
	snprintf(buf, size, "%.1f %% of the %s%s", 100 * f->share,
		 predict_is_watched(p) ? "busy time" : "run",
		 calibration_measured(&p->calibration) ? " without iotrace" : "");
	return true;
}

char *finding_more_files(char *buf, size_t size, const struct finding *f)
{
	buf[0] = '\0';
	if (f->files > 1)
		snprintf(buf, size, " and %" PRIu64 " more", f->files - 1);
	return buf;
}

size_t findings_left_out(const struct findings *f, bool asked, const char *id)
{
	size_t nr = 0;

	for (size_t i = findings_shown(f, asked); i < findings_wanted(f, asked); i++)
		nr += !strcmp(f->list[i].id, id);
	return nr;
}

/* Prints a line with a label, unless there is nothing to print, and frees its text. */
static void print_labelled(FILE *out, const char *label, char *text)
{
	if (text)
		fprintf(out, "  %s: %s\n", label, text);
	free(text);
}

/* Prints the first line of a finding. The path has what is left of it. */
static int print_heading(FILE *out, const struct finding *f, const struct render_options *o)
{
	const char *severity = severity_name(f->severity);
	const char *on = f->severity >= SEVERITY_MEDIUM ? STYLE_RED : STYLE_BOLD;
	char *path = escape_text_dup(f->path, strlen(f->path)), more[32];
	size_t others = strlen(severity) + strlen(f->id) + strlen(":   ");

	if (!path)
		return -ENOMEM;
	finding_more_files(more, sizeof(more), f);
	fprintf(out, "%s%s: %s%s  %s%s\n", style(o, on), severity, f->id, style(o, STYLE_OFF),
		shorten_text(path, LINE_WIDTH - others - strlen(more)), more);
	free(path);
	return 0;
}

/*
 * Prints the action, its cost where no gain tells it, the fix, and its gain. Returns 0 or -ENOMEM.
 */
static int print_finding(FILE *out, const struct finding *f, const struct profile *p,
			 const struct render_options *o)
{
	char share[80], *prediction = f->predicted ? finding_prediction(f) : NULL;
	int err = print_heading(out, f, o);

	if (!err && f->predicted && !prediction)
		err = -ENOMEM;
	fprintf(out, "  %s.\n", f->evidence);
	if (!err)
		err = print_sites(out, &p->stacks, f->sites, f->nr_sites, o->whole_stacks,
				  f->sites_by);
	if (!(f->predicted && f->gain.known) && finding_share(share, sizeof(share), f, p))
		fprintf(out, "  Cost: %s.\n", share);
	fprintf(out, "  %s %s%s%s\n", f->excused ? "Note:" : "Fix: ", f->advice,
		f->caveat ? " " : "", f->caveat ? f->caveat : "");
	if (prediction && f->condition)
		fprintf(out, "  Gain, %s: %s\n", f->condition, prediction);
	else if (prediction)
		fprintf(out, "  Gain: %s\n", prediction);
	free(prediction);
	if (findings_asked(o))
		print_labelled(out, "Basis", finding_basis(f));
	return err;
}

static void print_left_out(FILE *out, const struct findings *f, bool asked)
{
	size_t nr = findings_wanted(f, asked) - findings_shown(f, asked);
	const char *before = ": ";

	if (!nr)
		return;
	fprintf(out, "\n%zu more finding%s (see --format=json)", nr, nr == 1 ? "" : "s");
	for (size_t i = 0; findings_id(i); i++) {
		size_t of_id = findings_left_out(f, asked, findings_id(i));

		if (!of_id)
			continue;
		fprintf(out, "%s%zu %s", before, of_id, findings_id(i));
		before = ", ";
	}
	fputc('\n', out);
}

int render_findings(FILE *out, const struct result *r, const struct render_options *o)
{
	bool asked = findings_asked(o);
	size_t nr = findings_shown(&r->findings, asked);
	int err = 0;

	for (size_t i = 0; !err && i < nr; i++) {
		if (i)
			fputc('\n', out);
		err = print_finding(out, &r->findings.list[i], r->profile, o);
	}
	print_left_out(out, &r->findings, asked);
	return err;
}
