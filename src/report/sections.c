// SPDX-License-Identifier: GPL-2.0
#include "report/sections.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct section_name report_sections[] = {
	{ "run", SECTION_RUN },		  { "summary", SECTION_SUMMARY },
	{ "groups", SECTION_GROUPS },	  { "latency", SECTION_LATENCY },
	{ "sizes", SECTION_SIZES },	  { "errors", SECTION_ERRORS },
	{ "files", SECTION_FILES },	  { "findings", SECTION_FINDINGS },
	{ "stacks", SECTION_STACKS },	  { "integrity", SECTION_INTEGRITY },
	{ "inflight", SECTION_INFLIGHT }, { "intervals", SECTION_INTERVALS },
	{ "all", SECTION_ALL },		  { NULL, 0 },
};

const struct section_name comparison_sections[] = {
	{ "sides", COMPARISON_SIDES },	 { "summary", COMPARISON_SUMMARY },
	{ "calls", COMPARISON_CALLS },	 { "groups", COMPARISON_GROUPS },
	{ "stacks", COMPARISON_STACKS }, { "figures", COMPARISON_FIGURES },
	{ "all", COMPARISON_ALL },	 { NULL, 0 },
};

const char *sections_names(char *buf, size_t size, const struct section_name *names,
			   unsigned sections)
{
	size_t used = 0;

	buf[0] = '\0';
	for (; names[1].name && used < size; names++) /* The last name is "all". */
		if (names->sections & sections)
			used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
						 names->name);
	return buf;
}

int sections_parse(unsigned *sections, const struct section_name *names, const char *arg, char *err,
		   size_t err_size)
{
	unsigned set = 0;
	char known[128];

	for (;; arg++) {
		size_t i = 0, len = strcspn(arg, ",");

		while (names[i].name && (strncmp(names[i].name, arg, len) || names[i].name[len]))
			i++;
		if (!names[i].name) {
			snprintf(
				err, err_size,
				"invalid --section '%.*s': there are %s, or all of them with 'all'",
				(int)(len < 80 ? len : 80), arg,
				sections_names(known, sizeof(known), names, ~0u));
			return -EINVAL;
		}
		set |= names[i].sections;
		arg += len;
		if (!*arg)
			break;
	}
	*sections = set;
	return 0;
}
