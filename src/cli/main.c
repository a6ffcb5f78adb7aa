// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/inherited_state.h"
#include "cli/commands.h"
#include "trace/backends.h"

static const struct {
	const char *name;
	/* Returns the exit status. The subcommand's name is argv[0]. */
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "compare", cmd_compare },
	{ "doctor", cmd_doctor },
	{ "report", cmd_report },
	{ "schema", cmd_schema },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; collectors[i]; i++)
		if (collectors[i]->be_part)
			collectors[i]->be_part(argc, argv);
	inherited_state_change();
	/* "iotrace -- NAME" runs a program of that name. */
	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, argv[1]))
			return commands[i].run(argc - 1, argv + 1);
	return cmd_trace(argc, argv);
}
