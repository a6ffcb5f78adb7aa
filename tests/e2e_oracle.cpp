// SPDX-License-Identifier: GPL-2.0
/*
 * strace -f -c on the same real programs is the oracle: every syscall has the same calls and
 * errors.
 *
 * What makes two runs of one program differ is taken away beforehand: addresses (no randomisation),
 * hash seeds, locale, HOME, files that the run before left. What is left is named with its program:
 *
 *	getrandom	mkstemp() and its like draw again when a draw would favour some letters:
 *			about one in 23
 *	futex		only a thread that has to wait makes the call
 *	mmap, munmap, mprotect, madvise
 *			a thread gets the stack and the heap of one that has ended, if one has
 *	read		of a pipe: as many as the reader finds parts
 *	rt_sigreturn	SIGCHLD: children that end together make one signal
 */
#include "iotrace.hpp"

#include <sched.h>
#include <sys/personality.h>

/* Same addresses, so the same brk and mmap. */
static Spawn steady()
{
	Spawn how;

	how.in_child = [] { personality(ADDR_NO_RANDOMIZE); };
	return how;
}

/* The same, and one CPU, for programs that look how many there are, or whose tasks race. */
static Spawn on_one_cpu()
{
	Spawn how;

	how.in_child = [] {
		cpu_set_t cpus;

		personality(ADDR_NO_RANDOMIZE);
		sched_getaffinity(0, sizeof(cpus), &cpus);
		for (int cpu = 0, found = 0; cpu < CPU_SETSIZE; cpu++) {
			if (found)
				CPU_CLR(cpu, &cpus);
			found = found || CPU_ISSET(cpu, &cpus);
		}
		sched_setaffinity(0, sizeof(cpus), &cpus);
	};
	return how;
}

/* Runs the command under both, the directory work made anew for each. */
static void compare(const Words &command, const std::set<std::string> &except = {},
		    const Spawn &how = steady(), const std::string &end = "exit 0")
{
	const Words all = { "-e", "trace=all", "--histogram=all" };
	const Words anew = { "sh", "-c", "rm -rf work && mkdir work" };
	Spawn here = how;

	here.directory = temporary("");
	run_plain(anew, here);
	const Run theirs = run_strace({ "-e", "trace=all" }, command, here);
	run_plain(anew, here);
	const Run ours = run_iotrace(all, command, here);
	INFO(theirs);
	INFO(ours);
	CHECK(theirs.end == end);
	CHECK(ours.end == end);
	CHECK(ours.out == theirs.out);
	CHECK(differences(ours.report, theirs.report, except) == "");
	for (const std::string &name : except)
		CHECK((ours.report.calls(name) > 0) == (theirs.report.calls(name) > 0));
}

static const std::string headers = "/usr/include/linux";

TEST_CASE("oracle: ls, find, grep, cp")
{
	compare({ "ls", "-lR", headers });
	compare({ "find", headers, "-name", "*.h", "-newer", "/nonexistent" }, {}, steady(),
		"exit 1");
	compare({ "grep", "-rc", "define", headers });
	compare({ "cp", "-r", headers, "work/copy" });
	compare({ "ls", "/nonexistent" }, {}, steady(), "exit 2");
}

TEST_CASE("oracle: tar")
{
	compare({ "tar", "cf", "work/headers.tar", headers });
	/* gzip reads a pipe. */
	compare({ "tar", "czf", "work/headers.tar.gz", headers }, { "read", "rt_sigreturn" });
}

TEST_CASE("oracle: sort")
{
	Run numbers = run_plain({ "sh", "-c", "seq 1 200000 | rev" });

	write_file(temporary("numbers"), numbers.out);
	compare({ "sort", "-o", "work/sorted", "numbers" }, {}, on_one_cpu());
	compare({ "sort", "--parallel=4", "-o", "work/sorted", "numbers" },
		{ "futex", "mmap", "munmap", "mprotect", "madvise" });
	compare({ "sort", "--parallel=1", "-S", "1M", "-o", "work/sorted", "numbers" },
		{ "getrandom" });
}

TEST_CASE("oracle: git log")
{
	Spawn how;

	how.directory = temporary("");
	const Run made =
		run_plain({ "sh", "-c",
			    "git init -q repo && cd repo && git config user.email a@b && git "
			    "config user.name c &&"
			    "for i in 1 2 3 4 5 6 7 8 9; do seq $i > file$i && git add . &&"
			    "git commit -qm \"number $i\"; done && git gc -q" },
			  how);
	INFO(made);
	REQUIRE(made.end == "exit 0");
	compare({ "git", "-C", "repo", "log", "--stat" });
	compare({ "git", "-C", "repo", "log", "-p", "nosuchbranch" }, {}, steady(), "exit 128");
}

TEST_CASE("oracle: python3")
{
	compare({ "python3", "-c",
		  "import json, os, re, tempfile\n"
		  "names = sorted(os.listdir('" +
			  headers +
			  "'))\n"
			  "print(json.dumps([n for n in names if re.match('[a-f]', n)]))\n"
			  "for n in names:\n"
			  "    try:\n"
			  "        open('/nonexistent/' + n)\n"
			  "    except OSError:\n"
			  "        pass\n" });
	/*
	 * vfork and exec; the one pipe that is read tells of a failing exec, and is read once to
	 * its end.
	 */
	compare({ "python3", "-c",
		  "import subprocess\n"
		  "for i in range(5): subprocess.run(['true'])\n"
		  "subprocess.run(['sh', '-c', 'exit 3'])\n" });
}

TEST_CASE("oracle: gcc")
{
	write_file(temporary("hello.c"), "#include <stdio.h>\n"
					 "int main(void) { return puts(\"hello\") < 0; }\n");
	/* The driver, cc1 and as, by vfork, over a temporary file. */
	compare({ "gcc", "-O2", "-c", "hello.c", "-o", "work/hello.o" }, { "getrandom" });
	compare({ "gcc", "-O2", "hello.c", "-o", "work/hello" }, { "getrandom" });
	compare({ "gcc", "-c", "nonexistent.c", "-o", "work/hello.o" }, { "getrandom" }, steady(),
		"exit 1");
}

TEST_CASE("oracle: sqlite3")
{
	const std::string statements =
		"create table t(a integer primary key, b text);"
		"with recursive n(x) as (select 1 union all select x + 1 from n where x < 2000)"
		"insert into t select x, 'row ' || x from n;"
		"select count(*), sum(a) from t; delete from t where a % 2; vacuum;";

	compare({ "sqlite3", ":memory:", statements });
	/*
	 * vacuum's own file has a random name, of sqlite's making: from one read of a device, or
	 * getrandom.
	 */
	compare({ "sqlite3", "work/database", statements }, { "getrandom" });
}

TEST_CASE("oracle: a shell with pipes and forks")
{
	compare({ "sh", "-c",
		  "i=0; while [ $i -lt 30 ]; do /bin/true; i=$((i + 1)); done; exit 3" },
		{}, steady(), "exit 3");
	compare({ "bash", "-c", "for i in 1 2 3 4 5; do x=$(echo $i; (exit $i)); echo $x; done" });
	compare({ "sh", "-c", "ls " + headers + " | grep e | sort -r | wc -l" },
		{ "read", "rt_sigreturn", "futex" }, on_one_cpu());
	compare({ "sh", "-c",
		  "nosuchcommand 2> work/said; cat work/said; (exec cat < work/said); wait" });
	/* Whoever writes to a pipe that is closed dies of it. */
	compare({ "bash", "-c", "{ trap '' PIPE; echo one; echo two; } | true; :" },
		{ "read", "rt_sigreturn", "write" }, on_one_cpu());
}

TEST_CASE("oracle: make, xargs, dd, perl")
{
	write_file(temporary("makefile"), "all: work/a work/b work/c\n"
					  "work/%: hello.text\n\t@cp $< $@\n");
	write_file(temporary("hello.text"), "hello\n");
	compare({ "make", "-r" }, {}, on_one_cpu());
	compare({ "sh", "-c", "xargs -n 2 echo < makefile" });
	compare({ "dd", "if=/dev/zero", "of=work/zeroes", "bs=1000", "count=300", "status=none" });
	compare({ "dd", "if=/dev/zero", "of=/dev/full", "count=3", "status=none" }, {}, steady(),
		"exit 1");
	compare({ "perl", "-e",
		  "open F, '<', \"/nonexistent/$_\" for 1 .. 100; print `echo $$ > work/a`" },
		{}, steady(), "exit 0");
}

TEST_CASE("oracle: threads")
{
	compare({ fixture("threads"), "8", "500" }, { "futex" });
	compare({ fixture("threads"), "64", "20" }, { "futex" });
}

/* The filter answers before the kernel looks who traces, but strace is asked before the filter. */
TEST_CASE("oracle: calls that a seccomp filter answers")
{
	compare({ fixture("seccomp") });
	/* Except with a filter of strace's own, which spares the calls that are not wanted. */
	const char *set = backend() == "bpf" ? "getppid,getpid" : "all";
	const Run run = run_iotrace({ "-e", set }, { fixture("seccomp") });
	INFO(run);
	CHECK(run.report.calls("getppid") == 100);
	CHECK(run.report.errors("getppid") == 100);
	CHECK(run.report.calls("getpid") == 100);
	CHECK(run.report.figures.at("getppid").errors ==
	      std::map<std::string, uint64_t>{ { "EPERM", 100 } });
	if (backend() == "bpf") {
		/* It takes no time that could be measured. */
		CHECK(run.report.figures.at("getppid").latencies.empty());
		CHECK(run.report.figures.at("getppid").latency.at("max") == "-");
	}
}

TEST_CASE("oracle: signal handlers and interrupted calls")
{
	compare({ fixture("signals") });
}

/* Of a call in which its task is killed nobody sees the end: it has not returned. */
TEST_CASE("oracle: tasks that die in a call")
{
	compare({ fixture("die_in_call"), "exit" },
		{ "openat", "close", "read", "fstat", "newfstatat", "futex" });
	compare({ fixture("die_in_call"), "kill" },
		{ "openat", "close", "read", "fstat", "newfstatat", "futex" }, steady(), "SIGKILL");
	for (const char *how : { "exit", "kill" }) {
		/* Looking whether all are in it takes as many reads as opens. */
		const Run run =
			run_iotrace({ "-e", "read,openat" }, { fixture("die_in_call"), how });
		INFO(run);
		CHECK(run.report.errors("read") == 0);
		/* Libraries are both opened and read, except for the loader's cache. */
		CHECK(run.report.calls("read") == run.report.calls("openat") - 1);
		if (backend() == "bpf")
			CHECK(run.report.died == 8);
	}
}

/* The task that takes a fatal signal returns from its call first; the others die in theirs. */
TEST_CASE("oracle: calls that end in a fatal signal")
{
	compare({ fixture("fatal"), "pipe" }, {}, steady(), "SIGPIPE");
	compare({ fixture("fatal"), "alarm" }, {}, steady(), "SIGALRM");
	/* Whether the first thread is in its read already when the other dies is left to the scheduler. */
	compare({ fixture("fatal"), "thread" }, { "read" }, steady(), "SIGPIPE");
	compare({ fixture("fatal"), "abort" }, { "read" }, steady(), "SIGABRT");
}

TEST_CASE("oracle: 32-bit programs")
{
	const std::string threads = fixture("threads", { "-m32" });

	compare({ threads, "8", "50" }, { "futex@32", "futex_time64@32", "futex_time32@32" });
	compare({ "sh", "-c", threads + " 4 10; /bin/true" },
		{ "futex@32", "futex_time64@32", "futex_time32@32" });
	compare({ fixture("mixed_abi") });
	const Run run = run_iotrace({ "-e", "getppid,close" }, { fixture("mixed_abi") });
	INFO(run);
	CHECK(run.report.calls("getppid") == 30);
	CHECK(run.report.calls("getppid@32") == 20);
	CHECK(run.report.errors("close") == 3);
	CHECK(run.report.errors("close@32") == 2);
}
