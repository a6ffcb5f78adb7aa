/* SPDX-License-Identifier: GPL-2.0 */
/* The paths of -P, as strace's log has them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct strace_path_filter;

/* NULL: no memory. */
struct strace_path_filter *strace_path_filter__new(const char *const *paths, size_t nr);
void strace_path_filter__free(struct strace_path_filter *only);

/*
 * Is a path of this length one of them or below one, without symbolic links? Such is the path of a
 * descriptor.
 */
bool strace_path_filter__have(const struct strace_path_filter *only, const char *path, size_t len);

/* Is the path of a call that failed one of them or below one? Both are as they were given. */
bool strace_path_filter__name(const struct strace_path_filter *only, const char *path);
