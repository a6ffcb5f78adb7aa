// SPDX-License-Identifier: GPL-2.0
#include "model/interval_packing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/text.h"
#include "model/figures.h"
#include "model/profile_files.h"
#include "model/profile_groups.h"
#include "model/tallies.h"

/* ---- the parts of all rows ---- */

static void pack_figures(struct packing *to, enum figure_scope scope, const void *stats)
{
	uint64_t counters[NR_FIGURES] = { 0 };

	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figure_is_counter(&figures[id], scope))
			counters[id] = *figure_counter(&figures[id], scope, (void *)stats);
	pack_sparse(to, counters, NR_FIGURES);
	for (enum histogram_id id = 0; id < NR_HISTOGRAMS; id++) {
		const struct figure_histogram *h = &figure_histograms[id];

		if (h->scope & scope)
			pack_sparse(to, figure_counts(h, scope, (void *)stats),
				    figure_scale(h, scope)->nr_buckets);
	}
}

static void unpack_figures(struct unpacking *from, enum figure_scope scope, void *stats)
{
	uint64_t counters[NR_FIGURES] = { 0 };

	unpack_sparse(from, counters, NR_FIGURES);
	for (enum figure_id id = 0; id < NR_FIGURES; id++)
		if (figure_is_counter(&figures[id], scope))
			*figure_counter(&figures[id], scope, stats) = counters[id];
	for (enum histogram_id id = 0; id < NR_HISTOGRAMS; id++) {
		const struct figure_histogram *h = &figure_histograms[id];

		if (h->scope & scope)
			unpack_sparse(from, figure_counts(h, scope, stats),
				      figure_scale(h, scope)->nr_buckets);
	}
}

static void pack_errnos(struct packing *to, const struct errno_count *errnos, size_t nr)
{
	pack_number(to, nr);
	for (size_t i = 0; i < nr; i++) {
		pack_number(to, (uint64_t)errnos[i].err);
		pack_number(to, errnos[i].count);
	}
}

static int unpack_errnos(struct unpacking *from, struct errno_count **errnos, size_t *nr)
{
	uint64_t left = unpack_number(from);
	int err = 0;

	for (; !err && left; left--) {
		int number = (int)unpack_number(from);

		err = errno_counts_add(errnos, nr, number, unpack_number(from));
	}
	return err;
}

/* A syscall is its index in the table of the probes, which has all ABIs. */
static void pack_call(struct packing *to, enum iotrace_abi abi, int nr)
{
	pack_number(to, (uint64_t)nr * NR_ABIS + abi);
}

static enum iotrace_abi unpack_call(struct unpacking *from, int *nr)
{
	uint64_t call = unpack_number(from);

	*nr = (int)(call / NR_ABIS);
	return (enum iotrace_abi)(call % NR_ABIS);
}

/* Fills in the name that a call has in the run. */
static void name_call(char name[40], bool *transfers, const struct profile *run,
		      enum iotrace_abi abi, int nr)
{
	const struct syscall_stats *s = run ? profile_find_syscall(run, abi, nr) : NULL;

	if (!s)
		return;
	memcpy(name, s->name, sizeof(s->name));
	*transfers = s->transfers;
}

/* ---- syscalls ---- */

static void pack_syscalls(struct packing *to, const struct profile *p)
{
	pack_number(to, p->nr_syscalls);
	for (size_t i = 0; i < p->nr_syscalls; i++) {
		const struct syscall_stats *s = &p->syscalls[i];

		pack_call(to, s->abi, s->nr);
		pack_figures(to, SCOPE_SYSCALL, s);
		pack_errnos(to, s->errnos, s->nr_errnos);
	}
}

static int unpack_syscalls(struct unpacking *from, struct profile *p, const struct profile *run)
{
	uint64_t left = unpack_number(from);
	int err = 0;

	for (; !err && left; left--) {
		int nr;
		enum iotrace_abi abi = unpack_call(from, &nr);
		struct syscall_stats *s = profile_syscall(p, abi, nr);

		if (!s)
			return -ENOMEM;
		name_call(s->name, &s->transfers, run, abi, nr);
		unpack_figures(from, SCOPE_SYSCALL, s);
		err = unpack_errnos(from, &s->errnos, &s->nr_errnos);
	}
	return err;
}

/* ---- files ---- */

static void pack_files(struct packing *to, const struct profile *p)
{
	pack_number(to, p->nr_files);
	for (size_t i = 0; i < p->nr_files; i++) {
		const struct file_stats *f = &p->files[i];

		pack_number(to, f->id);
		pack_number(to, f->nr_calls);
		for (size_t k = 0; k < f->nr_calls; k++) {
			pack_call(to, f->calls[k].abi, f->calls[k].nr);
			pack_figures(to, SCOPE_FILE, &f->calls[k]);
		}
	}
}

/* Fills in what the run knows of a file besides its calls. */
static int describe_file(struct file_stats *f, const struct profile *run)
{
	const struct file_stats *known = run ? profile_find_file(run, f->id) : NULL;

	if (!known) {
		if (run && f->id == FILE_ID_OTHER)
			f->path = strdup("(other)");
		return run && f->id == FILE_ID_OTHER && !f->path ? -ENOMEM : 0;
	}
	f->kind = known->kind;
	f->cut = known->cut;
	memcpy(f->fstype, known->fstype, sizeof(f->fstype));
	f->flags = known->flags;
	f->err = known->err;
	f->written_by = known->written_by;
	f->size = known->size;
	f->language = known->language;
	f->logger = known->logger;
	f->by_threads = known->by_threads;
	f->path = known->path ? strdup(known->path) : NULL;
	return known->path && !f->path ? -ENOMEM : 0;
}

static int unpack_file(struct unpacking *from, struct profile *p, const struct profile *run)
{
	struct file_stats *f = profile_file(p, (uint32_t)unpack_number(from));
	int err = f ? describe_file(f, run) : -ENOMEM;

	for (uint64_t left = unpack_number(from); !err && left; left--) {
		int nr;
		enum iotrace_abi abi = unpack_call(from, &nr);
		struct file_call *c = file_stats_call(f, abi, nr);

		if (!c)
			return -ENOMEM;
		name_call(c->name, &c->transfers, run, abi, nr);
		unpack_figures(from, SCOPE_FILE, c);
		/*
		 * Files are read a moment after the syscalls: this was called after the part of the
		 * run, and never in it.
		 */
		if (run && !*c->name)
			f->nr_calls--; /* They come in their order, so it is the last. */
	}
	if (!err && !f->nr_calls) {
		file_stats_free(f);
		p->nr_files--;
	}
	return err;
}

/* ---- groups ---- */

static void pack_groups(struct packing *to, const struct profile *p)
{
	pack_number(to, p->nr_groups);
	for (size_t i = 0; i < p->nr_groups; i++) {
		const struct group_stats *g = &p->groups[i];

		pack_number(to, g->id);
		pack_number(to, g->nr_calls);
		for (size_t k = 0; k < g->nr_calls; k++) {
			const struct group_call *c = &g->calls[k];

			pack_call(to, c->abi, c->nr);
			pack_figures(to, SCOPE_GROUP, c);
			pack_errnos(to, c->errnos, c->nr_errnos);
		}
	}
}

/* Fills in what the run knows of a group besides its calls. */
static int describe_group(struct group_stats *g, const struct profile *run)
{
	const struct group_stats *known = run ? profile_find_group(run, g->id) : NULL;
	struct group_stats described;

	if (!known)
		return 0;
	described = *known;
	described.nr_calls = 0;
	return group_stats_copy(g, &described);
}

static int unpack_group(struct unpacking *from, struct profile *p, const struct profile *run)
{
	struct group_stats *g = profile_group(p, (uint32_t)unpack_number(from));
	int err = g ? describe_group(g, run) : -ENOMEM;

	for (uint64_t left = unpack_number(from); !err && left; left--) {
		int nr;
		enum iotrace_abi abi = unpack_call(from, &nr);
		struct group_call *c = group_stats_call(g, abi, nr);

		if (!c)
			return -ENOMEM;
		name_call(c->name, &c->transfers, run, abi, nr);
		unpack_figures(from, SCOPE_GROUP, c);
		err = unpack_errnos(from, &c->errnos, &c->nr_errnos);
	}
	return err;
}

/* ---- findings ---- */

static size_t rule_of(const char *id)
{
	size_t rule = 0;

	while (findings_id(rule) && !same_text(findings_id(rule), id))
		rule++;
	return rule;
}

static void pack_findings(struct packing *to, const struct interval *i)
{
	pack_number(to, i->nr_findings);
	for (size_t k = 0; k < i->nr_findings; k++) {
		pack_number(to, rule_of(i->findings[k].id));
		pack_number(to, i->findings[k].severity);
		pack_text(to, i->findings[k].path);
		pack_number(to, i->findings[k].calls);
	}
}

static int unpack_finding(struct unpacking *from, struct interval *i)
{
	struct interval_finding f = { .id = findings_id(unpack_number(from)) };
	int err;

	f.severity = (enum severity)unpack_number(from);
	err = unpack_text(from, &f.path);
	f.calls = unpack_number(from);
	if (!err)
		err = interval_add_finding(i, &f);
	free(f.path);
	return err;
}

/* ---- the whole ---- */

static void pack_busy(struct packing *to, const struct busy *b)
{
	pack_number(to, b->user_ns);
	pack_number(to, b->system_ns);
	pack_number(to, b->run_ns);
	pack_number(to, b->run_calls);
}

static void unpack_busy(struct unpacking *from, struct busy *b)
{
	b->user_ns = unpack_number(from);
	b->system_ns = unpack_number(from);
	b->run_ns = unpack_number(from);
	b->run_calls = unpack_number(from);
}

static void pack_tallies(struct packing *to, const struct profile *p)
{
	uint64_t values[NR_TALLIES];

	for (size_t i = 0; i < NR_TALLIES; i++)
		values[i] = tally_value(&tallies[i], p);
	pack_sparse(to, values, NR_TALLIES);
	pack_number(to, p->misplaced_calls);
	pack_number(to, p->lost_file_users);
}

static void unpack_tallies(struct unpacking *from, struct profile *p)
{
	uint64_t values[NR_TALLIES] = { 0 };

	unpack_sparse(from, values, NR_TALLIES);
	for (size_t i = 0; i < NR_TALLIES; i++)
		*tally_of(&tallies[i], p) = values[i];
	p->misplaced_calls = unpack_number(from);
	p->lost_file_users = unpack_number(from);
}

void interval_pack(struct packing *to, const struct interval *i)
{
	const struct profile *p = &i->profile;

	pack_number(to, i->end_ns);
	pack_number(to, p->elapsed_ns);
	pack_busy(to, &p->busy);
	pack_tallies(to, p);
	pack_syscalls(to, p);
	pack_files(to, p);
	pack_groups(to, p);
	pack_findings(to, i);
}

/* Fills in what is the same in all intervals of a run. */
static void describe(struct profile *p, const struct profile *run)
{
	p->backend = run->backend;
	p->time_note = run->time_note;
	p->unknown = run->unknown | UNKNOWN_USERS;
	p->sample_latency = run->sample_latency;
	p->overhead_ps = run->overhead_ps;
	p->calibration = run->calibration;
	memcpy(p->by, run->by, sizeof(p->by));
	p->provenance = run->provenance;
}

int interval_unpack(struct interval *i, struct unpacking *from, const struct profile *run)
{
	struct profile *p = &i->profile;
	int err;

	memset(i, 0, sizeof(*i));
	if (run)
		describe(p, run);
	i->end_ns = unpack_number(from);
	p->elapsed_ns = unpack_number(from);
	p->to_ns = i->end_ns;
	p->from_ns = sub_saturated(p->to_ns, p->elapsed_ns);
	unpack_busy(from, &p->busy);
	unpack_tallies(from, p);
	err = unpack_syscalls(from, p, run);
	for (uint64_t left = unpack_number(from); !err && left; left--)
		err = unpack_file(from, p, run);
	for (uint64_t left = err ? 0 : unpack_number(from); !err && left; left--)
		err = unpack_group(from, p, run);
	for (uint64_t left = err ? 0 : unpack_number(from); !err && left; left--)
		err = unpack_finding(from, i);
	return err;
}
