// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/doctor/examine.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/array.h"
#include "base/proc.h"
#include "trace/examination.h"
#include "trace/kernel.h"

/* The oldest kernel that can load the probes. */
#define KERNEL_MAJOR 5
#define KERNEL_MINOR 15

void bpf_find_facts(struct bpf_facts *f, const struct collector_ops *ops)
{
	struct utsname system;

	memset(f, 0, sizeof(*f));
	if (!uname(&system))
		f->x86_64 = !strcmp(system.machine, "x86_64");
	kernel_version(&f->kernel_major, &f->kernel_minor);
	rights_look(&f->rights);
	f->btf = kernel_btf_look();
	f->weak_functions = kernel_takes_weak_functions();
	f->bpf_syscall = syscall(SYS_bpf, -1, NULL, 0) != -1 || errno != ENOSYS;
	f->unprivileged_bpf = read_number("/proc/sys/kernel/unprivileged_bpf_disabled", -1);
	trial_run(&f->command, ops, SCOPE_COMMAND);
	if (f->command.why[0])
		return;
	trial_run(&f->processes, ops, SCOPE_PIDS);
	trial_run(&f->system, ops, SCOPE_ALL);
}

static void report_trials(FILE *out, const struct bpf_facts *f)
{
	static const struct {
		enum feature feature;
		const char *what;
	} features[] = {
		{ FEATURE_FILES, "files and findings" },
		{ FEATURE_NAMES, "files' names at the end" },
		{ FEATURE_ROOT, "paths from iotrace's own root, and -P" },
		{ FEATURE_IN_FLIGHT, "calls in flight" },
		{ FEATURE_CPU, "CPU time (--cpu)" },
		{ FEATURE_STACKS, "lines of code that calls come from" },
		{ FEATURE_EVERY_CALL, "every call, though probes are preempted" },
	};

	examination_tried(out, "commands", "", f->command.why);
	if (f->command.why[0])
		return;
	examination_tried(out, "running processes (-p)", "", f->processes.why);
	examination_tried(out, "the whole system (-a) and cgroups (--cgroup)", "", f->system.why);
	for (size_t i = 0; i < ARRAY_SIZE(features); i++) {
		if (f->command.lost[FEATURE_FILES][0] && feature_of_files(features[i].feature))
			continue;
		examination_tried(out, features[i].what, feature_without(features[i].feature),
				  f->command.lost[features[i].feature]);
	}
	/* The probes of -a and --cgroup are others. */
	if (f->system.lost[FEATURE_FILES][0] && !f->command.lost[FEATURE_FILES][0])
		examination_tried(out, "files and findings with -a and --cgroup",
				  feature_without(FEATURE_FILES), f->system.lost[FEATURE_FILES]);
}

bool bpf_report_facts(FILE *out, const struct bpf_facts *f)
{
	bool usable = !f->command.why[0], privileged = rights_suffice(&f->rights);
	char kernel[64];

	examination_begin(out, "bpf", usable);
	examination_say(out, f->x86_64, "an x86-64 processor",
			"the probes are for that alone; use strace");
	snprintf(kernel, sizeof(kernel), "kernel %u.%u, %d.%d or later", f->kernel_major,
		 f->kernel_minor, KERNEL_MAJOR, KERNEL_MINOR);
	examination_say(out,
			f->kernel_major > KERNEL_MAJOR || (f->kernel_major == KERNEL_MAJOR &&
							   f->kernel_minor >= KERNEL_MINOR),
			kernel, "install a newer one");
	examination_say(out, true,
			f->weak_functions ? "the probes' objects for it: default, generic"
					  : "the probes' object for it: pre-6.4",
			"");
	examination_say(out, f->btf == BTF_THERE, "BTF (" KERNEL_BTF ")",
			kernel_btf_advice(f->btf));
	examination_say(
		out, f->bpf_syscall, "bpf(2)",
		"the kernel has to be built with CONFIG_BPF_SYSCALL=y and CONFIG_BPF_EVENTS=y");
	examination_say(out, privileged, "CAP_BPF and CAP_PERFMON", rights_advice(&f->rights));
	if (!privileged && f->unprivileged_bpf > 0)
		fprintf(out,
			"  note     kernel.unprivileged_bpf_disabled is %d; 0 would not help: tracing needs privilege\n",
			f->unprivileged_bpf);
	report_trials(out, f);
	return usable;
}
