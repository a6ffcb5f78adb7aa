// SPDX-License-Identifier: GPL-2.0
/* --sample-latency: which calls are timed, and what is said of the others. */
#include "lib/live.hpp"

#include <sstream>

static long figure(const std::string &capture, const std::string &name, const std::string &key)
{
	return std::stol(
		jq("[.syscalls[] | select(.name == \"" + name + "\") | ." + key + "] | add // 0",
		   capture));
}

/* The calls of this syscall whose clock was read. */
static long nr_timed(const std::string &capture, const std::string &name)
{
	return figure(capture, name, "timed") - figure(capture, name, "estimated");
}

static Run run_sampled(long every, const std::string &capture, const Words &command,
		       const Words &set = { "-e", "write" })
{
	return run_iotrace(set + Words{ "--sample-latency=" + std::to_string(every), "-o", capture,
					"-o", temporary("sampled.txt") },
			   command);
}

TEST_CASE("sampling: of each task, one call of each N in a row is timed")
{
	BPF_ONLY("strace times every call");
	const std::string capture = temporary("sampled.json");

	for (long every : { 1, 2, 10, 64, 1000 }) {
		const Run run = run_sampled(every, capture,
					    { source_path("workloads/fd_write_loop"), "-n", "10000",
					      "-o", "/dev/null" });
		INFO(run << every);
		CHECK(run.end == "exit 0");
		CHECK(figure(capture, "write", "calls") == 10000);
		CHECK(nr_timed(capture, "write") >= 10000 / every);
		CHECK(nr_timed(capture, "write") <= 10000 / every + 1);
		CHECK(jq(".sample_latency", capture) ==
		      (every > 1 ? std::to_string(every) : "null"));
		CHECK(jq(".syscalls[] | (.latency | map(.count) | add) == .timed and "
			 "(.wait_latency | map(.count) | add // 0) == .waits and "
			 ".wait_ns + .run_ns == .total_ns",
			 capture) == "true");
	}
}

/* Whoever makes few calls is timed as often as whoever makes many. */
TEST_CASE("sampling: the calls of many short processes are timed as often as others")
{
	BPF_ONLY("strace times every call");
	const std::string capture = temporary("sampled.json");
	const Run run =
		run_sampled(4, capture, { fixture("children"), "fork", "400" }, { "-e", "all" });
	INFO(run);
	const double calls = std::stod(jq("[.syscalls[].calls] | add", capture));
	const double timed =
		std::stod(jq("[.syscalls[] | .timed - (.estimated // 0)] | add", capture));

	/*
	 * The bound is five standard deviations of the sum over 400 processes that make a few calls
	 * each.
	 */
	CHECK(calls >= 400);
	CHECK(timed == Approx(calls / 4).epsilon(0.3));
}

/* The task sleeps at every other call, and no place in this rhythm is left out. */
TEST_CASE("sampling: a rhythm of the program's does not matter")
{
	BPF_ONLY("strace times every call");
	const std::string capture = temporary("sampled.json");
	const Run run = run_sampled(2, capture,
				    { "perl", "-e",
				      "for (1..500) { syswrite(STDOUT, 'x'); select(undef, undef, "
				      "undef, 0.002) }" },
				    { "-e", "write,select,pselect6" });
	INFO(run);
	const std::string sleep = figure(capture, "select", "calls") ? "select" : "pselect6";

	CHECK(figure(capture, "write", "calls") == 500);
	CHECK(figure(capture, sleep, "calls") == 500);
	CHECK(nr_timed(capture, "write") > 150);
	CHECK(nr_timed(capture, sleep) > 150);
	CHECK(nr_timed(capture, "write") + nr_timed(capture, sleep) >= 499);
	/* A sleep that was preempted until it was over did not wait. */
	CHECK(figure(capture, sleep, "waits") <= 500);
	CHECK(figure(capture, sleep, "waits") > 450);
	CHECK(figure(capture, sleep, "total_ns") >= 500 * 2000000);
}

TEST_CASE("sampling: every format says that times are estimated")
{
	BPF_ONLY("strace times every call");
	const std::string capture = temporary("sampled.json"), report = temporary("sampled.report");
	const Run run = run_sampled(
		16, capture,
		{ source_path("workloads/endl_loop"), "-n", "20000", "-o", temporary("lines") });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(figure(capture, "write", "error_of_total_ns") > 0);
	for (const auto &[format, mark] :
	     std::map<std::string, std::string>{ { "table", "one call in 16 was timed" },
						 { "strace", "one call in 16 was timed" },
						 { "csv", "error_of_total_ns" },
						 { "tsv", "error_of_total_ns" },
						 { "markdown", "one call in 16 was timed" },
						 { "asciidoc", "one call in 16 was timed" },
						 { "latex", "one call in 16 was timed" },
						 { "json", "\"sample_latency\": 16" } }) {
		const Finished again = run_to_end(
			{ iotrace_path(), "report", capture, "--format=" + format, "-o", report });
		INFO(format << again.err);
		CHECK(again.end == "exit 0");
		CHECK_THAT(read_file(report), ContainsSubstring(mark));
	}
	/* A finding's interval knows of it, and what it promises is still there. */
	CHECK(jq(".findings[0].id", capture) == "\"flush-per-line\"");
	CHECK(jq(".findings[0].predicted_wall_saving_ns.high > 0", capture) == "true");
}

TEST_CASE("sampling: the intervals add up to the whole, as far as counts go")
{
	BPF_ONLY("strace times every call");
	const std::string capture = temporary("sampled.json"), report = temporary("sampled.txt");
	const Run run = run_iotrace({ "-e", "write", "--sample-latency=8", "--interval=0.05", "-o",
				      capture, "-o", report },
				    { "perl", "-e",
				      "for (1..40) { syswrite(STDOUT, 'x') for 1..25; "
				      "select(undef, undef, undef, 0.005) }" });
	INFO(run);
	CHECK(figure(capture, "write", "calls") == 1000);
	CHECK_THAT(read_file(report), ContainsSubstring("one call in 8 was timed"));
}

TEST_CASE("sampling: it excludes what needs the clock at every call")
{
	for (const auto &[options, message] : std::vector<std::pair<Words, std::string>>{
		     { { "--sample-latency=0" }, "--sample-latency" },
		     { { "--sample-latency=1000001" }, "--sample-latency" },
		     { { "--sample-latency=x" }, "--sample-latency" },
		     { { "--sample-latency=8", "--no-latency" }, "exclude each other" },
		     { { "--sample-latency=8", "--cpu" }, "exclude each other" } }) {
		const Finished run =
			run_to_end(Words{ iotrace_path() } + options + Words{ "true" });
		INFO(run.err);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, ContainsSubstring(message));
	}
	const Finished run =
		run_to_end({ iotrace_path(), "--backend=strace", "--sample-latency=8", "true" });
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("strace cannot do --sample-latency"));
}
