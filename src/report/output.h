/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The places to which reports go. A regular file never has its final name while it is incomplete:
 * it is written under another name, and renamed when it is complete. Where that is not possible (a
 * mount point, a hard link, a folder that is append-only or may not be written to, an owner that
 * cannot be kept), the file is emptied and written in place once there is something to write.
 * Terminals, pipes and devices are written directly.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct output;

/*
 * Opens a place to write to: a path; "-", "/dev/stdout", "/dev/stderr" or "/dev/fd/N" for what is
 * open already; NULL for stderr. A file that is there keeps its owner and mode, and symbolic links
 * stay; in a sticky folder a file of another user's becomes ours. direct: what is written is to be
 * seen at once, so a regular file is written under its name after all. 0 or -errno.
 */
int output__open(struct output **output, const char *path, bool direct);

/* Returns the descriptor, to ask what it is. Nobody else writes to it or closes it. */
int output__fd(const struct output *output);

/* Is it a regular file, which is there to stay? */
bool output__is_file(const struct output *output);

/*
 * Writes text. Returns 0 or -errno. interruptible: gives up with -EINTR if there is no room and a
 * signal asks iotrace to end, or has done so a while ago.
 */
int output__write(struct output *output, const char *text, size_t size, bool interruptible);

/*
 * Returns a stream to it, as output__write() writes: a short report at once, so that nobody sees a
 * part of it, and a long one in pieces, so that it is never held as a whole. NULL: no memory. Close
 * it by output__close_stream(), which returns 0 or -errno: err, if that is not 0, and what was not
 * written yet is not then.
 */
struct output_stream;
FILE *output__stream(struct output *output, bool interruptible, struct output_stream **stream);
int output__close_stream(struct output_stream *stream, int err);

/* Gives the file its name. Returns 0 or -errno; closes it in either case. */
int output__commit(struct output *output);

/* Has it been committed? Any thread may ask. */
bool output__is_written(const struct output *output);

/* Removes what has not been committed, when the program ends at once. Any thread may call it. */
void output__abandon(struct output *output);

/* Closes it. Removes a regular file that was not committed. Accepts NULL. */
void output__free(struct output *output);
