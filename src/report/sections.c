// SPDX-License-Identifier: GPL-2.0
#include "report/sections.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct {
	const char *name;
	unsigned sections;
} names[] = {
	{ "run", SECTION_RUN },		  { "summary", SECTION_SUMMARY },
	{ "latency", SECTION_LATENCY },	  { "sizes", SECTION_SIZES },
	{ "errors", SECTION_ERRORS },	  { "files", SECTION_FILES },
	{ "findings", SECTION_FINDINGS }, { "integrity", SECTION_INTEGRITY },
	{ "inflight", SECTION_INFLIGHT }, { "all", SECTION_ALL },
};

#define NR_NAMES (sizeof(names) / sizeof(*names))

const char *section_name(size_t i)
{
	return i < NR_NAMES ? names[i].name : NULL;
}

const char *sections_names(char *buf, size_t size, unsigned sections)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < NR_NAMES && used < size; i++) {
		if (!(names[i].sections & sections) || names[i].sections == SECTION_ALL)
			continue;
		used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
					 names[i].name);
	}
	return buf;
}

int sections_parse(unsigned *sections, const char *arg, char *err, size_t err_size)
{
	unsigned set = 0;
	char word[80], known[128];

	for (;; arg++) {
		size_t i = 0, len = strcspn(arg, ",");

		while (i < NR_NAMES &&
		       (strlen(names[i].name) != len || memcmp(names[i].name, arg, len)))
			i++;
		if (i == NR_NAMES) {
			snprintf(err, err_size,
				 "invalid --section '%s': there are %s, or all of them with 'all'",
				 escape_text(word, sizeof(word), arg, len),
				 sections_names(known, sizeof(known), SECTION_ALL));
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
