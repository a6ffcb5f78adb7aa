// SPDX-License-Identifier: GPL-2.0
extern "C" {
#include "trace/bpf/failure.h"
}
#include "lib/catch.hpp"

#include <cerrno>
#include <string>

/* A system on which everything is in order, except that loading has failed. */
static bpf_failure failed(int err)
{
	bpf_failure f = {};

	f.err = -err;
	f.sysfs = f.btf = true;
	f.major = 6;
	f.minor = 1;
	f.said = "";
	return f;
}

static std::string explained(const bpf_failure &f)
{
	char why[512];

	bpf_failure_explain(why, sizeof(why), "cannot load", &f);
	return why;
}

TEST_CASE("a failure is explained by what is missing", "[bpf failure]")
{
	bpf_failure f = failed(ENOENT);

	f.btf = false;
	CHECK(explained(f) ==
	      "cannot load: this kernel has no BTF (/sys/kernel/btf/vmlinux): it needs "
	      "CONFIG_DEBUG_INFO_BTF=y");
	f.sysfs = false;
	CHECK(explained(f) ==
	      "cannot load: /sys/kernel/btf/vmlinux, which describes the kernel's structures, is "
	      "not "
	      "there because /sys is not mounted: 'mount -t sysfs sysfs /sys' brings it");
}

TEST_CASE("a kernel is too old only if it is", "[bpf failure]")
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
		f.major = f.minor = 0; // the kernel does not say
		CHECK(explained(f).find("too old") == std::string::npos);
	}
}

TEST_CASE("a failure is explained by what the failing call said", "[bpf failure]")
{
	bpf_failure f = failed(EMFILE);

	f.max_files = 12;
	CHECK(explained(f) ==
	      "cannot load: too many open files: 12 are allowed; raise it with 'ulimit -n 1024'");
	f = failed(EINVAL);
	CHECK(explained(f) == "cannot load: Invalid argument; -v shows all of what libbpf says");
	f.said = "prog 'sys_exit': BPF program load failed\x1b[31m";
	CHECK(explained(f) == "cannot load: Invalid argument (prog 'sys_exit': BPF program load "
			      "failed\\x1b[31m); -v "
			      "shows all of what libbpf says");
}

TEST_CASE("a failure without the rights says which right is missing", "[bpf failure]")
{
	bpf_failure f = failed(EPERM);

	CHECK(explained(f) ==
	      "cannot load: not permitted: run it with sudo, or give it CAP_BPF and CAP_PERFMON");
	f.root = true;
	CHECK(explained(f).find("BPF is locked down here") != std::string::npos);
	CHECK(explained(failed(ENOMEM)).find("'ulimit -l unlimited'") != std::string::npos);
}
