// SPDX-License-Identifier: GPL-2.0
/* Where in the code a finding's calls come from: the sites of its file's calls, or of the run's. */
#include <stdlib.h>
#include <string.h>

#include "model/rules/rule.h"
#include "model/sampled_calls.h"

static bool is_about(const struct finding *f, const char *syscall)
{
	if (f->fix.syscall)
		return !strcmp(f->fix.syscall, syscall);
	return f->about >> syscall_traits_by_name(syscall).action & 1;
}

static int add_file(struct finding *f, const struct file_stats *file)
{
	int err = 0;

	for (size_t i = 0; !err && i < file->nr_calls; i++)
		if (is_about(f, file->calls[i].name))
			err = file_call_sites(&f->sites, &f->nr_sites, file, &file->calls[i]);
	return err;
}

/* Adds the calls of a syscall that are on no file. */
static int add_without_file(struct finding *f, const struct profile *p,
			    const struct syscall_stats *s)
{
	struct sampled_call call;
	int err = sampled_without_file(&call, p, s);

	for (size_t i = 0; !err && i < call.nr_sites; i++)
		err = sites_add(&f->sites, &f->nr_sites, &call.sites[i]);
	free(call.sites);
	return err;
}

static int add_run(struct finding *f, const struct subject *s)
{
	const struct profile *p = s->profile;
	int err = 0;

	/* What is of the run is about paths that failed, one syscall, or calls without a file. */
	for (size_t i = 0; !err && i < s->nr_files; i++)
		if (f->fix.syscall || s->files[i].kind == FILE_KIND_FAILED)
			err = add_file(f, &s->files[i]);
	for (size_t i = 0; !err && i < p->nr_syscalls; i++)
		if ((f->fix.syscall || f->about == ABOUT(FORKS)) &&
		    is_about(f, p->syscalls[i].name))
			err = add_without_file(f, p, &p->syscalls[i]);
	return err;
}

int rule_locate(const struct rule *rule, const struct subject *s, struct finding *f)
{
	int err;

	f->about |= rule->about;
	err = s->file ? add_file(f, s->file) : add_run(f, s);
	for (size_t i = 0; f->about & BY_TIME && i < f->nr_sites; i++)
		if (f->sites[i].ns > 0)
			f->sites_by = WEIGHT_TIME;
	return err;
}
