// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <stddef.h>
#include <string.h>

static const struct command commands[] = {
	{ "doctor", cmd_doctor },
	{ "report", cmd_report },
	{ "schema", cmd_schema },
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	}
	return NULL;
}
