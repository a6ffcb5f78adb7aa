// SPDX-License-Identifier: GPL-2.0
/* Where calls come from, for people: the line, the functions that led there, and the share. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "model/code.h"
#include "report/fill.h"
#include "report/texts.h"

/* So many places are shown; the others are counted. */
#define MAX_PLACES  3
#define SHARE_WIDTH 6

static void put_escaped(FILE *out, const char *untrusted)
{
	char text[512];

	fputs(ESCAPE_TEXT(text, untrusted), out);
}

/* How frames are shown. */
struct frame_style {
	size_t columns;	  /* Of a function's name at most. */
	unsigned folders; /* Those of a file that are shown. */
};

static const struct frame_style whole_names = { SIZE_MAX, 0 };

/* Returns 0 or -ENOMEM. */
static int put_function(FILE *out, const struct code_frame *f, size_t columns)
{
	char *name;

	if (!f->function) {
		fprintf(out, "%#" PRIx64, f->offset);
		return 0;
	}
	name = function_text(f->function, columns);
	if (!name)
		return -ENOMEM;
	fputs(name, out);
	free(name);
	return 0;
}

/* Returns the last part of a path, with so many folders before it. */
static const char *with_folders(const char *path, unsigned folders)
{
	const char *name = base_name(path);

	for (; folders && name > path; folders--)
		for (name--; name > path && name[-1] != '/';)
			name--;
	return name;
}

static void put_place(FILE *out, const struct code_frame *f, unsigned folders)
{
	if (f->file) {
		put_escaped(out, with_folders(f->file, folders));
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

/* Closes a stream. Returns its text, to be freed, or NULL after an error. */
static char *finish_text(FILE *out, char **text, int err)
{
	char *whole = text_of_stream(out, text);

	if (!err)
		return whole;
	free(whole);
	return NULL;
}

/* Prints a frame, the nearest one with its line first. To be freed; NULL without memory. */
static char *styled_frame(const struct code_frame *f, const struct frame_style *style, bool nearest)
{
	bool place_first = nearest && f->file && f->line;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return NULL;
	if (place_first) {
		put_place(out, f, style->folders);
		fputc(' ', out);
	}
	err = put_function(out, f, style->columns);
	if (!place_first) {
		fputc(' ', out);
		put_place(out, f, style->folders);
	}
	return finish_text(out, &text, err);
}

char *frame_text(const struct code_frame *f)
{
	return styled_frame(f, &whole_names, false);
}

char *compared_site_text(const struct compared_site *site)
{
	const struct site_group *g = &site->group;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err = 0;

	if (!out)
		return NULL;
	if (g->interpreter)
		fputs(g->interpreter->name, out);
	for (size_t i = 0; i < g->nr; i++) {
		struct code_frame f = site->stacks->frames[g->frames[i]];

		f.line = site->line;
		if (i)
			fputs(SITE_ARROW, out);
		err = err ? err : put_function(out, &f, whole_names.columns);
		if (i)
			continue;
		fputc(' ', out);
		put_place(out, &f, 0);
	}
	return finish_text(out, &text, err);
}

/* Has any program had a map of the code that it has made? */
static bool has_map(const struct stacks *s)
{
	for (size_t i = 0; i < s->nr_frames; i++)
		if (s->frames[i].object && !strcmp(s->frames[i].object, MADE_CODE))
			return true;
	return false;
}

/* Prints an interpreter, of whose calls no function is known, and why. To be freed. */
static char *interpreter_text(const struct stacks *s, const struct interpreter *i)
{
	const char *why = i->hint ? i->hint : "its functions are not known";
	char *text;

	if (i->hint && has_map(s))
		why = "its own code";
	return asprintf(&text, "%s (%s)", i->name, why) < 0 ? NULL : text;
}

/* A caller is shown in so many columns at least. */
#define LEAST_COLUMNS 12

/* The same frame, without its place or cut, if it does not fit otherwise. NULL: it does not fit. */
static char *fitting(char *frame, const struct code_frame *f, size_t room)
{
	if (text_width(frame, strlen(frame)) <= room)
		return frame;
	free(frame);
	if (room < LEAST_COLUMNS || !f->function)
		return NULL;
	return function_text(f->function, room - strlen("()"));
}

/*
 * The frame in a place of a list in which so many after the nearest one are left out. NULL: "..."
 * stands there, for these or for what is not known.
 */
static const struct code_frame *frame_in_place(const struct stacks *s, const struct site_group *g,
					       size_t left_out, size_t place)
{
	if (left_out && place == 1)
		return NULL;
	if (left_out && place)
		place += left_out - 1;
	return place < g->nr ? &s->frames[g->frames[place]] : NULL;
}

/*
 * Returns as many frames as fit, to be freed, and their number in *shown. NULL without memory. So
 * many after the nearest one are left out.
 */
static char *fitting_frames(const struct stacks *s, const struct site_group *g, size_t width,
			    const struct frame_style *style, size_t left_out, size_t *shown)
{
	size_t nr = g->nr + g->cut - left_out + !!left_out, i;
	char *text = g->interpreter ? interpreter_text(s, g->interpreter) : strdup("");
	char *frame, *longer;

	for (i = 0; text && !g->interpreter && i < nr; i++) {
		const struct code_frame *f = frame_in_place(s, g, left_out, i);
		size_t used = text_width(text, strlen(text)) +
			      (i ? text_width(SITE_ARROW, strlen(SITE_ARROW)) : 0);

		frame = f ? styled_frame(f, style, !i) : strdup("...");
		if (!frame)
			goto fail;
		if (i == (left_out ? 2 : 1) && f) {
			frame = fitting(frame, f, width > used ? width - used : 0);
		} else if (i && used + text_width(frame, strlen(frame)) > width) {
			free(frame);
			frame = NULL;
		}
		if (!frame)
			break;
		if (asprintf(&longer, "%s%s%s", text, i ? SITE_ARROW : "", frame) < 0)
			longer = NULL;
		free(frame);
		free(text);
		text = longer;
	}
	*shown = i;
	return text ? shorten_text(text, width) : NULL;
fail:
	free(text);
	return NULL;
}

/* The same. If it has no line, and a frame that does not fit has, those in between are left out. */
static char *frames_text(const struct stacks *s, const struct site_group *g, size_t width,
			 const struct frame_style *style)
{
	size_t first = 0, shown;
	char *text = fitting_frames(s, g, width, style, 0, &shown);

	while (first < g->nr && !s->frames[g->frames[first]].line)
		first++;
	if (!text || first < 2 || first >= g->nr || shown > first)
		return text;
	free(text);
	return fitting_frames(s, g, width, style, first - 1, &shown);
}

#define LABEL_WIDTH 8 /* Of "  From: ". */
#define OF_TIME	    " of the time"

/* A place as it is shown. */
struct place {
	char *text; /* The frames, as far as they fit. */
	const struct site_group *group;
	/* Those of all groups that look alike (site_group). */
	double share, variance;
	uint64_t samples;
};

/* Returns the width of the frames before a share. */
static size_t room_beside(enum stack_weight weight)
{
	size_t of = weight == WEIGHT_TIME ? strlen(OF_TIME) : 0;

	return LINE_WIDTH - LABEL_WIDTH - SHARE_WIDTH - 1 - of;
}

static const char *format_share(char *buf, size_t size, double share)
{
	if (share > 0 && share < 0.005)
		snprintf(buf, size, "<1");
	else
		format_fixed(buf, size, 100 * share, 0);
	return buf;
}

static void print_share(FILE *out, size_t used, double share, enum stack_weight weight)
{
	size_t room = room_beside(weight);
	char text[24];

	fprintf(out, "%*s%*s %%%s\n", (int)(used < room ? room - used : 0) + 1, "", SHARE_WIDTH - 2,
		format_share(text, sizeof(text), share), weight == WEIGHT_TIME ? OF_TIME : "");
}

/* Prints a place in one line. */
static void print_line(FILE *out, const struct place *place, const char *label,
		       enum stack_weight weight)
{
	fprintf(out, "%s%s", label, place->text);
	print_share(out, text_width(place->text, strlen(place->text)), place->share, weight);
}

/* Prints each frame of a place in a line of its own. Returns 0 or -ENOMEM. */
static int print_frames(FILE *out, const struct stacks *s, const struct place *place,
			const char *label, enum stack_weight weight)
{
	const struct site_group *g = place->group;

	for (size_t i = 0; i < g->nr; i++) {
		char *frame = frame_text(&s->frames[g->frames[i]]);

		if (!frame)
			return -ENOMEM;
		fprintf(out, "%s%s", i ? "        " : label, frame);
		if (i)
			fputc('\n', out);
		else
			print_share(out, text_width(frame, strlen(frame)), place->share, weight);
		free(frame);
	}
	if (g->cut)
		fputs("        ...\n", out);
	return 0;
}

static void free_places(struct place *places, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(places[i].text);
	free(places);
}

static int by_share(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	return (b->share > a->share) - (b->share < a->share);
}

/*
 * Makes places of groups: those that look alike as far as they fit are one, unless all frames are
 * shown. Returns their number, with *places to be freed by free_places(); SIZE_MAX: no memory.
 */
static size_t places_in_style(struct place **places, const struct stacks *s,
			      const struct site_group *groups, size_t nr_groups, bool whole,
			      size_t room, const struct frame_style *style)
{
	size_t nr = 0;

	*places = calloc(nr_groups + 1, sizeof(**places));
	for (size_t i = 0; *places && i < nr_groups; i++) {
		struct place *p = &(*places)[nr];
		size_t same = 0;

		*p = (struct place){ frames_text(s, &groups[i], room, style), &groups[i],
				     groups[i].share, groups[i].variance, groups[i].samples };
		if (!p->text) {
			free_places(*places, nr);
			return SIZE_MAX;
		}
		while (same < nr && (whole || strcmp((*places)[same].text, p->text) != 0))
			same++;
		if (same == nr) {
			nr++;
			continue;
		}
		(*places)[same].share += p->share;
		(*places)[same].variance += p->variance;
		(*places)[same].samples += p->samples;
		free(p->text);
	}
	if (*places)
		qsort(*places, nr, sizeof(**places), by_share);
	return *places ? nr : SIZE_MAX;
}

/*
 * The same, in the style that tells most places apart: with shorter names, more of the callers
 * fit; with folders, files of the same name are not alike.
 */
static size_t make_places(struct place **places, const struct stacks *s,
			  const struct site_group *groups, size_t nr_groups, bool whole,
			  enum stack_weight weight)
{
	static const struct frame_style styles[] = { { 40, 0 }, { 20, 0 }, { 40, 1 },
						     { 20, 1 }, { 20, 2 }, { 20, 3 } };
	size_t room = room_beside(weight), best = 0, most = 0, nr;

	for (size_t i = 0; i < ARRAY_SIZE(styles) && most < nr_groups; i++) {
		nr = places_in_style(places, s, groups, nr_groups, whole, room, &styles[i]);
		if (nr == SIZE_MAX)
			return nr;
		free_places(*places, nr);
		if (nr > most) {
			most = nr;
			best = i;
		}
	}
	return places_in_style(places, s, groups, nr_groups, whole, room, &styles[best]);
}

/*
 * Are there likely others that have no sample? The next one is of such a site as likely as one of
 * those that there are is its site's only one (Good, 1953).
 */
static bool may_be_more(const struct place *places, size_t nr)
{
	double of_all = 0;
	uint64_t samples = 0, alone = 0;

	for (size_t i = 0; i < nr; i++) {
		of_all += places[i].variance;
		samples += places[i].samples;
		alone += places[i].samples == 1;
	}
	return of_all > 0 && alone > samples / 20;
}

/* Prints "and 2 more sites (5 %)", or nothing if all are listed. */
static void print_rest(FILE *out, const struct place *places, size_t nr)
{
	double rest = 0;
	char share[24];

	for (size_t i = MAX_PLACES; i < nr; i++)
		rest += places[i].share;
	if (nr > MAX_PLACES)
		fprintf(out, "and %s%zu more site%s (%s %%)",
			may_be_more(places, nr) ? "at least " : "", nr - MAX_PLACES,
			nr == MAX_PLACES + 1 ? "" : "s", format_share(share, sizeof(share), rest));
}

static int print_places(FILE *out, const struct stacks *s, const struct place *places, size_t nr,
			bool whole, enum stack_weight weight)
{
	int err = 0;

	for (size_t i = 0; !err && i < nr && i < MAX_PLACES; i++) {
		const char *label = i ? "        " : "  From: ";

		if (whole)
			err = print_frames(out, s, &places[i], label, weight);
		else
			print_line(out, &places[i], label, weight);
	}
	if (nr > MAX_PLACES) {
		fputs("        ", out);
		print_rest(out, places, nr);
		fputc('\n', out);
	}
	return err;
}

/*
 * Returns the nearest frame of a place that may be of the program's own code, but has no line.
 * NULL: there is none, or another one has a line.
 */
static const struct code_frame *without_line(const struct stacks *s, const struct site_group *g)
{
	const struct code_frame *found = NULL;

	for (size_t i = 0; i < g->nr; i++) {
		const struct code_frame *f = &s->frames[g->frames[i]];
		enum code_owner owner = code_owner(f);

		if (owner == CODE_OWN)
			return NULL;
		if (owner == CODE_UNNAMED && !found)
			found = f;
	}
	return found && *found->object == '/' ? found : NULL;
}

/* Says what brings the lines that the code of places lacks, once for each file. */
static void print_missing(FILE *out, const struct stacks *s, const struct site_group *groups,
			  size_t nr)
{
	const char *told[MAX_PLACES];
	size_t nr_told = 0, same;

	for (size_t i = 0; i < nr && i < MAX_PLACES; i++) {
		const struct code_frame *f = without_line(s, &groups[i]);

		for (same = 0; f && same < nr_told && strcmp(told[same], f->object) != 0;)
			same++;
		if (!f || same < nr_told)
			continue;
		told[nr_told++] = f->object;
		fputs("        ", out);
		put_escaped(out, base_name(f->object));
		fputs(": no lines are known; ", out);
		if (f->package) {
			fputs("install ", out);
			put_escaped(out, f->package);
		} else {
			fputs("build it with -g", out);
		}
		fputs(f->build_id ? ", or set DEBUGINFOD_URLS.\n" : ".\n", out);
	}
}

/* How wrong the share of a single site may be, in points, before that is said. */
#define SURE_POINTS 25

/*
 * Says how far shares may be wrong, in 19 of 20 cases: "estimated from 113 samples, ±10 points".
 * Prints nothing if it does not show.
 */
static void print_error(FILE *out, const struct place *places, size_t nr,
			const struct site_group *groups, size_t nr_groups, const char *before,
			const char *after)
{
	double of_all = 0, largest = 0;
	uint64_t samples = 0;

	for (size_t i = 0; i < nr_groups; i++)
		samples += groups[i].samples;
	for (size_t i = 0; i < nr; i++)
		of_all += places[i].variance;
	for (size_t i = 0; i < nr && i < MAX_PLACES; i++)
		largest = fmax(largest,
			       site_share_error(places[i].share, places[i].variance, of_all));
	largest *= 100 * ERRORS_OF_95;
	if (largest >= (nr > 1 ? 0.5 : SURE_POINTS))
		fprintf(out, "%sestimated from %" PRIu64 " sample%s, ±%.0f points%s", before,
			samples, samples == 1 ? "" : "s", ceil(largest), after);
}

int print_sites(FILE *out, const struct stacks *s, const struct site *sites, size_t nr_sites,
		bool whole, enum stack_weight weight)
{
	struct site_group *groups;
	size_t nr_groups = site_groups_make(&groups, s, sites, nr_sites, whole, weight), nr;
	struct place *places;
	int err = -ENOMEM;

	if (nr_groups == SIZE_MAX)
		return -ENOMEM;
	nr = make_places(&places, s, groups, nr_groups, whole, weight);
	if (nr != SIZE_MAX) {
		err = print_places(out, s, places, nr, whole, weight);
		print_error(out, places, nr, groups, nr_groups, "        (", ")\n");
		print_missing(out, s, groups, nr_groups);
		free_places(places, nr);
	}
	site_groups_free(groups, nr_groups);
	return err;
}

/* ---- the places of a finding, for tables ---- */

/* Prints a place with its share; then what is not listed, and how far the shares may be wrong. */
static char *place_in_table(const struct place *places, size_t nr, const struct site_group *groups,
			    size_t nr_groups, size_t i, enum stack_weight weight)
{
	char *text = NULL, share[24];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (i < nr && i < MAX_PLACES)
		fprintf(out, "%s, %s %%%s", places[i].text,
			format_share(share, sizeof(share), places[i].share),
			weight == WEIGHT_TIME ? OF_TIME : "");
	else if (i == MAX_PLACES)
		print_rest(out, places, nr);
	else if (i > MAX_PLACES)
		print_error(out, places, nr, groups, nr_groups, "", "");
	return text_of_stream(out, &text);
}

int site_texts(const struct stacks *s, const struct site *sites, size_t nr_sites,
	       enum stack_weight weight, void (*put)(void *arg, const char *escaped), void *arg)
{
	struct site_group *groups;
	size_t nr_groups = site_groups_make(&groups, s, sites, nr_sites, false, weight), nr;
	struct place *places;
	int err = 0;

	if (nr_groups == SIZE_MAX)
		return -ENOMEM;
	nr = make_places(&places, s, groups, nr_groups, false, weight);
	for (size_t i = 0; !err && nr != SIZE_MAX && i < MAX_PLACES + 2; i++) {
		char *text = place_in_table(places, nr, groups, nr_groups, i, weight);

		if (!text)
			err = -ENOMEM;
		else if (*text)
			put(arg, text);
		free(text);
	}
	if (nr == SIZE_MAX)
		err = -ENOMEM;
	else
		free_places(places, nr);
	site_groups_free(groups, nr_groups);
	return err;
}
