// SPDX-License-Identifier: GPL-2.0
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "trace/bpf/load/added_cells.h"
#include "trace/bpf/load/load.h"
#include "trace/bpf/read/read.h"

/* The key that a cell begins with. 0: it is not in use. */
static uint64_t key_of(const char *cell)
{
	uint64_t key;

	memcpy(&key, cell, sizeof(key));
	return key;
}

/*
 * The cells are in memory that the kernel shares with us. It maps all pages at once
 * (array_map_mmap() in kernel/bpf/arraymap.c), so those that are not in use are left out.
 */
static int each_numbered(const struct bpf_cells *c, bpf_take_cell take, void *arg)
{
	size_t cell_size = bpf_map__value_size(c->numbered), size = c->end * cell_size;
	const char *cells = mmap(NULL, size, PROT_READ, MAP_SHARED, bpf_map__fd(c->numbered), 0);
	int err = 0;

	if (cells == MAP_FAILED)
		return -errno;
	for (const char *cell = cells + cell_size; !err && cell < cells + size; cell += cell_size)
		if (key_of(cell))
			err = take(arg, cell);
	munmap((void *)cells, size);
	return err;
}

#define BATCH 128

/* Reads those that have no number. In batches: a large run has 100,000 of them. */
static int each_other(const struct bpf_cells *c, bpf_take_cell take, void *arg)
{
	size_t cell_size = bpf_map__value_size(c->more);
	char *cells = reallocarray(NULL, BATCH, cell_size);
	uint32_t place, *from = NULL;
	bool more = cells != NULL;
	uint64_t keys[BATCH];
	int err = 0;

	while (more && !err) {
		uint32_t nr = BATCH;

		/* The last batch is with an error, too: ENOENT. */
		if (bpf_map_lookup_batch(bpf_map__fd(c->more), from, &place, keys, cells, &nr,
					 NULL)) {
			more = false;
			err = errno == ENOENT ? 0 : -errno;
		}
		for (uint32_t i = 0; i < nr && !err; i++)
			if (key_of(cells + i * cell_size))
				err = take(arg, cells + i * cell_size);
		from = &place;
	}
	free(cells);
	return cells ? err : -ENOMEM;
}

static int each_added(const struct bpf_cells *c, bpf_take_cell take, void *arg)
{
	size_t cell_size = bpf_map__value_size(c->numbered), nr;
	const char *cell;
	int err = 0;

	for (size_t i = 0; !err && (cell = added_cells__array(c->added, i, &nr)); i++)
		for (; !err && nr; nr--, cell += cell_size)
			if (key_of(cell))
				err = take(arg, cell);
	return err;
}

int bpf_each_cell(const struct bpf_cells *c, bpf_take_cell take, void *arg)
{
	int err = each_numbered(c, take, arg);

	if (!err && c->added)
		err = each_added(c, take, arg);
	return err ? err : each_other(c, take, arg);
}
