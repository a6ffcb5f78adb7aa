/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the files of a capture back. Its findings are not read: they follow from the files. */
#pragma once

#include "model/profile.h"
#include "report/json_reader.h"

/* After the syscalls. Sets UNKNOWN_FILES where there are none. */
void capture_read_files(struct profile *p, const struct json_node *root);
