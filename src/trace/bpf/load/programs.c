// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/load/programs.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "base/array.h"
#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "trace/bpf/load/load.h"

/* The programs that see calls: a run uses two of them. An exit stands before its entry. */
static const struct call_program {
	bool match_per_call, files;
	bool enters;
	size_t program, link; /* Where the skeleton has them. */
} call_programs[] = {
#define ROW(match_per_call, files, enters, name)                                         \
	{                                                                                \
		match_per_call, files, enters, offsetof(struct iotrace_bpf, progs.name), \
			offsetof(struct iotrace_bpf, links.name)                         \
	}
	ROW(false, false, false, marked_exit),	    ROW(false, false, true, marked_enter),
	ROW(false, true, false, marked_exit_files), ROW(false, true, true, marked_enter_files),
	ROW(true, false, false, matched_exit),	    ROW(true, false, true, matched_enter),
	ROW(true, true, false, matched_exit_files), ROW(true, true, true, matched_enter_files),
#undef ROW
};

static struct bpf_program *program_of(const struct iotrace_bpf *skel,
				      const struct call_program *row)
{
	return *(struct bpf_program *const *)((const char *)skel + row->program);
}

static const char *tracepoint_of(const struct call_program *row)
{
	return row->enters ? "sys_enter" : "sys_exit";
}

/* Makes a program of perf's event, if it is chosen, one of the tracepoint itself. 0 or -errno. */
static int make_direct(struct bpf_program *program, const char *tracepoint)
{
	if (!bpf_program__autoload(program))
		return 0;
	bpf_program__set_type(program, BPF_PROG_TYPE_TRACING);
	bpf_program__set_expected_attach_type(program, BPF_TRACE_RAW_TP);
	return bpf_program__set_attach_target(program, 0, tracepoint);
}

/* Attaches a program to perf's event. NULL with errno on failure. */
static struct bpf_link *attach_to_event(const struct bpf_program *program, const char *tracepoint)
{
	struct bpf_link *link;
	int fd = tracepoint_open(tracepoint), err;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	link = bpf_program__attach_perf_event(program, fd);
	if (link)
		return link;
	err = errno;
	close(fd);
	errno = err;
	return NULL;
}

/* Attaches a program that is loaded and not attached yet. 0 or -errno. */
static int attach_program(struct iotrace_bpf *skel, const struct call_program *row)
{
	struct bpf_link **link = (struct bpf_link **)((char *)skel + row->link);
	struct bpf_program *program = program_of(skel, row);

	if (*link || !bpf_program__autoload(program))
		return 0;
	*link = bpf_program__type(program) == BPF_PROG_TYPE_TRACEPOINT
			? attach_to_event(program, tracepoint_of(row))
			: bpf_program__attach_trace(program);
	return *link ? 0 : -errno;
}

static void take_off(struct iotrace_bpf *skel, size_t offset)
{
	struct bpf_link **link = (struct bpf_link **)((char *)skel + offset);

	bpf_link__destroy(*link);
	*link = NULL;
}

void bpf_programs_choose(struct iotrace_bpf *skel, const struct bpf_needs *needs)
{
	bool new_tasks = !needs->match_per_call || needs->access;

	for (size_t i = 0; i < ARRAY_SIZE(call_programs); i++) {
		const struct call_program *row = &call_programs[i];
		struct bpf_program *program = program_of(skel, row);

		bpf_program__set_autoload(program, row->match_per_call == needs->match_per_call &&
							   row->files == needs->files &&
							   (needs->entries || !row->enters));
		bpf_program__set_autoattach(program, false);
	}
	bpf_program__set_autoload(skel->progs.newtask, new_tasks);
	bpf_program__set_autoload(skel->progs.newtask_late, new_tasks && needs->late);
	bpf_program__set_autoload(skel->progs.task_exit_late, needs->late);
	bpf_program__set_autoload(skel->progs.check_exec, needs->access);
	bpf_program__set_autoload(skel->progs.mark_tasks, needs->targets);
	bpf_program__set_autoload(skel->progs.switch_task, needs->cpu);
	bpf_program__set_autoload(skel->progs.identify_files, needs->root);
	bpf_program__set_autoload(skel->progs.name_files, needs->names);
	bpf_program__set_autoload(skel->progs.dump_tasks, needs->in_flight);
	/* Iterators run when they are read. */
	bpf_program__set_autoattach(skel->progs.identify_files, false);
	bpf_program__set_autoattach(skel->progs.name_files, false);
	bpf_program__set_autoattach(skel->progs.mark_tasks, false);
	bpf_program__set_autoattach(skel->progs.dump_tasks, false);
}

int bpf_programs_see_tracepoints(struct iotrace_bpf *skel)
{
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(call_programs) && !err; i++)
		err = make_direct(program_of(skel, &call_programs[i]),
				  tracepoint_of(&call_programs[i]));
	return err;
}

int bpf_programs_attach(struct iotrace_bpf *skel)
{
	int err;

	if (!skel->links.task_exit)
		skel->links.task_exit = bpf_program__attach(skel->progs.task_exit);
	err = skel->links.task_exit ? 0 : -errno;
	for (size_t i = 0; i < ARRAY_SIZE(call_programs) && !err; i++)
		err = attach_program(skel, &call_programs[i]);
	return err ? err : iotrace_bpf__attach(skel);
}

void bpf_programs_take_off(struct iotrace_bpf *skel)
{
	for (size_t i = ARRAY_SIZE(call_programs); i--;)
		take_off(skel, call_programs[i].link);
	take_off(skel, offsetof(struct iotrace_bpf, links.switch_task));
}

struct bpf_misses bpf_programs_misses(const struct iotrace_bpf *skel,
				      uint64_t (*misses)(const struct bpf_program *program))
{
	struct bpf_misses sum = { 0 };

	/* It makes up for what newtask() missed. */
	if (bpf_program__autoload(skel->progs.newtask_late))
		sum.tasks = misses(skel->progs.newtask_late);
	else
		sum.tasks = misses(skel->progs.newtask);
	for (size_t i = 0; i < ARRAY_SIZE(call_programs); i++)
		sum.calls += misses(program_of(skel, &call_programs[i]));
	return sum;
}
