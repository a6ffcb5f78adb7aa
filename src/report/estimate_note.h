/* SPDX-License-Identifier: GPL-2.0 */
/* What people must know of times that are estimated. */
#pragma once

#include <stddef.h>

#include "model/profile.h"

/* "one call in 64 was timed, ...", in buf; NULL: every call was timed. */
const char *estimate_note(char *buf, size_t size, const struct profile *p);
