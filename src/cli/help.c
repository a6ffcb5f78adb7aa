// SPDX-License-Identifier: GPL-2.0
#include "cli/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/symbolize.h"
#include "report/render.h"
#include "trace/backends.h"

/* Each of these returns the i-th of its names, or NULL after the last. */
static const char *backend_name(size_t i)
{
	return collectors[i] ? collectors[i]->name : NULL;
}

static const char *format_name(size_t i)
{
	return renderers[i] ? renderers[i]->name : NULL;
}

static const char *section_name(size_t i)
{
	return report_sections[i].name;
}

/* The only one is what is missing, if anything is. */
static const char *key_name(size_t i)
{
	return i < NR_GROUP_KEYS ? group_keys[i].name : NULL;
}

static const char *lack_of_lines(size_t i)
{
	return i ? NULL : symbolize_lacks();
}

static const struct {
	const char *word;
	const char *(*name)(size_t i);
} lists[] = {
	{ "{backends}", backend_name }, { "{columns}", column_name },
	{ "{formats}", format_name },	{ "{groups}", key_name },
	{ "{lines}", lack_of_lines },	{ "{sections}", section_name },
};

static void print_names(FILE *out, const char *(*name)(size_t i))
{
	for (size_t i = 0; name(i); i++)
		fprintf(out, "%s%s", i ? ", " : "", name(i));
}

/*
 * Prints the list that text begins with. Returns the length of its word, or 0 if it begins with
 * none.
 */
static size_t print_list(FILE *out, const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		size_t len = strlen(lists[i].word);

		if (strncmp(text, lists[i].word, len) != 0)
			continue;
		print_names(out, lists[i].name);
		return len;
	}
	return 0;
}

char *help_fill_lists(int key, const char *text, void *input)
{
	char *filled = NULL;
	size_t size;
	FILE *out;

	(void)key;
	(void)input;
	if (!text || !strchr(text, '{'))
		return (char *)text;
	out = open_memstream(&filled, &size);
	while (out && *text) {
		size_t len = print_list(out, text);

		if (!len)
			fputc(*text, out);
		text += len ? len : 1;
	}
	if (out && !fclose(out))
		return filled;
	free(filled);
	return NULL;
}
