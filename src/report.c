// SPDX-License-Identifier: GPL-2.0
#include "report.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

static void say_cannot_write(const struct report *r, int err)
{
	char name[256];

	if (!r->path) {
		message_error("cannot write the report: %s", strerror(-err));
		return;
	}
	message_error("cannot write the report to '%s': %s",
		      escape_text(name, sizeof(name), r->path, strlen(r->path)), strerror(-err));
}

int reports_open(struct report_options *o, bool intervals)
{
	for (size_t i = 0; i < o->nr_reports; i++) {
		struct report *r = &o->reports[i];
		/* Intervals are to be seen as they come. */
		int err = output__open(&r->output, r->path, intervals && r->renderer->intervals);

		if (err) {
			say_cannot_write(r, err);
			return err;
		}
	}
	return 0;
}

bool reports_to_files(const struct report_options *o)
{
	for (size_t i = 0; i < o->nr_reports; i++)
		if (!o->reports[i].path)
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

/* A pipe that nobody reads is an error like any other. The command is to inherit nothing of this. */
static void ignore_sigpipe(struct sigaction *before)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGPIPE, &ignore, before);
}

/* All at once: what is small is then never seen in part, and errno is of the write that failed. */
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

int reports_interval(struct report_options *o, const struct profile *p, const char *clock,
		     uint64_t elapsed_ns)
{
	bool written = false;
	int err = 0;

	for (size_t i = 0; !err && i <= o->nr_reports; i++) {
		bool last = i == o->nr_reports;
		FILE *stream = last ? stderr : output__stream(o->reports[i].output), *out;
		char *text = NULL;
		size_t size;

		if (last ? written : !o->reports[i].renderer->intervals)
			continue;
		out = open_memstream(&text, &size);
		if (!out)
			return -ENOMEM;
		o->render.color = wants_color(o, stream);
		err = render_interval(out, p, &o->render, clock, elapsed_ns);
		if (fclose(out) && !err)
			err = -ENOMEM;
		if (!err)
			err = write_text(stream, text, size);
		free(text);
		written = true;
	}
	return err;
}

static int write_report(struct report_options *o, const struct report *r, FILE *stream,
			const struct profile *p)
{
	FILE *out;
	char *text = NULL;
	size_t size;
	int err;

	out = open_memstream(&text, &size);
	if (!out)
		return -ENOMEM;
	o->render.color = wants_color(o, stream);
	err = r->renderer->render(out, p, &o->render);
	if (fclose(out) && !err)
		err = -ENOMEM;
	if (!err)
		err = write_text(stream, text, size);
	free(text);
	return err;
}

int reports_write(struct report_options *o, const struct profile *p)
{
	struct report *instead = NULL;
	size_t nr_written = 0;
	int first = 0;

	for (size_t i = 0; i < o->nr_reports; i++) {
		struct report *r = &o->reports[i];
		int err = write_report(o, r, output__stream(r->output), p);

		if (!err)
			err = output__commit(r->output);
		if (err)
			say_cannot_write(r, err);
		else
			nr_written++;
		if (!first)
			first = err;
		/* Whoever closes a pipe has seen enough. */
		if (err && err != -EPIPE && r->path && !instead)
			instead = r;
	}
	/* What has been measured is not lost with the place that it was to go to. */
	if (instead && !nr_written)
		write_report(o, instead, stderr, p);
	return first;
}

void reports_close(struct report_options *o)
{
	for (size_t i = 0; i < o->nr_reports; i++) {
		output__free(o->reports[i].output);
		o->reports[i].output = NULL;
	}
}
