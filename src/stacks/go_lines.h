/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions and lines of a Go program, from the table that its runtime prints stacks by
 * (.gopclntab), which stays in it when it is stripped. Of Go 1.18 and later (src/runtime/symtab.go
 * and runtime2.go there; their layout has no other description).
 */
#pragma once

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

struct go_lines;

/*
 * Returns the table of a file, to be freed by go_lines__free(), which is of use until elf_end().
 * NULL: it has none that can be read, or there is no memory.
 */
struct go_lines *go_lines__open(Elf *elf);
void go_lines__free(struct go_lines *g);

/*
 * Finds how far above the stack pointer the address of a function's caller is, at an address in it.
 * False: it is in no function, or that is not known.
 */
bool go_lines__frame_size(const struct go_lines *g, uint64_t address, uint64_t *size);

/* Untrusted texts of the table. NULL: not known, or the table lies. */
struct go_place {
	const char *function, *file;
	unsigned line; /* 0: not known. */
};

/*
 * Finds the functions at an address, by the file's own addresses: those that are inlined there,
 * innermost first, and the one that has the code. Returns their number, max at most; 0: there is
 * none.
 */
size_t go_lines__find(const struct go_lines *g, uint64_t address, struct go_place *places,
		      size_t max);
