// SPDX-License-Identifier: GPL-2.0
/* The options of per-file figures: a child of options.c's parser. */
#include "options_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "usage.h"

enum {
	OPT_NO_FILES = 768,
	OPT_MAX_FILES,
};

/* clang-format off */
static const struct argp_option option_table[] = {
	{"trace-path", 'P', "PATH", 0,
	 "Trace only calls on this file, or on files below this directory; may be repeated", 0},
	{"max-files", OPT_MAX_FILES, "N", 0,
	 "Tell this many files apart (default: 8192); what comes after is one, called (other)", 0},
	{"no-files", OPT_NO_FILES, NULL, 0,
	 "Do not find out which files the calls are about, and make no findings: as without -y and -P", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};
/* clang-format on */

static error_t add_path(struct files_options *o, const char *arg)
{
	const char **paths;

	if (!*arg)
		return usage_error("-P needs the path of a file, not an empty one");
	if (o->nr_only_paths == MAX_ONLY_PATHS)
		return usage_error("-P can be given 16 times at most");
	paths = reallocarray(o->only_paths, o->nr_only_paths + 1, sizeof(*paths));
	if (!paths)
		return ENOMEM;
	o->only_paths = paths;
	paths[o->nr_only_paths++] = arg;
	return 0;
}

static error_t parse_max_files(struct files_options *o, const char *arg)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(arg, &end, 10);
	if (end == arg || *end || *arg == '-' || errno || !value || value > 1000000)
		return usage_bad_value("--max-files", arg, "a number from 1 to 1000000");
	o->max_files = value;
	return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct files_options *o = state->input;

	switch (key) {
	case 'P':
		return add_path(o, arg);
	case OPT_MAX_FILES:
		return parse_max_files(o, arg);
	case OPT_NO_FILES:
		o->off = true;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp files_options_argp = { .options = option_table, .parser = parse_option };

void files_options_free(struct files_options *o)
{
	free(o->only_paths);
}
