// SPDX-License-Identifier: GPL-2.0
#include "trace/collector.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"

void collector_lose(struct collector *c, enum feature feature, const char *why)
{
	free(c->lost[feature]);
	c->lost[feature] = strdup(why);
}

const char *feature_without(enum feature feature)
{
	static const char *const without[NR_FEATURES] = {
		[FEATURE_FILES] = "which files the calls use is not known",
		[FEATURE_NAMES] =
			"files have the names under which they were first seen, even if they were renamed",
		[FEATURE_ROOT] =
			"paths begin at the top of the mount namespace, not at iotrace's root",
		[FEATURE_IN_FLIGHT] = "the calls that tasks are in at the end are not known",
		[FEATURE_CPU] = "the CPU time of calls is not known",
		[FEATURE_STACKS] = "which lines of code calls come from is not known",
		[FEATURE_EVERY_CALL] = "calls may be missed, which are reported as lost",
	};

	return without[feature];
}

bool feature_of_files(enum feature feature)
{
	return feature == FEATURE_NAMES || feature == FEATURE_ROOT;
}

/*
 * Without files, it does not matter what else of them is missing. Lines of code are an extra, which
 * iotrace doctor says all about, unless they were asked for.
 */
void collector__note_losses(const struct collector *c, const struct trace_options *o)
{
	for (size_t i = 0; i < NR_FEATURES; i++)
		if (c->lost[i] && (i != FEATURE_STACKS || o->all_stacks) &&
		    !(c->lost[FEATURE_FILES] && feature_of_files(i)))
			message_note("%s: %s", feature_without(i), c->lost[i]);
}

void collector__close(struct collector *c)
{
	if (c->ops)
		c->ops->close(c);
	c->ops = NULL;
	for (size_t i = 0; i < NR_FEATURES; i++) {
		free(c->lost[i]);
		c->lost[i] = NULL;
	}
}
