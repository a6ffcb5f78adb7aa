/* SPDX-License-Identifier: GPL-2.0 */
/* Which package has the debug information of a file. */
#pragma once

/*
 * Returns the name of the package, to be freed, as far as the system's package manager keeps a
 * list of each package's files that can be read without it, as dpkg does. NULL: it is not known.
 */
char *debug_package_of(const char *path);
