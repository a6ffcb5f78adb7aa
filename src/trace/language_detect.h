/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include "model/language.h"
#include "model/profile.h"

/*
 * The language that a program is written in, by its executable: its name if it is an interpreter,
 * or else what its ELF file says. LANGUAGE_UNKNOWN if it cannot be read or says nothing.
 */
enum language language_of_executable(const char *path);

/*
 * Finds the language of each program of a profile whose executable is known, or which is still
 * running.
 */
void detect_languages(struct profile *p);
