/* SPDX-License-Identifier: GPL-2.0 */
/* What iotrace itself has to say, on stderr, each line beginning with "iotrace: ". */
#ifndef IOTRACE_MESSAGE_H
#define IOTRACE_MESSAGE_H

/* "iotrace: error: ..." and "iotrace: note: ...", a newline added. Arguments must be escaped already. */
void message_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
