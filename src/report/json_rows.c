// SPDX-License-Identifier: GPL-2.0
#include "report/json_rows.h"

#include <errno.h>
#include <string.h>

/* The list in the text that this one stands for; NULL: it is no such list. */
static const struct json_list *list_in_text(const struct json_node *list)
{
	const struct json_file *file = list->reader->file;
	const json_t *number = json_array_get(list->json, 0);

	if (!file || json_array_size(list->json) != 1 || !json_is_integer(number) ||
	    (json_int_t)file->lists.nr <= json_integer_value(number) ||
	    json_integer_value(number) < 0)
		return NULL;
	return &file->lists.list[json_integer_value(number)];
}

void json_rows_begin(struct json_rows *r, const struct json_node *list)
{
	const struct json_list *text;

	memset(r, 0, sizeof(*r));
	r->list = *list;
	json_list_size(list); /* fails if it is none */
	text = list->json && !list->reader->err ? list_in_text(list) : NULL;
	if (!text)
		return;
	r->file = list->reader->file;
	r->at = text->begin;
	r->end = text->end;
}

static void skip_space(struct json_rows *r)
{
	while (r->at < r->end && strchr(" \t\n\r", r->file->text[r->at]) && r->file->text[r->at])
		r->at++;
}

static void say_syntax_error(const struct json_node *row, const struct json_file *f, size_t at,
			     const json_error_t *error)
{
	char text[400];
	int err =
		json_file_syntax_error(f, at + (size_t)error->position, error, text, sizeof(text));

	json_fail(row, err, "%s", text);
}

/* Goes to the next row. False: there is none. */
static bool find_row(struct json_rows *r, const struct json_node *row)
{
	skip_space(r);
	if (r->at == r->end)
		return false;
	if (!r->index)
		return true;
	if (r->file->text[r->at] != ',') {
		json_fail(row, -EINVAL, "a comma must stand before it");
		return false;
	}
	r->at++;
	return true;
}

static json_t *parse_row(struct json_rows *r, const struct json_node *row)
{
	size_t left = r->end - r->at, len = left < JSON_ROW_MAX_BYTES ? left : JSON_ROW_MAX_BYTES;
	json_error_t error;
	json_t *json = json_loadb(r->file->text + r->at, len,
				  JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);

	if (json)
		r->at += (size_t)error.position;
	else if (len < left && json_error_code(&error) == json_error_premature_end_of_input)
		json_fail(row, -EFBIG, "is larger than %lu MiB", JSON_ROW_MAX_BYTES >> 20);
	else
		say_syntax_error(row, r->file, r->at, &error);
	return json;
}

bool json_rows_next(struct json_rows *r, struct json_node *row)
{
	*row = (struct json_node){ r->list.reader, &r->list, NULL, r->index, NULL };
	json_decref(r->row);
	r->row = NULL;
	if (!r->list.json || r->list.reader->err)
		return false;
	if (!r->file)
		row->json = json_array_get(r->list.json, r->index);
	else if (find_row(r, row))
		row->json = r->row = parse_row(r, row);
	r->index++;
	return row->json;
}
