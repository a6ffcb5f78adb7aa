/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Separate files with the debug information of another one. A program says itself where its own
 * are, in .gnu_debuglink, .gnu_debugaltlink and DW_AT_dwo_name, and may lead to a FIFO or a device:
 * only regular files are opened, and only those that are shown to belong to the program are
 * returned.
 */
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens a regular file for reading. Returns its descriptor, -1 if it is none or cannot be read. */
int open_regular(const char *path);

/*
 * Finds the debug information of a module, of the file "object", for the callback of libdwfl, whose
 * arguments the last three are. Returns a descriptor and the path, to be freed; -1: there is none.
 */
int debug_file_find(Dwfl_Module *module, const char *object, const char *link, uint32_t crc,
		    char **path);

/*
 * May what the debug information of "object" shares with that of others (dwz) be looked for? libdw
 * does so itself, by the name in .gnu_debugaltlink, and would wait for whoever writes to a FIFO.
 */
bool debug_file_may_share(Dwarf *dwarf, const char *object);

/*
 * May the rest of a unit be looked for, which the compiler has left in a file of its own
 * (-gsplit-dwarf)? libdw does so itself: beside the file that has the unit, which fd is if the
 * module has no other with its debug information, and where it was compiled.
 */
bool debug_file_may_split(Dwfl_Module *module, int fd, Dwarf_Die *unit);
