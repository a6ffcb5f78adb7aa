/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

/*
 * Follows the symbolic links that a path's last name may be, to where a file is or would be made.
 * Returns that path, to be freed; NULL with errno: ELOOP for links without an end.
 */
char *link_end(const char *path);

/* Removes slashes from the end of a path, but for that of the root. */
void cut_slashes(char *path);
