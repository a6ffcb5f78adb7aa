/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include "model/profile.h"

/* Finds how large the files are that were read much, as they are now. */
void file_sizes_find(struct profile *p);
