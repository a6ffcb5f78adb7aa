// SPDX-License-Identifier: GPL-2.0
// Whose calls strace's log has (--by): tasks by the names that strace -Y prints, and processes.
#include "unit/strace_test.hpp"

extern "C" {
#include "model/profile_groups.h"
}

#define AT     "[00007f0f562d5829] "
#define WRITE  " [   1] " AT "write(0x1, 0x2) = 3 <0.000001>\n"
#define EXEC   " [  59] " AT "execve(\"/usr/bin/ls\", 0x1, 0x2) = 0 <0.000001>\n"
#define CLONE  " [  56] " AT "clone(child_stack=NULL, flags=SIGCHLD) = "
#define THREAD " [  56] " AT "clone(child_stack=0x7, flags=CLONE_VM|CLONE_THREAD) = "

namespace
{
struct Grouping {
	unsigned by[2];
	size_t max_groups = 100;
};

// Task 10 and up are threads of process 7, others are processes.
const strace_proc proc = {
	[](pid_t tid) -> pid_t { return tid < 10 ? tid : 7; },
	[](pid_t) -> pid_t { return 7; },
	[](pid_t, char *comm, size_t size) { snprintf(comm, size, "?"); },
	[](pid_t) -> char * { return nullptr; },
};

// The groups of a log, as "cat[7] 3; ...", after checking that they add up.
std::string groups(const std::string &text, const Grouping &grouping,
		   const char *expr = "trace=all", size_t max_files = 100)
{
	Log log;
	std::ostringstream out;
	char buf[GROUP_NAME_SIZE];
	uint64_t calls = 0, all = 0;

	parse(log, text, format_with([&](strace_format &f) {
		      f.max_files = max_files;
		      f.proc = &proc;
		      f.by[0] = grouping.by[0];
		      f.by[1] = grouping.by[1];
		      f.max_groups = grouping.max_groups;
	      }),
	      expr);
	for (size_t i = 0; i < log.nr_groups; i++) {
		const group_stats &g = log.groups[i];
		group_call sum;

		group_stats_sum(&sum, &g);
		calls += sum.calls;
		out << group_name(buf, &g, grouping.by[1] ? grouping.by[1] : grouping.by[0]);
		if (g.pid || g.tid)
			out << "[" << (g.tid ? g.tid : g.pid) << "]";
		if (g.parent)
			out << " of " << g.parent;
		out << " " << sum.calls << "; ";
	}
	for (size_t i = 0; i < log.nr_syscalls; i++)
		all += log.syscalls[i].calls;
	CHECK(calls == all);
	return out.str();
}
} // namespace

TEST_CASE("strace groups: a call is of the name that its task had when it began it")
{
	const std::string log = "7<sh>" WRITE "7<sh>" EXEC "7<ls>" WRITE "7<ls>" WRITE "8<ls>" WRITE
				"7<other> [   0] " AT "read(0x1, <unfinished ...>\n"
				"7<new> <... read resumed>0x2, 0x3) = 0 <0.000001>\n";

	CHECK(groups(log, { { BY_COMM } }) == "sh 2; ls 3; other 1; ");
	CHECK(groups(log, { { BY_THREAD } }) == "other[7] 5; ls[8] 1; ");
	CHECK(groups(log, { { BY_COMM } }, "trace=write") == "sh 1; ls 3; ");
}

TEST_CASE("strace groups: names are unescaped, and may be empty or strange")
{
	CHECK(groups("7<a\\76 b\\74c>" WRITE, { { BY_COMM } }) == "a> b<c 1; ");
	CHECK(groups("7<\\33\\\"\\\\x\\n>" WRITE, { { BY_COMM } }) == "\x1b\"\\x\n 1; ");
	CHECK(groups("7<caf\\303\\251>" WRITE, { { BY_COMM } }) == "caf\xc3\xa9 1; ");
	CHECK(groups("7" WRITE, { { BY_COMM } }) == " 1; ");
	CHECK(groups("7<>" WRITE, { { BY_COMM } }) == " 1; ");
	CHECK(groups("7<1234567890123456789>" WRITE, { { BY_COMM } }) == "123456789012345 1; ");
	// What is not a task's name is no line.
	for (const char *text : { "<x>" WRITE, "7<x" WRITE, "7<x>y" WRITE, "0<x>" WRITE, "7<x\\" })
		CHECK(groups(text, { { BY_COMM } }) == "");
}

TEST_CASE("strace groups: the threads of a process are one group, whichever makes the first call")
{
	const std::string log = "7<main>" THREAD "10<main>\n10<worker>" WRITE "7<main>" WRITE
				"10<worker>" WRITE "7<main>" CLONE "9<main>\n9<child>" WRITE;

	CHECK(groups(log, { { BY_PROCESS } }) == "main[7] 5; child[9] 1; ");
	CHECK(groups(log, { { BY_PROCESS } }, "trace=write") == "main[7] 3; child[9] 1; ");
	CHECK(groups(log, { { BY_PROCESS, BY_THREAD } }, "trace=write") ==
	      "worker[10] of 2 2; main[7] of 2 1; child[9] of 4 1; ");
	CHECK(groups(log, { { BY_COMM, BY_PROCESS } }, "trace=write") ==
	      "main[7] of 2 2; main[7] of 3 1; child[9] of 4 1; ");
}

TEST_CASE("strace groups: an id that is used again is another task")
{
	const std::string one = "8<a>" WRITE "8<a> +++ exited with 0 +++\n";

	CHECK(groups("7<sh>" CLONE "8<a>\n" + one + "7<sh>" CLONE "8<a>\n" + one,
		     { { BY_PROCESS } }) == "sh[7] 2; a[8] 1; a[8] 1; ");
	CHECK(groups(one + one, { { BY_THREAD } }) == "a[8] 1; a[8] 1; ");
	CHECK(groups(one + one, { { BY_COMM } }) == "a 2; ");
}

TEST_CASE("strace groups: a thread that executes a program has the id of its leader then")
{
	const std::string log =
		"7<main>" WRITE "7<main>" THREAD "10<main>\n"
		"10<thread> [  59] " AT "execve(\"/usr/bin/ls\", 0x1, 0x2 <pid changed to 7 ...>\n"
		"7<ls> +++ superseded by execve in pid 10<thread> +++\n"
		"7<ls> <... execve resumed>) = 0 <0.000001>\n"
		"7<ls>" WRITE;

	CHECK(groups(log, { { BY_PROCESS } }) == "ls[7] 4; ");
	CHECK(groups(log, { { BY_THREAD } }) == "ls[7] 3; thread[10] 1; ");
	CHECK(groups(log, { { BY_COMM } }) == "main 2; thread 1; ls 1; ");
}

TEST_CASE("strace groups: a name that strace has not read again after an execve is not believed")
{
	// strace does not if the call before it failed.
	const std::string log = "7<sh> [  59] " AT "execve(\"/bin/ls\", 0x1, 0x2) = -1 ENOENT (No "
				"such file or directory) <0.000001>\n"
				"7<sh>" EXEC "7<sh>" WRITE "7<sh>" CLONE "9<ls>\n"
				"9<ls>" WRITE;

	CHECK(groups(log, { { BY_COMM } }) == "sh 2; ls 3; ");
	CHECK(groups(log, { { BY_PROCESS } }) == "ls[7] 4; ls[9] 1; ");
	// What has the old name later has given it to itself.
	CHECK(groups(log + "7<other>" WRITE "7<sh>" WRITE, { { BY_COMM } }) ==
	      "sh 3; ls 3; other 1; ");
}

TEST_CASE("strace groups: without figures of files they are the same")
{
	const std::string log = "10<worker>" WRITE "7<main>" WRITE "7<main>" CLONE "9<main>\n"
				"9<main>" EXEC "9<ls>" WRITE;

	for (const size_t max_files : { 0, 100 }) {
		CHECK(groups(log, { { BY_PROCESS } }, "trace=all", max_files) ==
		      "main[7] 3; ls[9] 2; ");
		CHECK(groups(log, { { BY_COMM } }, "trace=all", max_files) ==
		      "worker 1; main 3; ls 1; ");
	}
}

TEST_CASE("strace groups: an execve names a task that has ended, also without figures of files")
{
	/* The call is told in two parts, and strace has not read the name again. */
	const std::string log =
		"7<sh> [  59] " AT "execve(\"/bin/no/ls\", 0x1, 0x2) = -1 ENOENT (No "
		"such file or directory) <0.000001>\n"
		"7<sh> [  59] " AT "execve(\"/bin/ls\", 0x1, 0x2 <unfinished ...>\n"
		"8<other>" WRITE "7<sh> [  59] " AT "<... execve resumed>) = 0 <0.000001>\n"
		"7<sh>" WRITE;

	for (const size_t max_files : { 0, 100 })
		CHECK(groups(log, { { BY_COMM } }, "trace=write", max_files) == "other 1; ls 1; ");
}

TEST_CASE("strace groups: what there is no room for is one group")
{
	const Grouping two = { { BY_COMM }, 2 };

	CHECK(groups("7<a>" WRITE "8<b>" WRITE "9<c>" WRITE "5<d>" WRITE "7<a>" WRITE, two) ==
	      "(other) 2; a 2; b 1; ");
	CHECK(groups("7<a>" WRITE "8<b>" WRITE, two) == "a 1; b 1; ");
	// A task whose calls are not wanted needs none.
	CHECK(groups("7<a>" EXEC "8<b>" WRITE "9<c>" WRITE, two, "trace=write") == "b 1; c 1; ");
}
