// SPDX-License-Identifier: GPL-2.0
#include <bpf/bpf.h>
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "trace/bpf/load/load.h"

int bpf_iterate(struct bpf_program *program,
		int (*hand)(void *arg, const struct iotrace_task_record *record), void *arg)
{
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	struct iotrace_task_record records[64];
	ssize_t size;
	int fd, err = 0;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0)
		err = -errno;
	while (!err && (size = read(fd, records, sizeof(records))) != 0) {
		if (size < 0 && errno != EINTR && errno != EAGAIN)
			err = -errno;
		for (ssize_t i = 0; hand && !err && i < size / (ssize_t)sizeof(*records); i++)
			err = hand(arg, &records[i]);
	}
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
}

int bpf_iterate_all(struct bpf_state *s, struct bpf_program *program, void (*begin)(void *arg),
		    int (*hand)(void *arg, const struct iotrace_task_record *record), void *arg)
{
	const uint64_t *refused = &s->skel->bss->refused_reads;

	for (int i = 0; i < 20; i++) {
		uint64_t before = __atomic_load_n(refused, __ATOMIC_ACQUIRE);
		int err;

		if (begin)
			begin(arg);
		err = bpf_iterate(program, hand, arg);
		if (err || __atomic_load_n(refused, __ATOMIC_ACQUIRE) == before)
			return err;
		sched_yield();
	}
	return 1;
}

bool bpf_all_ended(const struct bpf_state *s)
{
	return __atomic_load_n(&s->skel->bss->live_tasks, __ATOMIC_ACQUIRE) <= 0;
}
