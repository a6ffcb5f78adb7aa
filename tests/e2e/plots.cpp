// SPDX-License-Identifier: GPL-2.0
/* --plot: pictures of runs, captures, comparisons and intervals. */
#include "lib/live.hpp"

#include <cstdlib>
#include <filesystem>

TEST_CASE("plots: a run, a capture, a comparison and intervals are drawn")
{
	Folder folder;
	/* The run has several intervals of writes, and each run of the comparison half as long. */
	const bool fast = backend() == "bpf";
	const std::string calls = fast ? "200000" : "20000", half = fast ? "100000" : "10000";
	const std::string run_svg = folder / "run.svg", again = folder / "again.svg",
			  both = folder / "both.svg", png = folder / "both.png",
			  capture = folder / "run.json";
	Run run = run_iotrace({ "-o", capture, "--plot", run_svg, "--interval", "0.01" },
			      { "./workloads/endl_loop", "-n", calls });

	INFO(run);
	REQUIRE(run.end == "exit 0");
	CHECK_THAT(read_file(run_svg), ContainsSubstring(">" + calls + "<"));
	for (const char *text :
	     { ">Latency<", ">write<", ">Calls over time<", ">Latency over time: p99<" })
		CHECK_THAT(read_file(run_svg), ContainsSubstring(text));
	run = run_plain({ iotrace_path(), "report", capture, "--plot", again });
	CHECK(run.end == "exit 0");
	CHECK_THAT(read_file(again), ContainsSubstring(">" + calls + "<"));
	CHECK(read_file(again) == read_file(run_svg));
	run = run_plain({ iotrace_path(), "compare", "--backend=" + backend(), "-r", "2", "--plot",
			  both, "--plot", png, "./workloads/endl_loop -n " + half,
			  "./workloads/newline_loop -n " + half });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK_THAT(read_file(both), ContainsSubstring(">" + half + "<"));
	for (const char *text :
	     { "A  ./workloads/endl_loop", "B  ./workloads/newline_loop", ">bare<", ">traced<",
	       ">Calls of a run<", ">Latency of write<", ">Bytes per write<" })
		CHECK_THAT(read_file(both), ContainsSubstring(text));
	CHECK_THAT(read_file(png), Catch::StartsWith("\x89PNG"));
}

TEST_CASE("plots: what cannot be drawn is refused before anything runs")
{
	Folder folder;
	const std::string touch = folder / "ran";
	const std::string picture = folder / "x.svg";

	for (const std::string &name :
	     { folder / "x.gif", folder / "svg", folder / "no/such.svg" }) {
		const Run run =
			run_plain(iotrace_argv({ "--plot", name }, { "touch", touch }, nullptr));

		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, ContainsSubstring(name));
		CHECK(!exists(touch));
	}
	/* A PATH without gnuplot; strace is found by its path in another. */
	Spawn how;
	for (const char *tool : { "strace", "touch", "ls" })
		folder.run(std::string("ln -s $(command -v ") + tool + ") " + tool);
	how.env = { "PATH=" + folder.path.string() };
	const Run run =
		run_plain(iotrace_argv({ "--plot", picture }, { "touch", touch }, nullptr), how);
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("--plot needs gnuplot"));
	CHECK(!exists(touch));
}

TEST_CASE("plots: a gnuplot that fails, and a full disk, leave the report and no half "
	  "picture")
{
	Folder folder;
	const std::string picture = folder / "x.svg", report = folder / "x.txt";
	Spawn how;

	folder.write("bin/gnuplot",
		     "#!/bin/sh\necho half\necho 'line 1: it is broken' >&2\nexit 2\n", 0755);
	how.env = { "PATH=" + (folder / "bin") + ":" + getenv("PATH") };
	Run run = run_plain(
		iotrace_argv({ "--plot", picture, "-o", report }, { "echo", "x" }, nullptr), how);
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("x.svg': gnuplot: line 1: it is broken"));
	CHECK_THAT(read_file(report), ContainsSubstring("write"));
	CHECK(!exists(picture));

	std::filesystem::create_symlink("/dev/full", picture);
	run = run_plain(
		iotrace_argv({ "--plot", picture, "-o", report }, { "echo", "x" }, nullptr));
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("No space left"));
}
