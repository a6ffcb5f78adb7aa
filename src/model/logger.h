/* SPDX-License-Identifier: GPL-2.0 */
/* Libraries that write log records, with settings of their own for how they flush them. */
#pragma once

enum logger {
	LOGGER_NONE,
	LOGGER_SPDLOG,
	LOGGER_LOGBACK,
	LOGGER_LOG4J,
	NR_LOGGERS,
};

struct logger_traits {
	const char *name;	  /* The name in every format. */
	const char *lines_advice; /* What to do where it flushes each record. */
	const char *library;	  /* The beginning of its file's name. */
	const char *type;	  /* A part of its types' names in programs. NULL: there is none. */
};
extern const struct logger_traits loggers[NR_LOGGERS];

/* Returns the logger of a name. NR_LOGGERS: there is none. */
enum logger logger_parse(const char *name);
/* Returns the logger whose library is at this path. LOGGER_NONE: it is none's. */
enum logger logger_of_path(const char *path);
