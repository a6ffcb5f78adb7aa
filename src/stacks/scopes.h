/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of debug information that have an address, and those that a function is declared in. */
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stddef.h>

#include "stacks/object.h"

#define SCOPES_MAX 32

struct scopes {
	Dwarf_Die list[SCOPES_MAX]; /* From the outside inwards. */
	size_t nr;
};

/*
 * Returns the compile unit of an address, which is in it less the bias. NULL: there is none.
 */
Dwarf_Die *scopes_unit(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias);

/*
 * Returns the unit that has the functions of another one: that itself or, if the compiler has left
 * them in a file of their own and that can be read, the one there, in *split.
 */
Dwarf_Die *scopes_whole_unit(struct object *o, Dwfl_Module *module, Dwarf_Die *unit,
			     Dwarf_Die *split);

/*
 * Finds the functions at an address: the one that has the code, and those inlined there. There are
 * none if it took too long to look for them.
 */
void scopes_find(struct object *o, Dwarf_Die *unit, Dwarf_Addr address, struct scopes *scopes);

/* Finds what a function is declared in: namespaces, classes and functions. */
void scopes_around(Dwarf_Die *function, struct scopes *scopes);
