/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

/*
 * Finds a command as execvp(3) would: in PATH if its name holds no slash. 0 with the path in *path
 * (free() it), which always holds a slash; or -ENOENT (nothing of that name), -EACCES (found, but
 * not an executable file), -ENOMEM; for a name with a slash also what else is wrong with the path
 * (-ENOTDIR, -ELOOP, ...). A file that is there but not executable does not hide an executable one
 * later in PATH.
 */
int find_command(const char *name, char **path);

/* Is this an executable file? 0 or -errno; -EACCES also of what is no regular file. */
int check_executable(const char *path);
