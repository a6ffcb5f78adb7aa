// SPDX-License-Identifier: GPL-2.0
#include "model/sampled_calls.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* Adds calls if there are samples of them. Takes over the sites. Returns 0 or -ENOMEM. */
static int add(struct sampled_calls *calls, const struct sampled_call *call)
{
	struct sampled_call *added;

	if (!call->nr_sites) {
		free(call->sites);
		return 0;
	}
	added = array_append(&calls->list, &calls->nr, sizeof(*added));
	if (!added) {
		free(call->sites);
		return -ENOMEM;
	}
	*added = *call;
	return 0;
}

static int add_of_file(struct sampled_calls *calls, const struct file_stats *file,
		       const struct file_call *c)
{
	struct sampled_call call = { c->name,  c->abi,	    file->path, c->calls,
				     c->bytes, c->total_ns, NULL,	0 };

	if (file_call_sites(&call.sites, &call.nr_sites, file, c)) {
		free(call.sites);
		return -ENOMEM;
	}
	return add(calls, &call);
}

/* Counts the calls that are on no file: those of a syscall, less those of all files. */
static void count_without_file(struct sampled_call *call, const struct profile *p,
			       const struct syscall_stats *s)
{
	call->calls = s->calls;
	call->ns = s->total_ns;
	for (size_t i = 0; i < p->nr_files; i++)
		for (size_t k = 0; k < p->files[i].nr_calls; k++) {
			const struct file_call *c = &p->files[i].calls[k];

			if (c->abi != s->abi || c->nr != s->nr)
				continue;
			call->calls -= c->calls < call->calls ? c->calls : call->calls;
			call->ns -= c->total_ns < call->ns ? c->total_ns : call->ns;
		}
}

int sampled_without_file(struct sampled_call *call, const struct profile *p,
			 const struct syscall_stats *s)
{
	struct site all = { .calls = 0 };
	int err = 0;

	*call = (struct sampled_call){ s->name, s->abi, NULL, 0, 0, 0, NULL, 0 };
	for (size_t i = 0; !err && i < p->stacks.nr_sites; i++) {
		const struct site *site = &p->stacks.sites[i];

		if (site->abi != s->abi || site->nr != s->nr)
			continue;
		all.calls += site->calls;
		all.ns += site->ns;
		err = sites_add(&call->sites, &call->nr_sites, site);
	}
	count_without_file(call, p, s);
	for (size_t i = 0; i < call->nr_sites; i++)
		site_scale(&call->sites[i], &all, call->calls, call->ns, 0);
	return err;
}

static int add_without_file(struct sampled_calls *calls, const struct profile *p,
			    const struct syscall_stats *s)
{
	struct sampled_call call;

	if (sampled_without_file(&call, p, s)) {
		free(call.sites);
		return -ENOMEM;
	}
	return add(calls, &call);
}

static int by_time(const void *x, const void *y)
{
	const struct sampled_call *a = x, *b = y;

	if (a->ns != b->ns)
		return b->ns > a->ns ? 1 : -1;
	return (b->calls > a->calls) - (b->calls < a->calls);
}

int sampled_calls_collect(struct sampled_calls *calls, const struct result *r)
{
	const struct profile *p = r->profile;
	int err = 0;

	*calls = (struct sampled_calls){ NULL, 0 };
	for (size_t i = 0; !err && i < r->nr_files; i++)
		for (size_t k = 0; !err && k < r->files[i].nr_calls; k++)
			err = add_of_file(calls, &r->files[i], &r->files[i].calls[k]);
	for (size_t i = 0; !err && p->stacks.nr_sites && i < p->nr_syscalls; i++)
		err = add_without_file(calls, p, &p->syscalls[i]);
	if (!err && calls->nr)
		qsort(calls->list, calls->nr, sizeof(*calls->list), by_time);
	return err;
}

void sampled_calls_free(struct sampled_calls *calls)
{
	for (size_t i = 0; i < calls->nr; i++)
		free(calls->list[i].sites);
	free(calls->list);
}
