// SPDX-License-Identifier: GPL-2.0
/*
 * What a program's start and end consist of: loaded beforehand (LD_PRELOAD) into iotrace and its
 * command, it writes when each of them began and ended, and each bpf(2) call between, to the file
 * that STARTING_LOG names. A line is the process's name, what happened, the name of the map or
 * program, and when that began and ended: ns of CLOCK_MONOTONIC.
 *
 * libbpf makes its calls by syscall(3), whose name the dynamic linker finds here first.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "bench.h"

static struct event {
	const char *what;
	char name[BPF_OBJ_NAME_LEN];
	uint64_t start, end;
} events[1024];
static unsigned nr_events;
static uint64_t began;

static const char *word_of(long command)
{
	switch (command) {
	case BPF_MAP_CREATE:
		return "map";
	case BPF_PROG_LOAD:
		return "load";
	case BPF_LINK_CREATE:
	case BPF_RAW_TRACEPOINT_OPEN:
		return "attach";
	default:
		return "other";
	}
}

static void note(long command, const union bpf_attr *attr, uint64_t start)
{
	struct event *e = &events[nr_events];

	if (nr_events == sizeof(events) / sizeof(*events))
		return;
	nr_events++;
	e->what = word_of(command);
	e->start = start;
	e->end = bench_ns(CLOCK_MONOTONIC);
	if (command == BPF_MAP_CREATE)
		memcpy(e->name, attr->map_name, sizeof(e->name) - 1);
	if (command == BPF_PROG_LOAD)
		memcpy(e->name, attr->prog_name, sizeof(e->name) - 1);
}

long syscall(long number, ...)
{
	static long (*next)(long, ...);
	uint64_t start;
	long a[6], result;
	va_list list;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number != SYS_bpf)
		return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	start = bench_ns(CLOCK_MONOTONIC);
	result = next(number, a[0], a[1], a[2]);
	number = errno;
	note(a[0], (const union bpf_attr *)a[1], start);
	errno = (int)number;
	return result;
}

__attribute__((constructor)) static void begin(void)
{
	began = bench_ns(CLOCK_MONOTONIC);
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("STARTING_LOG");
	uint64_t now = bench_ns(CLOCK_MONOTONIC);
	FILE *f = path ? fopen(path, "ae") : NULL;

	if (!f)
		return;
	for (unsigned i = 0; i < nr_events; i++) {
		const struct event *e = &events[i];

		fprintf(f, "%s %s %s %llu %llu\n", program_invocation_short_name, e->what,
			*e->name ? e->name : "-", (unsigned long long)e->start,
			(unsigned long long)e->end);
	}
	fprintf(f, "%s all - %llu %llu\n", program_invocation_short_name, (unsigned long long)began,
		(unsigned long long)now);
	fclose(f);
}
