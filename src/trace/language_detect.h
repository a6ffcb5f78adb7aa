/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include "model/language.h"
#include "model/profile.h"

/*
 * The language that a program is written in, by its executable: its name if it is an interpreter,
 * or else what its ELF file says. LANGUAGE_UNKNOWN if it cannot be read or says nothing. The
 * logger is one that is linked into it. The program's own name, comm, counts if the executable is
 * many programs.
 */
enum language language_of_executable(const char *path, const char *comm, enum logger *logger);

/*
 * Finds the language and the logger of each program of a profile whose executable is known, or
 * which is still running.
 */
void detect_languages(struct profile *p);
