/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of iotrace itself, on stderr, each with "iotrace: " in front. */
#pragma once

#include <stddef.h>

/*
 * "iotrace: error: ..." and "iotrace: note: ...", a newline added. Arguments must be escaped
 * already.
 */
#define message_error(...) message_say("error", __VA_ARGS__)
#define message_note(...)  message_say("note", __VA_ARGS__)
void message_say(const char *kind, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* An error from any thread, which never waits: it is dropped if stderr has no room for it. */
void message_urgent(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/*
 * Until the next call, keeps the text of the first message in buf and prints none; NULL: messages
 * are printed again.
 */
void message_divert(char *buf, size_t size);
