/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel says of processes as it happens (perf_event_open(2)): which code they map, that
 * they fork, execute and end. So the code of a process that has ended is known, too.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stacks/space.h"

enum map_event_kind { MAP_EVENT_MAP, MAP_EVENT_FORK, MAP_EVENT_EXEC, MAP_EVENT_EXIT };

struct map_event {
	enum map_event_kind kind;
	uint64_t at_ns; /* CLOCK_MONOTONIC */
	pid_t pid, parent;
	/* Of a mapping: */
	uint64_t start, end, offset;
	struct object_id id;
	char *path; /* To be freed. */
};

struct map_events;

/*
 * Begins to listen to all processes. Returns 0, or -errno: without CAP_PERFMON the kernel may
 * refuse it. Call map_events__close() in either case.
 */
int map_events__open(struct map_events **events);
void map_events__close(struct map_events *events);

/* Fills in, as far as there is room, what to wait for: much to be read. Returns how many. */
size_t map_events__poll(const struct map_events *events, struct pollfd *fds, size_t room);
/* Returns the number of descriptors that there are. */
size_t map_events__count(const struct map_events *events);

/*
 * Adds all that there is now to a list, which stays sorted by time. Returns 0, or -ENODATA if the
 * kernel, or we, had no room for some.
 */
int map_events__read(struct map_events *events, struct map_event **list, size_t *nr);
/* Drops the first ones of the list. */
void map_events_drop(struct map_event **list, size_t *nr, size_t first);
