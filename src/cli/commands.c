// SPDX-License-Identifier: GPL-2.0
#include "cli/commands.h"

#include <stddef.h>
#include <string.h>

static const struct command commands[] = {
	{ "doctor", cmd_doctor },
	{ "report", cmd_report },
	{ "schema", cmd_schema },
};

/* What people type to programs in general, and what it is called here. */
static const struct {
	const char *word, *meant;
} synonyms[] = {
	{ "help", "--help" },
	{ "usage", "--usage" },
	{ "version", "--version" },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))
#define MAX_WORD    16

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* In how many letters two words differ: changed, added, left out, or swapped with the next; 99 for long words. */
static size_t distance(const char *a, const char *b)
{
	size_t d[MAX_WORD + 1][MAX_WORD + 1], m = strlen(a), n = strlen(b);

	if (m > MAX_WORD || n > MAX_WORD)
		return 99;
	for (size_t i = 0; i <= m; i++)
		d[i][0] = i;
	for (size_t k = 0; k <= n; k++)
		d[0][k] = k;
	for (size_t i = 1; i <= m; i++)
		for (size_t k = 1; k <= n; k++) {
			d[i][k] = least(d[i - 1][k - 1] + (a[i - 1] != b[k - 1]),
					least(d[i - 1][k], d[i][k - 1]) + 1);
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
				d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
		}
	return d[m][n];
}

const char *command_suggest(const char *word)
{
	for (size_t i = 0; i < sizeof(synonyms) / sizeof(*synonyms); i++)
		if (!strcmp(synonyms[i].word, word))
			return synonyms[i].meant;
	for (size_t i = 0; !strchr(word, '/') && i < NR_COMMANDS; i++)
		if (distance(commands[i].name, word) <= 2)
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
