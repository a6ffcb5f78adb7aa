// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "base/inherited.h"
#include "cli/commands.h"
#include "trace/strace/shim.h"

int main(int argc, char **argv)
{
	const struct command *command = argc > 1 ? command_find(argv[1]) : NULL;

	if (strace_shim_is(argc, argv))
		strace_shim_run(argv);
	inherited_change();
	return command ? command->run(argc - 1, argv + 1) : cmd_trace(argc, argv);
}
