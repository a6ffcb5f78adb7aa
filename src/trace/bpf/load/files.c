// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "trace/bpf/load/load.h"
#include "trace/kernel.h"
#include "trace/file_rows.h"

#define CELLS_PER_FILE	  2  /* Cells that are made with the map. */
#define MORE_PER_FILE	  14 /* Cells that are made as they are needed. */
#define OLD_PER_FILE	  4  /* Cells that are made with the map where no others can be. */
#define USERS_PER_FILE	  4
#define PROGRAMS_PER_FILE 2

static void disable(struct iotrace_bpf *skel)
{
	bpf_map__set_autocreate(skel->maps.file_rows, false);
	bpf_map__set_autocreate(skel->maps.file_cells, false);
	bpf_map__set_autocreate(skel->maps.file_cell_numbers, false);
	bpf_map__set_autocreate(skel->maps.more_file_cells, false);
	bpf_map__set_autocreate(skel->maps.file_users, false);
	bpf_map__set_autocreate(skel->maps.programs, false);
	bpf_map__set_autocreate(skel->maps.file_scratch, false);
	bpf_map__set_autocreate(skel->maps.task_files, false);
	bpf_map__set_autocreate(skel->maps.free_files, false);
}

/*
 * Can a probe make cells as they are needed? Before Linux 6.1 the kernel warns in its log of a map
 * without elements in a program of a tracepoint (check_map_prog_compatibility() in
 * kernel/bpf/verifier.c).
 */
static bool can_make_cells(void)
{
	return !kernel_before(6, 1);
}

static int size_cells(struct iotrace_bpf *skel, size_t max_files, int nr_cpus)
{
	/* A few files may be used by all calls on all CPUs. */
	size_t end_cell = 1 + max_files * (can_make_cells() ? CELLS_PER_FILE : OLD_PER_FILE) +
			  (size_t)nr_cpus * 64;
	int err;

	skel->rodata->cfg_end_cell = end_cell;
	err = bpf_map__set_max_entries(skel->maps.file_cells, end_cell);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.file_cell_numbers, end_cell);
	if (err || !can_make_cells())
		return err;
	err = bpf_map__set_map_flags(skel->maps.more_file_cells, BPF_F_NO_PREALLOC);
	return err ? err
		   : bpf_map__set_max_entries(skel->maps.more_file_cells,
					      max_files * MORE_PER_FILE + 1024);
}

static int size_maps(struct iotrace_bpf *skel, size_t max_files, int nr_cpus, char *why,
		     size_t size)
{
	int err;

	err = bpf_map__set_max_entries(skel->maps.file_rows, max_files);
	if (!err)
		err = size_cells(skel, max_files, nr_cpus);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.file_users,
					       max_files * USERS_PER_FILE + 1024);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.programs,
					       max_files * PROGRAMS_PER_FILE + 1024);
	if (err)
		snprintf(why, size, "cannot make room for %zu files: %s", max_files,
			 strerror(-err));
	return err;
}

int bpf_files_size(struct bpf_state *s, char *why, size_t size)
{
	const struct trace_options *o = s->options;

	if (o->files)
		return size_maps(s->skel, o->max_files, s->nr_cpus, why, size);
	disable(s->skel);
	return 0;
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
	err = bpf_find_file_offsets((struct iotrace_file_offsets *)&skel->rodata->cfg_at, why,
				    size);
	return err ? err : bpf_path_filter_open(skel, o, why, size);
}
