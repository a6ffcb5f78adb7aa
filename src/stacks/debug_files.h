/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Separate files with the debug information of another one. A program says itself where its own
 * are, in .gnu_debuglink and .gnu_debugaltlink, and may lead to a FIFO or a device: only regular
 * files are opened, and only those that are shown to belong to the program are returned.
 */
#pragma once

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens a regular file for reading. Returns its descriptor, -1 if it is none or cannot be read. */
int open_regular(const char *path);

/*
 * Finds what a callback of libdwfl is asked for, whose arguments the last four are: with a file,
 * the module's debug information; without one but with a link, what it shares with others. object
 * is the file that the module is of. Returns a descriptor and the path, to be freed; -1: there is
 * none.
 */
int debug_file_find(Dwfl_Module *module, const char *object, const char *file, const char *link,
		    uint32_t crc, char **path);
