// SPDX-License-Identifier: GPL-2.0
/* make promises, with few programs: its table, and what it counts against a tool. */
#include "lib/live.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace
{
/* Runs the promises in a build folder that holds nothing but iotrace. */
Run promises(const Folder &build, const Words &options)
{
	Words argv = { "/usr/bin/python3", "-B", source_path("tests/promises/promises.py"),
		       "--build", build.path.string() };

	argv.insert(argv.end(), options.begin(), options.end());
	REQUIRE(symlink(iotrace_path().c_str(), (build / "iotrace").c_str()) == 0);
	return run_plain(argv);
}

std::string judged(const Folder &build, const std::string &program, const std::string &what)
{
	return jq("[.[] | select(.program == \"" + program + "\") | " + what + "] | unique",
		  build / "promises.json");
}
} // namespace

/* Whether an interval holds is a matter of times, and so of the machine. */
TEST_CASE("promises: what is to be won is promised once, and nothing else", "[once]")
{
	const Folder build;
	const Run run = promises(build, { "--rounds", "1", "--only", "c-write-lines,good-stdio" });

	INFO(run);
	REQUIRE(run.end == "exit 0");

	const std::string page = read_file(build / "promises.md");

	INFO(page);
	CHECK_THAT(page, ContainsSubstring("\n| c-write-lines | disk | "));
	CHECK_THAT(page, ContainsSubstring("\n| c-write-lines | memory | "));
	CHECK_THAT(page, ContainsSubstring("| high: flush-per-line | 1 | "));
	CHECK_THAT(page, ContainsSubstring("\n4 programs, 2 of them with nothing to win: 0 false "
					   "promises, 0 gains missed, 0 causes told twice, "));
	CHECK(judged(build, "c-write-lines", ".judged.told") == "[1]");
	CHECK(judged(build, "c-write-lines", ".rounds[].left | length") == "[0]");
	CHECK(judged(build, "c-write-lines", ".rounds[].promises[].calls") == "[400000]");
	CHECK(judged(build, "good-stdio", ".judged.told") == "[0]");
	CHECK(!exists(build / "promises/memory/good-stdio"));
}

TEST_CASE("promises: another tool is held to what it promises, too", "[once]")
{
	const Folder build;
	const std::string tool = build / "tool";
	const auto score = [&](const std::string &says) {
		write_file(tool, "#!/bin/sh\nsh -c \"$2\"\necho '" + says + "' >\"$1\"\n");
		REQUIRE(chmod(tool.c_str(), 0755) == 0);
		unlink((build / "iotrace").c_str());
		const Run run = promises(build, { "--rounds", "1", "--on", "disk", "--only",
						  "c-write-lines,good-stdio", "--tool", tool });

		INFO(run);
		REQUIRE(run.end == "exit 0");
		return run.out;
	};
	const std::string promise = "{\"what\": \"a\", \"file\": \"b\", \"severity\": \"high\", "
				    "\"calls\": 2, \"remaining\": 1, "
				    "\"wall_ns\": [1, 90000000000], \"reason\": null}";

	CHECK_THAT(score("[]"), ContainsSubstring("2 programs, 1 of them with nothing to win: 0 "
						  "false promises, 1 gains missed, 0 causes"));
	CHECK_THAT(score("[" + promise + "," + promise + "]"),
		   ContainsSubstring("1 false promises, 0 gains missed, 1 causes told twice, 2 "
				     "intervals too wide; the interval held in 1 of 1 rounds"));
}

TEST_CASE("promises: what is wrong is said, and nothing is written", "[once]")
{
	const struct {
		Words options;
		const char *says;
	} wrong[] = {
		{ { "--rounds", "0" }, "--rounds 0: from 1 to 1000" },
		{ { "--on", "moon" }, "--on moon: there are disk and memory" },
		{ { "--only", "nosuch" }, "--only nosuch: no program has such a name" },
	};

	for (const auto &each : wrong) {
		const Folder build;
		const Run run = promises(build, each.options);

		INFO(run);
		CHECK(run.end == "exit 2");
		CHECK_THAT(run.err, ContainsSubstring(each.says));
		CHECK(!exists(build / "promises.md"));
		CHECK(!exists(build / "promises"));
	}
}

TEST_CASE("promises: what was measured before a program failed is kept", "[once]")
{
	const Folder build;
	const std::string tool = build / "tool";

	/* It fails at the program that is run second, whichever that is. */
	write_file(tool, "#!/bin/sh\nsh -c \"$2\"\necho '[]' >\"$1\"\nrm \"$0\"\n");
	REQUIRE(chmod(tool.c_str(), 0755) == 0);
	const Run run = promises(build, { "--rounds", "1", "--on", "disk", "--only",
					  "good-stdio,header-updates", "--tool", tool });

	INFO(run);
	CHECK(run.end == "exit 1");
	CHECK_THAT(run.err, ContainsSubstring(" on disk: "));
	CHECK_THAT(read_file(build / "promises.md"), ContainsSubstring("\n1 programs, "));
}
