/* SPDX-License-Identifier: GPL-2.0 */
/* The options that say which files are looked at. */
#ifndef IOTRACE_OPTIONS_FILES_H
#define IOTRACE_OPTIONS_FILES_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "../bpf/iotrace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct files_options {
	bool collect;		 /* settled when all is parsed */
	size_t max_files;	 /* --max-files: rows */
	const char **only_paths; /* -P */
	size_t nr_only_paths;
};

/* A child parser; its input is a struct files_options. */
extern const struct argp files_options_argp;

void files_options_free(struct files_options *o);

#ifdef __cplusplus
}
#endif
#endif
