/* SPDX-License-Identifier: GPL-2.0 */
/* The command line as a struct. Nothing in here knows how anything is measured or printed. */
#ifndef IOTRACE_OPTIONS_H
#define IOTRACE_OPTIONS_H

#include <stdbool.h>

#include "render.h"
#include "syscalls.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exit statuses of iotrace itself, as env(1), timeout(1) and chroot(1) have them. */
enum {
	EXIT_IOTRACE = 125,    /* iotrace failed, or was used wrongly */
	EXIT_CANNOT_RUN = 126, /* the command was found but could not be run */
	EXIT_NOT_FOUND = 127,  /* the command was not found */
};

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct options {
	char **command; /* argv of the command, NULL-terminated */
	struct syscall_set set;
	const char *output; /* -o: the report's file; NULL: stderr */
	enum color_choice color;
	bool verbose;
	struct render_options render; /* render.color is settled by main(), who knows the stream */
};

/*
 * Parses argv. Returns 0; or 1 when everything asked for has been done (--help, --usage, -V); or -EINVAL
 * after saying on stderr what is wrong with which word. options_free() whatever is returned.
 */
int options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);

#ifdef __cplusplus
}
#endif
#endif
