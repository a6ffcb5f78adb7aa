/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of iotrace itself, on stderr, each with "iotrace: " in front. */
#ifndef IOTRACE_MESSAGE_H
#define IOTRACE_MESSAGE_H

/* "iotrace: error: ..." and "iotrace: note: ...", a newline added. Arguments must be escaped already. */
void message_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#endif
