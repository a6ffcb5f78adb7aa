// SPDX-License-Identifier: GPL-2.0
extern "C" {
#include "trace/bpf/doctor/failure.h"
}
#include "lib/catch.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/resource.h>

/* A system on which everything is in order, except that loading has failed. */
static bpf_failure failed(int err)
{
	bpf_failure f = {};

	f.err = -err;
	f.limits.data = f.limits.space = RLIM_INFINITY;
	f.major = 6;
	f.minor = 1;
	f.said = f.step = f.name = "";
	f.rights.cap_bpf = f.rights.cap_perfmon = true;
	return f;
}

static std::string explained(const bpf_failure &f)
{
	char why[512];

	bpf_failure_explain(why, sizeof(why), "cannot load", &f);
	return why;
}

TEST_CASE("failure: a failure is explained by what is missing", "[bpf failure]")
{
	bpf_failure f = failed(ENOENT);

	f.btf = BTF_NOT_BUILT;
	CHECK(explained(f) ==
	      "cannot load: /sys/kernel/btf/vmlinux, which describes the kernel's structures, is "
	      "not there: the kernel has to be built with CONFIG_DEBUG_INFO_BTF=y; distributions' "
	      "kernels are");
	f.btf = BTF_NO_SYSFS;
	CHECK(explained(f) ==
	      "cannot load: /sys/kernel/btf/vmlinux, which describes the kernel's structures, is "
	      "not there: /sys is not mounted: 'mount -t sysfs sysfs /sys' brings it");
}

TEST_CASE("failure: a kernel is too old only if it is", "[bpf failure]")
{
	for (int err : { EINVAL, ENOENT, ESRCH, EOPNOTSUPP }) {
		bpf_failure f = failed(err);

		CHECK(explained(f).find("too old") == std::string::npos);
		f.major = 5;
		f.minor = 14;
		CHECK(explained(f) ==
		      "cannot load: Linux 5.14 is too old: 5.15 or later is needed");
		f.minor = 15;
		CHECK(explained(f).find("too old") == std::string::npos);
		f.major = f.minor = 0; // The kernel does not tell its version.
		CHECK(explained(f).find("too old") == std::string::npos);
	}
}

TEST_CASE("failure: a failure is explained by what the failing call said", "[bpf failure]")
{
	bpf_failure f = failed(EMFILE);

	f.limits.files = 12;
	CHECK(explained(f) ==
	      "cannot load: Too many open files; 12 are allowed; raise it with 'ulimit -n 1024'");
	f = failed(ENOMEM);
	f.limits.data = 2048000;
	CHECK(explained(f) == "cannot load: Cannot allocate memory; 2000 KiB are allowed; raise it "
			      "with 'ulimit -d unlimited'");
	f.limits.data = RLIM_INFINITY;
	f.limits.space = 2048000;
	CHECK(explained(f) == "cannot load: Cannot allocate memory; 2000 KiB of address space are "
			      "allowed; raise it with 'ulimit -v unlimited'");
	f = failed(EINVAL);
	CHECK(explained(f) == "cannot load: Invalid argument; -v shows all of what libbpf says");
	f.said = "something else\x1b[31m";
	CHECK(explained(f) ==
	      "cannot load: Invalid argument; libbpf says: something else\\x1b[31m; "
	      "-v shows all of what libbpf says");
}

TEST_CASE("failure: a warning tells that something has run out, in the words of any libbpf",
	  "[bpf failure]")
{
	CHECK(bpf_failure_exhausted(
		      "Error in bpf_create_map_xattr(tasks):Too many open files(-24). "
		      "Retrying without BTF.") == -EMFILE);
	CHECK(bpf_failure_exhausted("map 'x': failed to create: -EMFILE") == -EMFILE);
	CHECK(bpf_failure_exhausted("Too many open files in system") == -ENFILE);
	CHECK(bpf_failure_exhausted("failed: Cannot allocate memory(-12)") == -ENOMEM);
	CHECK(bpf_failure_exhausted("map 'x': failed to create: Invalid argument(-22)") == 0);
	CHECK(bpf_failure_exhausted("loading kernel BTF '/sys/kernel/btf/vmlinux': -24") ==
	      -EMFILE);
	CHECK(bpf_failure_exhausted("loading kernel BTF '/sys/kernel/btf/vmlinux': 0") == 0);
	CHECK(bpf_failure_exhausted("loading kernel BTF '/sys/kernel/btf/vmlinux': -240") == 0);
	CHECK(bpf_failure_exhausted("") == 0);
}

TEST_CASE("failure: a failure names the program or the map that could not be had", "[bpf failure]")
{
	const struct {
		const char *said, *step, *name;
	} cases[] = {
		{ "prog 'marked_exit': BPF program load failed: Operation not permitted", "program",
		  "marked_exit" },
		{ "prog 'switch_task': failed to attach: Operation not permitted", "program",
		  "switch_task" },
		{ "map 'file_cells': failed to create: Cannot allocate memory(-12)", "map",
		  "file_cells" },
		{ "failed to find valid kernel BTF", "", "" },
		{ "", "", "" },
	};

	for (const auto &c : cases) {
		const char *step;
		char name[32];

		bpf_failure_step(c.said, &step, name, sizeof(name));
		CHECK(std::string(step) == c.step);
		CHECK(std::string(name) == c.name);
	}
	bpf_failure f = failed(EPERM);

	f.step = "program";
	f.name = "name\x1b_files";
	f.said = "prog 'name_files': BPF program load failed: Operation not permitted";
	CHECK(explained(f) == "cannot load: program 'name\\x1b_files': Operation not permitted; "
			      "the kernel refuses it, "
			      "and does not say why; -v shows all of what libbpf says");
	f = failed(ENOMEM);
	f.step = "map";
	f.name = "file_cells";
	CHECK(explained(f) == "cannot load: map 'file_cells': Cannot allocate memory; a smaller "
			      "--max-files needs less; -v shows all of what libbpf says");
}

TEST_CASE("failure: a refusal gives a cause only if the system says that it is there",
	  "[bpf failure]")
{
	const struct {
		void (*spoil)(rights &r);
		int err;
		const char *cause;
	} cases[] = {
		{ [](rights &r) { r.cap_bpf = r.cap_perfmon = false; }, EPERM,
		  "; CAP_BPF and CAP_PERFMON are missing: run it with sudo, or once: sudo setcap" },
		{ [](rights &r) { r.cap_perfmon = false; }, EACCES,
		  "; CAP_PERFMON is missing: run it with sudo" },
		{ [](rights &r) { r.cap_bpf = false, r.root = true; }, EPERM,
		  "; CAP_BPF is missing: root without them, as in a container" },
		{ [](rights &r) { r.user_namespace = r.root = true; }, EPERM,
		  "; root of a user namespace has no BPF" },
		{ [](rights &r) { r.user_namespace = true; }, EPERM,
		  "; a user namespace has no BPF" },
		{ [](rights &r) { r.filtered = true; }, EPERM,
		  "; iotrace runs under a seccomp filter" },
		{ [](rights &r) { r.filtered = true; }, ENOSYS,
		  "; iotrace runs under a seccomp filter" },
		{ [](rights &r) { r.root = true; }, EPERM,
		  "; the kernel refuses it, and does not say why; -v" },
		{ [](rights &) {}, EACCES, "; the kernel refuses it, and does not say why; -v" },
	};

	for (const auto &c : cases) {
		bpf_failure f = failed(c.err);

		c.spoil(f.rights);
		INFO(explained(f));
		CHECK(explained(f).find(std::string("cannot load: ") + strerror(c.err) + c.cause) ==
		      0);
	}
	/* A failure that is no refusal has another cause. */
	bpf_failure f = failed(ENOMEM);

	f.rights = {};
	f.rights.filtered = true;
	CHECK(explained(f) ==
	      "cannot load: Cannot allocate memory; -v shows all of what libbpf says");
}
