// SPDX-License-Identifier: GPL-2.0
/* make experiments, with fewer lines: its page, its rows and its picture. */
#include "lib/live.hpp"

#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include <sstream>

namespace
{
/* What a program did, by the names of the columns. Names with a comma are in quotes. */
using Row = std::map<std::string, std::string>;

std::vector<std::string> cells(const std::string &line)
{
	std::vector<std::string> all(1);
	bool quoted = false;

	for (char c : line) {
		if (c == '"')
			quoted = !quoted;
		else if (c == ',' && !quoted)
			all.emplace_back();
		else
			all.back() += c;
	}
	return all;
}

/* The rows, each under its group's and its program's name. */
std::map<std::string, Row> rows_of(const std::string &csv)
{
	std::map<std::string, Row> rows;
	std::istringstream lines(csv);
	std::vector<std::string> names;

	for (std::string line; std::getline(lines, line);) {
		std::vector<std::string> row = cells(line);

		if (names.empty()) {
			names = row;
			continue;
		}
		REQUIRE(row.size() == names.size());
		for (size_t i = 0; i < row.size(); i++)
			rows[row[0] + ": " + row[2]][names[i]] = row[i];
	}
	return rows;
}

/* Runs the experiments in a build folder that holds nothing but iotrace. */
Run experiments(const Folder &build, const Words &options, const Spawn &how = {})
{
	Words argv = { "/usr/bin/python3", "-B", source_path("tests/experiments/experiments.py"),
		       "--build", build.path.string() };

	argv.insert(argv.end(), options.begin(), options.end());
	REQUIRE(symlink(iotrace_path().c_str(), (build / "iotrace").c_str()) == 0);
	return run_plain(argv, how);
}
} // namespace

/* Claims of times depend on the machine, and hold or not; those of counts hold. */
TEST_CASE("experiments: each claim of a count holds, on a page with a picture and rows", "[once]")
{
	const Folder build;
	const Run run = experiments(build, { "--scale", "0.0005", "--runs", "1" });

	INFO(run);
	REQUIRE(run.end == "exit 0");

	const std::string page = read_file(build / "experiments.md");
	const std::string picture = read_file(build / "experiments.svg");
	auto row = rows_of(read_file(build / "experiments.csv"));

	INFO(page);
	CHECK_THAT(page,
		   ContainsSubstring("| 10,000 `write` of 4 bytes for 10,000 lines | holds |"));
	CHECK_THAT(page, ContainsSubstring(
				 "| 4 `writev`; 40,000 bytes are 4.9 buffers of 8,192 | holds |"));
	CHECK_THAT(page, ContainsSubstring(
				 "| 10 `write`; 40,000 bytes are 9.8 buffers of 4,096 | holds |"));
	CHECK_THAT(page, ContainsSubstring("| 1,000 writes with `unitbuf`; "));
	CHECK_THAT(page, ContainsSubstring(" but 1,000 with `nounitbuf` alone"));
	CHECK_THAT(page, ContainsSubstring("500 `write` with a newline, 500 with `endl`, and "));
	for (const char *experiment : { "1", "2", "3", "4", "5", "6", "7", "8" })
		CHECK_THAT(page,
			   ContainsSubstring(std::string("\n- Experiment ") + experiment + ": "));

	CHECK(row.size() == 17);
	CHECK(row["flush: endl"]["write"] == "10000");
	CHECK(row["flush: write"]["write"] == "10000");
	CHECK(row["flush: write"]["bytes"] == "40000");
	CHECK(row["flush: newline, unsync"]["writev"] == "4");
	CHECK(row["flush: newline"]["write"] == "10");
	CHECK(row["ofstream: endl"]["write"] == "500");
	CHECK(row["ofstream: endl"]["bytes"] == "40500");
	CHECK(row["ofstream: newline"]["bytes"] == "40500");
	CHECK(row["cerr: unsync"]["write"] == "1000");
	CHECK(row["integers: endl"]["write"] == "500");
	CHECK(row["terminal: endl"]["write"] == "500");
	CHECK(row["terminal: newline"]["write"] == "500");
	CHECK(row["logger: reopen"]["write"] == "50");
	CHECK(row["logger: per thread"]["write"] == row["logger: keep open"]["write"]);
	for (auto &[name, of] : row) {
		INFO(name);
		CHECK(std::stoull(of["wall_ns"]) > 0);
		CHECK(std::stoull(of["traced_wall_ns"]) > 0);
		CHECK(std::stoull(of["strace_wall_ns"]) > 0);
		// So few lines are not made fewer for strace.
		CHECK(of["strace_lines"] == of["lines"]);
		CHECK((of["own_average_ns"] != "") == (of["group"] == "logger"));
	}
	for (const char *label : { "2: write / endl", "4: endl / newline", "6: endl / newline",
				   "7: newline / endl, on a terminal", "8: reopen / keep open",
				   "8: per thread / keep open", "published", "measured" })
		CHECK_THAT(picture, ContainsSubstring(std::string(label) + "</text>"));
	CHECK(!exists(build / "experiments"));
}

TEST_CASE("experiments: what is wrong is said, and nothing is written", "[once]")
{
	const struct {
		Words options;
		const char *says;
	} wrong[] = {
		{ { "--scale", "0" }, "--scale 0.0: more than 0" },
		{ { "--runs", "0" }, "--runs 0: from 1 to 1000" },
		{ { "--only", "flush,tea" }, "--only tea: there are flush, ofstream, cerr" },
	};

	for (const auto &each : wrong) {
		const Folder build;
		const Run run = experiments(build, each.options);

		INFO(run);
		CHECK(run.end == "exit 2");
		CHECK_THAT(run.err, ContainsSubstring(each.says));
		CHECK(!exists(build / "experiments.md"));
	}
}

TEST_CASE("experiments: a tool that is missing is said before anything is measured", "[once]")
{
	const Folder build;
	Spawn how;

	how.env = { "PATH=" + build.path.string() };
	write_file(build / "strace", "#!/bin/sh\n");
	REQUIRE(chmod((build / "strace").c_str(), 0755) == 0);

	const Run run = experiments(build, { "--scale", "0.0001" }, how);

	INFO(run);
	CHECK(run.end == "exit 1");
	CHECK(run.err.substr(0, 42) == "experiments: error: gnuplot is missing: `m");
	CHECK(!exists(build / "experiments.md"));
}

TEST_CASE("experiments: what was measured before a program failed is kept", "[once]")
{
	const Folder build;
	Spawn how;

	/* The programs of the second group are not where they should be. */
	REQUIRE(mkdir((build / "workloads").c_str(), 0755) == 0);
	for (const char *name : { "endl_loop", "fd_write_loop", "newline_loop" })
		REQUIRE(symlink(source_path(std::string("workloads/") + name).c_str(),
				(build / (std::string("workloads/") + name)).c_str()) == 0);
	how.directory = build.path.string();

	const Run run = experiments(build, { "--scale", "0.0001", "--runs", "1" }, how);

	INFO(run);
	CHECK(run.end == "exit 1");
	CHECK_THAT(run.err, ContainsSubstring("ofstream_lines"));
	CHECK(rows_of(read_file(build / "experiments.csv")).size() == 4);
	CHECK_THAT(read_file(build / "experiments.md"), ContainsSubstring("2,000 `write` of 4"));
}
