// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/load/added_cells.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/descriptor.h"
#include "base/helper_thread.h"
#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "trace/privilege.h"

#define ARRAY_SIZE_IN_BYTES (GROUP_CELLS_ADDED * sizeof(struct iotrace_group_cell))

struct added_cells {
	struct iotrace_bpf *skel;
	struct ring_buffer *left; /* Readable when another array is needed. */
	struct helper_thread thread;
	size_t nr, room; /* The thread writes nr, after the array. */
	char *arrays[];
};

static int ignore_number(void *ctx, void *data, size_t size)
{
	(void)ctx;
	(void)data;
	(void)size;
	return 0;
}

static bool is_needed(const struct added_cells *a)
{
	uint32_t used = __atomic_load_n(&a->skel->data->next_group_cell, __ATOMIC_ACQUIRE);

	return a->nr < a->room && used + GROUP_CELLS_LEFT >= a->skel->data->end_group_cell;
}

/* Makes an array, which lives as long as it is mapped here, and hands it to the probes. */
static int add_array(struct added_cells *a)
{
	struct bpf_map_create_opts opts = { .sz = sizeof(opts), .map_flags = BPF_F_MMAPABLE };
	uint32_t index = GROUP_CELL_FIRST_ARRAY + (uint32_t)a->nr;
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "group_cells", sizeof(uint32_t),
				sizeof(struct iotrace_group_cell), GROUP_CELLS_ADDED, &opts);
	char *cells = MAP_FAILED;
	int err = 0;

	if (fd >= 0)
		cells = mmap(NULL, ARRAY_SIZE_IN_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	if (cells == MAP_FAILED ||
	    bpf_map_update_elem(bpf_map__fd(a->skel->maps.group_cell_arrays), &index, &fd, BPF_ANY))
		err = -errno;
	close_fd(&fd);
	if (err && cells != MAP_FAILED)
		munmap(cells, ARRAY_SIZE_IN_BYTES);
	if (err)
		return err;
	a->arrays[a->nr] = cells;
	__atomic_store_n(&a->nr, a->nr + 1, __ATOMIC_RELEASE);
	__atomic_add_fetch(&a->skel->data->end_group_cell, GROUP_CELLS_ADDED, __ATOMIC_RELEASE);
	return 0;
}

static void *add(void *arg)
{
	struct added_cells *a = arg;
	struct pollfd fds[] = {
		{ .fd = a->thread.end_fd, .events = POLLIN },
		{ .fd = ring_buffer__epoll_fd(a->left), .events = POLLIN },
	};
	int err = privilege_drop_all_but_bpf();

	while (!err) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		if (fds[0].revents)
			break;
		ring_buffer__consume(a->left);
		while (!err && is_needed(a))
			err = add_array(a);
	}
	return NULL;
}

int added_cells__start(struct added_cells **added, struct iotrace_bpf *skel)
{
	size_t numbers = bpf_map__max_entries(skel->maps.group_cell_numbers);
	size_t room = (numbers - skel->rodata->cfg_first_group_cells) / GROUP_CELLS_ADDED;
	struct added_cells *a;

	*added = NULL;
	if (!room)
		return 0;
	*added = a = calloc(1, sizeof(*a) + room * sizeof(*a->arrays));
	if (!a)
		return -ENOMEM;
	a->skel = skel;
	a->room = room;
	a->left = ring_buffer__new(bpf_map__fd(skel->maps.group_cells_left), ignore_number, NULL,
				   NULL);
	return a->left ? helper_thread_start(&a->thread, add, a) : -errno;
}

void added_cells__stop(struct added_cells *a)
{
	helper_thread_end(&a->thread);
}

const char *added_cells__array(const struct added_cells *a, size_t i, size_t *nr)
{
	*nr = GROUP_CELLS_ADDED;
	return i < __atomic_load_n(&a->nr, __ATOMIC_ACQUIRE) ? a->arrays[i] : NULL;
}

void added_cells__free(struct added_cells *a)
{
	if (!a)
		return;
	added_cells__stop(a);
	ring_buffer__free(a->left);
	for (size_t i = 0; i < a->nr; i++)
		munmap(a->arrays[i], ARRAY_SIZE_IN_BYTES);
	free(a);
}
