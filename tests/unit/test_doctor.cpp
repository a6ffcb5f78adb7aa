// SPDX-License-Identifier: GPL-2.0
// What the backends say to `iotrace doctor` about the facts, one missing at a time.
#include "lib/catch.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
#include "trace/bpf/doctor/examine.h"
#include "trace/strace/examine.h"
}

static bpf_facts healthy_bpf()
{
	bpf_facts f = {};

	f.x86_64 = f.bpf_syscall = f.weak_functions = true;
	f.rights.root = f.rights.cap_bpf = f.rights.cap_perfmon = f.rights.cap_sys_ptrace = true;
	f.kernel_major = 6;
	f.kernel_minor = 1;
	f.unprivileged_bpf = 2;
	return f;
}

static strace_facts healthy_strace()
{
	strace_facts f = {};

	strcpy(f.path, "/usr/bin/strace");
	f.major = 6;
	f.minor = 1;
	f.cap_sys_ptrace = true;
	return f;
}

struct Report {
	bool usable;
	std::string text;
};

// What a backend says about these facts.
template <typename Facts>
static Report report(bool (*write)(FILE *, const Facts *), const Facts &f)
{
	char *text = nullptr;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	REQUIRE(out);
	const bool usable = write(out, &f);
	fclose(out);
	const Report result = { usable, std::string(text, size) };
	free(text);
	return result;
}

static Report about(const bpf_facts &f)
{
	return report(bpf_report_facts, f);
}

static Report about(const strace_facts &f)
{
	return report(strace_report_facts, f);
}

static bool has(const std::string &text, const std::string &part)
{
	return text.find(part) != std::string::npos;
}

TEST_CASE("doctor: all is well")
{
	const Report bpf = about(healthy_bpf()), strace = about(healthy_strace());

	INFO(bpf.text << strace.text);
	CHECK(bpf.usable);
	CHECK(bpf.text.find("bpf: usable\n") == 0);
	CHECK(strace.usable);
	CHECK(strace.text.find("strace: usable\n  ok       strace 6.1 (/usr/bin/strace)\n") == 0);
	for (const std::string &text : { bpf.text, strace.text }) {
		CHECK_FALSE(has(text, "missing"));
		CHECK_FALSE(has(text, "limited"));
	}
}

TEST_CASE("doctor: an ordinary user")
{
	bpf_facts bpf_of_user = healthy_bpf();
	strace_facts strace_of_user = healthy_strace();

	bpf_of_user.rights = {};
	strcpy(bpf_of_user.command.why, "cannot load: not\x1b permitted");
	strace_of_user.cap_sys_ptrace = false;
	strace_of_user.ptrace_scope = 1;
	const Report bpf = about(bpf_of_user), strace = about(strace_of_user);
	INFO(bpf.text << strace.text);
	CHECK_FALSE(bpf.usable);
	CHECK(bpf.text.find("bpf: not usable\n") == 0);
	CHECK(has(bpf.text,
		  "  missing  CAP_BPF and CAP_PERFMON: run it with sudo, or once: sudo setcap"));
	CHECK(has(bpf.text, "  note     kernel.unprivileged_bpf_disabled is 2;"));
	CHECK(has(bpf.text, "  missing  commands: cannot load: not\\x1b permitted\n"));
	CHECK(strace.usable);
	CHECK(has(strace.text, "  limited  kernel.yama.ptrace_scope is 1: -p reaches only"));
}

template <typename Facts>
struct Spoilt {
	const char *part; // Part of the report that is expected.
	void (*spoil)(Facts &f);
};

template <typename Facts, size_t nr>
static void check_advice(const Facts &healthy, const Spoilt<Facts> (&cases)[nr])
{
	for (const auto &c : cases) {
		Facts f = healthy;

		c.spoil(f);
		const Report found = about(f);
		INFO(found.text);
		CHECK(has(found.text, c.part));
	}
}

TEST_CASE("doctor: everything that eBPF lacks has advice")
{
	const Spoilt<bpf_facts> cases[] = {
		{ "  missing  an x86-64 processor: ", [](bpf_facts &f) { f.x86_64 = false; } },
		{ "  missing  kernel 5.14, 5.15 or later: ",
		  [](bpf_facts &f) {
			  f.kernel_major = 5;
			  f.kernel_minor = 14;
		  } },
		{ "  missing  BTF (/sys/kernel/btf/vmlinux): the kernel has to be built with "
		  "CONFIG",
		  [](bpf_facts &f) { f.btf = BTF_NOT_BUILT; } },
		{ "  missing  BTF (/sys/kernel/btf/vmlinux): /sys is not mounted: 'mount ",
		  [](bpf_facts &f) { f.btf = BTF_NO_SYSFS; } },
		{ "  missing  BTF (/sys/kernel/btf/vmlinux): something else is mounted over ",
		  [](bpf_facts &f) { f.btf = BTF_HIDDEN; } },
		{ "  missing  BTF (/sys/kernel/btf/vmlinux): it may not be read",
		  [](bpf_facts &f) { f.btf = BTF_DENIED; } },
		{ "  missing  bpf(2): ", [](bpf_facts &f) { f.bpf_syscall = false; } },
		{ "  missing  CAP_BPF and CAP_PERFMON: root without them, as in a container: ",
		  [](bpf_facts &f) { f.rights.cap_bpf = false; } },
		{ "  missing  CAP_BPF and CAP_PERFMON: root of a user namespace ",
		  [](bpf_facts &f) { f.rights.user_namespace = true; } },
		{ "  missing  running processes (-p): cannot load",
		  [](bpf_facts &f) { strcpy(f.processes.why, "cannot load"); } },
		{ "  missing  the whole system (-a) and cgroups (--cgroup): cannot load",
		  [](bpf_facts &f) { strcpy(f.system.why, "cannot load"); } },
		{ "  missing  files and findings: which files the calls use is not known: no\n",
		  [](bpf_facts &f) { strcpy(f.command.lost[FEATURE_FILES], "no"); } },
		{ "  missing  files and findings with -a and --cgroup: which files the calls use "
		  "is not known: no\n",
		  [](bpf_facts &f) { strcpy(f.system.lost[FEATURE_FILES], "no"); } },
		{ "  missing  files' names at the end: files have the names under which they were",
		  [](bpf_facts &f) { strcpy(f.command.lost[FEATURE_NAMES], "no"); } },
		{ "  missing  paths from iotrace's own root, and -P: paths begin at the top",
		  [](bpf_facts &f) { strcpy(f.command.lost[FEATURE_ROOT], "no"); } },
		{ "  missing  calls in flight: the calls that tasks are in at the end are not "
		  "known: no\n",
		  [](bpf_facts &f) { strcpy(f.command.lost[FEATURE_IN_FLIGHT], "no"); } },
		{ "  missing  CPU time (--cpu): the CPU time of calls is not known: no\n",
		  [](bpf_facts &f) { strcpy(f.command.lost[FEATURE_CPU], "no"); } },
		{ "  missing  every call, though probes are preempted: calls may be missed, which "
		  "are reported as lost: no\n",
		  [](bpf_facts &f) { strcpy(f.command.lost[FEATURE_EVERY_CALL], "no"); } },
	};

	check_advice(healthy_bpf(), cases);
}

TEST_CASE("doctor: everything that strace lacks has advice")
{
	const Spoilt<strace_facts> cases[] = {
		{ "  missing  strace: strace is not installed: ",
		  [](strace_facts &f) { strcpy(f.why, "strace is not installed: do"); } },
		{ "  limited  it stops the program at all calls",
		  [](strace_facts &f) {
			  f.major = 5;
			  f.minor = 2;
		  } },
		{ "  missing  ptrace(2) of a child: Operation not permitted; iotrace runs under a "
		  "seccomp filter, as in a container: start that with --cap-add=SYS_PTRACE\n",
		  [](strace_facts &f) {
			  f.ptrace_errno = EPERM;
			  f.filtered = true;
		  } },
		{ "  missing  ptrace(2) of a child: Operation not permitted; the kernel refuses "
		  "it, "
		  "and does not say why\n",
		  [](strace_facts &f) { f.ptrace_errno = EPERM; } },
		{ "  missing  iotrace is not traced itself: process 7 ",
		  [](strace_facts &f) { f.traced_by = 7; } },
		{ "  limited  kernel.yama.ptrace_scope is 3: nobody ",
		  [](strace_facts &f) { f.ptrace_scope = 3; } },
	};

	check_advice(healthy_strace(), cases);
}

TEST_CASE("doctor: strace cannot be used")
{
	strace_facts f = healthy_strace();

	f.ptrace_errno = EPERM;
	const Report found = about(f);
	CHECK_FALSE(found.usable);
	CHECK(found.text.find("strace: not usable\n") == 0);
}

TEST_CASE("doctor: looks at this very system")
{
	bpf_facts bpf;
	strace_facts strace;

	bpf_find_facts(&bpf, &collector_bpf);
	CHECK(bpf.kernel_major >= 4);
	strace_find_facts(&strace);
	CHECK((strace.path[0] != '\0') == (strace.major > 0 || strace.why[0] != '\0'));
}
