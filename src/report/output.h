/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where reports go. Nothing half-written ever stands under a file's final name: a regular file is written aside, and
 * takes its name when it is complete. What is no regular file (a terminal, a pipe, a device) is written directly.
 */
#ifndef IOTRACE_OUTPUT_H
#define IOTRACE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output;

/*
 * Opens a place to write to: a path; "-", "/dev/stdout", "/dev/stderr" or "/dev/fd/N" for what is open already; NULL
 * for stderr. A file that is there keeps its owner and mode, and symbolic links stay. direct: what is written is to be
 * seen at once, so a regular file is written under its name after all. 0 or -errno.
 */
int output__open(struct output **output, const char *path, bool direct);

/* To be written to. Not to be closed. */
FILE *output__stream(struct output *output);

/* Completes it: all of it is written, and under its name. 0 or -errno; it is closed in any case. */
int output__commit(struct output *output);

/* Closes it; without output__commit() nothing of a regular file remains. NULL is fine. */
void output__free(struct output *output);

#endif
