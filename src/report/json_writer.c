// SPDX-License-Identifier: GPL-2.0
#include "report/json_writer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/text.h"
#include "model/abi.h"

struct json_object json_object_new(void)
{
	return (struct json_object){ json_object(), 0 };
}

void json_put(struct json_object *o, const char *key, json_t *value)
{
	if (json_object_set_new(o->json, key, value) && !o->err)
		o->err = -ENOMEM;
}

void json_put_object(struct json_object *o, const char *key, bool known, struct json_object *part)
{
	if (part->err && !o->err)
		o->err = part->err;
	json_put(o, key, known ? part->json : json_null());
	if (!known)
		json_decref(part->json);
}

void json_append(json_t *list, struct json_object *part, int *err)
{
	if (part->err && !*err)
		*err = part->err;
	if (json_array_append_new(list, part->json) && !*err)
		*err = -ENOMEM;
}

/* Most readers of JSON have integers of 64 bits with a sign. */
void json_put_number(struct json_object *o, const char *key, bool known, uint64_t value)
{
	if (known && value > INT64_MAX && !o->err)
		o->err = -EOVERFLOW;
	json_put(o, key, known ? json_integer((json_int_t)value) : json_null());
}

static json_t *escaped_text(const char *text)
{
	char *escaped = text ? escape_text_dup(text, strlen(text)) : NULL;
	json_t *json = NULL;

	if (!text)
		return json_null();
	if (escaped)
		json = json_string(escaped);
	free(escaped);
	return json;
}

void json_put_text(struct json_object *o, const char *key, const char *text)
{
	json_put(o, key, escaped_text(text));
}

void json_put_words(struct json_object *o, const char *key, char *const *words)
{
	json_t *list = words ? json_array() : json_null();

	for (; words && *words; words++) {
		if (json_array_append_new(list, escaped_text(*words)) && !o->err)
			o->err = -ENOMEM;
	}
	json_put(o, key, list);
}

void json_put_call(struct json_object *o, const char *key, const char *name, enum iotrace_abi abi,
		   int nr)
{
	json_put_text(o, key, name);
	json_put_text(o, "abi", abi_name(abi));
	json_put_number(o, "nr", true, (uint64_t)nr);
}

void json_put_histogram(struct json_object *o, const char *key, bool known, const uint64_t *counts,
			const struct histogram_scale *scale, const char *const edges[2])
{
	json_t *list = known ? json_array() : json_null();

	for (uint32_t i = 0; known && i < scale->nr_buckets; i++) {
		struct json_object bucket = { NULL, 0 };

		if (!counts[i])
			continue;
		bucket.json = json_object();
		json_put_number(&bucket, edges[0], true, scale->low(i));
		json_put_number(&bucket, edges[1], i + 1 < scale->nr_buckets, scale->low(i + 1));
		json_put_number(&bucket, "count", true, counts[i]);
		json_append(list, &bucket, &o->err);
	}
	json_put(o, key, list);
}

void json_put_real(struct json_object *o, const char *key, double value)
{
	json_put(o, key, isfinite(value) ? json_real(value) : json_null());
}

json_t *json_of_exit(int status)
{
	if (status == -1)
		return json_null();
	return json_pack("{s:o, s:o}", "status",
			 WIFEXITED(status) ? json_integer(WEXITSTATUS(status)) : json_null(),
			 "signal",
			 WIFSIGNALED(status) ? json_integer(WTERMSIG(status)) : json_null());
}

/* What stands between the parts of a document. */
static const struct json_separators {
	const char *begin, *member, *end, *first_row, *row, *end_rows;
} separators[] = {
	[JSON_IN_LINES] = { "{\n ", ",\n ", "\n}\n", "[\n  ", ",\n  ", "\n ]" },
	[JSON_IN_ONE_LINE] = { "{", ", ", "}\n", "[", ", ", "]" },
};

struct row_printer {
	FILE *out;
	size_t flags;
	const struct json_separators *separators;
	bool any;
};

static int print_row(void *to, struct json_object *row)
{
	struct row_printer *p = to;

	if (!row->err) {
		fputs(p->any ? p->separators->row : p->separators->first_row, p->out);
		json_dumpf(row->json, p->out, p->flags);
		p->any = true;
	}
	return row->err;
}

/* Prints a member, with the rows of the list if there is one. Returns 0 or the list's error. */
static int print_member(FILE *out, json_t *value, const struct json_printed_list *list,
			size_t flags, const struct json_separators *s)
{
	struct row_printer printer = { out, flags, s, false };

	if (list && list->compact)
		printer.flags |= JSON_COMPACT;
	int err = 0;

	if (!list && !json_is_object(json_array_get(value, 0))) {
		json_dumpf(value, out, flags);
		return 0;
	}
	if (list)
		err = list->each(list->arg, print_row, &printer);
	for (size_t i = 0; i < json_array_size(value); i++) {
		struct json_object row = { json_array_get(value, i), 0 };

		print_row(&printer, &row);
	}
	fputs(printer.any ? s->end_rows : "[]", out);
	return err;
}

/* Returns the list that a member stands for, or NULL. */
static const struct json_printed_list *list_of(const struct json_printed_list *lists,
					       const char *key, json_t *value)
{
	for (; lists && lists->key; lists++)
		if (json_is_array(value) && !strcmp(key, lists->key))
			return lists;
	return NULL;
}

int json_print_document(FILE *out, json_t *json, unsigned digits,
			const struct json_printed_list *lists, enum json_layout layout)
{
	const struct json_separators *s = &separators[layout];
	const size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits);
	const char *key, *separator = s->begin;
	json_t *value;
	int result, err = 0;

	json_object_foreach(json, key, value)
	{
		fprintf(out, "%s\"%s\": ", separator, key);
		result = print_member(out, value, list_of(lists, key, value), flags, s);
		err = err ? err : result;
		separator = s->member;
	}
	fputs(s->end, out);
	return err;
}
