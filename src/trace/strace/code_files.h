/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of code that strace names in stacks: strace tells places in the file, and code is named
 * by the file's own addresses and its build id.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

struct strace_code_files;
struct strace_code_file;

/* NULL: no memory. */
struct strace_code_files *strace_code_files__new(void);
void strace_code_files__free(struct strace_code_files *f);

/*
 * Returns the file of a path that task tid has mapped, as it sees it, or if it has ended, as we do.
 * NULL: no memory.
 */
const struct strace_code_file *strace_code_files__get(struct strace_code_files *f, const char *path,
						      pid_t tid);

/* Returns the address of a place in the file; the place itself if that is in no code of it. */
uint64_t strace_code_file_address(const struct strace_code_file *file, uint64_t offset);

/* The build id in hexadecimal digits; NULL: it has none, or could not be read. */
const char *strace_code_file_build_id(const struct strace_code_file *file);
