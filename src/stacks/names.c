// SPDX-License-Identifier: GPL-2.0
#include "stacks/names.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stacks/debug_files.h"
#include "stacks/demangle.h"
#include "stacks/go_lines.h"
#include "stacks/scopes.h"

#define MAX_NAMES 32

/* So many functions are told that are declared in each other; a hostile file may have more. */
#define MAX_FUNCTIONS 4

static bool may_be_read(const struct object *o, Dwfl_Module *module)
{
	Dwarf_Addr bias;
	Dwarf *dwarf = o->symbols_suffice ? NULL : dwfl_module_getdwarf(module, &bias);

	return dwarf && debug_file_may_share(dwarf, o->path);
}

/* ---- their names ---- */

static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute value;

	return dwarf_formstring(dwarf_attr_integrate(die, attribute, &value));
}

static bool is_cxx(Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

/* Returns the name that the linker knows a function by, to be freed. NULL: it has none. */
static char *linkage_name(Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);

	if (!name)
		name = text_of(die, DW_AT_MIPS_linkage_name);
	return name ? demangled(name) : NULL;
}

/* A generic lambda's has its types behind it. */
#define CALL "operator()"

#define UNNAMED_TYPE "{unnamed type}"

/* Writes what stands before a name that is in a namespace or a type, as the demangler has it. */
static void write_scope(FILE *out, Dwarf_Die *scope, const char *name)
{
	const char *own = dwarf_diename(scope);

	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
		fprintf(out, "%s::", own ? own : "(anonymous namespace)");
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		if (!own)
			own = strncmp(name, CALL, strlen(CALL)) ? UNNAMED_TYPE : "{lambda}";
		fprintf(out, "%s::", own);
	}
}

/* Writes what stands before a function's name. That of one that it is declared in has the rest. */
static void write_scopes(FILE *out, Dwarf_Die *function, const char *name, int depth)
{
	struct scopes around;
	size_t first;

	scopes_around(function, &around);
	for (first = around.nr; first; first--)
		if (dwarf_tag(&around.list[first - 1]) == DW_TAG_subprogram)
			break;
	if (first) {
		Dwarf_Die *outer = &around.list[first - 1];
		char *linkage = linkage_name(outer);
		const char *own = linkage ? linkage : dwarf_diename(outer);

		if (own && !linkage && depth < MAX_FUNCTIONS)
			write_scopes(out, outer, own, depth + 1);
		if (own)
			fprintf(out, "%s::", own);
		free(linkage);
	}
	for (size_t i = first; i < around.nr; i++)
		write_scope(out, &around.list[i], name);
}

/*
 * Returns the name of a C++ function with its scopes, to be freed: gcc gives no name for the linker
 * to one that no other file can call and that has no code of its own. NULL without memory.
 */
static char *scoped_name(Dwarf_Die *function, const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	write_scopes(out, function, name, 0);
	fputs(name, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* Returns a name to be freed, NULL if there is none. */
static char *function_name(Dwarf_Die *die)
{
	char *linkage = linkage_name(die);
	const char *name = linkage ? NULL : dwarf_diename(die);

	if (linkage || !name)
		return linkage;
	return is_cxx(die) ? scoped_name(die, name) : strdup(name);
}

static unsigned number_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute value;
	Dwarf_Word number;

	if (dwarf_formudata(dwarf_attr(die, attribute, &value), &number))
		return 0;
	return (unsigned)number;
}

/* Returns the path of the file that a function was inlined in, to be freed. */
static char *call_file(Dwarf_Die *unit, Dwarf_Die *inlined)
{
	unsigned nr = number_of(inlined, DW_AT_call_file);
	Dwarf_Files *files;
	const char *path;
	size_t nr_files;

	if (dwarf_getsrcfiles(unit, &files, &nr_files) || nr >= nr_files)
		return NULL;
	path = dwarf_filesrc(files, nr, NULL, NULL);
	/* The first file is number 1, for which elfutils has "???" at 0, or 0 since DWARF 5. */
	return path && strcmp(path, "???") != 0 ? strdup(path) : NULL;
}

static void set_line(struct name *name, Dwarf_Die *unit, Dwarf_Addr address)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	const char *path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	int nr = 0;

	if (!path)
		return;
	dwarf_lineno(line, &nr);
	name->file = strdup(path);
	name->line = nr > 0 ? (unsigned)nr : 0;
}

/* Names all functions at an address from the debug information. Returns their number. */
static size_t names_of_unit(struct object *o, Dwfl_Module *module, Dwarf_Addr address,
			    struct name **names)
{
	struct scopes scopes = { .nr = 0 };
	Dwarf_Addr bias;
	Dwarf_Die *unit = scopes_unit(module, address, &bias);
	struct name *list;
	Dwarf_Die split;

	if (!unit)
		return 0;
	scopes_find(o, scopes_whole_unit(o, module, unit, &split), address - bias, &scopes);
	list = calloc(scopes.nr + 1, sizeof(*list));
	if (!list)
		return 0;
	set_line(&list[0], unit, address - bias);
	for (size_t i = 0; i < scopes.nr; i++) {
		Dwarf_Die *die = &scopes.list[scopes.nr - 1 - i];

		list[i].function = function_name(die);
		if (i + 1 == scopes.nr)
			break;
		list[i].inlined = true;
		list[i + 1].file = call_file(unit, die);
		list[i + 1].line = number_of(die, DW_AT_call_line);
	}
	*names = list;
	return scopes.nr ? scopes.nr : list[0].file ? 1 : 0;
}

/* Names the function that has the address by the symbols of the file. */
static char *symbol_name(Dwfl_Module *module, Dwarf_Addr address)
{
	GElf_Off offset;
	GElf_Sym symbol;
	const char *name =
		dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);

	return name && *name ? demangled(name) : NULL;
}

/*
 * Names a function by its symbol if the debug information has no name for it, or one without its
 * scope, as of a function that no other file can call.
 */
static void use_symbol(struct name *name, Dwfl_Module *module, Dwarf_Addr address)
{
	bool whole = name->function && strstr(name->function, "::") &&
		     !strstr(name->function, UNNAMED_TYPE);
	char *symbol = whole ? NULL : symbol_name(module, address);

	if (symbol && (!name->function || strstr(symbol, "::"))) {
		free(name->function);
		name->function = symbol;
	} else {
		free(symbol);
	}
}

/* Names the functions of a Go program without debug information. Returns their number. */
static size_t names_of_go(struct object *o, uint64_t address, struct name **names)
{
	const struct go_lines *go = object_go(o);
	struct go_place places[MAX_NAMES];
	size_t nr = go ? go_lines__find(go, address - o->base, places, MAX_NAMES) : 0;

	*names = nr ? calloc(nr, sizeof(**names)) : NULL;
	if (!*names)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		struct name *name = &(*names)[i];

		name->function = places[i].function ? strdup(places[i].function) : NULL;
		name->file = places[i].file ? strdup(places[i].file) : NULL;
		name->line = places[i].line;
		name->inlined = i + 1 < nr;
	}
	return nr;
}

size_t names_find(struct objects *objects, const struct object *object, uint64_t address,
		  struct name **names)
{
	Dwfl_Module *module = objects__module(objects, (struct object *)object);
	size_t nr;

	*names = NULL;
	if (!module || !object_is_unchanged(object))
		return 0;
	nr = may_be_read(object, module)
		     ? names_of_unit((struct object *)object, module, address, names)
		     : 0;
	if (!nr) {
		free(*names);
		*names = NULL;
		nr = names_of_go((struct object *)object, address, names);
	}
	if (!nr) {
		*names = calloc(1, sizeof(**names));
		nr = *names ? 1 : 0;
	}
	if (nr)
		use_symbol(&(*names)[nr - 1], module, address);
	if (nr == 1 && !(*names)[0].function && !(*names)[0].file) {
		names_free(*names, nr);
		*names = NULL;
		return 0;
	}
	return nr;
}

void names_free(struct name *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(names[i].function);
		free(names[i].file);
	}
	free(names);
}
