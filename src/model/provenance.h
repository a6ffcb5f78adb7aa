/* SPDX-License-Identifier: GPL-2.0 */
/* The command, time, options and machine of a profile. Text in it is untrusted bytes. */
#pragma once

#include <stdint.h>

/* Unknown values are NULL, 0 or -1. All zeroes with a status of -1 is an empty provenance. */
struct provenance {
	char *version;	/* Version of the iotrace that measured. */
	char **command; /* Arguments, NULL-terminated. NULL: iotrace ran no command. */
	char *target;	/* What was traced instead: "nginx[812]". NULL: a command. */
	char **options; /* Arguments of iotrace itself, NULL-terminated. */
	char *start;	/* "2025-01-31T23:59:59.123456789Z" */
	int status;	/* Wait status of the command. -1: not known. */
	/* Time from its execve() to its end, as whoever waits for it sees that. */
	uint64_t wall_ns;
	char *kernel;  /* Release of the kernel. */
	char *machine; /* Architecture of the machine. */
	char *cpu_model;
	uint64_t cpus; /* Number of CPUs on line. */
	/* The command's standard output, which decides what writing to it costs. */
	char *stdout_path; /* Path as the kernel names it. */
	char *stdout_kind; /* "regular", "pipe", "socket", "tty", "device", "directory", "block" */
	char *stdout_fstype; /* Type as /proc/filesystems names it, or a number in hexadecimal. */
};

void provenance_free(struct provenance *p);
