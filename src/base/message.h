/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of iotrace itself, on stderr, each with "iotrace: " in front. */
#pragma once

#include <stddef.h>

/*
 * These print a line that begins with "iotrace: error: " or "iotrace: note: ". Arguments must be
 * escaped already.
 */
#define message_error(...) message_say("error", __VA_ARGS__)
#define message_note(...)  message_say("note", __VA_ARGS__)
void message_say(const char *kind, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints an error, in any thread, without waiting: it is dropped if stderr has no room for it. */
void message_urgent(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * Keeps the text of the first message in buf until the next call, and prints none. NULL: messages
 * are printed again.
 */
void message_divert(char *buf, size_t size);
