// SPDX-License-Identifier: GPL-2.0
/*
 * Who makes the calls (--by): each call is one group's, that of its task as it was when the call
 * began, and the groups' figures add up to the summary's.
 */
#include "lib/cgroup.hpp"
#include "lib/iotrace.hpp"
#include "lib/live.hpp"
#include "lib/skip.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

using Catch::Matchers::ContainsSubstring;

/* strace knows the names of tasks and their processes, not users and cgroups. */
static bool is_known(const std::string &key)
{
	return backend() == "bpf" ||
	       (key.find("user") == key.npos && key.find("cgroup") == key.npos);
}

/*
 * Checks that the groups of a capture, and their calls, add up to its summary in every figure, by
 * errno, and in the number of latencies.
 */
static void check_sums(const std::string &capture)
{
	static const char sums[] = R"(
		def by_errno: group_by(.errno) | map([.[0].errno, (map(.count) | add)]);
		def latencies: [.[].latency // [] | .[].count] | add;
		. as $run | [.groups[].syscalls[]] as $calls |
		[("calls", "errors", "bytes", "total_ns", "waits", "wait_ns", "preempted", "timed",
		  "estimated", "cpu_ns") as $f |
		 select([([$run.groups[][$f]] | add), ([$calls[][$f]] | add),
			 ([$run.syscalls[][$f]] | add)] | unique | length != 1) | $f] +
		[select(([$calls[].errnos[]] | by_errno) != ([.syscalls[].errnos[]] | by_errno)) |
		 "errnos"] +
		[select(($calls | latencies) != (.syscalls | latencies)) | "latencies"])";
	/* Of at most 4 groups of a file all are listed. */
	static const char of_files[] = R"(
		[.files // [] | group_by(.file)[] | select(.[0].groups) | .[0].groups as $groups |
		 [.[0].path, (map(.calls) | add), ($groups | length), ([$groups[].calls] | add)] |
		 select(.[1] != .[3] and (.[2] < 4 or .[1] < .[3]))])";

	/* These differ. */
	CHECK(jq(sums, capture) == "[]");
	CHECK(jq(of_files, capture) == "[]");
	/* Whoever reads a capture checks all of it again. */
	const Run again = run_plain({ iotrace_path(), "report", "--section=groups", capture });
	INFO(again);
	CHECK(again.end == "exit 0");
}

/* The calls of a syscall by the groups' names: {"cc1":12,"ld":3}. */
static std::string by_name(const std::string &capture, const std::string &syscall)
{
	return jq("[.groups[] | {name, calls: ([.syscalls[] | select(.name == \"" + syscall +
			  "\") | .calls] | add // 0)} | select(.calls > 0)] | group_by(.name)"
			  " | map({(.[0].name): (map(.calls) | add)}) | add",
		  capture);
}

static const char *const every_key[] = { "cgroup",	   "cgroup,comm", "comm",
					 "process",	   "thread",	  "user",
					 "process,thread", "user,comm",	  "comm,process",
					 "thread,user" };

TEST_CASE("groups: their figures add up to the summary's, by every key")
{
	const std::string capture = temporary("groups.json");
	const std::string script = "for i in 1 2 3; do ls / | cat | wc -l; cat /nowhere; done; "
				   "(cat /etc/passwd; echo a) | cat; python3 -c pass";

	for (const char *key : every_key) {
		if (!is_known(key))
			continue;
		const Run run = run_plain(
			iotrace_argv({ "-e", "all", "-o", capture, std::string("--by=") + key },
				     { "sh", "-c", script }, nullptr));
		CAPTURE(key);
		INFO(run);
		CHECK(run.end == "exit 0");
		check_sums(capture);
		CHECK(jq(".groups | length > 0", capture) == "true");
	}
}

TEST_CASE("groups: their figures add up to the summary's, without files and times, and sampled")
{
	const std::string capture = temporary("groups.json");

	for (const Words &options : { Words{ "--no-files" }, Words{ "--no-latency" },
				      Words{ "--cpu" }, Words{ "--no-latency", "--no-files" } }) {
		if (backend() != "bpf" && options[0] == "--cpu")
			continue;
		const Run run = run_plain(
			iotrace_argv(options + Words{ "-e", "all", "-o", capture, "--by=process" },
				     { "sh", "-c", "ls / | cat; cat /nowhere; true" }, nullptr));
		INFO(run);
		check_sums(capture);
	}
	if (backend() != "bpf")
		return;
	/* Times that are estimated group by group need not add up. */
	const Run run = run_plain(
		iotrace_argv({ "-e", "all", "-o", capture, "--by=process", "--sample-latency=8" },
			     { "sh", "-c", "ls / | cat; cat /nowhere" }, nullptr));
	INFO(run);
	CHECK(jq("[.groups[].calls] | add", capture) == jq("[.syscalls[].calls] | add", capture));
	CHECK(jq("[.groups[].errors] | add", capture) == jq("[.syscalls[].errors] | add", capture));
	CHECK(jq("[.groups[].bytes] | add", capture) == jq("[.syscalls[].bytes] | add", capture));
}

TEST_CASE("groups: a call is of whom its task was when it began it")
{
	const std::string capture = temporary("groups.json");

	for (const char *key : { "comm", "user", "process" }) {
		if (!is_known(key))
			continue;
		Puppet puppet;
		Watch watch({ "-p", puppet.pids(), "-e", "write", std::string("--by=") + key, "-o",
			      capture });

		puppet.tell("comm " + hex("zero"));
		puppet.tell("write 10");
		puppet.tell("comm " + hex("first"));
		puppet.tell("write 200");
		puppet.tell("comm " + hex("second"));
		puppet.tell("write 3000");
		puppet.tell("uid 12345");
		puppet.tell("write 40000");
		watch.process().signal(SIGINT);
		CHECK(watch.process().wait() == "exit 0");
		check_sums(capture);
		const std::string names = by_name(capture, "write");
		CAPTURE(key, names);
		if (std::string(key) == "comm")
			CHECK(names == "{\"first\":200,\"second\":43000,\"zero\":10}");
		else if (std::string(key) == "user")
			CHECK(names == "{\"12345\":40000,\"root\":3210}");
		else
			CHECK(names == "{\"second\":43210}");
	}
}

TEST_CASE(
	"groups: after an exec, also by a thread that is not the leader, calls are of the program")
{
	const std::string capture = temporary("groups.json");

	for (const char *order : { "exec", "texec" })
		for (const char *key : { "comm", "process", "thread" }) {
			Puppet puppet;
			Watch watch({ "-p", puppet.pids(), "-e", "write,execve",
				      std::string("--by=") + key, "-o", capture });

			puppet.tell("comm " + hex("puppet"));
			puppet.tell("threads 3");
			puppet.tell("each 5");
			puppet.tell("write 20");
			puppet.tell_only(std::string(order) + " /bin/sh -c echo");
			CHECK(watch.process().wait() == "exit 0");
			check_sums(capture);
			const std::string names = by_name(capture, "write");
			const std::string execs = by_name(capture, "execve");
			CAPTURE(key, order, names);
			if (std::string(key) == "comm") {
				CHECK(names == "{\"puppet\":35,\"sh\":1}");
				CHECK(execs == "{\"puppet\":1}");
			} else if (std::string(key) == "process") {
				CHECK(names == "{\"sh\":36}");
				CHECK(execs == "{\"sh\":1}");
				CHECK(jq(".groups[0].pid", capture) == puppet.pids());
			} else {
				/* Other threads are groups; the leader's id is the program's. */
				const std::string leader =
					"[.groups[] | select(.tid == " + puppet.pids() +
					") | .syscalls[]";
				const std::string calls = " | select(.name == \"write\") | .calls]";
				CHECK(jq(leader + calls, capture) == "[21]");
			}
		}
}

/* The calls of each thread, a line each, as strace -ff has written them to a file each. */
static std::string of_strace(const std::string &folder)
{
	return run_plain({ "sh", "-c",
			   "cd \"$1\" && grep -c '^write(' log.* | sed 's/^log.//; s/:/ /' | sort",
			   "sh", folder })
		.out;
}

TEST_CASE("groups: each thread has the calls that strace -ff sees it make on the very same run")
{
	BPF_ONLY("a task has one tracer");
	NEED_PROGRAM("strace");
	const std::string capture = temporary("groups.json"), folder = temporary("strace");
	Puppet puppet;

	REQUIRE(run_plain({ "mkdir", folder }).end == "exit 0");
	{
		Watch watch({ "-p", puppet.pids(), "-e", "write", "--by=thread", "-o", capture });
		Spawn how;

		how.argv = { "strace", "-ff",		"-e", "trace=write",
			     "-o",     folder + "/log", "-p", puppet.pids() };
		Process strace(how);
		eventually([&] { return status_of(puppet.pid(), "TracerPid") != "0"; });
		puppet.tell("threads 40");
		puppet.tell("each 7");
		puppet.tell("fork 30");
		puppet.tell("each 2");
		puppet.tell("write 100");
		strace.signal(SIGINT);
		strace.wait();
		watch.process().signal(SIGINT);
		CHECK(watch.process().wait() == "exit 0");
	}
	check_sums(capture);
	const Run ours =
		run_plain({ "sh", "-c", "jq -r '.groups[] | \"\\(.tid) \\(.calls)\"' \"$1\" | sort",
			    "sh", capture });
	CHECK(std::count(ours.out.begin(), ours.out.end(), '\n') == 71);
	CHECK(ours.out == of_strace(folder));
}

TEST_CASE("groups: a finding names the group that makes most of its calls")
{
	const std::string capture = temporary("groups.json"), text = temporary("groups.txt"),
			  script = "for i in $(seq 2000); do echo $i; done > " + temporary("log") +
				   "; for i in 1 2 3 4 5; do /bin/echo $i; done >> " +
				   temporary("log");

	for (const char *key : { "comm", "process,thread", "user" }) {
		if (!is_known(key))
			continue;
		const Run run = run_plain(iotrace_argv(
			{ "-o", capture, "-o", text, "-y", std::string("--by=") + key },
			{ "sh", "-c", script }, nullptr));
		const bool by_user = std::string(key) == "user";

		CAPTURE(key);
		INFO(run);
		check_sums(capture);
		/* The shell opens and closes it twice. */
		const std::string all = jq(
			"[.files[] | select(.path | endswith(\"/log\")) | .calls] | add", capture);
		CHECK(jq("[.findings[] | select(.id == \"flush-per-line\") | .group | "
			 "[.name, .calls, .of]]",
			 capture) ==
		      (by_user ? "[[\"root\"," + all : "[[\"sh\",2004") + "," + all + "]]");
		for (const std::string &report :
		     { read_file(text),
		       run_plain({ iotrace_path(), "report", "-y", capture }).out }) {
			/* The line may be broken anywhere. */
			const std::string words =
				std::regex_replace(report, std::regex("\\s+"), " ");
			const size_t told = words.find(" makes 2,004 of the ");
			CHECK((told == words.npos) == by_user);
		}
	}
}

TEST_CASE("groups: 500 threads are 500 groups, and one process")
{
	const std::string capture = temporary("groups.json");
	Puppet puppet;

	for (const char *key : { "thread", "process,thread", "comm" }) {
		Watch watch({ "-p", puppet.pids(), "-e", "write", std::string("--by=") + key, "-o",
			      capture });

		if (std::string(key) == "thread")
			puppet.tell("threads 500");
		puppet.tell("each 11");
		watch.process().signal(SIGINT);
		CHECK(watch.process().wait() == "exit 0");
		check_sums(capture);
		const std::string counts = jq("[.groups[].calls] | unique", capture);
		CHECK(counts == (std::string(key) == "comm" ? "[5500]" : "[11]"));
		CHECK(jq(".groups | length", capture) ==
		      (std::string(key) == "comm" ? "1" : "500"));
		CHECK(jq("[.groups[].parent] | unique | length", capture) == "1");
	}
	const Run table =
		run_plain({ iotrace_path(), "report", "--by=comm:3", "--section=groups", capture });
	INFO(table);
	CHECK_THAT(table.out, ContainsSubstring("puppet"));
}

TEST_CASE("groups: a shell's ten thousand children are told apart, and lose nothing")
{
	const std::string capture = temporary("groups.json");
	const std::string children = backend() == "bpf" ? "10000" : "1000";
	const Run run = run_plain(iotrace_argv(
		{ "-e", "write", "-o", capture, "--max-groups=20000", "--by=comm,process" },
		{ "bash", "-c",
		  "for ((i = 0; i < " + children + "; i++)); do (echo $i > /dev/null); done" },
		nullptr));

	INFO(run);
	check_sums(capture);
	CHECK(jq("[(.groups | length), ([.groups[].calls] | unique), .integrity.lost,"
		 " ([.groups[] | [.parent, .comm]] | unique | length)]",
		 capture) == "[" + children + ",[1],0,1]");
}

TEST_CASE("groups: what there is no room for is (other)'s, and counted")
{
	const std::string capture = temporary("groups.json");
	const Words loop = { "bash", "-c",
			     "for i in {1..40}; do (echo $i; cd /nowhere) 2> /dev/null; done" };
	const Run run = run_plain(iotrace_argv(
		{ "-e", "write,chdir", "-o", capture, "--by=process", "--max-groups=10" }, loop,
		nullptr));
	INFO(run);
	check_sums(capture);
	CHECK(jq("[.groups[] | select(.id == 1) | .name, .calls, .errors]", capture) ==
	      jq("[\"(other)\", ([.syscalls[].calls] | add) - ([.groups[] | select(.id > 1) | .calls]"
		 " | add), "
		 "([.syscalls[].errors] | add) - ([.groups[] | select(.id > 1) | .errors] | add)]",
		 capture));
	CHECK(jq("[.syscalls[] | .calls >= 40]", capture) == "[true,true]");
	CHECK(jq("[.groups[] | select(.id > 1)] | length", capture) == "10");
}

TEST_CASE("groups: a process that renames itself keeps its executable")
{
	const std::string capture = temporary("groups.json");
	const Run run = run_plain(iotrace_argv(
		{ "-e", "write", "-o", capture, "--by=process", "--fail-if",
		  "process.renamed.write.calls>1k", "--fail-if", "process.sh.write.calls>9" },
		{ "perl", "-e", "$0 = 'renamed'; print STDOUT 'x'" }, nullptr));
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq("[.groups[] | .name, .exe]", capture) == "[\"renamed\",\"/usr/bin/perl\"]");
	CHECK_THAT(run.err, ContainsSubstring("no process is called 'sh'"));
	CHECK_THAT(run.err, !ContainsSubstring("renamed"));
}

TEST_CASE("groups: ids that are used again are other groups")
{
	const std::string capture = temporary("groups.json");
	/* In a PID namespace of its own, each of 20 children has the same id. */
	const Run run = run_plain(iotrace_argv({ "-e", "write", "-o", capture, "--by=process" },
					       { "unshare", "--pid", "--fork", fixture("same_id") },
					       nullptr));
	INFO(run);
	CHECK(run.end == "exit 0");
	check_sums(capture);
	CHECK(jq("[.groups[] | select(.name == \"again\") | .calls]", capture) ==
	      "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]");
}

TEST_CASE("groups: hostile names come out escaped, and as they are read back")
{
	const std::string capture = temporary("groups.json"), csv = temporary("groups.csv");
	/* strace reads a name to the end of its first line. */
	const std::string line_end = backend() == "bpf" ? "\n" : "\t";
	const std::string name = "\x1b[2J" + line_end + "=a|\"\xff";
	Puppet puppet;

	puppet.tell("comm " + hex(name));
	{
		Watch watch({ "-p", puppet.pids(), "-e", "write", "--by=comm,process", "-o",
			      capture, "--section=groups" });
		puppet.tell("write 7");
		watch.process().signal(SIGINT);
		CHECK(watch.process().wait() == "exit 0");
	}
	CHECK(jq(".groups[0].comm", capture) ==
	      "\"\\\\x1b[2J\\\\" + std::string(line_end == "\n" ? "n" : "t") + "=a|\\\"\\\\xff\"");
	for (const char *format : { "table", "markdown", "latex", "asciidoc", "csv", "tsv" }) {
		const Run run = run_plain({ iotrace_path(), "report", "--section=groups",
					    std::string("--format=") + format, capture });
		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(run.out.find('\x1b') == std::string::npos);
		CHECK(run.out.find('\xff') == std::string::npos);
		CHECK_THAT(run.out, ContainsSubstring("x1b"));
	}
}

TEST_CASE("groups: the intervals' groups add up to each interval, and to the whole")
{
	const std::string report = temporary("groups.txt");
	Puppet puppet;

	puppet.tell("threads 20");
	Watch watch({ "-p", puppet.pids(), "-e", "write", "--by=thread:0", "-y", "--interval=0.2",
		      "-o", report, "--section=summary,groups" });
	for (int i = 0; i < 20; i++) {
		puppet.tell("each 50");
		puppet.tell("write 3");
	}
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	/* Each part has a summary with a total, and then the groups. */
	std::istringstream lines(read_file(report));
	std::string line;
	uint64_t total = 0, sum = 0, all = 0, parts = 0;
	while (std::getline(lines, line)) {
		std::istringstream words(line);
		std::vector<std::string> list;
		std::string word;
		while (words >> word)
			list.push_back(word);
		if (list.size() >= 5 && list.back() == "total") {
			if (parts++)
				CHECK(sum == total);
			total = std::stoull(list[3]);
			sum = 0;
		}
		/* Calls stand fifth, as no call failed. A line says whom the whole is about. */
		if (line.find("puppet[") != std::string::npos &&
		    line.find("calls/s") == std::string::npos)
			sum += std::stoull(list[4]);
	}
	CHECK(sum == total);
	all = total;
	CHECK(all == 20 * 20 * 50 + 20 * 3);
	CHECK(parts >= 2);
}

TEST_CASE("groups: a call is of the cgroup that its task was in when it began it")
{
	NEED_CGROUPS();
	const std::string capture = temporary("groups.json");
	const Cgroup before, after, below(after.name);
	Puppet puppet;

	before.take(puppet);
	Watch watch({ "-p", puppet.pids(), "-e", "write", "--by=cgroup", "-o", capture });
	puppet.tell("write 10");
	puppet.block();
	after.take(puppet);
	/* The write that is blocked began before; the one that fills the pipe again did not. */
	puppet.tell("unblock");
	puppet.tell("write 200");
	below.take(puppet);
	puppet.tell("write 3000");
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	check_sums(capture);
	CHECK(jq("[.groups[] | {(.cgroup): .calls}] | add", capture) ==
	      "{\"/" + before.name + "\":11,\"/" + after.name + "\":201,\"/" + below.name +
		      "\":3000}");
}

TEST_CASE("groups: whoever asks for what cannot be had is told so")
{
	const struct {
		Words options;
		const char *says;
	} wrong[] = {
		{ { "--by=" }, "--by" },
		{ { "--by=com" }, "comm, process, thread, user, cgroup, or two of them" },
		{ { "--by=comm,comm" }, "or two of them" },
		{ { "--by=comm,process,thread" }, "or two of them" },
		{ { "--by=comm:x" }, "--by" },
		{ { "--by=comm:" }, "--by" },
		{ { "--max-groups=0", "--by=comm" }, "--max-groups" },
		{ { "--section=groups" }, "--section=groups needs --by" },
		{ { "--by=comm:3,process" }, "'comm:3,process'" },
		{ { "--by=comm", "-o", temporary("by.csv") }, "add --section=groups" },
		{ { "--by=comm", "--format=strace" }, "add --section=groups" },
		{ { "--fail-if", "comm.cc1.openat.calls>9" }, "add --by=comm" },
	};

	for (const auto &one : wrong) {
		const Run run = run_plain(iotrace_argv(one.options, { "true" }, nullptr));

		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, ContainsSubstring(one.says));
	}
	const std::string capture = temporary("none.json");
	run_plain(iotrace_argv({ "-o", capture }, { "true" }, nullptr));
	const Run without = run_plain({ iotrace_path(), "report", "--by=comm", capture });
	INFO(without);
	CHECK(without.end == "exit 125");
	CHECK_THAT(without.err, ContainsSubstring("does not say who made the calls"));
	for (const char *key : { "user", "comm,cgroup" }) {
		const Run strace = run_plain(
			{ iotrace_path(), "--backend=strace", std::string("--by=") + key, "true" });
		INFO(strace);
		CHECK(strace.end == "exit 125");
		CHECK_THAT(strace.err, ContainsSubstring("strace cannot do --by="));
	}
}
