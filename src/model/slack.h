/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include <stddef.h>

struct profile;
struct file_stats;

/*
 * Fills in slack_ns and others_ns of the files' busy times, where the times of the programs are
 * known. The files come from files_by_path(). Returns 0 or -ENOMEM.
 */
int slack_of_files(const struct profile *p, struct file_stats *files, size_t nr_files);
