/* SPDX-License-Identifier: GPL-2.0 */
/* The languages of programs. Their libraries' buffers decide how many calls a fix leaves. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/range.h"

enum language {
	LANGUAGE_UNKNOWN,
	LANGUAGE_C,
	LANGUAGE_CPP,
	LANGUAGE_PYTHON,
	LANGUAGE_JAVA,
	LANGUAGE_GO,
	LANGUAGE_RUST,
	LANGUAGE_NODE,
	LANGUAGE_SHELL,
	LANGUAGE_PERL,
	LANGUAGE_RUBY,
	LANGUAGE_TCL,
	LANGUAGE_AWK,
	LANGUAGE_PHP,
	LANGUAGE_LUA,
	LANGUAGE_OCAML,
	NR_LANGUAGES,
};

/* Returns the language of a name. NR_LANGUAGES: there is none. */
enum language language_parse(const char *name);

/*
 * Returns the language that an interpreter executes, by the name of its executable ("python3.11")
 * or of its library ("libjvm.so"); LANGUAGE_UNKNOWN if there is no advice for that language, but C's
 * would be wrong. NR_LANGUAGES: it is no interpreter.
 */
enum language language_of_interpreter(const char *name);

/*
 * Does an interpreter execute it? Then a call takes work of the interpreter's own, which is far
 * more than that of compiled code.
 */
bool language_is_interpreted(enum language language);

enum stream_kind {
	STREAM_BYTES,
	STREAM_TEXT,   /* Lines. */
	STREAM_STDOUT, /* Standard output as it is by default. */
	NR_STREAMS,
};

struct language_buffers {
	const char *name; /* "C++", or "" of LANGUAGE_UNKNOWN. */
	/* Bytes per call of the language's own buffered output, and input. */
	uint64_t output[NR_STREAMS], input;
};
extern const struct language_buffers languages[NR_LANGUAGES];

/*
 * User time that goes away with the write of a flushed line, with another write, a read and an
 * opening, as a multiple of the lightest call. Around other calls, it is that of AROUND_LIGHT.
 */
struct work_around {
	struct range line, piece, read, opening;
};
extern const struct work_around work_around[NR_LANGUAGES];
/* How long a process takes to start and end, at least, as a multiple of a shell. */
extern const double language_starts[NR_LANGUAGES];
#define AROUND_LIGHT ((struct range){ 0, 0.5 })
