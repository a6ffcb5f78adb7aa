// SPDX-License-Identifier: GPL-2.0
/*
 * A process for each record: a program starts another one again and again, which lives hardly
 * longer than its start takes.
 */
#include <string.h>

#include "base/arithmetic.h"
#include "model/rules/rule.h"

/* Returns the processes that there were for most of the run. NULL: none were started so often. */
static const struct process_group *find_longest(const struct profile *p)
{
	const struct process_group *most = NULL;

	for (size_t i = 0; i < p->nr_process_groups; i++)
		if (!most || p->process_groups[i].spans_ns > most->spans_ns)
			most = &p->process_groups[i];
	return most;
}

static bool judge(const struct subject *s, struct finding *f)
{
	const struct process_group *g = find_longest(s->profile);

	if (!g)
		return false;
	f->path = strdup(g->exe);
	f->kind = file_kind_name(FILE_KIND_REGULAR);
	f->calls = g->nr;
	f->fix.group = g;
	f->fix.busy = g->busy;
	f->fix.total_ns = g->spans_ns;
	/* What they sleep, such as for the disk, may go away with them. */
	f->fix.wait_ns = sub_saturated(g->spans_ns, g->busy.user_ns + g->busy.system_ns);
	rule_set_text(&f->evidence, "%s processes for this executable, started by ", COUNT(g->nr));
	if (g->parent[0])
		rule_add_escaped(&f->evidence, g->parent);
	else
		rule_add_text(&f->evidence, "one process");
	rule_add_text(&f->evidence, "; each lives for %s",
		      format_ns((char[24]){ 0 }, 24, g->lives_ns / g->nr));
	f->advice = advice_text(ADVICE_PROCESSES);
	f->predicted = true;
	f->predicted_calls = 1;
	return true;
}

const struct rule rule_processes = { "process-per-record", true, ABOUT(FORKS), judge };
