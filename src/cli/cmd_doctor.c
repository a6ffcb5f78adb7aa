// SPDX-License-Identifier: GPL-2.0
/*
 * iotrace doctor: says whether iotrace can trace here, with which backend, and what to do if it
 * cannot.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/exit_status.h"
#include "base/message.h"
#include "cli/commands.h"
#include "cli/doctor.h"
#include "cli/usage.h"

int cmd_doctor(int argc, char **argv)
{
	struct doctor_facts facts;
	bool usable;

	(void)argv;
	if (argc > 1) {
		usage_error("doctor takes no arguments: it tells what iotrace can use here");
		return EXIT_IOTRACE;
	}
	doctor_examine(&facts);
	usable = doctor_report(stdout, &facts);
	if (!fflush(stdout))
		return usable ? 0 : 1;
	message_error("cannot write the report: %s", strerror(errno));
	return EXIT_IOTRACE;
}
