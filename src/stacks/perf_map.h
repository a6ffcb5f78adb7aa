/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of code that a program has made itself, by the files that such programs write for perf:
 * /tmp/perf-PID.map, with a line "START SIZE NAME" for each function, in hexadecimal digits
 * (tools/perf/Documentation/jit-interface.txt).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A function of a process. */
struct made_function {
	pid_t pid;
	uint64_t start, end;
	char *name; /* Untrusted. */
};

struct perf_maps;

/* NULL without memory. */
struct perf_maps *perf_maps__new(void);
void perf_maps__free(struct perf_maps *m);

/*
 * Returns the number of the function that has an address of a process, whose file is read again if
 * it has grown. SIZE_MAX: none is known.
 */
size_t perf_maps__find(struct perf_maps *m, pid_t pid, uint64_t address);
/* The process has ended, or executes another program. Functions that were found stay. */
void perf_maps__forget(struct perf_maps *m, pid_t pid);
/*
 * Splits the name that V8 gives a function ("JS:*name path:line:column", also LazyCompile and
 * Function). Returns the length of the name at *function, and fills in path and line, where the
 * function begins; 0: it is no such name.
 */
size_t perf_map_split(const char *made, const char **function, const char **path, size_t *path_len,
		      unsigned *line);
/* Returns a function by this number. */
const struct made_function *perf_maps__get(const struct perf_maps *m, size_t index);
