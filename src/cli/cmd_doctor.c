// SPDX-License-Identifier: GPL-2.0
/*
 * iotrace doctor: says whether iotrace can trace here, with which backend, and what to do if it
 * cannot.
 */
#include <errno.h>
#include <stdio.h>

#include "base/exit_status.h"
#include "base/limits.h"
#include "base/message.h"
#include "cli/commands.h"
#include "cli/usage.h"
#include "trace/backends.h"

int cmd_doctor(int argc, char **argv)
{
	const struct collector_ops *chosen = NULL;

	(void)argv;
	if (argc > 1) {
		usage_error("doctor takes no arguments: it tells what iotrace can use here");
		return EXIT_IOTRACE;
	}
	for (size_t i = 0; collectors[i]; i++)
		if (collectors[i]->examine(stdout) && !chosen)
			chosen = collectors[i];
	if (chosen)
		printf("\niotrace uses %s%s%s.\n", chosen->name, chosen->costs ? ", " : "",
		       chosen->costs ?: "");
	else
		puts("\niotrace cannot trace anything here: a backend has to become usable.");
	if (!fflush(stdout))
		return chosen ? 0 : 1;
	message_error("cannot write the report: %s", explain_errno(errno));
	return EXIT_IOTRACE;
}
