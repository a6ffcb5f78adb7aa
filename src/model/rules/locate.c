// SPDX-License-Identifier: GPL-2.0
/* Where in the code a finding's calls come from: the sites of its file's calls, or of the run's. */
#include <string.h>

#include "model/rules/rule.h"

static bool is_about(const struct rule *rule, const struct finding *f, const struct file_call *c)
{
	if (f->fix.syscall)
		return !strcmp(f->fix.syscall, c->name);
	return rule->about >> syscall_traits_by_name(c->name).action & 1;
}

static int add_file(const struct rule *rule, struct finding *f, const struct file_stats *file)
{
	int err = 0;

	for (size_t i = 0; !err && i < file->nr_calls; i++)
		if (is_about(rule, f, &file->calls[i]))
			err = file_call_sites(&f->sites, &f->nr_sites, file, &file->calls[i]);
	return err;
}

int rule_locate(const struct rule *rule, const struct subject *s, struct finding *f)
{
	int err = 0;

	if (s->file)
		return add_file(rule, f, s->file);
	/* What is of the run is about paths that failed, or one syscall. */
	for (size_t i = 0; !err && i < s->nr_files; i++)
		if (f->fix.syscall || s->files[i].kind == FILE_KIND_FAILED)
			err = add_file(rule, f, &s->files[i]);
	return err;
}
