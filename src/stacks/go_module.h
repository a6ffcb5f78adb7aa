/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the code of a Go program lies, and what its runtime knows of the functions: from the
 * structure by which the runtime finds both (struct moduledata in src/runtime/symtab.go of Go),
 * which has no name in a stripped program.
 */
#pragma once

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The table of functions and lines (.gopclntab), by the file's own addresses. */
struct go_table {
	uint64_t address, size;
	uint64_t names;	    /* Offset of the functions' names. */
	bool is_of_go_1_18; /* It is of Go 1.18 or 1.19. */
};

struct go_module {
	uint64_t text;	     /* Where the Go code begins. */
	const uint8_t *data; /* What is known of the functions. It is libelf's. NULL: not found. */
	size_t data_size;
};

/* Finds the structure of the program that has the table. False: it is not there. */
bool go_module_find(Elf *elf, const struct go_table *table, struct go_module *module);
