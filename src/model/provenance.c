// SPDX-License-Identifier: GPL-2.0
#include "model/provenance.h"

#include <stdlib.h>
#include <string.h>

static void free_list(char **list)
{
	for (char **item = list; item && *item; item++)
		free(*item);
	free(list);
}

void provenance_free(struct provenance *p)
{
	free(p->version);
	free_list(p->command);
	free(p->target);
	free_list(p->options);
	free(p->start);
	free(p->kernel);
	free(p->machine);
	free(p->cpu_model);
	free(p->stdout_path);
	free(p->stdout_kind);
	free(p->stdout_fstype);
	memset(p, 0, sizeof(*p));
	p->status = -1;
}
