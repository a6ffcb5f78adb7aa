// SPDX-License-Identifier: GPL-2.0
/* Which part of the calls, their time and their bytes a function is told to have. */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"
#include "lib/stacks.hpp"

#include <cstring>

static std::string program()
{
	return compiled("shares", { "gcc", "-O2" }, "shares.c");
}

// The number of the line that a comment marks.
static std::string line(const std::string &comment)
{
	return line_of(stack_sources + "shares.c", comment);
}

// Profiles a command with options into a capture, and returns the capture's path.
static std::string captured(Words options, const Words &command)
{
	const std::string capture = temporary("capture.json");

	options.insert(options.end(), { "--format=json", "-o", capture });
	must_run(iotrace_argv(options, command, nullptr));
	return capture;
}

// The share that a function has of a member of the sites of the writes to "out".
static double share_of(const std::string &function, const std::string &member,
		       const std::string &capture)
{
	const std::string text = jq(
		". as $all | [.files[] | select(.path | endswith(\"/out\")) | "
		"select(.syscall == \"write\") | .sites[]] | (map(." +
			member +
			") | add) as $whole | "
			"map(select($all.stacks.frames[$all.stacks.stacks[.stack].frames[]].function == \"" +
			function + "\") | ." + member + ") | add / $whole",
		capture);

	return std::stod(text.substr(1));
}

TEST_CASE("stacks shares: functions have their parts of the calls, the time and the bytes",
	  "[once]")
{
	const std::string path = program(), out = temporary("out");
	const std::string capture = captured({}, { path, out });
	const double bytes = 20.0 * 65536;

	CHECK(share_of("often", "calls", capture) > 0.95);
	CHECK(std::abs(share_of("large", "bytes", capture) - bytes / (bytes + 40000)) < 0.1);
	CHECK(jq("[.findings[0] | .id, .share_of, (.sites | length), "
		 "(.sites[0].frames[0] | .function, (.line | tostring))]",
		 capture) == "[\"sync-per-write\",\"time\",1,\"slow\",\"" + line("slow") + "\"]");
	const std::string text =
		must_run(iotrace_argv({ "-o", "/dev/stderr" }, { path, out }, nullptr));
	CHECK_THAT(text, Catch::Contains(" 100 % of the time\n"));
}

TEST_CASE("stacks shares: the weight of folded stacks is what was counted", "[once]")
{
	const std::string path = program(), out = temporary("out"), folded = temporary("a.folded");
	const struct {
		const char *weight;
		const char *function;
		double whole;
	} ways[] = { { "calls", "often", 20000 }, { "bytes", "large", 20.0 * 65536 } };

	for (const auto &way : ways) {
		INFO(way.weight);
		must_run(iotrace_argv({ std::string("--weight=") + way.weight, "-o", folded },
				      { path, out }, nullptr));
		const Run run = run_plain({ "awk",
					    std::string("/;") + way.function +
						    " .*;write / { n += $NF } END { print n }",
					    folded });
		CHECK(std::abs(std::stod(run.out) - way.whole) < 0.1 * way.whole);
		// libc's own function is named, too, and ld.so's stacks have an end.
		CHECK(run_plain({ "grep", "-E", "libc[.]so[.]6[+]0x[0-9a-f]+;write |cut.;_start;",
				  folded })
			      .out == "");
	}
}

TEST_CASE("stacks shares: a single call that takes long has a sample", "[once]")
{
	const std::string path = program(), out = temporary("out");
	const std::string capture = captured({}, { path, out, "once" });

	CHECK(jq(". as $all | [.files[] | select(.path == \"/dev/zero\") | "
		 "select(.syscall == \"read\") | .sites[0] | "
		 "$all.stacks.frames[$all.stacks.stacks[.stack].frames[]] | "
		 "select(.function == \"once\") | .line]",
		 capture) == "[" + line("once") + "]");
}

TEST_CASE("stacks shares: who starts processes and syncs memory is told", "[once]")
{
	const std::string path = program(), out = temporary("out");
	const struct {
		const char *way, *finding, *caller;
	} ways[] = {
		{ "by_spawn", "process-per-record", "repeat" },
		{ "by_fork", "process-per-record", "repeat" },
		{ "by_vfork", "process-per-record", "repeat" },
		{ "map", "msync-per-record", nullptr },
	};

	for (const auto &way : ways) {
		INFO(way.way);
		const std::string function = way.caller ? way.way : "commit";
		const std::string capture = captured({}, { path, out, way.way });

		CHECK(jq(std::string("[.findings[] | select(.id == \"") + way.finding +
				 "\") | .sites[0].frames[0] | .function, .line]",
			 capture) == "[\"" + function + "\"," + line(function) + "]");
	}
}

TEST_CASE("stacks shares: who executes a program is not the program", "[once]")
{
	const std::string path = program(), out = temporary("out");
	const std::string capture =
		captured({ "--stacks", "-e", "execve" }, { path, out, "replace" });
	const std::string functions =
		jq(". as $all | [[.files[].sites[]], .stacks.sites] | flatten | "
		   "map($all.stacks.frames[$all.stacks.stacks[.stack].frames[]].function // empty) "
		   "| unique",
		   capture);

	INFO(functions);
	CHECK_THAT(functions, Catch::Contains("\"replace\""));
	CHECK_THAT(functions, !Catch::Contains("_dl_start"));
	CHECK(jq("[.stacks.samples]", capture) == "[1]");
}

TEST_CASE("stacks shares: programs are told that run when others have taken many samples", "[once]")
{
	const std::string capture = temporary("after.json");

	build_writer("a", "alpha");
	build_writer("b", "beta");
	profile({ "sh", "-c",
		  "rm -f out; for i in a b; do gcc -g -O1 -o again $i.c; ./again; done" },
		capture);
	for (const char *function : { "alpha", "beta" }) {
		INFO(function);
		const std::string site =
			std::string("[.findings[] | select(.path | endswith(\"/out\")) "
				    "| .sites[] | select(.frames[0].function == \"") +
			function + "\") | .";
		const double share = std::stod(jq(site + "share] | add // 0", capture));

		CHECK(std::abs(share - 0.5) <
		      3 * std::stod(jq(site + "share_error] | add // 0", capture)));
	}
}

TEST_CASE("stacks shares: folded stacks have all calls, also those that no sample is of", "[once]")
{
	const std::string capture = temporary("found.json");

	profile({ "find", "/usr/include", "-name", "x*" }, capture);
	for (const char *weight : { "calls", "time", "bytes" }) {
		INFO(weight);
		const std::string what = !strcmp(weight, "time") ? "total_ns" : weight;
		const Run run = run_plain({ "sh", "-c",
					    "\"$0\" report \"$1\" --format=folded --weight=$2 | "
					    "awk '{ n += $NF } END { printf \"%d\", n }'",
					    iotrace_path(), capture, weight });
		CHECK(run.out == jq("[.syscalls[]." + what + "] | add", capture));
	}
}
