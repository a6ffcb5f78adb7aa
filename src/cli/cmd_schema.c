// SPDX-License-Identifier: GPL-2.0
/* iotrace schema: the JSON Schema of captures. */
#include <errno.h>
#include <stdio.h>

#include "base/exit_status.h"
#include "base/limits.h"
#include "base/message.h"
#include "cli/commands.h"
#include "cli/usage.h"
#include "report/json_capture.h"

int cmd_schema(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		usage_error("schema takes no arguments: it prints the JSON Schema of captures");
		return EXIT_IOTRACE;
	}
	if (fputs(capture_schema, stdout) >= 0 && !fflush(stdout))
		return 0;
	message_error("cannot write the schema: %s", explain_errno(errno));
	return EXIT_IOTRACE;
}
