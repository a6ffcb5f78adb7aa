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

/* The programs that see calls: a run uses one of the rows. */
static const struct call_programs {
	bool match_per_call, files;
	size_t enter, exit;	      /* Where the skeleton has the programs. */
	size_t enter_link, exit_link; /* Where it has the links. */
} call_programs[] = {
#define CALL_PROGRAMS(match_per_call, files, whose, suffix)                                       \
	{                                                                                         \
		match_per_call, files, offsetof(struct iotrace_bpf, progs.whose##_enter##suffix), \
			offsetof(struct iotrace_bpf, progs.whose##_exit##suffix),                 \
			offsetof(struct iotrace_bpf, links.whose##_enter##suffix),                \
			offsetof(struct iotrace_bpf, links.whose##_exit##suffix),                 \
	}
	CALL_PROGRAMS(false, false, marked, ),
	CALL_PROGRAMS(false, true, marked, _files),
	CALL_PROGRAMS(true, false, matched, ),
	CALL_PROGRAMS(true, true, matched, _files),
#undef CALL_PROGRAMS
};

static struct bpf_program *program_at(const struct iotrace_bpf *skel, size_t offset)
{
	return *(struct bpf_program *const *)((const char *)skel + offset);
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
static int attach_program(struct iotrace_bpf *skel, size_t at, size_t link_at,
			  const char *tracepoint)
{
	struct bpf_link **link = (struct bpf_link **)((char *)skel + link_at);
	struct bpf_program *program = program_at(skel, at);

	if (*link || !bpf_program__autoload(program))
		return 0;
	*link = bpf_program__type(program) == BPF_PROG_TYPE_TRACEPOINT
			? attach_to_event(program, tracepoint)
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
		const struct call_programs *row = &call_programs[i];
		bool chosen =
			row->match_per_call == needs->match_per_call && row->files == needs->files;

		bpf_program__set_autoload(program_at(skel, row->exit), chosen);
		bpf_program__set_autoload(program_at(skel, row->enter), chosen && needs->entries);
		bpf_program__set_autoattach(program_at(skel, row->exit), false);
		bpf_program__set_autoattach(program_at(skel, row->enter), false);
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

	for (size_t i = 0; i < ARRAY_SIZE(call_programs) && !err; i++) {
		err = make_direct(program_at(skel, call_programs[i].exit), "sys_exit");
		if (!err)
			err = make_direct(program_at(skel, call_programs[i].enter), "sys_enter");
	}
	return err;
}

int bpf_programs_attach(struct iotrace_bpf *skel)
{
	int err;

	if (!skel->links.task_exit)
		skel->links.task_exit = bpf_program__attach(skel->progs.task_exit);
	err = skel->links.task_exit ? 0 : -errno;
	for (size_t i = 0; i < ARRAY_SIZE(call_programs) && !err; i++) {
		const struct call_programs *row = &call_programs[i];

		err = attach_program(skel, row->exit, row->exit_link, "sys_exit");
		if (!err)
			err = attach_program(skel, row->enter, row->enter_link, "sys_enter");
	}
	return err ? err : iotrace_bpf__attach(skel);
}

void bpf_programs_take_off(struct iotrace_bpf *skel)
{
	for (size_t i = 0; i < ARRAY_SIZE(call_programs); i++) {
		take_off(skel, call_programs[i].enter_link);
		take_off(skel, call_programs[i].exit_link);
	}
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
		sum.calls += misses(program_at(skel, call_programs[i].enter)) +
			     misses(program_at(skel, call_programs[i].exit));
	return sum;
}
