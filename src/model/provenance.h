/* SPDX-License-Identifier: GPL-2.0 */
/* The command, time, options and machine of a profile. Text in it is untrusted bytes. */
#pragma once

#include <stdint.h>

/* Unknown values are NULL, 0 or -1. All zeroes with a status of -1 is an empty provenance. */
struct provenance {
	char *version;	  /* of the iotrace that measured */
	char **command;	  /* argv, NULL-terminated; NULL: nothing was run by us */
	char **options;	  /* iotrace's own arguments, NULL-terminated */
	char *start;	  /* "2025-01-31T23:59:59.123456789Z" */
	int status;	  /* the command's wait status; -1: not known */
	uint64_t wall_ns; /* from its execve() to its end, as who waits for it sees that */
	char *kernel;	  /* release */
	char *machine;	  /* architecture */
	char *cpu_model;
	uint64_t cpus; /* online */
	/* The command's standard output, which decides what writing to it costs. */
	char *stdout_path; /* as the kernel names it */
	char *stdout_kind; /* "regular", "pipe", "socket", "tty", "device", "directory", "block" */
	char *stdout_fstype; /* as /proc/filesystems names it, or a number in hexadecimal */
};

void provenance_free(struct provenance *p);
