// SPDX-License-Identifier: GPL-2.0
#include "cli/doctor.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/text.h"
#include "trace/kernel.h"
#include "trace/strace/command.h"

/* The oldest kernel that can load the probes. */
#define KERNEL_MAJOR 5
#define KERNEL_MINOR 15

/* ---- finding out ---- */

/* Tries to trace a child. Returns 0 or an errno. Containers may forbid it. */
static int try_ptrace(void)
{
	pid_t pid = fork();
	int err = 0;

	if (pid < 0)
		return errno;
	if (!pid) {
		pause();
		_exit(0);
	}
	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL))
		err = errno;
	proc_signal(pid, SIGKILL);
	TEMP_FAILURE_RETRY(waitpid(pid, NULL, 0));
	return err;
}

static void examine_system(struct doctor_facts *f)
{
	struct utsname system;

	if (!uname(&system)) {
		f->x86_64 = !strcmp(system.machine, "x86_64");
	}
	kernel_version(&f->kernel_major, &f->kernel_minor);
	rights_look(&f->rights);
	f->traced_by = tracer_of(getpid());
}

static void examine_bpf(struct doctor_facts *f)
{
	f->btf = access("/sys/kernel/btf/vmlinux", R_OK) == 0;
	f->bpf_syscall = syscall(SYS_bpf, -1, NULL, 0) != -1 || errno != ENOSYS;
	f->unprivileged_bpf = read_number("/proc/sys/kernel/unprivileged_bpf_disabled", -1);
	trial_run(&f->command, SCOPE_COMMAND);
	if (f->command.why[0])
		return;
	trial_run(&f->processes, SCOPE_PIDS);
	trial_run(&f->system, SCOPE_ALL);
}

static void examine_strace(struct doctor_facts *f)
{
	struct strace_tool tool;

	f->strace_why[0] = '\0';
	strace_tool_find(&tool, f->strace_why, sizeof(f->strace_why));
	snprintf(f->strace_path, sizeof(f->strace_path), "%s", tool.path ? tool.path : "");
	f->strace_major = tool.major;
	f->strace_minor = tool.minor;
	strace_tool_free(&tool);
	f->ptrace_errno = try_ptrace();
	f->ptrace_scope = read_number("/proc/sys/kernel/yama/ptrace_scope", 0);
}

void doctor_examine(struct doctor_facts *f)
{
	memset(f, 0, sizeof(*f));
	examine_system(f);
	examine_bpf(f);
	examine_strace(f);
}

/* ---- telling ---- */

static void say(FILE *out, bool ok, const char *what, const char *advice)
{
	fprintf(out, "  %-8s %s%s%s\n", ok ? "ok" : "missing", what, ok ? "" : ": ",
		ok ? "" : advice);
}

/* Prints whether something worked when it was tried. */
static void say_tried(FILE *out, const char *what, const char *without, const char *why)
{
	char advice[1200], text[600];

	snprintf(advice, sizeof(advice), "%s%s%s", without, *without ? ": " : "",
		 ESCAPE_TEXT(text, why));
	say(out, !why[0], what, advice);
}

static void report_trials(FILE *out, const struct doctor_facts *f)
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
	};

	say_tried(out, "commands", "", f->command.why);
	if (f->command.why[0])
		return;
	say_tried(out, "running processes (-p)", "", f->processes.why);
	say_tried(out, "the whole system (-a) and cgroups (--cgroup)", "", f->system.why);
	for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++)
		say_tried(out, features[i].what, feature_without(features[i].feature),
			  f->command.lost[features[i].feature]);
	/* The probes of -a and --cgroup are others. */
	if (f->system.lost[FEATURE_FILES][0] && !f->command.lost[FEATURE_FILES][0])
		say_tried(out, "files and findings with -a and --cgroup",
			  feature_without(FEATURE_FILES), f->system.lost[FEATURE_FILES]);
}

static bool report_bpf(FILE *out, const struct doctor_facts *f)
{
	bool usable = !f->command.why[0], privileged = rights_suffice(&f->rights);
	char kernel[64];

	fprintf(out, "bpf: %s\n", usable ? "usable" : "not usable");
	say(out, f->x86_64, "an x86-64 processor", "the probes are for that alone; use strace");
	snprintf(kernel, sizeof(kernel), "kernel %u.%u, %d.%d or later", f->kernel_major,
		 f->kernel_minor, KERNEL_MAJOR, KERNEL_MINOR);
	say(out,
	    f->kernel_major > KERNEL_MAJOR ||
		    (f->kernel_major == KERNEL_MAJOR && f->kernel_minor >= KERNEL_MINOR),
	    kernel, "install a newer one");
	say(out, f->btf, "BTF (/sys/kernel/btf/vmlinux)",
	    "the kernel has to be built with CONFIG_DEBUG_INFO_BTF=y; distributions' kernels are");
	say(out, f->bpf_syscall, "bpf(2)",
	    "the kernel has to be built with CONFIG_BPF_SYSCALL=y and CONFIG_BPF_EVENTS=y");
	say(out, privileged, "CAP_BPF and CAP_PERFMON", rights_advice(&f->rights));
	say(out, !f->rights.locked_down, "no kernel lockdown",
	    "lockdown is 'confidentiality': boot with lockdown=integrity, or without");
	if (!privileged && f->unprivileged_bpf > 0)
		fprintf(out,
			"  note     kernel.unprivileged_bpf_disabled is %d; 0 would not help: "
			"tracing "
			"needs privilege\n",
			f->unprivileged_bpf);
	report_trials(out, f);
	return usable;
}

static void report_ptrace_scope(FILE *out, const struct doctor_facts *f)
{
	static const char *const limits[] = {
		NULL,
		"-p reaches only what iotrace started: for other processes run it with sudo, or "
		"sudo sysctl kernel.yama.ptrace_scope=0",
		"only root may trace: run it with sudo, or sudo sysctl kernel.yama.ptrace_scope=0",
		"nobody may trace until the next boot, which has to set another "
		"kernel.yama.ptrace_scope",
	};

	if (f->ptrace_scope <= 0 || f->ptrace_scope > 3 ||
	    (f->ptrace_scope < 3 && f->rights.cap_sys_ptrace))
		return;
	fprintf(out, "  limited  kernel.yama.ptrace_scope is %d: %s\n", f->ptrace_scope,
		limits[f->ptrace_scope]);
}

static void report_features(FILE *out, const struct doctor_facts *f)
{
	const struct strace_tool t = { .major = f->strace_major, .minor = f->strace_minor };

	if (!strace_tool_is(&t, 5, 3))
		fprintf(out, "  limited  it stops the program at all calls, wanted or not: 5.3 or "
			     "later does not\n");
	if (!strace_tool_is(&t, 5, 6))
		fprintf(out, "  limited  it tells times in microseconds: 5.6 or later in ns\n");
}

static bool report_strace(FILE *out, const struct doctor_facts *f)
{
	bool usable = !f->strace_why[0] && !f->ptrace_errno && !f->traced_by;
	char text[600], tool[400], advice[256];

	fprintf(out, "strace: %s\n", usable ? "usable" : "not usable");
	ESCAPE_TEXT(text, f->strace_path);
	snprintf(tool, sizeof(tool), "strace %u.%u (%.256s)", f->strace_major, f->strace_minor,
		 text);
	ESCAPE_TEXT(text, f->strace_why);
	say(out, !f->strace_why[0], f->strace_why[0] ? "strace" : tool, text);
	if (!f->strace_why[0])
		report_features(out, f);
	snprintf(advice, sizeof(advice), "%s; in a container: start that with --cap-add=SYS_PTRACE",
		 strerror(f->ptrace_errno));
	say(out, !f->ptrace_errno, "ptrace(2) of a child", advice);
	snprintf(advice, sizeof(advice),
		 "process %d traces it, and what it starts can have no other tracer", f->traced_by);
	say(out, !f->traced_by, "iotrace is not traced itself", advice);
	report_ptrace_scope(out, f);
	return usable;
}

bool doctor_report(FILE *out, const struct doctor_facts *f)
{
	bool bpf = report_bpf(out, f), strace = report_strace(out, f);

	if (bpf)
		fputs("\niotrace uses bpf.\n", out);
	else if (strace)
		fputs("\niotrace uses strace, which costs the program some 10 to 50 us for each "
		      "traced call, and cannot do --cgroup and -a.\n",
		      out);
	else
		fputs("\niotrace cannot trace anything here: one of the two has to become "
		      "usable.\n",
		      out);
	return bpf || strace;
}
