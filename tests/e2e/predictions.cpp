// SPDX-License-Identifier: GPL-2.0
// What predictions rest on is measured after the run, and is in no figure of it.
#include "lib/files.hpp"
#include "lib/iotrace.hpp"
#include "lib/live.hpp"
#include "lib/pipes.hpp"

#include <cstring>
#include <regex>

namespace
{
Run lines_to(const std::string &file, const Words &options, const std::string &capture)
{
	return run_iotrace(Words{ "--format=json", "-o", capture } + options,
			   { "sh", "-c", "exec ./workloads/endl_loop -n 20000 >" + file });
}
} // namespace

TEST_CASE("predictions: the calibration's calls are in no figure", "[once]")
{
	const std::string out = temporary("lines"), capture = temporary("capture.json");

	for (const Words &options :
	     std::vector<Words>{ {}, { "-P", out }, { "-e", "trace=write" } }) {
		const Run run = lines_to(out, options, capture);

		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(jq(".syscalls[] | select(.name == \"write\") | .calls", capture) == "20000");
		CHECK(jq("[.files[] | select(.syscall == \"write\") | .calls] | add", capture) ==
		      "20000");
		CHECK(jq(".integrity | .entered == .returned and .lost == 0", capture) == "true");
		CHECK(jq(".calibration.memory | .bare_ps > 0 and .traced_ps > 0 and "
			 ".inside_ps > 0",
			 capture) == "true");
		CHECK(jq(".calibration.device == null", capture) ==
		      (options.size() && options[0] == "-P" ? "true" : "false"));
		CHECK(jq(".findings[0] | .id == \"flush-per-line\" and "
			 ".predicted_saving_ns.high > 0 and "
			 ".predicted_wall_saving_ns.high > 0 and .predicted_share.high > 0",
			 capture) == "true");
	}
}

TEST_CASE("predictions: without a finding nothing is calibrated", "[once]")
{
	const std::string capture = temporary("capture.json");
	const Run run = run_iotrace({ "--format=json", "-o", capture },
				    { "./workloads/newline_loop", "-n", "1000" });

	INFO(run);
	CHECK(jq(".calibration, (.findings | length)", capture) == "null\n0");
}

TEST_CASE("predictions: a capture predicts what its run has printed", "[once]")
{
	const std::string out = temporary("lines"), capture = temporary("capture.json"),
			  again = temporary("again.json");
	const Run run = lines_to(out, {}, capture);
	const Run report =
		run_plain({ iotrace_path(), "report", "--format=json", "-o", again, capture });

	INFO(run);
	INFO(report);
	CHECK(jq(".findings", again) == jq(".findings", capture));
}

TEST_CASE("predictions: nothing is promised to processes that wait for each other's messages")
{
	const std::string capture = temporary("dialogue.json");

	for (const char *kind : { "socket", "pipes" })
		for (const Words &options : { Words{ "-e", "all" }, Words{ "-y" } }) {
			const Run run =
				run_iotrace(options + Words{ "--format=json", "-o", capture },
					    { fixture("dialogue"), kind, "1", "2000" });

			INFO(run);
			CHECK(run.end == "exit 0");
			CHECK(jq("[.files[] | select(.path | test(\"^(unix|pipe):\")) | "
				 "select(.syscall "
				 "== \"write\") | .calls] | add",
				 capture) == "4000");
			/*
			 * strace does not tell who slept, so it knows of the answers on a socket
			 * alone.
			 */
			if (backend() == "bpf" || !strcmp(kind, "socket"))
				CHECK(jq("[.findings[] | select(.severity != \"info\")]",
					 capture) == "[]");
		}
}

TEST_CASE("predictions: what filters make of flushed lines is counted with who flushes them")
{
	const std::string capture = temporary("filter.json"), out = temporary("lines");
	const char flushes[] = "BEGIN { for (i = 0; i < 5000; i++) { print i; fflush() } }";
	const Words argv = { "sh", "-c", "awk \"$1\" | cat >\"$2\"", "sh", flushes, out };
	const Run run = run_iotrace({ "--format=json", "-o", capture }, argv);
	const std::string calls =
		"[.files[] | select(.path | test(\"^pipe:\") or . == \"" + out +
		"\") | select(.syscall | test(\"^(read|write)$\")) | .calls] | add";
	const std::string pipe = ".findings[] | select(.path | test(\"^pipe:\"))";

	INFO(run);
	INFO(jq(".findings", capture));
	CHECK(run.end == "exit 0");
	CHECK(jq("[" + pipe + " | .id]", capture) == "[\"flush-per-line\"]");
	CHECK(jq("(" + calls + ") as $all | " + pipe + " | .calls == $all", capture) == "true");
}

/* A script executes the interpreter that it is named after, as version managers do it. */
TEST_CASE("predictions: advice is for the program that a script of its name executes")
{
	const Folder folder;
	const std::string capture = temporary("shim.json");

	folder.write("perl", "#!/bin/sh\nexec /usr/bin/perl \"$@\"\n", 0755);
	const Run run = run_iotrace({ "--format=json", "-o", capture },
				    { folder / "perl", "-e",
				      "open F, '>', $ARGV[0]; select F; $| = 1;"
				      "print \"$_\\n\" for 1 .. 5000",
				      folder / "lines" });
	INFO(run);
	CHECK_THAT(jq(".findings[0].advice", capture), ContainsSubstring("$|"));
}

TEST_CASE("predictions: a run of writes ends where their task reads an answer")
{
	const std::string capture = temporary("runs.json");
	const Run run = run_iotrace({ "-e", "all", "--format=json", "-o", capture },
				    { fixture("dialogue"), "socket", "20", "50" });

	INFO(run);
	/* One process writes 20 messages and reads 20 answers, the other answers each. */
	CHECK(jq("[.files[] | select(.path | startswith(\"unix:\")) | .runs] | add", capture) ==
	      "1050");
}

/* A server that writes a line of a log for each thing that it is asked for. */
static const char log_server[] = "import os, sys\n"
				 "log = open(sys.argv[1], 'ab', 0)\n"
				 "for request in iter(sys.stdin.readline, ''):\n"
				 "    for i in range(int(request)):\n"
				 "        log.write(b'a line of the log\\n')\n"
				 "    print('done', flush=True)\n";

TEST_CASE("predictions: the owner of a server is told what each call gains, and of no run")
{
	const std::string capture = temporary("server.json"), report = temporary("server.txt");
	Pipe requests;
	Spawn how;

	how.argv = { "python3", "-c", log_server, temporary("server.log") };
	how.in = requests.reader;
	Process server(how);
	write_all(requests.writer, "1\n");
	REQUIRE(eventually([&] { return server.out() == "done\n"; }));
	{
		Watch watch({ "-o", capture, "-o", report, "-p", std::to_string(server.pid()) });

		write_all(requests.writer, "5000\n");
		REQUIRE(eventually([&] { return server.out() == "done\ndone\n"; }));
		CHECK(watch.end().end == "exit 0");
	}
	const std::string text = read_file(report);
	const std::string log = ".findings[] | select(.id == \"flush-per-line\")";
	INFO(text);
	CHECK_THAT(text, ContainsSubstring("flush-per-line"));
	CHECK_THAT(text, !ContainsSubstring("the run"));
	CHECK(jq("[" + log + " | .predicted_wall_saving_ns]", capture) == "[null]");
	if (backend() != "bpf")
		return;
	/* The lines are broken anywhere. */
	CHECK_THAT(jq("[" + log + " | .severity]", capture), ContainsSubstring("high"));
	CHECK(jq("[" + log + " | .predicted_each]", capture) ==
	      "[{\"what\":\"write\",\"count\":5000}]");
	CHECK(jq(log + " | .predicted_time_saving_ns.high <= 1.01 * .predicted_cpu_saving_ns.high and "
		       ".predicted_share.low > 0 and .predicted_cpu_share.high > 0",
		 capture) == "true");
	CHECK_THAT(std::regex_replace(text, std::regex("\\s+"), " "),
		   ContainsSubstring(" % of one CPU; ") &&
			   ContainsSubstring(" of each of 5,000 writes"));
}
