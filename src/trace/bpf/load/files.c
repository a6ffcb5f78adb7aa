// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "trace/bpf/load/load.h"
#include "trace/kernel.h"
#include "trace/file_rows.h"

#define CELLS_PER_FILE	  2  /* Cells that are made with the map. */
#define MORE_PER_FILE	  14 /* Cells that are made as they are needed. */
#define OLD_PER_FILE	  4  /* Cells that are made with the map where no others can be. */
#define USERS_PER_FILE	  4
#define PROGRAMS_PER_FILE 2
#define GROUPS_PER_FILE	  4
#define COMMS_PER_FILE	  4    /* Names of users of which some found no room. */
#define MAX_COMMS	  4096 /* Names of programs of which some found no room. */
/*
 * Connections with a write that is held back. Each CPU keeps 128 free ones for itself
 * (kernel/bpf/bpf_lru_list.c).
 */
#define MIN_HELD     1024
#define HELD_PER_CPU 256

static void disable(struct iotrace_bpf *skel)
{
	struct bpf_map *const maps[] = {
		skel->maps.file_rows,	    skel->maps.file_cells,    skel->maps.file_cell_numbers,
		skel->maps.more_file_cells, skel->maps.file_users,    skel->maps.programs,
		skel->maps.file_scratch,    skel->maps.task_files,    skel->maps.free_files,
		skel->maps.more_file_users, skel->maps.more_programs, skel->maps.file_groups,
		skel->maps.held_writes,
	};

	for (size_t i = 0; i < ARRAY_SIZE(maps); i++)
		bpf_map__set_autocreate(maps[i], false);
}

static int size_maps(struct iotrace_bpf *skel, size_t max_files, int nr_cpus)
{
	/*
	 * Can a probe make cells as they are needed? Before Linux 6.1 the kernel warns in its log
	 * of a map without elements in a program of a tracepoint (check_map_prog_compatibility() in
	 * kernel/bpf/verifier.c).
	 */
	bool makes_cells = !kernel_before(6, 1);
	/* A few files may be used by all calls on all CPUs. */
	size_t end_cell = 1 + max_files * (makes_cells ? CELLS_PER_FILE : OLD_PER_FILE) +
			  (size_t)nr_cpus * 64;
	const struct {
		struct bpf_map *map;
		size_t entries;
		bool grows;
	} sizes[] = {
		{ skel->maps.file_rows, max_files, false },
		{ skel->maps.file_cells, end_cell, false },
		{ skel->maps.file_cell_numbers, end_cell, false },
		{ skel->maps.more_file_cells, makes_cells ? max_files * MORE_PER_FILE + 1024 : 1,
		  true },
		{ skel->maps.file_users, max_files * USERS_PER_FILE + 1024, false },
		{ skel->maps.file_groups, max_files * GROUPS_PER_FILE + 1024, true },
		{ skel->maps.programs, max_files * PROGRAMS_PER_FILE + 1024, false },
		{ skel->maps.more_file_users, max_files * COMMS_PER_FILE, true },
		{ skel->maps.more_programs, MAX_COMMS, true },
		{ skel->maps.held_writes, MIN_HELD + (size_t)nr_cpus * HELD_PER_CPU, false },
	};
	int err = 0;

	skel->rodata->cfg_end_cell = end_cell;
	for (size_t i = 0; !err && i < ARRAY_SIZE(sizes); i++) {
		if (sizes[i].grows && makes_cells)
			err = bpf_map__set_map_flags(sizes[i].map, BPF_F_NO_PREALLOC);
		if (!err)
			err = bpf_map__set_max_entries(sizes[i].map, sizes[i].entries);
	}
	return err;
}

int bpf_files_size(struct bpf_state *s, char *why, size_t size)
{
	const struct trace_options *o = s->options;
	int err = 0;

	if (o->files)
		err = size_maps(s->skel, o->max_files, s->nr_cpus);
	else
		disable(s->skel);
	if (err)
		snprintf(why, size, "cannot make room for %" PRIu64 " files: %s", o->max_files,
			 strerror(-err));
	return err;
}

int bpf_files_configure(struct bpf_state *s, char *why, size_t size)
{
	const struct trace_options *o = s->options;
	struct iotrace_bpf *skel = s->skel;
	int err;

	if (!o->files)
		return 0;
	skel->bss->root.fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (skel->bss->root.fd < 0)
		return -errno;
	skel->rodata->cfg_files = true;
	skel->rodata->cfg_ephemeral = ephemeral_ports();
	s->no_nagle =
		!bpf_find_tcp_offsets((struct iotrace_tcp_offsets *)&skel->rodata->cfg_tcp_at);
	err = bpf_find_file_offsets((struct iotrace_file_offsets *)&skel->rodata->cfg_at, why,
				    size);
	return err ? err : bpf_path_filter_open(skel, o, why, size);
}
