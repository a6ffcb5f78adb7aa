// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "trace/attach.h"
#include "trace/bpf/load/load.h"
#include "trace/kernel.h"

/*
 * There is room in the map that is made with the tracing for these cells, and for so many of each
 * CPU; all others are added as they are needed, and so take memory only with the groups that exist.
 * So many for each group may be found by their numbers, others by a look-up: room for numbers takes
 * time at the start.
 */
#define FIRST_CELLS	4096
#define CELLS_PER_CPU	64
#define CELLS_PER_GROUP 32
#define ADDED_PER_GROUP 6
/* The same where cells cannot be made as they are needed. */
#define OLD_FIRST_CELLS	 16384
#define ERRNOS_PER_GROUP 8

static void disable(struct iotrace_bpf *skel)
{
	struct bpf_map *const maps[] = {
		skel->maps.groups,
		skel->maps.task_groups,
		skel->maps.group_cells,
		skel->maps.group_cell_numbers,
		skel->maps.more_group_cells,
		skel->maps.cgroup_paths,
		skel->maps.cgroup_scratch,
		skel->maps.file_groups,
		skel->maps.group_cell_arrays,
		skel->maps.group_cells_left,
	};

	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		bpf_map__set_autocreate(maps[i], false);
}

static int size_maps(struct iotrace_bpf *skel, size_t max_groups, int nr_cpus)
{
	bool makes_cells = !kernel_before(6, 1); /* As for files: load/files.c. */
	bool by_cgroup = skel->rodata->cfg_groups & BY_CGROUP;
	size_t end_cell =
		1 + (makes_cells ? FIRST_CELLS : OLD_FIRST_CELLS) + (size_t)nr_cpus * CELLS_PER_CPU;
	size_t more = makes_cells ? max_groups * CELLS_PER_GROUP : 1;
	size_t numbers = makes_cells ? end_cell + max_groups * ADDED_PER_GROUP : end_cell;
	const struct {
		struct bpf_map *map;
		size_t entries;
		bool grows;
	} sizes[] = {
		{ skel->maps.groups, max_groups, true },
		{ skel->maps.cgroup_paths, by_cgroup ? max_groups : 1, true },
		{ skel->maps.group_cells, end_cell, false },
		{ skel->maps.group_cell_arrays,
		  GROUP_CELL_FIRST_ARRAY + numbers / GROUP_CELLS_ADDED, false },
		{ skel->maps.group_cell_numbers, numbers, true },
		{ skel->maps.more_group_cells, more, true },
		{ skel->maps.errnos,
		  bpf_map__max_entries(skel->maps.errnos) + max_groups * ERRNOS_PER_GROUP, true },
	};
	int err = 0;

	skel->rodata->cfg_first_group_cells = skel->data->end_group_cell = (uint32_t)end_cell;
	skel->rodata->cfg_end_group = GROUP_FIRST + (uint32_t)max_groups;
	for (size_t i = 0; !err && i < ARRAY_SIZE(sizes); i++) {
		if (sizes[i].grows && makes_cells)
			err = bpf_map__set_map_flags(sizes[i].map, BPF_F_NO_PREALLOC);
		if (!err)
			err = bpf_map__set_max_entries(sizes[i].map, (uint32_t)sizes[i].entries);
	}
	return err;
}

int bpf_groups_size(struct bpf_state *s, char *why, size_t size)
{
	const struct trace_options *o = s->options;
	int err;

	for (size_t i = 0; i < MAX_GROUP_KEYS; i++)
		s->skel->rodata->cfg_groups |= o->by[i];
	if (!s->skel->rodata->cfg_groups) {
		disable(s->skel);
		return 0;
	}
	if (s->skel->rodata->cfg_groups & BY_CGROUP)
		s->skel->rodata->cfg_cgroup_root = attach_cgroup_root();
	err = size_maps(s->skel, o->max_groups, s->nr_cpus);
	if (err)
		snprintf(why, size, "cannot make room for %" PRIu64 " groups: %s", o->max_groups,
			 strerror(-err));
	return err;
}
