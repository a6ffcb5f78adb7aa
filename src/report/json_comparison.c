// SPDX-License-Identifier: GPL-2.0
#include "report/json_comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/abi.h"
#include "report/json_file.h"
#include "report/json_members.h"
#include "report/json_sections.h"
#include "report/json_writer.h"
#include "report/sections.h"

/* Numbers of ns in a double are exact to 15 digits. */
#define DIGITS 15

/* ---- writing ---- */

static void put_runs(struct json_object *o, const struct side *side)
{
	json_t *list = json_array();

	for (size_t i = 0; i < side->nr_runs; i++) {
		struct result result;
		struct json_object run = { NULL, result_make(&result, side->runs[i], 0) };

		if (!run.err)
			run.json = json_of_result(&result, SECTION_ALL, &run.err);
		json_append(list, &run, &o->err);
		result_free(&result);
	}
	json_put(o, "runs", list);
}

static void put_bare(struct json_object *o, const struct side *side)
{
	json_t *times = json_array(), *exits = json_array();

	for (size_t i = 0; i < side->nr_bare; i++) {
		json_t *ns = json_integer((json_int_t)side->bare[i].ns);
		json_t *end = json_of_exit(side->bare[i].status);

		if ((json_array_append_new(times, ns) || json_array_append_new(exits, end)) &&
		    !o->err)
			o->err = -ENOMEM;
	}
	json_put(o, "bare_ns", times);
	json_put(o, "bare_exits", exits);
}

static void put_failures(struct json_object *o, const struct side *side)
{
	json_t *list = json_array();

	for (size_t i = 0; i < side->nr_failures; i++) {
		const struct failure *f = &side->failures[i];
		struct json_object failure = json_object_new();

		json_put(&failure, "exit", json_of_exit(f->status));
		json_put_number(&failure, "runs", true, f->nr_runs);
		json_put_number(&failure, "bare_runs", true, f->nr_bare);
		json_append(list, &failure, &o->err);
	}
	json_put(o, "failures", list);
}

static void put_sides(struct json_object *o, const struct comparison *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < c->nr_sides; i++) {
		struct json_object side = json_object_new();

		json_put_text(&side, "name", c->sides[i].name);
		put_failures(&side, &c->sides[i]);
		put_bare(&side, &c->sides[i]);
		put_runs(&side, &c->sides[i]);
		json_append(list, &side, &o->err);
	}
	json_put(o, "sides", list);
}

/* Puts a figure of a side. */
static void put_compared(struct json_object *o, const char *figure, const struct compared *c,
			 size_t side)
{
	char letter[] = { side_letter(side), '\0' };

	json_put_text(o, "figure", figure);
	json_put_text(o, "side", letter);
	json_put_number(o, "runs", true, c->spread.nr);
	json_put_real(o, "mean", c->spread.nr ? c->spread.mean : NAN);
	json_put_real(o, "deviation", c->spread.nr > 1 ? c->spread.deviation : NAN);
	json_put_real(o, "min", c->spread.nr ? c->spread.min : NAN);
	json_put_real(o, "max", c->spread.nr ? c->spread.max : NAN);
	json_put_real(o, "ratio", c->difference.ratio);
	json_put_real(o, "p", c->difference.p);
	json_put_text(o, "difference",
		      c->difference.kind ? difference_name(c->difference.kind) : NULL);
}

/* Appends a figure of a side. row: its syscall. NULL: it is a figure of the run. */
static void append_figure(json_t *list, int *err, const struct comparison_row *row,
			  const char *figure, const struct compared *sides, size_t side)
{
	struct json_object o = json_object_new();

	json_put_text(&o, "syscall", row ? row->name : NULL);
	json_put_text(&o, "abi", row && !row_is_total(row) ? abi_name(row->abi) : NULL);
	put_compared(&o, figure, &sides[side], side);
	json_append(list, &o, err);
}

static void put_figures(struct json_object *o, const struct comparison *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < c->nr_sides; i++)
		append_figure(list, &o->err, NULL, "wall_ns", c->bare, i);
	for (size_t i = 0; i < c->nr_sides; i++)
		append_figure(list, &o->err, NULL, "traced_wall_ns", c->traced, i);
	for (size_t r = 0; r < c->nr_rows; r++)
		for (int f = 0; f < NR_COMPARED; f++)
			for (size_t i = 0; i < c->nr_sides; i++)
				append_figure(list, &o->err, &c->rows[r],
					      figures[compared_figures[f]].key, c->rows[r].cells[f],
					      i);
	json_put(o, "figures", list);
}

/* Returns the functions of a site, the nearest first. */
static json_t *functions_of(const struct compared_site *site, int *err)
{
	json_t *list = json_array();

	for (size_t i = 0; i < site->group.nr; i++) {
		struct json_object function = json_object_new();

		json_put_frame(&function, &site->stacks->frames[site->group.frames[i]]);
		json_append(list, &function, err);
	}
	return list;
}

static void put_sites(struct json_object *o, const struct comparison *c)
{
	json_t *list = json_array();

	for (size_t s = 0; s < c->nr_sites; s++)
		for (size_t i = 0; i < c->nr_sides; i++) {
			const struct compared_site *site = &c->sites[s];
			struct json_object line = json_object_new();

			json_put_text(&line, "syscall", site->syscall);
			json_put_text(&line, "abi", abi_name(site->abi));
			json_put(&line, "frames", functions_of(site, &line.err));
			put_compared(&line, "calls", &site->cells[i], i);
			json_append(list, &line, &o->err);
		}
	json_put(o, "sites", list);
}

/* Puts who makes the calls, and null if some of the runs do not say so. */
static void put_groups(struct json_object *o, const struct comparison *c)
{
	json_t *list = c->nr_groups ? json_array() : json_null();

	for (size_t g = 0; g < c->nr_groups; g++)
		for (enum compared_figure f = 0; f < NR_COMPARED; f++)
			for (size_t i = 0; i < c->nr_sides; i++) {
				const struct compared_group *group = &c->groups[g];
				struct json_object line = json_object_new();

				for (size_t k = 0; k < MAX_GROUP_KEYS && c->by[k]; k++)
					json_put_text(&line, group_key(c->by[k])->name,
						      group->names[k]);
				json_put_text(&line, "syscall", "total");
				json_put_text(&line, "abi", NULL);
				put_compared(&line, figures[compared_figures[f]].key,
					     &compared_group_cells(c, group, f)[i], i);
				json_append(list, &line, &o->err);
			}
	json_put(o, "groups", list);
}

int json_print_comparison(FILE *out, const struct comparison *c)
{
	struct json_object o = json_object_new();

	json_put_number(&o, "comparison", true, COMPARISON_SCHEMA);
	json_put_text(&o, "iotrace", IOTRACE_VERSION);
	put_sides(&o, c);
	put_figures(&o, c);
	put_groups(&o, c);
	put_sites(&o, c);
	if (!o.err)
		o.err = json_print_document(out, o.json, DIGITS, NULL, JSON_IN_LINES);
	json_decref(o.json);
	return o.err;
}

/* ---- reading ---- */

static struct side *side_of(struct compared_captures *c, const char *name,
			    const struct json_node *n)
{
	struct side *side = comparison_add_side(&c->comparison, name);

	if (!side && c->comparison.nr_sides == MAX_SIDES)
		json_fail(n, -E2BIG, "there can be %d sides at most", MAX_SIDES);
	else if (!side)
		json_fail(n, -ENOMEM, "no memory");
	return side;
}

static void read_run(struct compared_captures *c, struct side *side, const struct json_node *n)
{
	struct capture **place = array_append(&c->list, &c->nr, sizeof(*place));

	if (place)
		*place = calloc(1, sizeof(**place));
	if (!place || !*place || side_add_run(side, &(*place)->profile))
		json_fail(n, -ENOMEM, "no memory");
	else
		capture_read_node(*place, n);
}

static void read_bare(struct side *side, const struct json_node *n)
{
	struct json_node times = json_member(n, "bare_ns"), exits = { 0 };
	bool known = json_has(n, "bare_exits"); /* Older comparisons lack them. */
	size_t nr = json_list_size(&times);

	if (known) {
		exits = json_member(n, "bare_exits");
		if (json_list_size(&exits) != nr)
			json_fail(&exits, -EINVAL, "must be as many as bare_ns");
	}
	json_for_each (ns, &times) {
		struct json_node end;
		int status = -1;

		if (known) {
			end = json_element(&exits, ns.index);
			status = json_exit(&end);
		}
		if (side_add_bare(side, json_number(&ns), status))
			json_fail(&ns, -ENOMEM, "no memory");
	}
}

static void read_side(struct compared_captures *c, const struct json_node *n)
{
	char *name = json_member_text(n, "name");
	struct side *side = name ? side_of(c, name, n) : NULL;
	struct json_node runs = json_member(n, "runs");

	free(name);
	if (!n->reader->err && !side)
		json_fail(n, -EINVAL, "has no name");
	if (side)
		read_bare(side, n);
	json_for_each (run, &runs)
		read_run(c, side, &run);
	if (!n->reader->err && !side->nr_runs)
		json_fail(&runs, -EINVAL, "there is no run");
}

static void read_sides(struct compared_captures *c, const struct json_node *root)
{
	struct json_node version = json_member(root, "comparison"), sides;

	json_check_version(root, &version, COMPARISON_SCHEMA);
	sides = json_member(root, "sides");
	json_for_each (side, &sides)
		read_side(c, &side);
	if (!root->reader->err && !json_list_size(&sides))
		json_fail(&sides, -EINVAL, "there is none");
}

/*
 * Reads a file that was opened with this result, and closes it. A capture is a run of the side;
 * NULL: of a new one with this name.
 */
static int read_file(struct compared_captures *c, struct side *side, const char *name,
		     struct json_file *file, int result, char *err, size_t err_size)
{
	struct json_reader reader = { .file = file };
	struct json_node root = json_root(&reader, file->json);

	if (result)
		goto out;
	if (!side && json_has(&root, "comparison")) {
		read_sides(c, &root);
	} else {
		side = side ? side : side_of(c, name, &root);
		if (side)
			read_run(c, side, &root);
	}
	result = json_reader_result(&reader, err, err_size);
out:
	json_file_close(file);
	return result;
}

int compared_captures_read(struct compared_captures *c, const char *path, char *err,
			   size_t err_size)
{
	struct json_file file;
	int result = json_file_read(&file, path, err, err_size);

	return read_file(c, NULL, path, &file, result, err, err_size);
}

int compared_captures_parse(struct compared_captures *c, const char *name, const char *text,
			    size_t len, char *err, size_t err_size)
{
	struct json_file file;
	int result = json_file_parse(&file, text, len, err, err_size);

	return read_file(c, NULL, name, &file, result, err, err_size);
}

int compared_captures_add(struct compared_captures *c, size_t side, const char *text, size_t len,
			  char *err, size_t err_size)
{
	struct json_file file;
	int result = json_file_parse(&file, text, len, err, err_size);

	return read_file(c, &c->comparison.sides[side], NULL, &file, result, err, err_size);
}

void compared_captures_free(struct compared_captures *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		if (c->list[i])
			capture_free(c->list[i]);
		free(c->list[i]);
	}
	free(c->list);
	comparison_free(&c->comparison);
	memset(c, 0, sizeof(*c));
}
