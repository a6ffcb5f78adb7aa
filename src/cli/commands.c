// SPDX-License-Identifier: GPL-2.0
#include "cli/commands.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"

static const struct command commands[] = {
	{ "compare", cmd_compare },
	{ "doctor", cmd_doctor },
	{ "report", cmd_report },
	{ "schema", cmd_schema },
};

/* Words that people try with any program, and their names here. */
static const struct {
	const char *word, *meant;
} synonyms[] = {
	{ "help", "--help" },
	{ "usage", "--usage" },
	{ "version", "--version" },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

const char *command_suggest(const char *word)
{
	for (size_t i = 0; i < sizeof(synonyms) / sizeof(*synonyms); i++)
		if (!strcmp(synonyms[i].word, word))
			return synonyms[i].meant;
	for (size_t i = 0; !strchr(word, '/') && i < NR_COMMANDS; i++)
		if (edit_distance(commands[i].name, word) <= 2)
			return commands[i].name;
	return NULL;
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	}
	return NULL;
}
