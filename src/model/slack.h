/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include <stddef.h>

struct profile;
struct busy;
struct file_stats;
struct file_user;

/*
 * Fills in slack_ns and others_ns of the files' busy times, where the times of the programs are
 * known. The files come from files_by_path(). Returns 0 or -ENOMEM.
 */
int slack_of_files(const struct profile *p, struct file_stats *files, size_t nr_files);

/*
 * Fills in the same of these users together, of whom only the first nr_waiting may wait for others.
 * Returns 0 or -ENOMEM.
 */
int slack_of_users(const struct profile *p, const struct file_user *users, size_t nr,
		   size_t nr_waiting, struct busy *busy);
