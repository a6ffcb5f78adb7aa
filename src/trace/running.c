// SPDX-License-Identifier: GPL-2.0
#include "trace/running.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/proc.h"
#include "base/text.h"
#include "model/nearest.h"

/* Room for the name of a task: TASK_COMM_LEN in include/linux/sched.h. */
#define COMM_SIZE 16
/* So many processes are named. */
#define MAX_NAMED 8

/* Calls take() with each process of /proc, until it returns -errno. Returns that, or 0. */
static int for_each_process(int (*take)(void *arg, pid_t pid), void *arg)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int err = 0;

	if (!proc)
		return -errno;
	while (err >= 0 && (entry = readdir(proc))) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 0)
			err = take(arg, pid);
	}
	closedir(proc);
	return err < 0 ? err : 0;
}

/* ---- by name ---- */

struct named {
	struct ids *ids;
	char comm[COMM_SIZE];
	int nr;
};

static int take_named(void *arg, pid_t pid)
{
	struct named *named = arg;
	char comm[64];

	name_of(pid, comm, sizeof(comm));
	if (pid == getpid() || strcmp(comm, named->comm) != 0)
		return 0;
	named->nr++;
	return ids_have(named->ids, pid) ? 0 : ids_add(named->ids, pid);
}

int running_add_named(struct ids *ids, const char *name)
{
	struct named named = { .ids = ids };
	int err;

	snprintf(named.comm, sizeof(named.comm), "%s", name);
	err = for_each_process(take_named, &named);
	return err ? err : named.nr;
}

/* ---- by who made them ---- */

struct kin {
	pid_t parent, pid;
};

struct kinship {
	struct kin *all;
	size_t nr;
};

static int take_kin(void *arg, pid_t pid)
{
	struct kinship *kinship = arg;
	pid_t parent = parent_of(pid);
	struct kin *kin;

	if (!parent)
		return 0;
	kin = array_append(&kinship->all, &kinship->nr, sizeof(*kin));
	if (!kin)
		return -ENOMEM;
	*kin = (struct kin){ parent, pid };
	return 0;
}

static int by_parent(const void *a, const void *b)
{
	const struct kin *x = a, *y = b;

	return x->parent != y->parent ? (x->parent > y->parent) - (x->parent < y->parent)
				      : (x->pid > y->pid) - (x->pid < y->pid);
}

/* The first in order whose parent this is, or would be. */
static size_t first_child(const struct kinship *kinship, pid_t parent)
{
	size_t low = 0, high = kinship->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (kinship->all[middle].parent < parent)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int running_add_descendants(struct ids *ids)
{
	struct kinship kinship = { 0 };
	int err = for_each_process(take_kin, &kinship);
	size_t before = ids->nr;

	if (!err)
		qsort(kinship.all, kinship.nr, sizeof(*kinship.all), by_parent);
	/* The list grows meanwhile. Who is in it twice over is a target and its descendant. */
	for (size_t i = 0; i < ids->nr && !err; i++)
		for (size_t k = first_child(&kinship, ids->id[i]);
		     k < kinship.nr && kinship.all[k].parent == ids->id[i] && !err; k++)
			if (kinship.all[k].pid != getpid() && !ids_have(ids, kinship.all[k].pid))
				err = ids_add(ids, kinship.all[k].pid);
	free(kinship.all);
	return err ? err : (int)(ids->nr - before);
}

/* ---- in words ---- */

static void describe_processes(FILE *out, const struct trace_options *o)
{
	char comm[64];

	for (size_t i = 0; i < o->nr_pids && i < MAX_NAMED; i++) {
		name_of(o->pids[i], comm, sizeof(comm));
		fprintf(out, "%s%s[%d]", i ? ", " : "", comm, o->pids[i]);
	}
	if (o->nr_pids > MAX_NAMED)
		fprintf(out, " and %zu more", o->nr_pids - MAX_NAMED);
	if (o->with_children)
		fputs(", with their children", out);
}

void running_describe(FILE *out, const struct trace_options *o)
{
	switch (o->scope) {
	case SCOPE_COMMAND:
		return;
	case SCOPE_PIDS:
		describe_processes(out, o);
		return;
	case SCOPE_CGROUP:
		fprintf(out, "cgroup %s", o->cgroup);
		break;
	case SCOPE_ALL:
		fputs("the whole system", out);
		break;
	}
	if (o->comm)
		fprintf(out, ", tasks named %s", o->comm);
	if (o->uid >= 0)
		fprintf(out, ", tasks of user %lld", o->uid);
}

/* Says that there are children that are not traced. */
static void explain_children(FILE *out, const struct trace_options *o)
{
	struct ids ids = { .id = array_copy(o->pids, o->nr_pids, sizeof(*o->pids)),
			   .nr = o->nr_pids };
	int nr = ids.id ? running_add_descendants(&ids) : 0;

	ids_free(&ids);
	if (nr <= 0)
		return;
	if (o->nr_pids == 1)
		fprintf(out, "process %d has", o->pids[0]);
	else
		fputs("the processes have", out);
	fprintf(out, " %d %s not traced: --with-children traces %s, too", nr,
		nr == 1 ? "child, which is" : "children, which are", nr == 1 ? "it" : "them");
}

struct wanted {
	const char *comm;
	long long uid;
	bool named, owned; /* Somebody has the name; somebody is of the user. */
	struct nearest near;
};

/* Looks at the names of all threads: a task may have another one than its process. */
static void look_at_names(struct wanted *wanted, pid_t pid)
{
	char path[64], comm[64];
	struct dirent *entry;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	while (threads && (entry = readdir(threads))) {
		pid_t tid = atoi(entry->d_name);

		if (tid <= 0)
			continue;
		name_of(tid, comm, sizeof(comm));
		wanted->named = wanted->named || !strncmp(comm, wanted->comm, COMM_SIZE - 1);
		nearest_try(&wanted->near, comm, edit_distance(wanted->comm, comm));
	}
	if (threads)
		closedir(threads);
}

static int look_at(void *arg, pid_t pid)
{
	struct wanted *wanted = arg;

	if (wanted->uid >= 0)
		wanted->owned = wanted->owned || user_of(pid) == wanted->uid;
	if (wanted->comm && pid != getpid())
		look_at_names(wanted, pid);
	return 0;
}

void running_explain_nothing(FILE *out, const struct trace_options *o)
{
	struct wanted wanted = { .comm = o->comm, .uid = o->uid };

	if (o->scope == SCOPE_PIDS && !o->with_children)
		explain_children(out, o);
	if (!o->comm && o->uid < 0)
		return;
	if (o->comm)
		wanted.near = nearest_to(o->comm);
	if (for_each_process(look_at, &wanted))
		return;
	if (o->comm && !wanted.named) {
		fprintf(out, "no task is called %s", o->comm);
		if (wanted.near.found[0])
			fprintf(out, "; did you mean %s?", wanted.near.found);
	} else if (o->uid >= 0 && !wanted.owned) {
		fprintf(out, "no process is of user %lld", o->uid);
	}
}
