// SPDX-License-Identifier: GPL-2.0
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/interruption.h"
#include "base/limits.h"
#include "base/message.h"
#include "base/text.h"
#include "model/intervals.h"
#include "report/interval_report.h"
#include "report/output.h"
#include "report/picture.h"

struct reports {
	const struct report_options *options;
	bool keeps_intervals;	    /* A report or a picture shows them in the end. */
	struct intervals intervals; /* Those so far, if they are kept. */
	struct seen_findings seen;  /* Their findings. */
	size_t nr_intervals;
	int interval_err; /* Why an interval could not be written, as -errno. 0: all could. */
	size_t nr_outputs;
	struct output *outputs[]; /* One for each place, then one for each picture. */
};

/* Says that a report could not be written. path NULL: to stderr. */
static void say_cannot_write(const char *path, int err)
{
	char name[256];

	if (!path) {
		message_error("cannot write the report: %s", explain_errno(-err));
		return;
	}
	message_error("cannot write the report to '%s': %s", ESCAPE_TEXT(name, path),
		      explain_errno(-err));
}

static int open_output(struct output **output, const char *path, bool direct)
{
	int err = output__open(output, path, direct);

	if (err)
		say_cannot_write(path, err);
	return err;
}

static int open_plots(struct reports *r)
{
	int err = r->options->nr_plots ? gnuplot_check() : 0;

	if (err) {
		message_error(
			"--plot needs gnuplot, which was not found: install the package gnuplot (Debian: gnuplot-nox)");
		return err;
	}
	for (size_t i = 0; !err && i < r->options->nr_plots; i++)
		err = open_output(&r->outputs[r->options->nr_places + i], r->options->plots[i].path,
				  false);
	return err;
}

/* Does a report show the intervals in the end, or a picture? */
static bool shows_intervals(const struct report_options *o)
{
	bool shown = o->nr_plots;

	for (size_t i = 0; i < o->nr_places; i++) {
		const struct report_place *place = &o->places[i];
		unsigned sections = render_sections(place->renderer, &o->render);

		shown |= !place->renderer->intervals &&
			 (place->capture || sections & SECTION_INTERVALS);
	}
	return shown;
}

int reports__open(struct reports **reports, const struct report_options *o, bool intervals)
{
	size_t nr = o->nr_places + o->nr_plots;
	struct reports *r = calloc(1, sizeof(*r) + nr * sizeof(struct output *));
	int err = 0;

	*reports = r;
	if (!r) {
		message_error("%s", explain_errno(ENOMEM));
		return -ENOMEM;
	}
	r->options = o;
	r->nr_outputs = nr;
	for (size_t i = 0; !err && i < o->nr_places; i++)
		/* Intervals must be visible as they end. */
		err = open_output(&r->outputs[i], o->places[i].path,
				  intervals && o->places[i].renderer->intervals);
	r->keeps_intervals = intervals && shows_intervals(o);
	return err ? err : open_plots(r);
}

bool reports_folded_stacks(const struct report_options *o)
{
	for (size_t i = 0; i < o->nr_places; i++)
		if (o->places[i].renderer->sections == SECTION_STACKS)
			return true;
	return false;
}

bool reports_to_files(const struct report_options *o)
{
	for (size_t i = 0; i < o->nr_places; i++)
		if (!o->places[i].path)
			return false;
	return true;
}

static bool wants_color(const struct report_options *o, int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	if (no_color && *no_color)
		return false;
	return term && strcmp(term, "dumb") && isatty(fd);
}

/* The thing to print: a comparison, a whole result, or an interval. */
struct content {
	const struct renderer *renderer;
	const struct comparison *comparison; /* NULL: it is a result. */
	const struct result *result;
	const struct interval_report *interval; /* NULL: it is the whole run. */
	bool capture; /* It is a capture, whatever sections are asked for. */
	bool apart;   /* A blank line stands before it. */
};

static int render(FILE *out, const struct content *c, const struct render_options *o)
{
	if (c->comparison)
		return render_comparison(out, c->renderer, c->comparison, o);
	if (!c->interval)
		return render_result(out, c->renderer, c->result, o);
	return render_interval(out, c->renderer, c->interval, o);
}

static int write_content(const struct reports *r, struct output *to, const struct content *c)
{
	struct render_options options = r->options->render;
	struct output_stream *stream;
	/* An interval must not keep a signal from ending the run. */
	FILE *out = output__stream(to, c->interval, &stream);
	int err;

	if (!out)
		return -ENOMEM;
	options.color = wants_color(r->options, output__fd(to));
	if (c->capture)
		options.sections = 0;
	if (c->apart)
		fputc('\n', out);
	err = render(out, c, &options);
	return output__close_stream(stream, err);
}

/* Writes the same on stderr, if no place has it. */
static int write_to_stderr(const struct reports *r, const struct content *c)
{
	struct output *to;
	int err = output__open(&to, NULL, true);

	if (!err)
		err = write_content(r, to, c);
	output__free(to);
	return err;
}

/* Tells once that an interval is lost. The run goes on, and its report and files still come. */
static void note_lost_interval(struct reports *r, const char *path, int err)
{
	char name[256];

	/* A signal came meanwhile, which ends the run. */
	if (err == -EINTR)
		return;
	if (!r->interval_err && path)
		message_error("cannot write an interval to '%s': %s; tracing goes on",
			      ESCAPE_TEXT(name, path), explain_errno(-err));
	else if (!r->interval_err)
		message_error("cannot write an interval: %s; tracing goes on", explain_errno(-err));
	r->interval_err = err;
}

/* Does a report go to stderr, under whatever name? Lines between its own would spoil it. */
static bool reports_use_stderr(const struct reports *r)
{
	struct stat ours, theirs;

	if (fstat(STDERR_FILENO, &ours))
		return false;
	for (size_t i = 0; i < r->options->nr_places; i++)
		if (!r->options->places[i].path ||
		    (!fstat(output__fd(r->outputs[i]), &theirs) && ours.st_dev == theirs.st_dev &&
		     ours.st_ino == theirs.st_ino))
			return true;
	return false;
}

static void write_interval(struct reports *r, struct content *c)
{
	const struct report_options *o = r->options;
	bool written = false;
	int err;

	for (size_t i = 0; i < o->nr_places; i++) {
		c->renderer = o->places[i].renderer;
		if (!c->renderer->intervals)
			continue;
		err = write_content(r, r->outputs[i], c);
		if (err)
			note_lost_interval(r, o->places[i].path, err);
		written = true;
	}
	c->renderer = renderers[0];
	err = written || reports_use_stderr(r) ? 0 : write_to_stderr(r, c);
	if (err)
		note_lost_interval(r, NULL, err);
}

/* Is nobody left to read? The only report goes to a pipe that its reader has closed. */
static bool nobody_reads(const struct reports *r)
{
	const struct report_options *o = r->options;

	return r->interval_err == -EPIPE && o->nr_places == 1 && !o->nr_plots && !o->nr_budgets;
}

/* Writes an interval, and keeps it. 0 or -ENOMEM. */
static int report_interval(struct reports *r, const struct interval_report *report)
{
	struct content c = { .result = report->result, .interval = report };

	write_interval(r, &c);
	r->nr_intervals++;
	return r->keeps_intervals ? intervals_add(&r->intervals, report->interval) : 0;
}

int reports__interval(struct reports *r, const struct profile *p, const char *clock,
		      uint64_t elapsed_ns)
{
	struct interval_cells cells = { 0 };
	struct interval interval = { 0 };
	struct result result;
	const struct interval_report report = { &result, &interval, &cells, clock,
						r->nr_intervals };
	int err = result_make(&result, p, r->options->render.buffer_size);

	if (!err)
		err = interval_of_result(&interval, &result, elapsed_ns);
	if (!err)
		err = interval_cells_make(&cells, &interval, &r->seen);
	if (!err)
		err = report_interval(r, &report);
	interval_cells_free(&cells);
	interval_free(&interval);
	result_free(&result);
	return !err && nobody_reads(r) ? -EPIPE : err;
}

/* Writes one report. 0, or -errno after a message. */
static int write_place(const struct reports *r, size_t i, const struct content *all)
{
	const struct report_place *place = &r->options->places[i];
	struct content c = *all;
	struct result without;
	int err;

	c.renderer = place->renderer;
	c.capture = place->capture;
	if (place->renderer->intervals && r->nr_intervals && c.result) {
		/* It has its intervals already. */
		without = *c.result;
		without.intervals = NULL;
		c.result = &without;
		c.apart = place->renderer->terminal && !r->options->render.files;
	}
	err = write_content(r, r->outputs[i], &c);
	if (!err)
		err = output__commit(r->outputs[i]);
	if (err)
		say_cannot_write(place->path, err);
	return err;
}

/* Writes the reports that go to files, or all others. 0, or the first -errno. */
static int write_places(const struct reports *r, bool files, const struct content *all)
{
	int first = 0;

	for (size_t i = 0; i < r->options->nr_places; i++) {
		int err = output__is_file(r->outputs[i]) == files ? write_place(r, i, all) : 0;

		first = first ? first : err;
	}
	return first;
}

/*
 * If no report could be written, prints one on stderr: the figures must not be lost. A reader that
 * closes its pipe has seen enough.
 */
static void write_instead(const struct reports *r, const struct content *all, int err)
{
	struct content instead = *all;

	for (size_t i = 0; i < r->options->nr_places; i++) {
		if (output__is_written(r->outputs[i]))
			return;
		if (!r->options->places[i].path || instead.renderer)
			continue;
		instead.renderer = r->options->places[i].renderer;
		instead.capture = r->options->places[i].capture;
	}
	if (instead.renderer && err != -EPIPE)
		write_to_stderr(r, &instead);
}

/* Draws one picture. 0, or -errno after a message. */
static int write_plot(const struct reports *r, size_t i, const struct picture *p)
{
	const struct plot_place *place = &r->options->plots[i];
	struct output *output = r->outputs[r->options->nr_places + i];
	char *text, why[300], name[256];
	size_t len;
	int err = gnuplot_draw(p, place->extension, &text, &len, why, sizeof(why));

	if (err) {
		message_error("cannot draw '%s': %s", ESCAPE_TEXT(name, place->path), why);
		return err;
	}
	err = output__write(output, text, len, false);
	free(text);
	if (!err)
		err = output__commit(output);
	if (err)
		say_cannot_write(place->path, err);
	return err;
}

static int write_plots(const struct reports *r, const struct content *c)
{
	struct picture picture;
	int err, first = 0;

	if (!r->options->nr_plots)
		return 0;
	first = c->comparison ? picture_of_comparison(&picture, c->comparison)
			      : picture_of_result(&picture, c->result);
	if (first)
		message_error("%s", explain_errno(ENOMEM));
	for (size_t i = 0; first != -ENOMEM && i < r->options->nr_plots; i++) {
		err = write_plot(r, i, &picture);
		first = first ? first : err;
	}
	picture_free(&picture);
	return first;
}

/* Says why a budget is not kept. */
static void judge(enum budget_result kept, const char *why, bool *broken, int *err)
{
	char text[600];

	if (kept == BUDGET_KEPT && *why)
		message_note("%s", ESCAPE_TEXT(text, why));
	if (kept == BUDGET_KEPT)
		return;
	message_error("%s", ESCAPE_TEXT(text, why));
	if (kept == BUDGET_BROKEN)
		*broken = true;
	else
		*err = -ENODATA;
}

static int check_budgets(const struct report_options *o, const struct content *c, bool *broken)
{
	char why[500] = "";
	int err = 0;

	*broken = false;
	for (size_t i = 0; c->result && i < o->nr_budgets; i++)
		judge(budget_check(&o->budgets[i], c->result, why, sizeof(why)), why, broken, &err);
	for (size_t i = 0; c->comparison && i < o->nr_ratios; i++)
		judge(ratio_budget_check(&o->ratios[i], c->comparison, why, sizeof(why)), why,
		      broken, &err);
	return err;
}

/* Adds names of outputs to a list: of those that are written, or of all others. */
static size_t add_names(const struct reports *r, bool written, char *list, size_t size)
{
	const struct report_options *o = r->options;
	size_t len = 0;

	list[0] = '\0';
	for (size_t i = 0; i < r->nr_outputs; i++) {
		const char *path =
			i < o->nr_places ? o->places[i].path : o->plots[i - o->nr_places].path;
		char name[256];

		if (output__is_written(r->outputs[i]) != written || len + sizeof(name) + 5 > size)
			continue;
		ESCAPE_TEXT(name, path ? path : "stderr");
		len += (size_t)snprintf(list + len, size - len, "%s'%s'", len ? ", " : "", name);
	}
	return len;
}

/* Ends the reports at a signal, from another thread. */
static void give_up(void *arg, int sig)
{
	const struct reports *r = arg;
	char done[1200], missing[1200];

	for (size_t i = 0; i < r->nr_outputs; i++)
		output__abandon(r->outputs[i]);
	if (!add_names(r, false, missing, sizeof(missing)))
		return;
	if (add_names(r, true, done, sizeof(done)))
		message_urgent("interrupted by SIG%s: %s was not written, %s was",
			       sigabbrev_np(sig), missing, done);
	else
		message_urgent("interrupted by SIG%s: %s was not written", sigabbrev_np(sig),
			       missing);
}

/*
 * Writes all reports, those to files first: a pipe or a terminal may keep us waiting, or be closed.
 */
static int write_all(struct reports *r, const struct content *c, bool *broken)
{
	struct interruption interruption;
	bool watched = !interruption_begin(&interruption, give_up, r);
	int files = write_places(r, true, c), drawn = write_plots(r, c);
	int others = write_places(r, false, c), unknown;

	write_instead(r, c, files ? files : others);
	unknown = check_budgets(r->options, c, broken);
	if (watched)
		interruption_end(&interruption);
	return files ? files : others ? others : drawn ? drawn : unknown;
}

int reports__write(struct reports *r, const struct result *result, bool *broken)
{
	struct result over_time = *result;
	const struct content c = { .result = &over_time };
	int err;

	if (!over_time.intervals && r->keeps_intervals)
		over_time.intervals = &r->intervals;
	if (r->intervals.merged && !r->options->render.quiet)
		message_note(
			"the run is so long that its oldest intervals became one for each two or more");
	err = write_all(r, &c, broken);

	return err ? err : r->interval_err;
}

int reports__compare(struct reports *r, const struct comparison *comparison, bool *broken)
{
	const struct content c = { .comparison = comparison };

	return write_all(r, &c, broken);
}

void reports__close(struct reports *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nr_outputs; i++)
		output__free(r->outputs[i]);
	intervals_free(&r->intervals);
	seen_findings_free(&r->seen);
	free(r);
}
