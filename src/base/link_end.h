/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

/*
 * The path at the end of the symbolic links that a path's last name may be, whether or not there is
 * a file: where one would be made. To be freed; NULL with errno, ELOOP without an end.
 */
char *link_end(const char *path);

/* Removes slashes from the end of a path, but for that of the root. */
void cut_slashes(char *path);
