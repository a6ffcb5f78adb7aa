// SPDX-License-Identifier: GPL-2.0
#include "model/logger.h"

#include <string.h>

#include "base/text.h"

/* clang-format off */
const struct logger_traits loggers[NR_LOGGERS] = {
	[LOGGER_NONE] = { "", NULL, NULL, NULL },
	[LOGGER_SPDLOG] = { "spdlog", "Call flush_on() of spdlog only for the levels that must not be lost, and spdlog::flush_every(std::chrono::seconds(1)) for the rest.", "libspdlog.so", "N6spdlog" },
	[LOGGER_LOGBACK] = { "Logback", "Give the appender <immediateFlush>false</immediateFlush>, and stop the context at the end.", "logback-core", NULL },
	[LOGGER_LOG4J] = { "Log4j 2", "Give the appender immediateFlush=\"false\".", "log4j-core", NULL },
};
/* clang-format on */

enum logger logger_parse(const char *name)
{
	int l = LOGGER_NONE + 1;

	while (l < NR_LOGGERS && strcmp(loggers[l].name, name) != 0)
		l++;
	return (enum logger)l;
}

enum logger logger_of_path(const char *path)
{
	const char *name = base_name(path);

	for (int l = LOGGER_NONE + 1; l < NR_LOGGERS; l++)
		if (!strncmp(name, loggers[l].library, strlen(loggers[l].library)))
			return (enum logger)l;
	return LOGGER_NONE;
}
