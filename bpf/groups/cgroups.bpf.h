/* SPDX-License-Identifier: GPL-2.0 */
/* The cgroups that tasks are in, and their paths, which could not be read once they are gone. */
#pragma once

#include "kernel/kernel.bpf.h"

const volatile u64 cfg_cgroup_root = 0; /* Id of the one that paths begin below. 0: the topmost. */

/* By the id of a cgroup. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, struct iotrace_cgroup);
} cgroup_paths SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct iotrace_cgroup);
} cgroup_scratch SEC(".maps");

static __always_inline u64 cgroup_id_of(const struct task_struct *task)
{
	return task->cgroups->dfl_cgrp->kn->id;
}

/* The member has another name since Linux 6.15. A generated vmlinux.h has one of both. */
struct kernfs_node___plain {
	struct kernfs_node *parent;
} __attribute__((preserve_access_index));

struct kernfs_node___rcu {
	struct kernfs_node *__parent;
} __attribute__((preserve_access_index));

static __always_inline struct kernfs_node *node_parent(const struct kernfs_node *node)
{
	const struct kernfs_node___plain *plain = (const void *)node;
	const struct kernfs_node___rcu *renamed = (const void *)node;

	if (bpf_core_field_exists(renamed->__parent))
		return BPF_CORE_READ(renamed, __parent);
	return BPF_CORE_READ(plain, parent);
}

/* Adds the name of a node. Returns its parent, or NULL at the root, which has no name. */
static __always_inline struct kernfs_node *add_cgroup_name(struct iotrace_cgroup *cgroup,
							   struct kernfs_node *node)
{
	struct kernfs_node *parent = node_parent(node);
	u32 at = cgroup->len;
	long len;

	if (!parent || BPF_CORE_READ(node, id) == cfg_cgroup_root)
		return NULL;
	barrier_var(at); /* The verifier must check the bounds of this value. */
	if (at > CGROUP_PATH_SIZE) {
		cgroup->cut = 1;
		return NULL;
	}
	len = bpf_probe_read_kernel_str(cgroup->path + at, CGROUP_NAME_SIZE,
					BPF_CORE_READ(node, name));
	cgroup->len = len > 0 ? at + len : at;
	return parent;
}

/* Keeps the path of the current task's cgroup, which has this id, if it is not known yet. */
__noinline int name_cgroup(u64 id)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct iotrace_cgroup *cgroup;
	struct kernfs_node *node;
	u32 zero = 0;

	if (!(cfg_groups & BY_CGROUP) || bpf_map_lookup_elem(&cgroup_paths, &id))
		return 0;
	cgroup = bpf_map_lookup_elem(&cgroup_scratch, &zero);
	node = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn);
	if (!cgroup || BPF_CORE_READ(node, id) != id)
		return 0;
	cgroup->len = cgroup->cut = 0;
	for (int i = 0; node && i < CGROUP_PATH_DEPTH; i++)
		node = add_cgroup_name(cgroup, node);
	if (node)
		cgroup->cut = 1;
	bpf_map_update_elem(&cgroup_paths, &id, cgroup, BPF_NOEXIST);
	return 0;
}
