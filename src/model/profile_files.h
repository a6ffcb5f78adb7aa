/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of a profile's files. */
#pragma once

#include "model/files.h"
#include "model/profile.h"

/*
 * Returns the row of an id, made if it is not there yet. NULL: no memory. The pointer is good until
 * the next call.
 */
struct file_stats *profile_file(struct profile *p, uint32_t id);
/* Returns the row of an id. NULL: it is not there. */
const struct file_stats *profile_find_file(const struct profile *p, uint32_t id);
/*
 * Adds (other): the calls in the summary that are about a descriptor or a path, minus those of all
 * files. The sum over files then equals the summary. Which of them end in a newline, and where they
 * were written to, is not known. Returns 0 or -ENOMEM.
 */
int profile_add_other_files(struct profile *p);
/*
 * Returns 0 if the files' figures add up to no more than the summary's, of the same syscalls;
 * otherwise -EINVAL or -ENOMEM.
 */
int profile_check_files(const struct profile *p);

/*
 * Makes a list of the files with calls, sorted by path. Files of one name become one, as a file
 * that is deleted and made again; its id is that of the first. Returns 0 or -ENOMEM. Call
 * files_free() in either case.
 */
int files_by_path(const struct profile *p, struct file_stats **files, size_t *nr_files);
