// SPDX-License-Identifier: GPL-2.0
#include "cli/commands.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

static const char *const names[] = { "compare", "doctor", "report", "schema" };

/* Words that people try with any program, and their names here. */
static const struct {
	const char *word, *meant;
} synonyms[] = {
	{ "help", "--help" },
	{ "usage", "--usage" },
	{ "version", "--version" },
};

const char *command_suggest(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(synonyms); i++)
		if (!strcmp(synonyms[i].word, word))
			return synonyms[i].meant;
	for (size_t i = 0; !strchr(word, '/') && i < ARRAY_SIZE(names); i++)
		if (edit_distance(names[i], word) <= 2)
			return names[i];
	return NULL;
}
