/* SPDX-License-Identifier: GPL-2.0 */
/* The names of code: function, file and line of an address in the layout of the objects. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stacks/object.h"

/* A function at an address. Those that were inlined come before it. Texts are untrusted. */
struct name {
	char *function; /* Without its parameters. NULL: not known. */
	char *file;	/* Path of the source as the compiler saw it. NULL: not known. */
	unsigned line;	/* 0: not known. */
	bool inlined;	/* It was inlined into the next one. */
};

/*
 * Finds the names of an address, innermost first. Returns their number, with *names to be freed by
 * names_free(). 0: nothing is known, or there is no memory.
 */
size_t names_find(struct objects *objects, const struct object *object, uint64_t address,
		  struct name **names);
void names_free(struct name *names, size_t nr);
