// SPDX-License-Identifier: GPL-2.0
/*
 * Real programs, each run counted by both backends' oracles at the same time (one_run.hpp): every
 * syscall has the same calls and errors. There are no exceptions for a program.
 *
 * ORACLE_TABLE names a file that gets a line for each run: program, tasks, calls, syscalls,
 * differences. ORACLE_SCALE multiplies what the larger programs do. ORACLE_COMMAND is a command of
 * the user's.
 */
#include "lib/one_run.hpp"

#include <csignal>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

static const Words all = { "-e", "trace=all" };
static const std::string headers = "/usr/include/linux";

static uint64_t total(const Report &report)
{
	uint64_t calls = 0;

	for (const auto &[name, row] : report.rows)
		calls += row.calls;
	return calls;
}

static void add_to_table(const std::string &name, const OneRun &run)
{
	const char *path = getenv("ORACLE_TABLE");
	uint64_t differing = 0;

	if (!path)
		return;
	for (char c : run.differences)
		differing += c == '\n';
	std::ofstream(path, std::ios::app)
		<< name << "\t" << run.tasks << "\t" << total(run.theirs) << "\t"
		<< run.theirs.rows.size() << "\t" << differing
		<< (run.allowed ? " (+" + std::to_string(run.allowed) + " of killed tasks)" : "")
		<< "\n";
}

/* Runs it in the tests' folder, its subdirectory work made anew. */
static OneRun check(const std::string &name, const Words &command,
		    const std::string &end = "exit 0", const Words &options = all,
		    Way way = Way::ATTACHED)
{
	Spawn how;

	how.directory = temporary("");
	REQUIRE(run_plain({ "sh", "-c", "rm -rf work && mkdir -m 777 work" }, how).end == "exit 0");
	const OneRun run = count_both(options, command, how, way);
	INFO(run);
	CHECK(run.end == end);
	CHECK(run.differences == "");
	CHECK(run.theirs.rows.size() > 0);
	add_to_table(name, run);
	return run;
}

static OneRun check_shell(const std::string &name, const std::string &script,
			  const std::string &end = "exit 0")
{
	return check(name, { "sh", "-c", script }, end);
}

/*
 * The normal size, or the multiple of it by which `make oracle` runs the larger programs at more
 * length.
 */
static std::string size(unsigned normal)
{
	const char *scale = getenv("ORACLE_SCALE");

	return std::to_string(normal * (scale ? std::stoul(scale) : 1));
}

static void prepare(const std::string &script)
{
	Spawn how;

	how.directory = temporary("");
	const Run run = run_plain({ "sh", "-ec", script }, how);
	INFO(run);
	REQUIRE(run.end == "exit 0");
}

// ---- one process after another ----

TEST_CASE("oracle: ls, find, grep, cp")
{
	check("ls -lR", { "ls", "-lR", headers });
	check("find", { "find", headers, "-name", "*.h", "-newer", "/nonexistent" }, "exit 1");
	check("grep -r", { "grep", "-rc", "define", headers });
	check("cp -r", { "cp", "-r", headers, "work/copy" });
	check("ls, failing", { "ls", "/nonexistent" }, "exit 2");
}

TEST_CASE("oracle: tar")
{
	check("tar", { "tar", "cf", "work/headers.tar", headers });
	check("tar with gzip", { "tar", "czf", "work/headers.tar.gz", headers });
}

TEST_CASE("oracle: sort")
{
	prepare("seq 1 200000 | rev > numbers");
	check("sort", { "sort", "-o", "work/sorted", "numbers" });
	check("sort, 4 threads", { "sort", "--parallel=4", "-o", "work/sorted", "numbers" });
	check("sort on disk",
	      { "sort", "--parallel=1", "-S", "1M", "-o", "work/sorted", "numbers" });
}

TEST_CASE("oracle: git")
{
	prepare("rm -rf repo && git init -q repo && cd repo && git config user.email a@b && git "
		"config user.name c;"
		"for i in 1 2 3 4 5 6 7 8 9; do seq $i > file$i && git add . &&"
		"git commit -qm \"number $i\"; done");
	check("git log", { "git", "-C", "repo", "log", "--stat" });
	check("git log, failing", { "git", "-C", "repo", "log", "-p", "nosuchbranch" }, "exit 128");
	check("git clone", { "git", "clone", "-q", "--no-local", "repo", "work/clone" });
	check("git gc", { "git", "-C", "repo", "gc", "-q" });
}

TEST_CASE("oracle: python3")
{
	check("python3", { "python3", "-c",
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
	check("python3 subprocess", { "python3", "-c",
				      "import subprocess\n"
				      "for i in range(5): subprocess.run(['true'])\n"
				      "subprocess.run(['sh', '-c', 'exit 3'])\n" });
	check("python3 multiprocessing", { "python3", "-c",
					   "import multiprocessing\n"
					   "with multiprocessing.Pool(4) as pool:\n"
					   "    print(sum(pool.map(abs, range(" +
						   size(1000) + "))))\n" });
}

TEST_CASE("oracle: gcc and make")
{
	prepare("printf '#include <stdio.h>\\nint main(void) { return puts(\"hello\") < 0; }\\n' > "
		"hello.c;"
		"printf 'all: work/a work/b work/c\\nwork/%%: hello.c\\n\\t@cp $< $@\\n' > "
		"makefile;"
		"{ echo 'objects := $(patsubst %,work/%.o,$(shell seq " +
		size(8) +
		"))';"
		"  echo 'work/all: $(objects); ar rc $@ $^'; echo 'work/%.o: hello.c; gcc -O2 -c "
		"$< -o $@'; } > parallel");
	/* gcc runs cc1 and as by vfork, over a temporary file. */
	check("gcc -c", { "gcc", "-O2", "-c", "hello.c", "-o", "work/hello.o" });
	check("gcc", { "gcc", "-O2", "hello.c", "-o", "work/hello" });
	check("gcc, failing", { "gcc", "-c", "nonexistent.c", "-o", "work/hello.o" }, "exit 1");
	check("make", { "make", "-r" });
	check("make -j4 with gcc", { "make", "-rs", "-j4", "-f", "parallel" });
}

TEST_CASE("oracle: sqlite3")
{
	const std::string statements =
		"create table t(a integer primary key, b text);"
		"with recursive n(x) as (select 1 union all select x + 1 from n where x < 2000)"
		"insert into t select x, 'row ' || x from n;"
		"select count(*), sum(a) from t; delete from t where a % 2; vacuum;";

	check("sqlite3 in memory", { "sqlite3", ":memory:", statements });
	check("sqlite3", { "sqlite3", "work/database", statements });
}

TEST_CASE("oracle: shells with pipes and forks")
{
	check_shell("sh, forks",
		    "i=0; while [ $i -lt 30 ]; do /bin/true; i=$((i + 1)); done; exit 3", "exit 3");
	check("bash, substitutions",
	      { "bash", "-c", "for i in 1 2 3 4 5; do x=$(echo $i; (exit $i)); echo $x; done" });
	check_shell("sh, a pipeline", "ls " + headers + " | grep e | sort -r | wc -l");
	check_shell("sh, no such command",
		    "nosuchcommand 2> work/said; cat work/said; (exec cat < work/said); wait");
	/* A process that writes to a closed pipe dies of SIGPIPE. */
	check("bash, a closed pipe",
	      { "bash", "-c", "{ trap '' PIPE; echo one; echo two; } | true; :" });
	check_shell("sh, SIGPIPE", "yes | head -n 5; :");
	check_shell("sh, kill -9",
		    "for i in 1 2 3 4 5; do sleep 100 & kill -9 $!; wait $!; done; :");
}

TEST_CASE("oracle: xargs, dd, perl")
{
	check_shell("xargs", "seq 1 40 | xargs -n 2 -P 3 echo");
	check("dd",
	      { "dd", "if=/dev/zero", "of=work/zeroes", "bs=1000", "count=300", "status=none" });
	check("dd, a full disk", { "dd", "if=/dev/zero", "of=/dev/full", "count=3", "status=none" },
	      "exit 1");
	check("perl",
	      { "perl", "-e",
		"open F, '<', \"/nonexistent/$_\" for 1 .. 100; print `echo $$ > work/a`" });
}

// ---- programs that do something different each time ----

TEST_CASE("oracle: a JVM")
{
	NEED_PROGRAM("java");
	check("java", { "java", "-XshowSettings:all", "-version" });
}

TEST_CASE("oracle: node")
{
	NEED_PROGRAM("node");
	check("node", { "node", "-e",
			"const fs = require('fs').promises;"
			"Promise.all(Array.from({length: " +
				size(20) +
				"}, async (_, i) => {"
				" await fs.writeFile('work/' + i, 'x'.repeat(i)); return "
				"fs.readFile('work/' + i); }))"
				".then(all => console.log(all.length))" });
}

TEST_CASE("oracle: a Go program of 50 goroutines")
{
	NEED_PROGRAM("go");
	write_file(temporary("goroutines.go"), R"(package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

func main() {
	var all sync.WaitGroup
	for i := 0; i < 50; i++ {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			name := fmt.Sprint("work/", i)
			for n := 0; n < )" + size(20) + R"(; n++ {
				os.WriteFile(name, []byte(name), 0600)
				os.ReadFile(name)
				time.Sleep(50 * time.Microsecond)
			}
		}(i)
	}
	all.Wait()
}
)");
	prepare("GO111MODULE=off go build -o goroutines goroutines.go");
	check("Go, 50 goroutines", { temporary("goroutines") });
}

TEST_CASE("oracle: containers")
{
	check_shell("unshare", "unshare --user --map-root-user --pid --mount --ipc --uts --fork "
			       "--mount-proc sh -c '"
			       "hostname inside; for i in 1 2 3; do ls /proc | wc -l; (sleep 100 & "
			       "kill -9 $!); done'");
	NEED_PROGRAM("bwrap");
	check_shell("bubblewrap",
		    "bwrap --unshare-all --die-with-parent --ro-bind / / --proc /proc --dev /dev "
		    "sh -c 'ls /proc | wc -l; for i in 1 2 3; do id; done'");
}

TEST_CASE("oracle: nginx under load")
{
	NEED_PROGRAM("nginx");
	NEED_PROGRAM("ab");
	write_file(temporary("nginx.conf"),
		   "worker_processes 2; daemon off; pid nginx.pid; error_log error.log;\n"
		   "events {}\n"
		   "http { access_log access.log; root .; server { listen 127.0.0.1:8080; } }\n");
	/* In a network namespace of its own any port is free. */
	check_shell("nginx under ab",
		    "exec unshare --net sh -ec '"
		    "ip link set lo up; cd work; echo hello > index.html; seq 1 20000 > large; "
		    "chmod -R a+rwX .;"
		    "nginx -p . -c ../nginx.conf & until [ -s nginx.pid ] && ab -qn 1 "
		    "http://127.0.0.1:8080/; do :; done;"
		    "ab -q -n " +
			    size(100) +
			    " -c 8 http://127.0.0.1:8080/;"
			    "ab -q -k -n " +
			    size(100) +
			    " -c 8 http://127.0.0.1:8080/large;"
			    "kill -QUIT $(cat nginx.pid); wait' > /dev/null 2> work/said");
}

TEST_CASE("oracle: PostgreSQL under pgbench")
{
	const std::string find =
		"PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1);";

	if (run_plain(
		    { "sh", "-c", find + "command -v initdb && command -v pgbench && id postgres" })
		    .end != "exit 0")
		SKIP_CASE("PostgreSQL is needed");
	prepare("rm -rf pg && mkdir pg && chown postgres pg;" + find +
		"setpriv --reuid=postgres --regid=postgres --init-groups "
		"initdb -D pg/data -A trust -N -U postgres > /dev/null");
	check_shell("PostgreSQL under pgbench",
		    find +
			    "export PGHOST=$PWD/pg PGUSER=postgres;"
			    "exec setpriv --reuid=postgres --regid=postgres --init-groups sh -ec '"
			    "pg_ctl -s -D pg/data -l pg/log -o \"-h \\\"\\\" -k $PGHOST -F\" start;"
			    "pgbench -q -i -s 1 postgres; pgbench -c 4 -j 2 -t " +
			    size(20) +
			    " postgres;"
			    "pg_ctl -s -D pg/data -m fast stop' > /dev/null 2> work/said");
}

TEST_CASE("oracle: set-uid and 32-bit children")
{
	const std::string path = temporary("becomes");

	prepare("cp " + fixture("raise_self") + " " + path + " && chown 54321:54321 " + path +
		" && chmod 6755 " + path);
	check_shell("set-uid and 32-bit children",
		    "for i in 1 2 3; do setpriv --reuid=65534 --regid=65534 --clear-groups " +
			    path + "; " + fixture("threads", { "-m32" }) + " 4 10; " +
			    fixture("mixed_abi") + "; done");
}

// ---- tasks, signals, ABIs ----

TEST_CASE("oracle: threads")
{
	check("8 threads", { fixture("threads"), "8", "500" });
	check("64 threads", { fixture("threads"), "64", "20" });
}

TEST_CASE("oracle: children")
{
	for (const char *how : { "fork", "vfork", "clone3", "together", "chain", "orphans" })
		check("children: " + std::string(how), { fixture("children"), how, "40" });
}

TEST_CASE("oracle: calls that a seccomp filter answers")
{
	check("a seccomp filter", { fixture("seccomp") });
}

TEST_CASE("oracle: signal handlers and interrupted calls")
{
	check("signals", { fixture("signals") });
	check("restarted calls", { fixture("restarts"), "nostop" });
}

TEST_CASE("oracle: tasks that die in a call")
{
	check("exit with threads in calls", { fixture("die_in_call"), "exit" });
	check("SIGKILL with threads in calls", { fixture("die_in_call"), "kill" }, "SIGKILL");
}

TEST_CASE("oracle: calls that end in a fatal signal")
{
	check("SIGPIPE", { fixture("fatal"), "pipe" }, "SIGPIPE");
	check("SIGALRM", { fixture("fatal"), "alarm" }, "SIGALRM");
	check("a thread's SIGPIPE", { fixture("fatal"), "thread" }, "SIGPIPE");
	check("a thread's SIGABRT", { fixture("fatal"), "abort" }, "SIGABRT");
}

TEST_CASE("oracle: 32-bit programs, and 32-bit calls")
{
	const std::string e64 = fixture("execs"), e32 = fixture("execs", { "-m32" });

	check("32-bit threads", { fixture("threads", { "-m32" }), "8", "50" });
	check("32-bit signals", { fixture("signals", { "-m32" }) });
	check("32-bit children", { fixture("children", { "-m32" }), "fork", "20" });
	check("32-bit calls of a 64-bit program", { fixture("mixed_abi") });
	check("execve between 32 and 64 bit", { e64, e32, e64, e32 });
}

TEST_CASE("oracle: transfers of all kinds")
{
	check("transfers", { fixture("transfers"), "calls", temporary("transferred") });
}

/* %output, as strace writes it. */
static const char output[] = "write,writev,pwrite64,pwritev,pwritev2,open,openat,openat2,creat,"
			     "close,fsync,fdatasync,sync_file_range,syncfs,sync";

/* eBPF selects the set in the kernel, strace by its filter. */
TEST_CASE("oracle: some of the calls")
{
	for (const char *set : { output, "%file,%desc", "%process", "!%file" })
		check("ls, -e " + std::string(set),
		      { "sh", "-c", "ls -l " + headers + " | cat; true" }, "exit 0", { "-e", set });
}

/* Here iotrace starts the program, and strace filters the calls that are not wanted by itself. */
TEST_CASE("oracle: started by iotrace")
{
	const std::string script =
		"ls -l " + headers + " | grep e | sort | wc -l; /bin/true; exit 3";

	for (const char *set : { "trace=all", output, "%file,%desc", "execve,read" }) {
		check("sh, started, -e " + std::string(set), { "sh", "-c", script }, "exit 3",
		      { "-e", set }, Way::LAUNCHED);
		check("8 threads, started, -e " + std::string(set),
		      { fixture("threads"), "8", "50" }, "exit 0", { "-e", set }, Way::LAUNCHED);
		check("a 32-bit program, started, -e " + std::string(set),
		      { fixture("signals", { "-m32" }) }, "exit 0", { "-e", set }, Way::LAUNCHED);
	}
}

TEST_CASE("oracle: the command that is given", "[.given]")
{
	const char *command = getenv("ORACLE_COMMAND");
	Spawn how;

	REQUIRE(command != nullptr);
	for (char **entry = environ; *entry; entry++)
		how.env.push_back(*entry);
	how.out = STDOUT_FILENO;
	how.err = STDERR_FILENO;
	const OneRun run = count_both(all, { "sh", "-c", command }, how);
	add_to_table(command, run);
	INFO(run);
	CHECK(run.differences == "");
}

// ---- calls that are made without a witness ----

/*
 * The filter answers before the kernel checks for a tracer, but strace is asked before the filter.
 */
TEST_CASE("oracle: a seccomp filter's answers count, and take no time")
{
	/* strace's own filter spares unwanted calls the stop. */
	const char *set = backend() == "bpf" ? "getppid,getpid" : "all";
	const Run run = run_iotrace({ "-e", set }, { fixture("seccomp") });
	INFO(run);
	CHECK(run.report.calls("getppid") == 100);
	CHECK(run.report.errors("getppid") == 100);
	CHECK(run.report.calls("getpid") == 100);
	CHECK(run.report.figures.at("getppid").errors ==
	      std::map<std::string, uint64_t>{ { "EPERM", 100 } });
	if (backend() == "bpf") {
		CHECK(run.report.figures.at("getppid").latencies.empty());
		CHECK(run.report.figures.at("getppid").latency.at("max") == "-");
	}
}

/* If a task is killed in a call, nobody sees the end of that call: it has not returned. */
TEST_CASE("oracle: a call in which its task dies has not returned")
{
	for (const char *how : { "exit", "kill" }) {
		/* Checking that all threads are in the call takes as many reads as opens. */
		const Run run =
			run_iotrace({ "-e", "read,openat" }, { fixture("die_in_call"), how });
		INFO(run);
		CHECK(run.report.errors("read") == 0);
		/* Every library is opened and read; the loader's cache is only opened. */
		CHECK(run.report.calls("read") == run.report.calls("openat") - 1);
		if (backend() == "bpf")
			CHECK(run.report.died == 8);
	}
}

/*
 * Without a tracer, a fatal signal is SIGKILL to all threads as soon as it is sent
 * (complete_signal() in kernel/signal.c): the call that raises it returns, the calls of the other
 * threads do not.
 */
TEST_CASE("oracle: the call that raises a fatal signal returns")
{
	const Words set = { "-e", "write,pause,tgkill,read,close" };
	const struct {
		const char *how, *end, *call;
		uint64_t calls, errors;
	} cases[] = {
		{ "pipe", "SIGPIPE", "write", 1, 1 },
		{ "alarm", "SIGALRM", "pause", 1, 1 },
		{ "thread", "SIGPIPE", "write", 1, 1 },
		{ "abort", "SIGABRT", "tgkill", 1, 0 },
	};

	for (const auto &c : cases) {
		const Run run = run_iotrace(set, { fixture("fatal"), c.how });
		INFO(run);
		CHECK(run.end == c.end);
		CHECK(run.report.calls(c.call) == c.calls);
		CHECK(run.report.errors(c.call) == c.errors);
		/* The loader makes one of the calls, libc the other. */
		CHECK(run.report.calls("read") == 1);
	}
}

TEST_CASE("oracle: 32-bit calls of a 64-bit program have a table of their own")
{
	const Run run = run_iotrace({ "-e", "getppid,close" }, { fixture("mixed_abi") });
	INFO(run);
	CHECK(run.report.calls("getppid") == 30);
	CHECK(run.report.calls("getppid@32") == 20);
	CHECK(run.report.errors("close") == 3);
	CHECK(run.report.errors("close@32") == 2);
}
