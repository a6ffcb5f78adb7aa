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
	NR_LANGUAGES,
};

/* "C++", ...; "" of LANGUAGE_UNKNOWN. */
const char *language_name(enum language l);
/* The language of a name; NR_LANGUAGES: there is none. */
enum language language_parse(const char *name);

/*
 * The language that an interpreter executes, by the name of its executable ("python3.11") or of its
 * library ("libjvm.so"); NR_LANGUAGES: it is no interpreter.
 */
enum language language_of_interpreter(const char *name);

enum stream_kind {
	STREAM_BYTES,
	STREAM_TEXT,   /* lines */
	STREAM_STDOUT, /* standard output as it is by default */
	NR_STREAMS,
};

/* Bytes per call of the language's own buffered output, and input. */
uint64_t language_output_buffer(enum language l, enum stream_kind stream);
uint64_t language_input_buffer(enum language l);

/*
 * User time that goes away with a write, a read, an opening, as a multiple of the lightest call.
 * Around other calls, it is that of AROUND_LIGHT in all languages.
 */
struct range language_around_write(enum language l, bool line);
struct range language_around_read(enum language l);
struct range language_around_opening(enum language l);
#define AROUND_LIGHT ((struct range){ 0, 0.5 })
