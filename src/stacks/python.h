/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frames of CPython 3.9 to 3.14: where a process keeps them, and what an address of its code
 * is called. 3.13 and later say themselves where their members are (_Py_DebugOffsets of
 * Include/internal/pycore_debug_offsets.h); those of earlier ones are in a table, by
 * offsetof() with their own headers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/iotrace.h"
#include "stacks/space.h"

/* Returns the minor version in a path of an interpreter, which ends in "python3.11". 0: it is none. */
unsigned python_version(const char *path);

/* Offsets of members in bytes, except the first three. */
struct python_layout {
	unsigned minor;	  /* 9: Python 3.9. */
	uint64_t runtime; /* Address of _PyRuntime in the process. */
	/* The code of the interpreter itself, which frames of Python take the place of. */
	uint64_t loop_start, loop_end;
	uint32_t interpreters_head;	 /* In _PyRuntime. */
	uint32_t threads_head;		 /* In an interpreter's state. */
	uint32_t next, thread_id, frame; /* In a thread's state. */
	uint32_t indirect; /* "frame" points to a pointer here, less one. 0: it is the frame. */
	uint32_t previous, code, instruction;		 /* In a frame. */
	uint32_t filename, name, line_table, first_line; /* In a code object. */
	uint32_t instructions; /* In a code object: where they begin. 0: frames have an index. */
	uint32_t ascii_size, compact_size; /* Sizes of the heads of two kinds of text. */
};

/*
 * Finds the interpreter of a process. Returns false if it has none, or none of these versions. It
 * opens files, and reads the process's memory.
 */
bool python_find(struct python_layout *l, const struct space *space, struct objects *objects);

/* A place in Python code. Its texts are untrusted. */
struct python_place {
	unsigned instance;	     /* Of the process. */
	uint64_t code, contents, at; /* As a frame has them. */
	char *function, *file; /* NULL: the interpreter's own frame, which stands for nothing. */
	unsigned line;
};

struct python_places {
	struct python_place *list;
	size_t nr;
};

/*
 * Returns the index of a place, whose names are read from the process if they are not known yet.
 * SIZE_MAX: it is none, cannot be read, or another object is there by now. A pid may be used again;
 * an instance is one process.
 */
size_t python_places__find(struct python_places *places, unsigned instance, pid_t pid,
			   const struct python_layout *l, const struct iotrace_python_frame *frame);
void python_places__free(struct python_places *places);

/*
 * Returns the line of an instruction by a code object's table, which is untrusted; offset is in
 * bytes. 0: it has none.
 */
unsigned python_line(unsigned minor, const uint8_t *table, size_t size, unsigned first_line,
		     uint64_t offset);
