/* SPDX-License-Identifier: GPL-2.0 */
/* Whose code a frame is: the user's own, or that of a language's runtime or of the system. */
#pragma once

#include "model/sites.h"

enum code_owner {
	CODE_RUNTIME, /* A library of the system or a language, or inlined from its headers. */
	CODE_UNNAMED, /* It may be the user's own, but no line is known. */
	CODE_LIBRARY, /* A module of the interpreter's own library, with its line. */
	CODE_OWN,
};

/* What stands for the file of code that a program has made itself. */
#define MADE_CODE "[jit]"

/* Is the file, by its path, a library of the system or of a language? */
bool code_is_runtime(const char *object);

/*
 * A program that executes others, whose own functions stand for none of theirs. hint says why they
 * are not known, or how they would be; NULL: they cannot be.
 */
struct interpreter {
	const char *object; /* Name of the file, behind which there may be a version. */
	const char *name, *hint;
};

/* Returns the interpreter that the frame is of. NULL: it is of none. */
const struct interpreter *code_interpreter(const struct code_frame *f);

enum code_owner code_owner(const struct code_frame *f);
