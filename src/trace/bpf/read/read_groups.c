// SPDX-License-Identifier: GPL-2.0
#include <bpf/bpf.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/figures.h"
#include "model/histogram.h"
#include "model/profile_groups.h"
#include "model/syscalls.h"
#include "trace/bpf/load/load.h"
#include "trace/bpf/read/read.h"

/* Makes a group's call of a cell. */
static void call_of_cell(struct group_call *call, const struct iotrace_group_cell *cell)
{
	const struct iotrace_counts *counts = &cell->counts;

	call->timed = histogram_total(cell->latency, FILE_LATENCY_BUCKETS);
	call->calls = call->timed + counts->estimated + counts->untimed;
	call->min_ns = call->timed ? ~counts->inverse_min_ns : 0;
	call->max_ns = counts->max_ns;
	call->waits = cell->waits;
	call->wait_ns = cell->wait_ns;
	call->estimated_waits = cell->estimated_waits;
#define TAKE_COUNTER(scope, counted, name) IN_CELL_##counted(call->name = counts->name;)
	FIGURES(TAKE_COUNTER, NO_FIGURE)
#undef TAKE_COUNTER
	memcpy(call->latency, cell->latency, sizeof(call->latency));
	memcpy(call->sizes, cell->sizes, sizeof(call->sizes));
}

/* Adds a cell's figures, whose call has this index, to a group. 0 or -ENOMEM. */
static int add_to_group(struct group_stats *g, int index, const struct group_call *counted)
{
	struct group_call *call = g ? group_stats_call(g, CALL_ABI(index), CALL_NR(index)) : NULL;

	if (!call)
		return -ENOMEM;
	syscall_name(call->abi, call->nr, call->name, sizeof(call->name));
	return group_call_merge(call, counted);
}

struct cell_reader {
	struct bpf_state *state;
	struct profile *profile;
	/* NULL: all cells are added to the profile. Otherwise those of the slot to this row. */
	struct group_call *row;
	uint32_t slot;
};

static int read_cell(void *arg, const void *raw)
{
	const struct iotrace_group_cell *cell = raw;
	const struct cell_reader *r = arg;
	uint32_t slot = GROUP_CELL_SLOT(cell->key);
	int index = bpf_slots_call(&r->state->calls, slot), err;
	const struct iotrace_bpf__bss *bss = r->state->skel->bss;
	struct group_call counted = { 0 };

	if (index < 0 || (r->row && slot != r->slot))
		return 0;
	call_of_cell(&counted, cell);
	/* A cell is made before its first call is counted. */
	if (!counted.calls)
		return 0;
	counted.transfers = bss->slots[index] & SLOT_TRANSFERS;
	if (r->row)
		return group_call_merge(r->row, &counted);
	err = cell->counts.first_errors
		      ? errno_counts_add(&counted.errnos, &counted.nr_errnos,
					 (int)bss->first_errnos[slot], cell->counts.first_errors)
		      : 0;
	if (!err)
		err = add_to_group(profile_group(r->profile, GROUP_CELL_GROUP(cell->key)), index,
				   &counted);
	if (!err)
		err = add_to_group(&r->state->grouped, index, &counted);
	free(counted.errnos);
	return err;
}

static int read_all_cells(struct cell_reader *r)
{
	const struct iotrace_bpf *skel = r->state->skel;
	uint32_t used = skel->data->next_group_cell, first = skel->rodata->cfg_first_group_cells;
	const struct bpf_cells cells = { skel->maps.group_cells, used < first ? used : first,
					 r->state->added_cells, skel->maps.more_group_cells };

	return bpf_each_cell(&cells, read_cell, r);
}

/* ---- names ---- */

static int name_user(struct group_stats *g, uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	g->uid = uid;
	if (!user)
		return 0;
	g->user = strdup(user->pw_name);
	return g->user ? 0 : -ENOMEM;
}

/* Copies a name, which the kernel ends with a NUL but may be about to change. */
static void copy_comm(char to[16], const char from[16])
{
	memcpy(to, from, 16);
	to[15] = '\0';
}

/* Names a cgroup. Its path is missing if the task was moved just then, or there is no room. */
static int name_cgroup(struct bpf_state *s, struct group_stats *g, uint64_t id)
{
	int fd = bpf_map__fd(s->skel->maps.cgroup_paths);
	struct iotrace_cgroup cgroup;

	if (bpf_map_lookup_elem(fd, &id, &cgroup))
		return errno == ENOENT ? 0 : -errno;
	if (cgroup.len > sizeof(cgroup.path))
		return -EINVAL;
	g->cgroup = file_path_from_names(cgroup.path, cgroup.len, cgroup.cut, false);
	return g->cgroup ? 0 : -ENOMEM;
}

static int name_group(struct bpf_state *s, struct group_stats *g,
		      const struct iotrace_group_key *key, const struct iotrace_group *raw)
{
	uint32_t by = s->skel->rodata->cfg_groups;
	int err = 0;

	if (by & BY_COMM)
		copy_comm(g->comm, key->comm);
	else if (by & BY_THREAD)
		copy_comm(g->comm, raw->thread_comm);
	if (by & (BY_PROCESS | BY_THREAD)) {
		copy_comm(g->process, raw->process_comm);
		g->pid = raw->process;
	}
	if (by & BY_THREAD)
		g->tid = raw->thread;
	if (by & BY_USER)
		err = name_user(g, key->user);
	return !err && by & BY_CGROUP ? name_cgroup(s, g, key->cgroup) : err;
}

/* What a group has by the first key alone. */
struct first_key {
	struct iotrace_group_key key;
	uint32_t id;
};

struct first_keys {
	struct first_key *list;
	size_t nr;
};

static int add_first_key(struct first_keys *keys, const struct iotrace_group_key *key, uint32_t id,
			 unsigned by)
{
	struct first_key *first = array_append(&keys->list, &keys->nr, sizeof(*first));

	if (!first)
		return -ENOMEM;
	first->id = id;
	if (by & BY_COMM)
		memcpy(first->key.comm, key->comm, sizeof(key->comm));
	if (by & BY_PROCESS) {
		first->key.process = key->process;
		first->key.process_ns = key->process_ns;
	}
	if (by & BY_THREAD) {
		first->key.thread = key->thread;
		first->key.thread_ns = key->thread_ns;
	}
	if (by & BY_USER)
		first->key.user = key->user;
	if (by & BY_CGROUP)
		first->key.cgroup = key->cgroup;
	return 0;
}

static int by_first_key(const void *a, const void *b)
{
	const struct first_key *x = a, *y = b;
	int order = memcmp(&x->key, &y->key, sizeof(x->key));

	return order ? order : (x->id > y->id) - (x->id < y->id);
}

static void find_parents(struct profile *p, struct first_keys *keys)
{
	uint32_t parent = 0;

	if (keys->nr)
		qsort(keys->list, keys->nr, sizeof(*keys->list), by_first_key);
	for (size_t i = 0; i < keys->nr; i++) {
		const struct first_key *k = &keys->list[i];

		if (!i || memcmp(&k->key, &k[-1].key, sizeof(k->key)) != 0)
			parent = k->id;
		profile_find_group(p, k->id)->parent = parent;
	}
}

/* Names the groups that have calls. */
static int read_names(struct bpf_state *s, struct profile *p)
{
	int fd = bpf_map__fd(s->skel->maps.groups), err = 0;
	struct iotrace_group_key key, *previous = NULL;
	struct first_keys keys = { 0 };
	struct iotrace_group raw;

	for (; !err && !bpf_map_get_next_key(fd, previous, &key); previous = &key) {
		struct group_stats *g;

		if (bpf_map_lookup_elem(fd, &key, &raw)) {
			err = -errno;
			break;
		}
		g = profile_find_group(p, raw.number);
		if (g)
			err = name_group(s, g, &key, &raw);
		if (g && !err && p->by[1])
			err = add_first_key(&keys, &key, raw.number, p->by[0]);
	}
	if (!err)
		find_parents(p, &keys);
	free(keys.list);
	return err;
}

int bpf_read_groups(struct bpf_state *s, struct profile *p)
{
	struct cell_reader reader = { s, p, NULL, 0 };
	int err;

	group_stats_free(&s->grouped);
	if (!s->skel->rodata->cfg_groups)
		return 0;
	err = read_all_cells(&reader);
	return err ? err : read_names(s, p);
}

int bpf_groups_add_errno(struct profile *p, uint32_t group, const struct syscall_stats *row,
			 uint32_t err, uint64_t count)
{
	struct group_stats *g = profile_find_group(p, group ? group : GROUP_OTHER);
	struct group_call *call = g ? group_stats_find_call(g, row->abi, row->nr) : NULL;

	/* During the run, the group's call may be newer than what was read of it. */
	return call ? errno_counts_add(&call->errnos, &call->nr_errnos, (int)err, count) : 0;
}

int bpf_groups_add_slot(struct bpf_state *s, uint32_t slot, struct syscall_stats *row)
{
	struct group_call sum = { 0 };
	struct cell_reader reader = { s, NULL, &sum, slot };
	int err = read_all_cells(&reader);

	return err ? err : syscall_stats_add_group(row, &sum);
}
