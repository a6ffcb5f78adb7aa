// SPDX-License-Identifier: GPL-2.0
#include "report/json_lists.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { NO_KEY, KEY, KEY_AND_COLON };

/* Of a number between brackets, which stands for a list. */
#define MAX_STAND_IN 24

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_text(const char *text, size_t len, const char *wanted)
{
	return len == strlen(wanted) && !memcmp(text, wanted, len);
}

static void end_string(struct json_lists *l, const char *text)
{
	const char *string = text + l->string;
	size_t len = l->at - l->string;

	l->in_string = false;
	l->key = !l->depth && (is_text(string, len, LONG_LIST_FILES) ||
			       is_text(string, len, LONG_LIST_FINDINGS))
			 ? KEY
			 : NO_KEY;
}

static void follow_string(struct json_lists *l, const char *text)
{
	char c = text[l->at];

	if (l->escaped)
		l->escaped = false;
	else if (c == '\\')
		l->escaped = true;
	else if (c == '"')
		end_string(l, text);
}

static void follow_list(struct json_lists *l, char c)
{
	struct json_list *list = &l->list[l->nr - 1];

	l->depth += c == '[' || c == '{';
	l->depth -= c == ']' || c == '}';
	if (l->depth)
		return;
	list->end = l->at;
	l->bytes_inside += list->end - list->begin;
}

static int begin_list(struct json_lists *l)
{
	struct json_list *list = array_append(&l->list, &l->nr, sizeof(*list));

	if (!list)
		return -ENOMEM;
	list->begin = l->at + 1;
	l->depth = 1;
	return 0;
}

static int follow(struct json_lists *l, char c)
{
	int err = 0;

	if (c == '"') {
		l->in_string = true;
		l->string = l->at + 1;
		return 0;
	}
	if (l->depth) {
		follow_list(l, c);
		return 0;
	}
	if (c == '[' && l->key == KEY_AND_COLON)
		err = begin_list(l);
	l->key = c == ':' && l->key == KEY ? KEY_AND_COLON : NO_KEY;
	return err;
}

int json_lists_find(struct json_lists *l, const char *text, size_t len)
{
	int err = 0;

	for (; !err && l->at < len; l->at++)
		if (l->in_string)
			follow_string(l, text);
		else if (!is_space(text[l->at]))
			err = follow(l, text[l->at]);
	return err;
}

size_t json_lists_rest(const struct json_lists *l)
{
	size_t open = l->depth ? l->at - l->list[l->nr - 1].begin : 0;

	return l->at - l->bytes_inside - open;
}

/* The lists that have ended. */
static size_t nr_whole(const struct json_lists *l)
{
	return l->nr - (l->depth > 0);
}

char *json_lists_cut(const struct json_lists *l, const char *text, size_t len, size_t *rest_len)
{
	char *rest = malloc(len - l->bytes_inside + l->nr * MAX_STAND_IN + 1), *end = rest;
	size_t at = 0;

	if (!rest)
		return NULL;
	for (size_t i = 0; i < nr_whole(l); i++) {
		memcpy(end, text + at, l->list[i].begin - at);
		end += l->list[i].begin - at;
		end += sprintf(end, "%zu", i);
		at = l->list[i].end;
	}
	memcpy(end, text + at, len - at);
	*rest_len = (size_t)(end - rest) + len - at;
	return rest;
}

size_t json_lists_place(const struct json_lists *l, size_t place)
{
	size_t longer = 0;

	for (size_t i = 0; i < nr_whole(l) && place + longer > l->list[i].begin; i++)
		longer += l->list[i].end - l->list[i].begin - (size_t)snprintf(NULL, 0, "%zu", i);
	return place + longer;
}

void json_lists_free(struct json_lists *l)
{
	free(l->list);
	memset(l, 0, sizeof(*l));
}
