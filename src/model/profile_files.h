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
 * Returns 0 if the files' figures add up to no more than the summary's, of the same syscalls, or if
 * it is a part of a run; otherwise -EINVAL or -ENOMEM.
 */
int profile_check_files(const struct profile *p);

/*
 * Makes a list of the files with calls, sorted by path. Files of one name become one, as a file
 * that is deleted and made again; its id is that of the first. Returns 0 or -ENOMEM. Call
 * files_free() in either case.
 */
int files_by_path(const struct profile *p, struct file_stats **files, size_t *nr_files);

/* The files of such a list, whose order does not matter, to be found again. */
struct files_index {
	const struct file_stats **list; /* To be freed. */
	size_t nr;
};

/* Returns 0 or -ENOMEM. */
int files_index_make(struct files_index *index, const struct file_stats *files, size_t nr_files);
/* Returns the file of the list that a row of the same run is part of. NULL: there is none. */
const struct file_stats *files_index_find(const struct files_index *index,
					  const struct file_stats *row);
