/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

/*
 * Finds a command as execvp(3) does: in PATH if its name holds no slash. Returns 0 with the path in
 * *path (free() it), which always holds a slash; or -ENOENT (nothing of that name), -EACCES (found,
 * but not an executable file), -ENOMEM; for a name with a slash also what else is wrong with the
 * path (-ENOTDIR, -ELOOP). A file that is not executable does not hide an executable one later in
 * PATH.
 */
int find_command(const char *name, char **path);

/* Checks that a file can be executed. 0 or -errno; -EACCES also for what is no regular file. */
int check_executable(const char *path);
