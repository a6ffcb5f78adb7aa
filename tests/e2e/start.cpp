// SPDX-License-Identifier: GPL-2.0
/* What makes a start shorter changes nothing else, and can be turned off. */
#include "lib/iotrace.hpp"
#include "lib/live.hpp"

#include <sstream>

namespace
{
/* The programs and threads of a start. Some are there only to make it shorter. */
struct Helpers {
	size_t stand_ins = 0, threads = 0;
};

Helpers helpers(const std::string &iotrace, const std::string &plain)
{
	Spawn how;

	how.env = { "IOTRACE_PLAIN_START=" + plain };
	const Run run = run_plain({ "strace", "-f", "-e", "trace=bpf,clone3,clone", iotrace, "-o",
				    "/dev/null", "-e", "write", "--", "true" },
				  how);
	std::istringstream lines(run.err);
	Helpers nr;

	REQUIRE(run.end == "exit 0");
	for (std::string line; std::getline(lines, line);) {
		nr.stand_ins += line.find("\"stand_in\"") != std::string::npos;
		nr.threads += line.find("CLONE_THREAD") != std::string::npos;
	}
	return nr;
}

/* Whole reports of one program, which must differ in nothing but times. */
void check_same_counts(const Spawn &one, const Spawn &other)
{
	const Words options = { "-e", "all", "-y" },
		    command = { fixture("children"), "together", "20" };
	const Run a = run_iotrace(options, command, one);
	const Run b = run_iotrace(options, command, other);

	INFO(a << b);
	REQUIRE(a.end == "exit 0");
	REQUIRE(b.end == "exit 0");
	CHECK(contradictions(a.report) == "");
	CHECK(contradictions(b.report) == "");
	for (const char *name : { "write", "close", "wait4", "exit_group", "execve" }) {
		CAPTURE(name);
		CHECK(a.report.calls(name) == b.report.calls(name));
	}
	CHECK(a.report.calls("write") == 60);
}
} // namespace

TEST_CASE("start: with IOTRACE_PLAIN_START=1 libbpf alone loads the probes, which count the same")
{
	BPF_ONLY("strace's start has no such helpers");
	Spawn plain, not_plain;

	const Helpers usual = helpers(iotrace_path(), "0"), few = helpers(iotrace_path(), "1");
	CHECK(usual.stand_ins > 0);
	CHECK(few.stand_ins == 0);
	CHECK(few.threads < usual.threads);
	plain.env = { "IOTRACE_PLAIN_START=1" };
	not_plain.env = { "IOTRACE_PLAIN_START=0" };
	check_same_counts(plain, not_plain);
}

TEST_CASE("start: linked with a static libbpf, iotrace starts and counts the same")
{
	BPF_ONLY("strace needs no libbpf");
	const std::string shared = iotrace_path(), linked = shared + "-static";

	CHECK_THAT(run_plain({ "ldd", shared }).out, ContainsSubstring("libbpf"));
	CHECK_THAT(run_plain({ "ldd", linked }).out, !ContainsSubstring("libbpf"));
	CHECK(helpers(linked, "0").stand_ins == helpers(shared, "0").stand_ins);
	setenv("IOTRACE", linked.c_str(), 1);
	check_same_counts({}, {});
	setenv("IOTRACE", shared.c_str(), 1);
}

TEST_CASE("start: a run without files or stacks has the probes of the default run")
{
	BPF_ONLY("strace has no probes");
	const auto probes_of = [](const Words &options) {
		const Run run = run_plain(Words{ iotrace_path(), "-v", "-o", "/dev/null" } +
					  options + Words{ "--", "true" });
		const size_t at = run.err.find("the probes' object is the ");

		INFO(run);
		REQUIRE(at != std::string::npos);
		return run.err.substr(at, run.err.find('\n', at) - at);
	};
	const std::string of_default = probes_of({});

	CHECK(of_default.find("generic") == std::string::npos);
	CHECK(probes_of({ "--no-files" }) == of_default);
	CHECK(probes_of({ "--no-stacks" }) == of_default);
}
