// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/start/steps.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/helper_thread.h"

#define MAX_AHEAD      16
#define LARGE_BYTES    (64 << 10)
#define LARGE_ELEMENTS 100

static struct map_ahead {
	struct bpf_map *map;
	int fd; /* -1: it could not be made */
} ahead[MAX_AHEAD];
static size_t nr_ahead, next_ahead; /* The latter is the index of the one to make next. */
static pthread_t maker;
static bool running;

/* Is it of a kind whose elements the kernel makes with the map? */
static bool is_plain(enum bpf_map_type type)
{
	return type == BPF_MAP_TYPE_ARRAY || type == BPF_MAP_TYPE_HASH ||
	       type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH;
}

/* In a per-CPU hash, each element's values are allocated by themselves, which takes 1 us. */
static bool is_large(const struct bpf_map *map)
{
	enum bpf_map_type type = bpf_map__type(map);
	size_t nr = bpf_map__max_entries(map);

	return bpf_map__autocreate(map) && !bpf_map__is_internal(map) && is_plain(type) &&
	       (nr * (bpf_map__key_size(map) + bpf_map__value_size(map)) >= LARGE_BYTES ||
		(type == BPF_MAP_TYPE_PERCPU_HASH && nr >= LARGE_ELEMENTS));
}

static void *make_maps(void *arg)
{
	(void)arg;
	for (;;) {
		size_t i = __atomic_fetch_add(&next_ahead, 1, __ATOMIC_RELAXED);
		struct bpf_map_create_opts opts = { .sz = sizeof(opts) };
		const struct bpf_map *map;

		if (i >= nr_ahead)
			return NULL;
		map = ahead[i].map;
		opts.map_flags = bpf_map__map_flags(map);
		ahead[i].fd = bpf_map_create(bpf_map__type(map), bpf_map__name(map),
					     bpf_map__key_size(map), bpf_map__value_size(map),
					     bpf_map__max_entries(map), &opts);
	}
}

void map_prefetch_begin(const struct bpf_object *object)
{
	struct bpf_map *map;

	nr_ahead = next_ahead = 0;
	bpf_object__for_each_map (map, object)
		if (nr_ahead < MAX_AHEAD && is_large(map))
			ahead[nr_ahead++] = (struct map_ahead){ map, -1 };
	running = nr_ahead && !helper_thread_create(&maker, make_maps, NULL);
}

void map_prefetch_end(void)
{
	if (!running)
		return;
	running = false;
	make_maps(NULL);
	pthread_join(maker, NULL);
	for (size_t i = 0; i < nr_ahead; i++) {
		if (ahead[i].fd < 0)
			continue;
		/* It takes a descriptor of its own. */
		bpf_map__reuse_fd(ahead[i].map, ahead[i].fd);
		close(ahead[i].fd);
	}
}
