/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The places to which reports go. A file never has its final name while it is incomplete: a regular
 * file is written under another name, and renamed when it is complete. Terminals, pipes and devices
 * are written directly.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct output;

/*
 * Opens a place to write to: a path; "-", "/dev/stdout", "/dev/stderr" or "/dev/fd/N" for what is
 * open already; NULL for stderr. A file that is there keeps its owner and mode, and symbolic links
 * stay. direct: what is written is to be seen at once, so a regular file is written under its name
 * after all. 0 or -errno.
 */
int output__open(struct output **output, const char *path, bool direct);

/* The stream to write to. Do not close it. */
FILE *output__stream(struct output *output);

/*
 * Writes what is left and gives the file its name. Returns 0 or -errno; closes the stream in either
 * case.
 */
int output__commit(struct output *output);

/* Closes it. Removes a regular file that was not committed. Accepts NULL. */
void output__free(struct output *output);
