// SPDX-License-Identifier: GPL-2.0
/* Where calls come from by strace -k: the same places as by eBPF. */
#include "lib/files.hpp"
#include "lib/live.hpp"
#include "lib/stacks.hpp"

static const char *const cost = "strace unwinds the stack of every traced call, which takes";

static Words by_strace(Words options)
{
	options.insert(options.begin(), { iotrace_path(), "--backend=strace", "--stacks", "-o",
					  temporary("capture.json") });
	return options;
}

TEST_CASE("strace stacks: the functions and lines are those of the source, and the cost is told",
	  "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });

	const std::string said = must_run(by_strace({ "--", program, out, "yield" }));
	INFO(said);
	CHECK_THAT(said, ContainsSubstring(cost));
	CHECK(frames_in(temporary("capture.json")) ==
	      frames({ "write_line", "inlined", "lines", "main" }));
	CHECK(jq("[.findings[0].sites[0] | .calls, .samples, .share]", temporary("capture.json")) ==
	      "[3000,3000,1]");
	CHECK(jq("[.stacks.lost]", temporary("capture.json")) == "[0]");
}

TEST_CASE("strace stacks: without --stacks no stack is unwound, and how to have them is told",
	  "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });
	const std::string report = temporary("report.txt");
	const std::string said =
		must_run({ iotrace_path(), "--backend=strace", "-o", temporary("capture.json"),
			   "-o", report, "--", program, out });

	CHECK_THAT(said, !ContainsSubstring("stack"));
	CHECK_THAT(read_file(report),
		   ContainsSubstring("With --stacks, strace says where the calls"));
	CHECK(jq("[.stacks, .findings[0].sites]", temporary("capture.json")) == "[null,null]");
}

TEST_CASE("strace stacks: threads, and children that borrow memory, have theirs", "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });
	const struct {
		const char *way, *caller;
	} ways[] = { { "thread", "thread" }, { "vfork", "borrowed" } };

	for (const auto &way : ways) {
		INFO(way.way);
		must_run(by_strace({ "-q", "--", program, out, way.way }));
		CHECK(frames_in(temporary("capture.json"))
			      .find(frames({ "write_line", "inlined", "lines", way.caller })) == 0);
	}
}

TEST_CASE("strace stacks: a running process is told by its own functions", "[once]")
{
	const std::string capture = temporary("attached.json");
	Puppet puppet;

	puppet.tell("write 3");
	{
		Watch watch({ "--backend=strace", "--stacks", "-e", "write", "-o", capture, "-p",
			      puppet.pids() });
		puppet.tell("write 100");
		const Run run = watch.end();
		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK_THAT(run.err, ContainsSubstring(cost));
	}
	CHECK(jq("[.stacks.samples >= 100, .stacks.lost]", capture) == "[true,0]");
	CHECK(jq("[.stacks as $s | .files[] | .sites[]? | $s.stacks[.stack].frames | "
		 "any($s.frames[.].function == \"main\")] | length > 0 and all",
		 capture) == "true");
}

TEST_CASE("strace stacks: a strace that cannot unwind is told, and the rest is reported", "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });

	must_run({ "sh", "-c",
		   "mkdir -p old && printf '#!/bin/sh\\n[ \"$1\" = -V ] && exec sh -c "
		   "\"%s -V | grep -v stack-trace\"\\nexec %s \"$@\"\\n' \"$(command -v strace)\" "
		   "\"$(command -v strace)\" >old/strace && chmod +x old/strace" });
	Words run = { "env", "PATH=" + temporary("old") + ":/usr/bin:/bin" };
	for (const std::string &word : by_strace({ "--", program, out }))
		run.push_back(word);
	const std::string said = must_run(run);
	CHECK_THAT(said, ContainsSubstring("which lines of code calls come from is not known: this "
					   "strace was built without -k"));
	CHECK_THAT(said, !ContainsSubstring(cost));
	CHECK(jq("[.findings[0].id, .stacks]", temporary("capture.json")) ==
	      "[\"flush-per-line\",null]");
}
