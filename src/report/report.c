// SPDX-License-Identifier: GPL-2.0
#include "report/report.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "base/text.h"
#include "report/gnuplot.h"
#include "report/output.h"
#include "report/picture.h"

struct reports {
	const struct report_options *options;
	struct output **plots;	  /* one for each picture */
	struct instant *instants; /* those of the intervals so far, for the pictures */
	size_t nr_instants;
	struct output *outputs[]; /* one for each place */
};

/* path: NULL: stderr */
static void say_cannot_write(const char *path, int err)
{
	char name[256];

	if (!path) {
		message_error("cannot write the report: %s", strerror(-err));
		return;
	}
	message_error("cannot write the report to '%s': %s", ESCAPE_TEXT(name, path),
		      strerror(-err));
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
		message_error("--plot needs gnuplot, which was not found: install the package "
			      "gnuplot (Debian: gnuplot-nox)");
		return err;
	}
	r->plots = calloc(r->options->nr_plots + 1, sizeof(struct output *));
	if (!r->plots) {
		message_error("no memory");
		return -ENOMEM;
	}
	for (size_t i = 0; !err && i < r->options->nr_plots; i++)
		err = open_output(&r->plots[i], r->options->plots[i].path, false);
	return err;
}

int reports__open(struct reports **reports, const struct report_options *o, bool intervals)
{
	struct reports *r = calloc(1, sizeof(*r) + o->nr_places * sizeof(struct output *));
	int err = 0;

	*reports = r;
	if (!r) {
		message_error("no memory");
		return -ENOMEM;
	}
	r->options = o;
	for (size_t i = 0; !err && i < o->nr_places; i++)
		/* Intervals must be visible as they end. */
		err = open_output(&r->outputs[i], o->places[i].path,
				  intervals && o->places[i].renderer->intervals);
	return err ? err : open_plots(r);
}

bool reports_to_files(const struct report_options *o)
{
	for (size_t i = 0; i < o->nr_places; i++)
		if (!o->places[i].path)
			return false;
	return true;
}

static bool wants_color(const struct report_options *o, FILE *stream)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	if (no_color && *no_color)
		return false;
	return term && strcmp(term, "dumb") && isatty(fileno(stream));
}

/* A pipe without a reader is an error like any other. The command must not inherit this. */
static void ignore_sigpipe(struct sigaction *before)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGPIPE, &ignore, before);
}

/* Writes all at once: nobody sees part of a small report, and errno is that of the failed write. */
static int write_text(FILE *stream, const char *text, size_t size)
{
	struct sigaction before;
	int err = 0;

	ignore_sigpipe(&before);
	errno = 0;
	if (fwrite(text, 1, size, stream) != size || fflush(stream))
		err = errno ? -errno : -EIO;
	sigaction(SIGPIPE, &before, NULL);
	return err;
}

/* The thing to print: a comparison, a whole result, or an interval. */
struct content {
	const struct renderer *renderer;
	const struct comparison *comparison; /* NULL: a result */
	const struct result *result;
	const char *clock; /* of an interval; NULL: the whole */
	uint64_t elapsed_ns;
};

static int render(FILE *out, const struct content *c, const struct render_options *o)
{
	if (c->comparison)
		return render_comparison(out, c->renderer, c->comparison, o);
	if (!c->clock)
		return render_result(out, c->renderer, c->result, o);
	return render_interval(out, c->renderer, c->result, o, c->clock, c->elapsed_ns);
}

static int write_content(const struct reports *r, FILE *stream, const struct content *c)
{
	struct render_options options = r->options->render;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return -ENOMEM;
	options.color = wants_color(r->options, stream);
	err = render(out, c, &options);
	if (fclose(out) && !err)
		err = -ENOMEM;
	if (!err)
		err = write_text(stream, text, size);
	free(text);
	return err;
}

static int write_interval(const struct reports *r, struct content *c)
{
	const struct report_options *o = r->options;
	bool written = false;
	int err = 0;

	for (size_t i = 0; !err && i < o->nr_places; i++) {
		c->renderer = o->places[i].renderer;
		if (!c->renderer->intervals)
			continue;
		err = write_content(r, output__stream(r->outputs[i]), c);
		written = true;
	}
	c->renderer = renderers[0];
	return err || written ? err : write_content(r, stderr, c);
}

/* Keeps the figures of an interval for the pictures. */
static int keep_instant(struct reports *r, const struct profile *p, uint64_t elapsed_ns)
{
	struct instant *instant;
	struct syscall_stats sum;

	if (!r->options->nr_plots)
		return 0;
	instant = array_append(&r->instants, &r->nr_instants, sizeof(*instant));
	if (!instant)
		return -ENOMEM;
	/* Without memory only errnos are lost, which no picture shows. */
	(void)profile_sum(&sum, p);
	instant->seconds = (double)elapsed_ns / 1e9;
	instant->length = (double)p->elapsed_ns / 1e9;
	instant->calls = sum.calls;
	if (sum.timed) {
		instant->p50_ns = figure_value(FIGURE_p50_ns, &sum);
		instant->p99_ns = figure_value(FIGURE_p99_ns, &sum);
	}
	free(sum.errnos);
	return 0;
}

int reports__interval(struct reports *r, const struct profile *p, const char *clock,
		      uint64_t elapsed_ns)
{
	struct result result;
	struct content c = { .result = &result, .clock = clock, .elapsed_ns = elapsed_ns };
	int err = result_make(&result, p, r->options->render.buffer_size);

	if (!err)
		err = write_interval(r, &c);
	result_free(&result);
	return err ? err : keep_instant(r, p, elapsed_ns);
}

static int write_places(const struct reports *r, const struct content *all)
{
	struct content instead = *all;
	size_t nr_written = 0;
	int first = 0;

	for (size_t i = 0; i < r->options->nr_places; i++) {
		const struct report_place *place = &r->options->places[i];
		struct content c = *all;
		int err;

		c.renderer = place->renderer;
		err = write_content(r, output__stream(r->outputs[i]), &c);
		if (!err)
			err = output__commit(r->outputs[i]);
		if (err)
			say_cannot_write(place->path, err);
		else
			nr_written++;
		if (!first)
			first = err;
		/* A reader that closes its pipe has seen enough. */
		if (err && err != -EPIPE && place->path && !instead.renderer)
			instead.renderer = place->renderer;
	}
	/* If no report could be written, print one on stderr: the figures must not be lost. */
	if (instead.renderer && !nr_written)
		write_content(r, stderr, &instead);
	return first;
}

static int make_picture(struct picture *p, const struct reports *r, const struct content *c)
{
	return c->comparison ? picture_of_comparison(p, c->comparison)
			     : picture_of_result(p, c->result, r->instants, r->nr_instants);
}

/* Draws one picture. 0, or -errno after a message. */
static int write_plot(const struct reports *r, size_t i, const struct picture *p)
{
	const struct plot_place *place = &r->options->plots[i];
	char *text, why[300], name[256];
	size_t len;
	int err = gnuplot_draw(p, place->extension, &text, &len, why, sizeof(why));

	if (err) {
		message_error("cannot draw '%s': %s", ESCAPE_TEXT(name, place->path), why);
		return err;
	}
	err = write_text(output__stream(r->plots[i]), text, len);
	free(text);
	if (!err)
		err = output__commit(r->plots[i]);
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
	first = make_picture(&picture, r, c);
	if (first)
		message_error("no memory");
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
	char text[400];

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
	char why[300];
	int err = 0;

	for (size_t i = 0; c->result && i < o->nr_budgets; i++)
		judge(budget_check(&o->budgets[i], c->result, why, sizeof(why)), why, broken, &err);
	for (size_t i = 0; c->comparison && i < o->nr_ratios; i++)
		judge(ratio_budget_check(&o->ratios[i], c->comparison, why, sizeof(why)), why,
		      broken, &err);
	return err;
}

static int write_all(struct reports *r, const struct content *c, bool *broken)
{
	int err = write_places(r, c), drawn = write_plots(r, c);
	int unknown = check_budgets(r->options, c, broken);

	return err ? err : drawn ? drawn : unknown;
}

int reports__write(struct reports *r, const struct profile *p, bool *broken)
{
	struct result result;
	const struct content c = { .result = &result };
	int err = result_make(&result, p, r->options->render.buffer_size);

	*broken = false;
	if (err)
		message_error("no memory");
	else
		err = write_all(r, &c, broken);
	result_free(&result);
	return err;
}

int reports__compare(struct reports *r, const struct comparison *comparison, bool *broken)
{
	const struct content c = { .comparison = comparison };

	*broken = false;
	return write_all(r, &c, broken);
}

void reports__close(struct reports *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->options->nr_places; i++)
		output__free(r->outputs[i]);
	for (size_t i = 0; r->plots && i < r->options->nr_plots; i++)
		output__free(r->plots[i]);
	free(r->plots);
	free(r->instants);
	free(r);
}
