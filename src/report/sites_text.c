// SPDX-License-Identifier: GPL-2.0
/* Where calls come from, for people: the line, the functions that led there, and the share. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "model/code.h"
#include "model/profile.h"
#include "model/sites.h"
#include "report/fill.h"
#include "report/texts.h"

/* So many places are shown; the others are counted. */
#define MAX_PLACES  3
#define SHARE_WIDTH 6

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void put_escaped(FILE *out, const char *untrusted)
{
	char text[512];

	fputs(ESCAPE_TEXT(text, untrusted), out);
}

static void put_function(FILE *out, const struct code_frame *f)
{
	if (f->function) {
		put_escaped(out, f->function);
		if (!strchr(f->function, '('))
			fputs("()", out);
	} else {
		fprintf(out, "%#" PRIx64, f->offset);
	}
}

static void put_place(FILE *out, const struct code_frame *f)
{
	if (f->file) {
		put_escaped(out, base_name(f->file));
		/* Compilers give no line to code that several lines share. */
		if (f->line)
			fprintf(out, ":%u", f->line);
	} else if (f->object) {
		fputc('(', out);
		put_escaped(out, base_name(f->object));
		fputc(')', out);
	} else {
		fputs("(no file)", out);
	}
}

char *frame_text(const struct code_frame *f, bool place_first)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (place_first && f->file && f->line) {
		put_place(out, f);
		fputc(' ', out);
		put_function(out, f);
	} else {
		put_function(out, f);
		fputc(' ', out);
		put_place(out, f);
	}
	return text_of_stream(out, &text);
}

/* Returns as many frames as fit, to be freed. NULL without memory. */
static char *frames_text(const struct stacks *s, const struct site_group *g, size_t width)
{
	char *text = strdup(""), *frame, *longer;
	if (text && g->interpreter) {
		free(text);
		if (asprintf(&text, "%s (%s)", g->interpreter->name,
			     g->interpreter->hint ? g->interpreter->hint
						  : "its functions are not known") < 0)
			text = NULL;
		return text ? shorten_text(text, width) : NULL;
	}

	for (size_t i = 0; text && i < g->nr; i++) {
		frame = frame_text(&s->frames[g->frames[i]], !i);
		if (!frame)
			goto fail;
		if (i && text_width(text, strlen(text)) + strlen(SITE_ARROW) +
					 text_width(frame, strlen(frame)) >
				 width) {
			free(frame);
			break;
		}
		if (asprintf(&longer, "%s%s%s", text, i ? SITE_ARROW : "", frame) < 0)
			longer = NULL;
		free(frame);
		free(text);
		text = longer;
	}
	return text ? shorten_text(text, width) : NULL;
fail:
	free(text);
	return NULL;
}

static void print_share(FILE *out, const struct site_group *g)
{
	char share[24];

	format_fixed(share, sizeof(share), 100 * g->share, 0);
	fprintf(out, "%*s %%\n", SHARE_WIDTH - 2, share);
}

/* Prints the frames of a place in one line, as far as they fit. Returns 0 or -ENOMEM. */
static int print_line(FILE *out, const struct stacks *s, const struct site_group *g,
		      const char *label)
{
	size_t room = LINE_WIDTH - strlen(label) - SHARE_WIDTH - 1, used;
	char *frames = frames_text(s, g, room);

	if (!frames)
		return -ENOMEM;
	used = text_width(frames, strlen(frames));
	fprintf(out, "%s%s%*s", label, frames, (int)(used < room ? room - used : 0) + 1, "");
	print_share(out, g);
	free(frames);
	return 0;
}

/* Prints each frame in a line of its own. Returns 0 or -ENOMEM. */
static int print_frames(FILE *out, const struct stacks *s, const struct site_group *g,
			const char *label)
{
	for (size_t i = 0; i < g->nr; i++) {
		char *frame = frame_text(&s->frames[g->frames[i]], false);
		size_t used = frame ? text_width(frame, strlen(frame)) : 0;
		size_t room = LINE_WIDTH - strlen(label) - SHARE_WIDTH - 1;

		if (!frame)
			return -ENOMEM;
		fprintf(out, "%s%s", i ? "        " : label, frame);
		if (!i)
			fprintf(out, "%*s", (int)(used < room ? room - used : 0) + 1, "");
		if (!i)
			print_share(out, g);
		else
			fputc('\n', out);
		free(frame);
	}
	if (g->cut)
		fputs("        ...\n", out);
	return 0;
}

int print_sites(FILE *out, const struct stacks *s, const struct site *sites, size_t nr_sites,
		bool whole)
{
	struct site_group *groups;
	size_t nr = site_groups_make(&groups, s, sites, nr_sites, whole);
	double rest = 0;
	int err = 0;

	if (nr == SIZE_MAX)
		return -ENOMEM;
	for (size_t i = 0; !err && i < nr && i < MAX_PLACES; i++)
		err = (whole ? print_frames : print_line)(out, s, &groups[i],
							  i ? "        " : "  From: ");
	for (size_t i = MAX_PLACES; i < nr; i++)
		rest += groups[i].share;
	if (nr > MAX_PLACES)
		fprintf(out, "        and %zu more site%s (%.0f %%)\n", nr - MAX_PLACES,
			nr == MAX_PLACES + 1 ? "" : "s", 100 * rest);
	site_groups_free(groups, nr);
	return err;
}

/* ---- the places of all calls ---- */

/* So many syscalls on files are shown; the others are counted. */
#define MAX_CALLS 20

/* A syscall on a file, with its samples. */
struct sampled_call {
	const struct file_stats *file;
	const struct file_call *call;
	struct site *sites;
	size_t nr_sites;
};

struct sampled_calls {
	struct sampled_call *list;
	size_t nr;
};

static int by_calls(const void *x, const void *y)
{
	const struct sampled_call *a = x, *b = y;

	return (b->call->calls > a->call->calls) - (b->call->calls < a->call->calls);
}

/* Adds a syscall on a file if there are samples of it. Returns 0 or -ENOMEM. */
static int add_call(struct sampled_calls *calls, const struct file_stats *file,
		    const struct file_call *call)
{
	struct sampled_call sampled = { .file = file, .call = call }, *added;

	if (file_call_sites(&sampled.sites, &sampled.nr_sites, file, call))
		return -ENOMEM;
	if (!sampled.nr_sites)
		return 0;
	added = array_append(&calls->list, &calls->nr, sizeof(*added));
	if (!added) {
		free(sampled.sites);
		return -ENOMEM;
	}
	*added = sampled;
	return 0;
}

/* Collects the calls that there are samples of, the most frequent first. Returns 0 or -ENOMEM. */
static int collect(struct sampled_calls *calls, const struct result *r)
{
	int err = 0;

	for (size_t i = 0; !err && i < r->nr_files; i++)
		for (size_t k = 0; !err && k < r->files[i].nr_calls; k++)
			err = add_call(calls, &r->files[i], &r->files[i].calls[k]);
	if (!err && calls->nr)
		qsort(calls->list, calls->nr, sizeof(*calls->list), by_calls);
	return err;
}

static int print_call(FILE *out, const struct stacks *s, const struct sampled_call *c, bool whole)
{
	char name[CELL_SIZE], count[FORMATTED_COUNT], path[512];

	fprintf(out, "%s  %s  %s call%s\n", render_name(name, c->call->name, c->call->abi),
		ESCAPE_TEXT(path, c->file->path), format_grouped(count, c->call->calls),
		c->call->calls == 1 ? "" : "s");
	return print_sites(out, s, c->sites, c->nr_sites, whole);
}

int render_sites(FILE *out, const struct result *r, const struct render_options *o,
		 unsigned sections __attribute__((unused)))
{
	struct sampled_calls calls = { NULL, 0 };
	int err = collect(&calls, r);

	for (size_t i = 0; !err && i < calls.nr && i < MAX_CALLS; i++)
		err = print_call(out, &r->profile->stacks, &calls.list[i], o->whole_stacks);
	if (!err && calls.nr > MAX_CALLS)
		fprintf(out, "and %zu more syscalls on files\n", calls.nr - MAX_CALLS);
	if (!err && !calls.nr)
		fputs("Where in the code the calls come from is not known.\n", out);
	for (size_t i = 0; i < calls.nr; i++)
		free(calls.list[i].sites);
	free(calls.list);
	return err;
}
