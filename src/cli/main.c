// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "base/inherited_state.h"
#include "cli/commands.h"
#include "trace/collector.h"

int main(int argc, char **argv)
{
	const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;

	for (size_t i = 0; collectors[i]; i++)
		if (collectors[i]->be_part)
			collectors[i]->be_part(argc, argv);
	inherited_state_change();
	return command ? command->run(argc - 1, argv + 1) : cmd_trace(argc, argv);
}
