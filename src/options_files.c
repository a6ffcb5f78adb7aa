// SPDX-License-Identifier: GPL-2.0
/* The options of per-file figures: a child of options.c's parser. */
#include "options_files.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "render.h"
#include "usage.h"

enum {
	OPT_MAX_FILES = 768,
};

/* clang-format off */
static const struct argp_option option_table[] = {
	{"trace-path", 'P', "PATH", 0,
	 "Trace only calls on this file, or on files below this directory; may be repeated", 0},
	{"max-files", OPT_MAX_FILES, "N", 0,
	 "Tell this many files apart (default: 8192); what comes after is one, called (other)", 0},
	{NULL, 0, NULL, 0, NULL, 0},
};
/* clang-format on */

/* A file may come to exist while we watch; the directory that it is in must be there. */
static error_t check_path(const char *arg)
{
	char *path = strdup(arg), name[256], directory[256], message[800];
	struct stat st;
	error_t err = 0;

	if (!path)
		return ENOMEM;
	if (stat(arg, &st)) {
		const char *parent = dirname(path);
		int why = stat(parent, &st) ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;

		if (why) {
			snprintf(message, sizeof(message), "-P '%s': cannot look into '%s': %s",
				 escape_text(name, sizeof(name), arg, strlen(arg)),
				 escape_text(directory, sizeof(directory), parent, strlen(parent)),
				 strerror(why));
			err = usage_error(message);
		}
	}
	free(path);
	return err;
}

static error_t add_path(struct files_options *o, const char *arg)
{
	const char **paths;
	error_t err;

	if (!*arg)
		return usage_error("-P needs the path of a file, not an empty one");
	err = check_path(arg);
	if (err)
		return err;
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
	}
	return ARGP_ERR_UNKNOWN;
}

const struct argp files_options_argp = { .options = option_table, .parser = parse_option };

void files_options_free(struct files_options *o)
{
	free(o->only_paths);
}
