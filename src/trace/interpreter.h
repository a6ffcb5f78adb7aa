/* SPDX-License-Identifier: GPL-2.0 */
/* Explains an execve(2) that fails because of the interpreter that the file names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The interpreter of a script ("#!") or the loader of an ELF program keeps the file at path from
 * being executed: which one, and what is wrong with it. Returns false if it is not that.
 */
bool interpreter_explain(char *why, size_t size, const char *path);
