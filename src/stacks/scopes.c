// SPDX-License-Identifier: GPL-2.0
#include "stacks/scopes.h"

#include <dwarf.h>

#include "stacks/debug_files.h"

/*
 * No program nests more deeply than that, but a hostile file may; and what it says of siblings may
 * have the same part looked through again and again. So many are looked at in one search, and for
 * one file in all: a report must not take minutes.
 */
#define MAX_DEPTH	64
#define MAX_DIES	(1U << 22)
#define MAX_DIES_OF_ALL (1U << 25)

/* ---- units ---- */

/*
 * libdwfl looks into .debug_aranges, which clang and Go do not write: it finds none then, or one
 * nearby that somebody else has written it of.
 */
Dwarf_Die *scopes_unit(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);

	if (unit && dwarf_haspc(unit, address - *bias) == 1)
		return unit;
	unit = NULL;
	while ((unit = dwfl_module_nextcu(module, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) == 1)
			return unit;
	return NULL;
}

Dwarf_Die *scopes_whole_unit(struct object *o, Dwfl_Module *module, Dwarf_Die *unit,
			     Dwarf_Die *split)
{
	uint8_t type;

	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton)
		return unit;
	if (!debug_file_may_split(module, o->fd, unit) ||
	    dwarf_cu_info(unit->cu, NULL, NULL, NULL, split, NULL, NULL, NULL) || !split->addr) {
		o->lacks_split = true;
		return unit;
	}
	return split;
}

/* ---- what has an address ---- */

/* A search for what has an address. */
struct search {
	Dwarf_Addr address;
	struct scopes *scopes;
	uint64_t dies; /* So many were looked at. */
	/* gcc has functions of classes and lambdas in the function that these are declared in. */
	bool in_functions;
};

static bool is_type_or_namespace(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_catch_block || tag == DW_TAG_try_block;
}

static bool find_scopes(Dwarf_Die *parent, struct search *s, int depth);

/* Notes the DIE if it is a function at the address, and what is in it. Returns whether any is. */
static bool try_scope(Dwarf_Die *die, struct search *s, int depth)
{
	int tag = dwarf_tag(die);
	bool function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;

	if (is_type_or_namespace(tag))
		return find_scopes(die, s, depth);
	if (!function && !is_block(tag))
		return false;
	if (dwarf_haspc(die, s->address) != 1)
		return s->in_functions && find_scopes(die, s, depth);
	if (function && s->scopes->nr < SCOPES_MAX)
		s->scopes->list[s->scopes->nr++] = *die;
	/* Go has blocks at the address of a function that is inlined beside them. */
	return find_scopes(die, s, depth) || function;
}

static bool find_scopes(Dwarf_Die *parent, struct search *s, int depth)
{
	Dwarf_Die die;

	if (depth == MAX_DEPTH || dwarf_child(parent, &die))
		return false;
	do {
		if (try_scope(&die, s, depth + 1))
			return true;
	} while (++s->dies < MAX_DIES && !dwarf_siblingof(&die, &die));
	return false;
}

void scopes_find(struct object *o, Dwarf_Die *unit, Dwarf_Addr address, struct scopes *scopes)
{
	struct search s = { .address = address, .scopes = scopes };

	scopes->nr = 0;
	if (o->dies >= MAX_DIES_OF_ALL)
		return;
	if (!find_scopes(unit, &s, 0)) {
		/* That reads all of the unit. */
		s.in_functions = true;
		find_scopes(unit, &s, 0);
	}
	o->dies += s.dies;
}

/* ---- what a declaration is in ---- */

static bool follow(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute value;

	return dwarf_formref_die(dwarf_attr(die, attribute, &value), die) != NULL;
}

/* Turns the DIE of a function's code into that of its declaration. */
static void find_declaration(Dwarf_Die *die)
{
	for (int i = 0; i < MAX_DEPTH; i++)
		if (!follow(die, DW_AT_abstract_origin) && !follow(die, DW_AT_specification))
			return;
}

/*
 * Finds the child that is at an offset or has what is there. Those of a DIE follow each other in
 * the file.
 */
static bool child_at(Dwarf_Die *parent, Dwarf_Off offset, Dwarf_Die *child)
{
	Dwarf_Die next;

	if (dwarf_child(parent, child))
		return false;
	for (; !dwarf_siblingof(child, &next); *child = next)
		if (dwarf_dieoffset(&next) > offset)
			break;
	return dwarf_dieoffset(child) <= offset;
}

void scopes_around(Dwarf_Die *function, struct scopes *scopes)
{
	Dwarf_Die declaration = *function, parent, child;
	Dwarf_Off offset;

	scopes->nr = 0;
	find_declaration(&declaration);
	offset = dwarf_dieoffset(&declaration);
	if (!dwarf_diecu(&declaration, &parent, NULL, NULL))
		return;
	while (scopes->nr < SCOPES_MAX && child_at(&parent, offset, &child) &&
	       dwarf_dieoffset(&child) != offset) {
		scopes->list[scopes->nr++] = child;
		parent = child;
	}
}
