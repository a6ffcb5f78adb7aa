// SPDX-License-Identifier: GPL-2.0
/* The files that names and lines of functions are read from: a program's own, and no others. */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"
#include "lib/stacks.hpp"

TEST_CASE("stacks debug: a stripped program is told by its functions' addresses or its debug file",
	  "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });
	const std::string expected = frames({ "write_line", "inlined", "lines", "main" });

	must_run({ "objcopy", "--only-keep-debug", "lines", "lines.debug" });
	must_run({ "objcopy", "--strip-all", "--add-gnu-debuglink=lines.debug", "lines",
		   "stripped" });
	CHECK(frames_told({ "./stripped", out }) == expected);
	must_run({ "rm", "lines.debug" });
	CHECK(frames_told({ "./stripped", out }).find("null:null") == 0);
	CHECK(jq("[.findings[0].sites[0].frames[0] | .object | endswith(\"/stripped\")]",
		 temporary("capture.json")) == "[true]");
}

TEST_CASE(
	"stacks debug: of what a program says to be its debug file, only a file that is its own is read",
	"[once]")
{
	const std::string out = temporary("out"), expected = frames({ "write_line", "inlined" });

	for (const char *id : { "sha1", "none" }) {
		INFO("build id: " << id);
		must_run({ "gcc", "-O2", "-g", "-pthread", "-Wl,--build-id=" + std::string(id),
			   "-o", "lines", stack_sources + "lines.c" });
		must_run({ "objcopy", "--only-keep-debug", "lines", "right" });
		must_run({ "gcc", "-O1", "-g", "-o", "other", "-pthread",
			   stack_sources + "lines.c" });
		must_run({ "cp", "right", "lines.debug" });
		must_run({ "objcopy", "--strip-all", "--add-gnu-debuglink=lines.debug", "lines",
			   "stripped" });
		CHECK(frames_told({ "./stripped", out }).find(expected) == 0);
		for (const char *file : { "mkfifo lines.debug", "ln -s /dev/zero lines.debug",
					  "mkdir lines.debug", "cp other lines.debug" }) {
			INFO(file);
			must_run({ "sh", "-c", "rm -r lines.debug; " + std::string(file) });
			CHECK(frames_told({ "./stripped", out }).find("null:null") == 0);
		}
		must_run({ "rm", "lines.debug" });
	}
}

TEST_CASE("stacks debug: what the debug information of programs shares is read if it is theirs",
	  "[once]")
{
	const std::string out = temporary("out"), shared = temporary("shared");
	const std::string expected = frames({ "write_line", "inlined", "lines", "main" });

	for (const char *level : { "-O2", "-O1" })
		must_run({ "gcc", level, "-g", "-pthread", "-o", "lines" + std::string(level),
			   stack_sources + "lines.c" });
	must_run({ "dwz", "-m", shared, "-M", shared, "lines-O2", "lines-O1" });
	CHECK(frames_told({ "./lines-O2", out }) == expected);
	for (const char *file : { "mkfifo $0", "ln -s /dev/zero $0", "mkdir $0" }) {
		INFO(file);
		must_run({ "sh", "-c", "rm -rf $0; " + std::string(file), shared });
		CHECK(frames_told({ "./lines-O2", out }).find("write_line:null lines:null") == 0);
	}
}

TEST_CASE("stacks debug: debug information that was split off is read if it is a file", "[once]")
{
	const std::string out = temporary("out");
	const std::string expected = frames({ "write_line", "inlined", "lines", "main" });

	must_run({ "sh", "-c",
		   "mkdir built && cd built && for level in 1 2; do "
		   "gcc -c -O$level -g -gsplit-dwarf -pthread -o lines$level.o $0 || exit 1; done; "
		   "gcc -pthread -o ../split lines2.o",
		   stack_sources + "lines.c" });
	CHECK(frames_told({ "./split", out }) == expected);
	for (const char *file :
	     { "mkfifo lines2.dwo", "ln -s /dev/zero lines2.dwo", "mkdir lines2.dwo",
	       "echo > lines2.dwo", "mv lines1.dwo lines2.dwo" }) {
		INFO(file);
		must_run({ "sh", "-c", "cd built && rm -r lines2.dwo; " + std::string(file) });
		CHECK(frames_told({ "./split", out }).find("write_line:") == 0);
		const std::string said =
			must_run(iotrace_argv({ "-o", "report" }, { "./split", out }, nullptr));
		CHECK_THAT(said, Catch::Contains("/split' is in .dwo files that are not there"));
	}
}

TEST_CASE("stacks debug: debug information that leads the same way again and again costs no report",
	  "[once]")
{
	const std::string out = temporary("out");

	must_run({ "sh", "-c", "python3 $0 > siblings.s && g++ -o siblings siblings.s",
		   stack_sources + "siblings.py" });
	CHECK(frames_told({ "./siblings", out }).find("put:") == 0);
}

TEST_CASE("stacks debug: no program is told by the names of another one in its place", "[once]")
{
	const std::string capture = temporary("replaced.json");

	build_writer("a", "alpha");
	build_writer("b", "beta");
	profile({ "sh", "-c", "rm -f out; cp a x; ./x; cp b x; ./x" }, capture);
	const std::string named = "[.findings[] | select(.path | endswith(\"/out\")) | .sites[] | "
				  "select(.frames[0].function == \"beta\") | .share] | add";
	CHECK(std::stod(jq(named, capture)) < 0.75);
	CHECK(jq("[.stacks.frames[] | select(.function == \"beta\") | .build_id] | unique | length",
		 capture) == "1");
}
