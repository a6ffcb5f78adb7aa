// SPDX-License-Identifier: GPL-2.0
// What `iotrace doctor` makes of the facts, one missing at a time.
#include "lib/catch.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
#include "cli/doctor.h"
}

static doctor_facts healthy()
{
	doctor_facts f = {};

	f.x86_64 = f.btf = f.bpf_syscall = true;
	f.rights.root = f.rights.cap_bpf = f.rights.cap_perfmon = f.rights.cap_sys_ptrace = true;
	f.kernel_major = 6;
	f.kernel_minor = 1;
	f.unprivileged_bpf = 2;
	strcpy(f.strace_path, "/usr/bin/strace");
	f.strace_major = 6;
	f.strace_minor = 1;
	return f;
}

static std::string report(const doctor_facts &f, bool *usable)
{
	char *text = nullptr;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	REQUIRE(out);
	*usable = doctor_report(out, &f);
	fclose(out);
	std::string result(text, size);
	free(text);
	return result;
}

static bool has(const std::string &text, const std::string &part)
{
	return text.find(part) != std::string::npos;
}

TEST_CASE("doctor: all is well")
{
	bool usable = false;
	const std::string text = report(healthy(), &usable);

	INFO(text);
	CHECK(usable);
	CHECK(text.find("bpf: usable\n") == 0);
	CHECK(has(text, "\nstrace: usable\n  ok       strace 6.1 (/usr/bin/strace)\n"));
	CHECK_FALSE(has(text, "missing"));
	CHECK_FALSE(has(text, "limited"));
	CHECK(has(text, "\niotrace uses bpf.\n"));
}

TEST_CASE("doctor: an ordinary user")
{
	doctor_facts f = healthy();
	bool usable = false;

	f.rights = {};
	f.ptrace_scope = 1;
	strcpy(f.command.why, "cannot load: not\x1b permitted");
	const std::string text = report(f, &usable);
	INFO(text);
	CHECK(usable);
	CHECK(text.find("bpf: not usable\n") == 0);
	CHECK(has(text,
		  "  missing  CAP_BPF and CAP_PERFMON: run it with sudo, or once: sudo setcap"));
	CHECK(has(text, "  note     kernel.unprivileged_bpf_disabled is 2;"));
	CHECK(has(text, "  missing  commands: cannot load: not\\x1b permitted\n"));
	CHECK(has(text, "\nstrace: usable\n"));
	CHECK(has(text, "  limited  kernel.yama.ptrace_scope is 1: -p reaches only"));
	CHECK(has(text, "\niotrace uses strace, which costs"));
}

TEST_CASE("doctor: everything that is missing has advice")
{
	const struct {
		const char *part;
		void (*spoil)(doctor_facts &f);
	} cases[] = {
		{ "  missing  an x86-64 processor: ", [](doctor_facts &f) { f.x86_64 = false; } },
		{ "  missing  kernel 5.14, 5.15 or later: ",
		  [](doctor_facts &f) {
			  f.kernel_major = 5;
			  f.kernel_minor = 14;
		  } },
		{ "  missing  BTF (/sys/kernel/btf/vmlinux): ",
		  [](doctor_facts &f) { f.btf = false; } },
		{ "  missing  bpf(2): ", [](doctor_facts &f) { f.bpf_syscall = false; } },
		{ "  missing  CAP_BPF and CAP_PERFMON: root without them, as in a container: ",
		  [](doctor_facts &f) { f.rights.cap_bpf = false; } },
		{ "  missing  CAP_BPF and CAP_PERFMON: root of a user namespace ",
		  [](doctor_facts &f) { f.rights.user_namespace = true; } },
		{ "  missing  running processes (-p): cannot load",
		  [](doctor_facts &f) { strcpy(f.processes.why, "cannot load"); } },
		{ "  missing  the whole system (-a) and cgroups (--cgroup): cannot load",
		  [](doctor_facts &f) { strcpy(f.system.why, "cannot load"); } },
		{ "  missing  files and findings: which files the calls use is not known: no\n",
		  [](doctor_facts &f) { strcpy(f.command.lost[FEATURE_FILES], "no"); } },
		{ "  missing  files and findings with -a and --cgroup: which files the calls use "
		  "is not known: no\n",
		  [](doctor_facts &f) { strcpy(f.system.lost[FEATURE_FILES], "no"); } },
		{ "  missing  files' names at the end: files have the names under which they were",
		  [](doctor_facts &f) { strcpy(f.command.lost[FEATURE_NAMES], "no"); } },
		{ "  missing  paths from iotrace's own root, and -P: paths begin at the top",
		  [](doctor_facts &f) { strcpy(f.command.lost[FEATURE_ROOT], "no"); } },
		{ "  missing  calls in flight: the calls that tasks are in at the end are not "
		  "known: no\n",
		  [](doctor_facts &f) { strcpy(f.command.lost[FEATURE_IN_FLIGHT], "no"); } },
		{ "  missing  CPU time (--cpu): the CPU time of calls is not known: no\n",
		  [](doctor_facts &f) { strcpy(f.command.lost[FEATURE_CPU], "no"); } },
		{ "  missing  no kernel lockdown: ",
		  [](doctor_facts &f) { f.rights.locked_down = true; } },
		{ "  missing  strace: strace is not installed: ",
		  [](doctor_facts &f) { strcpy(f.strace_why, "strace is not installed: do"); } },
		{ "  limited  it stops the program at all calls",
		  [](doctor_facts &f) {
			  f.strace_major = 5;
			  f.strace_minor = 2;
		  } },
		{ "  missing  ptrace(2) of a child: Operation not permitted; in a container: ",
		  [](doctor_facts &f) { f.ptrace_errno = EPERM; } },
		{ "  missing  iotrace is not traced itself: process 7 ",
		  [](doctor_facts &f) { f.traced_by = 7; } },
		{ "  limited  kernel.yama.ptrace_scope is 3: nobody ",
		  [](doctor_facts &f) { f.ptrace_scope = 3; } },
	};

	for (const auto &c : cases) {
		doctor_facts f = healthy();
		bool usable;

		c.spoil(f);
		const std::string text = report(f, &usable);
		INFO(text);
		CHECK(has(text, c.part));
	}
}

TEST_CASE("doctor: nothing can be used")
{
	doctor_facts f = healthy();
	bool usable = true;

	strcpy(f.command.why, "x");
	f.ptrace_errno = EPERM;
	const std::string text = report(f, &usable);
	CHECK_FALSE(usable);
	CHECK(has(text, "\nstrace: not usable\n"));
	CHECK(has(text, "\niotrace cannot trace anything here"));
}

TEST_CASE("doctor: looks at this very system")
{
	doctor_facts f;

	doctor_examine(&f);
	CHECK(f.kernel_major >= 4);
	CHECK((f.strace_path[0] != '\0') == (f.strace_major > 0 || f.strace_why[0] != '\0'));
}
