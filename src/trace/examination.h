/* SPDX-License-Identifier: GPL-2.0 */
/* The lines in which a backend says what it needs, and whether it is there. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Says whether the backend can be used. */
void examination_begin(FILE *out, const char *backend, bool usable);

/* Says that something is there, or what to do because it is missing. */
void examination_say(FILE *out, bool ok, const char *what, const char *advice);

/*
 * Says whether something worked when it was tried. without is what is lost otherwise, "" if
 * everything is. why says why it did not work, "" if it did; it may be anybody's text.
 */
void examination_tried(FILE *out, const char *what, const char *without, const char *why);

/* Says what works in part only. */
void examination_limited(FILE *out, const char *how);
