// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/stacks/map_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/descriptor.h"

/* Room for the events of one CPU: an execve makes about 1 KiB of them. */
#define BUFFER_SIZE (64 * 1024)

/* Since Linux 5.12, which the headers may not know yet. */
#ifndef PERF_RECORD_MISC_MMAP_BUILD_ID
#define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)
#endif

/* The events of one CPU. */
struct cpu_events {
	int fd;
	struct perf_event_mmap_page *page; /* Followed by the buffer. NULL: it is not mapped. */
};

struct map_events {
	struct cpu_events *cpus;
	size_t nr_cpus;
	size_t page_size;
	bool lost; /* There was no room for some since the last reading. */
	unsigned char
		*record; /* Room for one record, whose end may be at the buffer's beginning. */
};

static int open_event(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.build_id = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = BUFFER_SIZE / 2,
		.exclude_kernel = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Opens the events of a CPU. Returns 0, -ENODEV if it is off line, or -errno. */
static int open_cpu(struct map_events *e, int cpu)
{
	int fd = open_event(cpu);
	struct cpu_events *c;
	void *page;

	if (fd < 0)
		return -errno;
	page = mmap(NULL, e->page_size + BUFFER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	c = page == MAP_FAILED ? NULL : array_append(&e->cpus, &e->nr_cpus, sizeof(*c));
	if (!c) {
		int err = page == MAP_FAILED ? -errno : -ENOMEM;

		if (page != MAP_FAILED)
			munmap(page, e->page_size + BUFFER_SIZE);
		close(fd);
		return err;
	}
	c->fd = fd;
	c->page = page;
	return 0;
}

int map_events__open(struct map_events **events)
{
	struct map_events *e = calloc(1, sizeof(*e));
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	int err = 0;

	*events = e;
	if (!e)
		return -ENOMEM;
	e->page_size = (size_t)sysconf(_SC_PAGESIZE);
	e->record = malloc(UINT16_MAX + 1);
	if (!e->record)
		return -ENOMEM;
	for (int cpu = 0; !err && cpu < nr_cpus; cpu++) {
		err = open_cpu(e, cpu);
		if (err == -ENODEV)
			err = 0;
	}
	return err;
}

void map_events__close(struct map_events *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->nr_cpus; i++) {
		munmap(e->cpus[i].page, e->page_size + BUFFER_SIZE);
		close_fd(&e->cpus[i].fd);
	}
	free(e->cpus);
	free(e->record);
	free(e);
}

size_t map_events__count(const struct map_events *e)
{
	return e->nr_cpus;
}

size_t map_events__poll(const struct map_events *e, struct pollfd *fds, size_t room)
{
	size_t nr = e->nr_cpus < room ? e->nr_cpus : room;

	for (size_t i = 0; i < nr; i++)
		fds[i] = (struct pollfd){ .fd = e->cpus[i].fd, .events = POLLIN };
	return nr;
}

/* ---- records, which perf_event_open(2) describes ---- */

/* They end with the time, as sample_id_all asks. */
static uint64_t time_of(const struct perf_event_header *header)
{
	uint64_t ns;

	memcpy(&ns, (const char *)header + header->size - sizeof(ns), sizeof(ns));
	return ns;
}

struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, length, offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t ino, generation;
		};
		struct {
			uint8_t build_id_size, reserved[3];
			uint8_t build_id[20];
		};
	};
	uint32_t protection, flags;
	char path[];
};

static int read_map(struct map_event *event, const struct perf_event_header *header)
{
	const struct mmap2_record *r = (const struct mmap2_record *)header;
	size_t room = header->size - sizeof(*r);

	if (header->size <= sizeof(*r))
		return -EINVAL;
	event->kind = MAP_EVENT_MAP;
	event->pid = (pid_t)r->pid;
	event->start = r->address;
	event->end = r->address + r->length;
	event->offset = r->offset;
	if (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		event->id.build_id_size =
			r->build_id_size < BUILD_ID_SIZE ? r->build_id_size : BUILD_ID_SIZE;
		memcpy(event->id.build_id, r->build_id, event->id.build_id_size);
	} else {
		event->id.ino = r->ino;
	}
	event->path = strndup(r->path, room);
	return event->path ? 0 : -ENOMEM;
}

struct task_record {
	struct perf_event_header header;
	uint32_t pid, parent, tid, parent_tid;
	uint64_t time;
};

static int read_task(struct map_event *event, const struct perf_event_header *header)
{
	const struct task_record *r = (const struct task_record *)header;

	if (header->size < sizeof(*r))
		return -EINVAL;
	event->kind = header->type == PERF_RECORD_FORK ? MAP_EVENT_FORK : MAP_EVENT_EXIT;
	event->pid = (pid_t)r->pid;
	event->parent = (pid_t)r->parent;
	/* Threads come and go with the mappings of their process. */
	if (event->kind == MAP_EVENT_FORK)
		return r->pid == r->parent ? -EINVAL : 0;
	return r->pid == r->tid ? 0 : -EINVAL;
}

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
};

static int read_comm(struct map_event *event, const struct perf_event_header *header)
{
	const struct comm_record *r = (const struct comm_record *)header;

	if (header->size < sizeof(*r) || !(header->misc & PERF_RECORD_MISC_COMM_EXEC))
		return -EINVAL;
	event->kind = MAP_EVENT_EXEC;
	event->pid = (pid_t)r->pid;
	return 0;
}

/* Reads a record. Returns 0, -EINVAL if it says nothing that is wanted, or -ENOMEM. */
static int read_record(struct map_events *e, struct map_event *event,
		       const struct perf_event_header *header)
{
	memset(event, 0, sizeof(*event));
	event->at_ns = time_of(header);
	switch (header->type) {
	case PERF_RECORD_MMAP2:
		return read_map(event, header);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return read_task(event, header);
	case PERF_RECORD_COMM:
		return read_comm(event, header);
	case PERF_RECORD_LOST:
		e->lost = true;
		return -EINVAL;
	default:
		return -EINVAL;
	}
}

/* Copies bytes out of the ring. */
static void copy(unsigned char *to, const unsigned char *ring, uint64_t from, size_t size)
{
	size_t at = from % BUFFER_SIZE, first = BUFFER_SIZE - at < size ? BUFFER_SIZE - at : size;

	memcpy(to, ring + at, first);
	memcpy(to + first, ring, size - first);
}

static void read_cpu(struct map_events *e, const struct cpu_events *c, struct map_event **list,
		     size_t *nr)
{
	const unsigned char *ring = (const unsigned char *)c->page + e->page_size;
	uint64_t head = __atomic_load_n(&c->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = c->page->data_tail;
	struct perf_event_header header;

	while (head - tail >= sizeof(header)) {
		struct map_event event, *added;
		int err;

		copy((unsigned char *)&header, ring, tail, sizeof(header));
		if (header.size < sizeof(header) + sizeof(uint64_t) || header.size > head - tail)
			break;
		copy(e->record, ring, tail, header.size);
		tail += header.size;
		err = read_record(e, &event, (const struct perf_event_header *)e->record);
		if (err == -ENOMEM)
			e->lost = true;
		if (err)
			continue;
		added = array_append(list, nr, sizeof(*added));
		if (added) {
			*added = event;
		} else {
			free(event.path);
			e->lost = true;
		}
	}
	__atomic_store_n(&c->page->data_tail, tail, __ATOMIC_RELEASE);
}

static int by_time(const void *x, const void *y)
{
	const struct map_event *a = x, *b = y;

	return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

int map_events__read(struct map_events *e, struct map_event **list, size_t *nr)
{
	size_t before = *nr;
	bool lost;

	for (size_t i = 0; i < e->nr_cpus; i++)
		read_cpu(e, &e->cpus[i], list, nr);
	if (*nr > before)
		qsort(*list, *nr, sizeof(**list), by_time);
	lost = e->lost;
	e->lost = false;
	return lost ? -ENODATA : 0;
}

void map_events_drop(struct map_event **list, size_t *nr, size_t first)
{
	for (size_t i = 0; i < first; i++)
		free((*list)[i].path);
	*nr -= first;
	if (first)
		memmove(*list, *list + first, *nr * sizeof(**list));
}
