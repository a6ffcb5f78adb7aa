// SPDX-License-Identifier: GPL-2.0
#include "model/result.h"

#include <string.h>

#include "model/profile_files.h"

int result_make(struct result *r, const struct profile *p, uint64_t buffer_size)
{
	int err;

	memset(r, 0, sizeof(*r));
	r->profile = p;
	if (p->unknown & UNKNOWN_FILES)
		return 0;
	err = files_by_path(p, &r->files, &r->nr_files);
	if (!err)
		err = findings_make(&r->findings, p, r->files, r->nr_files, buffer_size);
	if (!err)
		err = files_sort(r->files, r->nr_files);
	return err;
}

bool result_predicts_time(const struct profile *p)
{
	struct result r;
	bool predicts = false;

	if (p->unknown & (UNKNOWN_LATENCY | UNKNOWN_GAINS))
		return false;
	if (!result_make(&r, p, 0))
		for (size_t i = 0; i < r.findings.nr; i++)
			predicts = predicts || r.findings.list[i].predicted;
	result_free(&r);
	return predicts;
}

void result_free(struct result *r)
{
	findings_free(&r->findings);
	files_free(r->files, r->nr_files);
	memset(r, 0, sizeof(*r));
}
