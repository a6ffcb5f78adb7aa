// SPDX-License-Identifier: GPL-2.0
#include "model/result.h"

#include <string.h>

#include "model/profile_files.h"

int result_judge(struct result *r, const struct profile *p, uint64_t buffer_size)
{
	int err;

	memset(r, 0, sizeof(*r));
	r->profile = p;
	if (p->unknown & UNKNOWN_FILES)
		return 0;
	err = files_by_path(p, &r->files, &r->nr_files);
	if (!err)
		err = findings_judge(&r->findings, p, r->files, r->nr_files, buffer_size);
	if (!err)
		files_sort(r->files, r->nr_files);
	return err;
}

int result_make(struct result *r, const struct profile *p, uint64_t buffer_size)
{
	int err = result_judge(r, p, buffer_size);

	if (!err)
		findings_price(&r->findings, p);
	return err;
}

void result_free(struct result *r)
{
	findings_free(&r->findings);
	files_free(r->files, r->nr_files);
	memset(r, 0, sizeof(*r));
}
