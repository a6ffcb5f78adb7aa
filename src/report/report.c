// SPDX-License-Identifier: GPL-2.0
#include "report/report.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"
#include "report/output.h"

struct reports {
	const struct report_options *options;
	struct output *outputs[]; /* one for each place */
};

static void say_cannot_write(const struct report_place *place, int err)
{
	char name[256];

	if (!place->path) {
		message_error("cannot write the report: %s", strerror(-err));
		return;
	}
	message_error("cannot write the report to '%s': %s", ESCAPE_TEXT(name, place->path),
		      strerror(-err));
}

int reports__open(struct reports **reports, const struct report_options *o, bool intervals)
{
	struct reports *r = calloc(1, sizeof(*r) + o->nr_places * sizeof(struct output *));

	*reports = r;
	if (!r) {
		message_error("no memory");
		return -ENOMEM;
	}
	r->options = o;
	for (size_t i = 0; i < o->nr_places; i++) {
		const struct report_place *place = &o->places[i];
		/* Intervals must be visible as they end. */
		int err = output__open(&r->outputs[i], place->path,
				       intervals && place->renderer->intervals);

		if (err) {
			say_cannot_write(place, err);
			return err;
		}
	}
	return 0;
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

int reports__interval(struct reports *r, const struct profile *p, const char *clock,
		      uint64_t elapsed_ns)
{
	struct result result;
	struct content c = { .result = &result, .clock = clock, .elapsed_ns = elapsed_ns };
	int err = result_make(&result, p, r->options->render.buffer_size);

	if (!err)
		err = write_interval(r, &c);
	result_free(&result);
	return err;
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
			say_cannot_write(place, err);
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
	int err = write_places(r, c), unknown = check_budgets(r->options, c, broken);

	return err ? err : unknown;
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
	for (size_t i = 0; r && i < r->options->nr_places; i++)
		output__free(r->outputs[i]);
	free(r);
}
