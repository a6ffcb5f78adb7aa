// SPDX-License-Identifier: GPL-2.0
/*
 * Which programs make the calls: the summary of a plain report, whose calls and times are the whole
 * run's, and the users of files, of which none is missing however many processes there are.
 */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"
#include "lib/live.hpp"
#include "lib/skip.hpp"

#include <algorithm>

using Catch::Matchers::ContainsSubstring;

/* The calls of the programs, and their times, are those of the syscalls. */
static void check_whole(const std::string &capture)
{
	CHECK(jq("[.programs[].calls] | add", capture) == jq("[.syscalls[].calls] | add", capture));
	CHECK(jq("[.programs[].total_ns] | add", capture) ==
	      jq("[.syscalls[].total_ns] | add", capture));
	CHECK(jq(".files_missing", capture) == "{\"calls\":0,\"users\":0}");
}

/* The calls of a program: "[processes,calls]". */
static std::string program(const std::string &capture, const std::string &comm)
{
	return jq("[.programs[] | select(.comm == \"" + comm + "\") | .processes, .calls]",
		  capture);
}

TEST_CASE("programs: a call is of the program that its process executed when it began it")
{
	const std::string capture = temporary("programs.json"), report = temporary("report.txt");
	const Run run = run_plain(iotrace_argv(
		{ "-e", "write,execve,chdir", "-o", capture, "-o", report },
		{ "bash", "-c",
		  "for i in 1 2 3; do (echo a; echo b; exec printf x) > /dev/null; done; (cd /nowhere); "
		  "exec printf y" },
		nullptr));
	INFO(run);
	CHECK(run.end == "exit 0");
	check_whole(capture);
	/*
	 * The shell's execve opens the window; then there are two writes and an execve three times,
	 * a chdir, which bash tries twice, and what is said of it, and the last execve.
	 */
	CHECK(program(capture, "bash") == "[5,14]");
	CHECK(program(capture, "printf") == "[4,4]");
	const std::string text = read_file(report);
	CHECK_THAT(text, ContainsSubstring("by program: bash    78 %         14 calls"));
	CHECK_THAT(text, ContainsSubstring("            printf  22 %          4 calls"));
}

TEST_CASE("programs: there are a few lines of them in a plain report, and none if there is one")
{
	const std::string many = "for i in a b c d e f g h i; do ln -s /usr/bin/true $i; "
				 "./$i; done",
			  folder = temporary("many"), capture = temporary("programs.json");

	REQUIRE(run_plain({ "mkdir", folder }).end == "exit 0");
	const Run run =
		run_plain(iotrace_argv({ "-e", "all", "-o", capture },
				       { "sh", "-c", "cd " + folder + "; " + many }, nullptr));
	CHECK(run.end == "exit 0");
	check_whole(capture);
	const auto lines = [&](Words options, const std::string &of) {
		const Run again =
			run_plain(Words{ iotrace_path(), "report" } + options + Words{ of });
		const size_t begin = again.out.find("by program:");
		const size_t end = again.out.find("\n\n", begin);

		INFO(again);
		CHECK(again.end == "exit 0");
		return begin == std::string::npos ? "" : again.out.substr(begin, end + 1 - begin);
	};
	const std::string text = lines({}, capture);
	CHECK(std::count(text.begin(), text.end(), '\n') == 6);
	CHECK_THAT(text, ContainsSubstring("and 6 more "));
	CHECK(lines({ "--quiet" }, capture).empty());
	CHECK(run_plain(iotrace_argv({ "-e", "all", "-o", capture }, { "true" }, nullptr)).end ==
	      "exit 0");
	CHECK(lines({}, capture).empty());
}

TEST_CASE("programs: a thousand processes of a program are one user of a file, and none is missing")
{
	const std::string capture = temporary("programs.json");
	const std::string children = backend() == "bpf" ? "1500" : "300";
	/* There is room for a row of each of some thousand processes, and no more. */
	const Run run = run_plain(iotrace_argv(
		{ "-e", "read", "-o", capture, "--max-files=16" },
		{ "bash", "-c",
		  "for ((i = 0; i < " + children +
			  "; i++)); do (read x < /etc/hosts; read x < /etc/group); done; wc -l /etc/group" },
		nullptr));
	const auto users = [&](const std::string &path) {
		return jq("[.files[] | select(.path == \"" + path +
				  "\") | .users] | unique | .[0] | map([.comm, .processes])",
			  capture);
	};

	INFO(run);
	CHECK(run.end == "exit 0");
	check_whole(capture);
	CHECK(users("/etc/hosts") == "[[\"bash\"," + children + "]]");
	CHECK(users("/etc/group") == "[[\"bash\"," + children + "],[\"wc\",1]]");
	CHECK(jq("[.files[] | select(.path == \"/etc/group\") | .processes] | unique", capture) ==
	      "[" + std::to_string(std::stoi(children) + 1) + "]");
}

TEST_CASE("programs: a build of iotrace itself has every call, and misses no user of a file")
{
	BPF_ONLY("the other backend takes minutes for it");
	const std::string capture = temporary("build.json"), folder = temporary("build");
	const Run run = run_plain(iotrace_argv(
		{ "-e", "all", "-o", capture },
		{ "make", "-C", source_path(""), "-j4", "BUILD=" + folder, folder + "/iotrace" },
		nullptr));

	INFO(run);
	CHECK(run.end == "exit 0");
	check_whole(capture);
	CHECK(jq(".integrity | [.lost, .lost_tasks, .died]", capture) == "[0,0,0]");
	CHECK(jq(".programs[0].comm", capture) == "\"cc1\"");
	/* The compiler runs once for each source, and a program that it makes is one, too. */
	CHECK(jq("[.programs[] | select(.comm == \"cc1\" or .comm == \"as\") | .processes] | unique "
		 "| length",
		 capture) == "1");
}
