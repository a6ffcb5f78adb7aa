// SPDX-License-Identifier: GPL-2.0
/* Calls that could not be counted are reported as lost, and are in no other figure. */
#include "lib/inject.hpp"
#include "lib/live.hpp"

#include <filesystem>

/* The descriptor by which a process holds the probe of sys_enter or sys_exit; -1 if it has none. */
static int link_fd(pid_t pid, const std::string &tracepoint)
{
	for (const auto &file :
	     std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fdinfo"))
		if (read_file(file.path().string()).find("tp_name:\t" + tracepoint + "\n") !=
		    std::string::npos)
			return std::stoi(file.path().filename().string());
	return -1;
}

/* Detaches a probe without iotrace's knowledge: later calls are missed. */
static void lose(Watch &watch, const std::string &tracepoint)
{
	const pid_t pid = watch.process().pid();
	const int fd = link_fd(pid, tracepoint);
	REQUIRE(fd >= 0);
	close_descriptor_of(pid, fd);
	REQUIRE(link_fd(pid, tracepoint) == -1);
}

TEST_CASE("losses: a call whose entry was missed is counted as lost")
{
	BPF_ONLY("strace's stops are not missed");
	for (const Words &options : { Words{}, Words{ "-y" } }) {
		Puppet puppet;
		Watch watch(options + Words{ "-e", "write,close", "-p", puppet.pids() });

		puppet.tell("write 3");
		lose(watch, "sys_enter");
		puppet.tell("write 5");
		puppet.tell("fail 2");
		watch.process().signal(SIGINT);
		CHECK(watch.process().wait() == "exit 0");
		const Report report = watch.report();
		INFO(report.text);
		CHECK(contradictions(report) == "");
		CHECK(report.calls("write") == 3);
		CHECK(report.figures.at("write").timed == 3);
		CHECK(report.entered == 3);
		CHECK(report.lost == 7);
	}
}

TEST_CASE("losses: a call whose return was missed is counted as lost")
{
	BPF_ONLY("strace's stops are not missed");
	for (const Words &options : { Words{}, Words{ "-y" } }) {
		Puppet puppet;
		Watch watch(options + Words{ "-e", "write,close", "-p", puppet.pids() });

		puppet.tell("write 3");
		lose(watch, "sys_exit");
		puppet.tell("write 5");
		watch.process().signal(SIGINT);
		CHECK(watch.process().wait() == "exit 0");
		const Report report = watch.report();
		INFO(report.text);
		CHECK(report.calls("write") == 3);
		/* The last one is taken for one that has not returned. */
		CHECK(report.lost == 4);
		CHECK(report.in_flight == 1);
	}
}

TEST_CASE("losses: errnos without room are counted as unknown")
{
	BPF_ONLY("calls that a filter answers are not seen by strace");
	const Run run = run_iotrace({ "-e", "close" }, { fixture("errnos") });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.errors("close") >= 2000);
	uint64_t sum = 0;
	for (const auto &[name, count] : run.report.figures.at("close").errors)
		sum += count;
	CHECK(sum == run.report.errors("close"));
	const uint64_t unknown = run.report.figures.at("close").errors.at("unknown");
	CHECK(unknown > 1000);
	CHECK_THAT(run.report.text, ContainsSubstring("; lost 0, and the errnos of " +
						      std::to_string(unknown) + " errors\n"));
}
