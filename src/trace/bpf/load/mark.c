// SPDX-License-Identifier: GPL-2.0
/* Tells the probes whom to trace. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/message.h"
#include "trace/attach.h"
#include "trace/bpf/doctor/failure.h"
#include "trace/bpf/load/load.h"
#include "trace/running.h"

static int set_task(struct bpf_state *s, int pidfd, uint32_t flags)
{
	struct iotrace_mark mark = { .flags = flags };
	bool placed = !(flags & TASK_TRACED);
	int err = 0;

	/* Until its first call the probes have to look for it in task storage. */
	if (!placed) {
		mark.flags |= TASK_UNPLACED;
		__atomic_add_fetch(&s->skel->bss->unplaced, 1, __ATOMIC_SEQ_CST);
	}
	if (bpf_map_update_elem(bpf_map__fd(s->skel->maps.tasks), &pidfd, &mark, BPF_ANY))
		err = -errno;
	if (err && !placed)
		__atomic_sub_fetch(&s->skel->bss->unplaced, 1, __ATOMIC_SEQ_CST);
	return err;
}

int bpf_set_pid(struct bpf_state *s, pid_t pid, uint32_t flags)
{
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0), err;

	if (pidfd < 0)
		return -errno;
	err = set_task(s, pidfd, flags);
	close(pidfd);
	return err;
}

static int mark_command(struct bpf_state *s, const struct target *t, char *why, size_t size)
{
	int err;

	s->skel->bss->live_tasks = 1;
	err = set_task(s, target__pidfd(t), TASK_TRACED | TASK_ARMED);
	if (err)
		snprintf(why, size, "cannot mark process %d for tracing: %s", target__pid(t),
			 strerror(-err));
	return err;
}

/* Makes a process a target. 0, or -errno with the reason in why. */
static int mark_target(struct bpf_state *s, pid_t pid, char *why, size_t size)
{
	int pidfd = attach_open_process(pid, why, size), err;

	if (pidfd < 0)
		return pidfd;
	err = set_task(s, pidfd, TASK_TARGET);
	close(pidfd);
	if (!err)
		err = ids_add(&s->targets, pid);
	if (err)
		snprintf(why, size, "%s", strerror(-err));
	return err;
}

/*
 * Marks the processes of -p and names those that cannot be traced. Returns -ESRCH if none can be
 * traced.
 */
static int mark_targets(struct bpf_state *s)
{
	const struct trace_options *o = s->options;
	char why[512];

	for (size_t i = 0; i < o->nr_pids; i++)
		if (mark_target(s, o->pids[i], why, sizeof(why)))
			message_error("cannot trace process %d: %s", o->pids[i], why);
	if (s->targets.nr)
		return 0;
	message_error("none of the processes given by -p can be traced");
	return -ESRCH;
}

/*
 * Marks descendants of the targets, and names those that cannot be traced. Returns how many it has
 * marked, or -errno.
 */
static int mark_descendants(struct bpf_state *s, struct ids *known)
{
	size_t first = known->nr, nr_before = s->targets.nr;
	int err = running_add_descendants(known);
	char reason[512];

	for (size_t i = first; i < known->nr && err >= 0; i++) {
		err = mark_target(s, known->id[i], reason, sizeof(reason));
		/* It may have ended meanwhile. */
		if (err && err != -ESRCH)
			message_error("cannot trace process %d: %s", known->id[i], reason);
		err = err == -ENOMEM ? err : 0;
	}
	return err < 0 ? err : (int)(s->targets.nr - nr_before);
}

int bpf_mark_children(struct bpf_state *s, char *why, size_t size)
{
	struct ids known = { .id = array_copy(s->targets.id, s->targets.nr, sizeof(pid_t)),
			     .nr = s->targets.nr };
	int nr = known.id ? 1 : -ENOMEM;

	while (nr > 0)
		nr = mark_descendants(s, &known);
	ids_free(&known);
	if (nr < 0)
		snprintf(why, size, "cannot find the children of the processes: %s", strerror(-nr));
	return nr;
}

int bpf_mark_threads(struct bpf_state *s, char *why, size_t size)
{
	int err = bpf_iterate_all(s, s->skel->progs.mark_tasks, NULL, NULL, NULL);

	if (err > 0)
		err = -EBUSY;
	if (err)
		bpf_failure_examine(why, size, "cannot go through the threads of the processes",
				    err);
	return err;
}

static bool is_target(void *arg, int pidfd)
{
	struct bpf_state *s = arg;
	struct iotrace_mark mark;

	return !bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.tasks), &pidfd, &mark) &&
	       mark.flags & TASK_TARGET;
}

int bpf_check_targets(struct bpf_state *s, char *why, size_t size)
{
	pid_t refused = attach_find_refused(is_target, s);

	if (refused > 0) {
		message_error(
			"process %d gained privileges while tracing began, and you may not trace it now: try again, or use sudo",
			refused);
		return -EPERM;
	}
	if (refused < 0)
		bpf_failure_examine(why, size, "cannot go through the processes", refused);
	return refused;
}

/*
 * Watches the parent of the cgroup for its removal. Returns a descriptor, or -1 if there is nothing
 * to watch (the topmost cgroup).
 */
static int watch_removals(int cgroup_fd)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	char parent[64];

	snprintf(parent, sizeof(parent), "/proc/self/fd/%d/..", cgroup_fd);
	if (fd >= 0 && inotify_add_watch(fd, parent, IN_DELETE | IN_ONLYDIR) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool bpf_cgroup_is_gone(const struct bpf_state *s)
{
	return s->cgroup_fd >= 0 && faccessat(s->cgroup_fd, "cgroup.procs", F_OK, 0) != 0 &&
	       (errno == ENOENT || errno == ENODEV);
}

static int mark_cgroup(struct bpf_state *s)
{
	char why[512];
	uint32_t zero = 0;
	int fd = attach_open_cgroup(s->options->cgroup, why, sizeof(why)), err = 0;

	if (fd < 0) {
		message_error("%s", why);
		return fd;
	}
	s->cgroup_fd = fd;
	s->removals_fd = watch_removals(fd);
	if (bpf_map_update_elem(bpf_map__fd(s->skel->maps.wanted_cgroup), &zero, &fd, BPF_ANY)) {
		err = -errno;
		message_error("cannot trace the cgroup: %s", strerror(errno));
	}
	return err;
}

/* Returns 1, or 0 if the process is a target already or descends from one. */
static int take_allowed(void *arg, int pidfd)
{
	struct bpf_state *s = arg;
	struct iotrace_mark mark;
	int err;

	/* Tasks may have a mark without flags; see refused() in the probes. */
	if (!bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.tasks), &pidfd, &mark) && mark.flags)
		return 0;
	err = set_task(s, pidfd, TASK_TARGET);
	/* It may have ended meanwhile. */
	return !err ? 1 : err == -ENOENT || err == -ESRCH ? 0 : err;
}

int bpf_mark_allowed(struct bpf_state *s, char *why, size_t size)
{
	const struct trace_options *o = s->options;
	const struct attach_selection selection = { s->cgroup_fd, o->uid, o->comm };
	int nr_taken, nr_all = 0;

	do {
		size_t nr_refused;
		char *refused;

		nr_taken = attach_take_all(&selection, take_allowed, s, &refused, &nr_refused);
		if (!nr_all && nr_refused && !o->quiet)
			message_note("not permitted to trace %zu process%s left out: %s",
				     nr_refused, nr_refused == 1 ? ", which is" : "es, which are",
				     refused);
		free(refused);
		nr_all += nr_taken;
	} while (nr_taken > 0);
	if (nr_taken < 0) {
		bpf_failure_examine(why, size, "cannot go through the processes", nr_taken);
		return nr_taken;
	}
	if (nr_all)
		return 0;
	message_error("there is no process that you may trace: use sudo");
	return -EPERM;
}

int bpf_mark(struct bpf_state *s, const struct target *t, char *why, size_t size)
{
	int err = 0;

	switch (s->options->scope) {
	case SCOPE_COMMAND:
		return mark_command(s, t, why, size);
	case SCOPE_PIDS:
		return mark_targets(s);
	case SCOPE_CGROUP:
		err = mark_cgroup(s);
		if (err)
			return err;
		break;
	case SCOPE_ALL:
		break;
	}
	err = bpf_set_pid(s, getpid(), TASK_EXCLUDED);
	if (err)
		bpf_failure_examine(why, size, "cannot leave out iotrace's own calls", err);
	return err;
}
