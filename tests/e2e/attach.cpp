// SPDX-License-Identifier: GPL-2.0
/* -p: every existing thread and every new one is traced, and the processes notice nothing. */
#include "lib/live.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* It has a user of its own, so that the signals queued for that user are the puppet's. */
static Spawn as_somebody()
{
	Spawn how;

	fixture("puppet");
	how.in_child = [user = own_user()] {
		if (setresuid(user, user, user))
			_exit(99);
	};
	return how;
}

/* The lines of /proc that change if a process is signalled, stopped or ptraced. */
static std::string traces_left(Puppet &puppet)
{
	const pid_t pid = puppet.pid();
	siginfo_t info = {};

	waitid(P_PID, pid, &info, WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT);
	return "tracer " + status_of(pid, "TracerPid") + ", queued " + status_of(pid, "SigQ") +
	       ", pending " + status_of(pid, "SigPnd") + status_of(pid, "ShdPnd") + ", caught " +
	       puppet.tell("signals") + ", stopped " + std::to_string(info.si_pid) + ", handled " +
	       status_of(pid, "SigCgt") + ", seccomp " + status_of(pid, "Seccomp");
}

TEST_CASE("attach: a process is counted and not disturbed")
{
	Puppet puppet("", as_somebody());
	const std::string before = traces_left(puppet);

	puppet.tell("write 11");
	{
		Watch watch(counts + Words{ "-e", "write,close", "-p", puppet.pids() });
		/* strace, as the backend, is the tracer while it counts. */
		if (backend() == "bpf")
			CHECK(traces_left(puppet) == before);
		CHECK(eventually(
			[&] { return status_of(puppet.pid(), "State") == "S (sleeping)"; }));
		puppet.tell("write 1000");
		puppet.tell("fail 10");
		if (backend() == "bpf")
			CHECK(traces_left(puppet) == before);
		const Run run = watch.end();
		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(run.err == begun);
		CHECK(run.report.calls("write") == 1000);
		CHECK(run.report.bytes("write") == 3000);
		CHECK(run.report.errors("write") == 0);
		CHECK(run.report.calls("close") == 10);
		CHECK(run.report.errors("close") == 10);
		CHECK(run.report.entered == 1010);
		CHECK(run.report.in_flight == 0);
	}
	puppet.tell("write 13");
	CHECK(traces_left(puppet) == before);
	CHECK(puppet.process().running());
	/* The next iotrace begins with new counts. */
	Watch again({ "-p", puppet.pids() });
	puppet.tell("write 17");
	CHECK(again.end().report.calls("write") == 17);
}

TEST_CASE("attach: every way to end it leaves the process alone")
{
	for (int sig : { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL }) {
		Puppet puppet("", as_somebody());
		const std::string before = traces_left(puppet);
		Watch watch({ "-p", puppet.pids() });

		puppet.tell("write 5");
		if (sig == SIGKILL) {
			watch.process().signal(sig);
			CHECK(watch.process().wait() == "SIGKILL");
		} else {
			const Run run = watch.end(sig);
			INFO(run);
			CHECK(run.end == "exit 0");
			CHECK(run.report.calls("write") == 5);
		}
		puppet.tell("write 5");
		CHECK(traces_left(puppet) == before);
		CHECK(puppet.process().running());
	}
}

TEST_CASE("attach: --duration ends it, and so does the last target's end")
{
	Puppet puppet, other;
	Watch brief(counts + Words{ "-p", puppet.pids(), "--duration", "0.2" });
	Run run = brief.end(0);
	CHECK(run.end == "exit 0");
	CHECK(puppet.process().running());

	Watch both({ "-p", puppet.pids() + "," + other.pids() });
	puppet.tell("write 3");
	puppet.tell_only("exit 5");
	CHECK(puppet.process().wait() == "exit 5");
	other.tell("write 4");
	CHECK(both.process().running());
	other.tell_only("kill 9");
	CHECK(other.process().wait() == "SIGKILL");
	run = both.end(0);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") == 7);
}

TEST_CASE("attach: all threads are counted")
{
	Puppet puppet;

	puppet.tell("threads 1000");
	Watch watch(counts + Words{ "-p", puppet.pids() });
	puppet.tell("each 10");
	puppet.tell("threads 100");
	puppet.tell("each 3");
	const Run run = watch.end();
	INFO(run);
	CHECK(run.report.calls("write") == 1000 * 10 + 1100 * 3);
	CHECK(run.report.bytes("write") == 3 * run.report.calls("write"));
}

/*
 * Threads come and go while iotrace attaches. Each thread that exists when the storm is told to end
 * makes the announced number of calls; by then iotrace has attached.
 */
static void attach_in_storm(const Words &more)
{
	Pipe orders, answers;
	Spawn how;

	how.argv = Words{ fixture("thread_storm"), "3" } + more;
	how.in = orders.reader;
	how.out = answers.writer;
	Process storm(how);
	answers.close_writer();
	read_until(answers.reader, "ready\n");
	Watch watch(counts + Words{ "-e", "write", "-p", std::to_string(storm.pid()) });
	write_all(orders.writer, "go\n");
	const std::string text = read_until(answers.reader, "threads\n");
	const uint64_t threads = std::stoull(text);
	CHECK(storm.wait() == "exit 0");
	const Run run = watch.end(0, backend() == "strace");
	INFO(text);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(threads >= 8);
	/*
	 * It makes one more call, to say so. Threads that live for microseconds may be too fast for
	 * strace, and then it is said that some are missing.
	 */
	if (run.report.lost_tasks && backend() == "strace")
		CHECK(run.report.calls("write") <= 3 * threads + 1);
	else
		CHECK(run.report.calls("write") == 3 * threads + 1);
	CHECK(run.report.errors("write") == 0);
}

TEST_CASE("attach: no thread that starts during the attach is missed")
{
	for (int i = 0; i < 8; i++)
		attach_in_storm({});
}

TEST_CASE("attach: no thread is missed, wherever its id lies")
{
	NEED_CHOSEN_IDS();
	for (int i = 0; i < 8; i++)
		attach_in_storm({ "scatter" });
}

/* Here processes take the place of threads: the target's children and their children. */
TEST_CASE("attach: no child that starts during the attach is missed")
{
	BPF_ONLY("strace misreads a task that it attaches to within a fork");
	for (int i = 0; i < 4; i++) {
		Pipe orders, answers;
		Spawn how;

		how.argv = { fixture("fork_storm"), "3" };
		how.in = orders.reader;
		how.out = answers.writer;
		Process storm(how);
		answers.close_writer();
		read_until(answers.reader, "ready\n");
		Watch watch(counts + Words{ "-e", "write", "-p", std::to_string(storm.pid()) });
		write_all(orders.writer, "go\n");
		const std::string text = read_until(answers.reader, "children\n");
		CHECK(storm.wait() == "exit 0");
		const Run run = watch.end(0);
		INFO(text);
		INFO(run);
		CHECK(run.report.calls("write") == 3 * std::stoull(text) + 1);
	}
}

TEST_CASE("attach: several processes can be given in all ways")
{
	Puppet a, b, c;
	const Words forms[] = {
		{ "-p", a.pids() + "," + b.pids() + "," + c.pids() },
		{ "-p", a.pids() + " " + b.pids() + " " + c.pids() },
		{ "-p", a.pids(), "-p", b.pids() + ", " + c.pids() },
		{ "--attach=" + a.pids() + "\n" + b.pids(), "-p" + c.pids(), "-p", a.pids() },
	};

	for (const Words &form : forms) {
		Watch watch(form);
		a.tell("write 100");
		b.tell("write 20");
		c.tell("write 3");
		const Run run = watch.end();
		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(run.err == begun);
		CHECK(run.report.calls("write") == 123);
	}
}

TEST_CASE("attach: all processes that pidof finds can be given")
{
	/* They have a name of their own, and are written as pidof prints them. */
	const std::string name = "many" + std::to_string(getpid()), path = temporary(name);
	REQUIRE(run_plain({ "cp", fixture("puppet"), path }).end == "exit 0");
	Puppet a(path), b(path), c(path);
	Spawn how;

	const std::string report = temporary("many-report");
	how.argv = { "sh", "-c",
		     "exec " + quoted(iotrace_path()) + " -o " + report + " -p \"$(pidof " + name +
			     ")\"" };
	Watch watch({}, {}, how);
	for (Puppet *puppet : { &a, &b, &c })
		puppet->tell("write 10");
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	CHECK(parse_report(read_file(report)).calls("write") == 30);
}

static std::string pid_that_is_gone()
{
	Spawn how;

	how.argv = { "true" };
	Process process(how);
	process.wait();
	return std::to_string(process.pid());
}

TEST_CASE("attach: a missing process is named, and the others are traced")
{
	const std::string gone = pid_that_is_gone();
	Puppet puppet;
	Watch watch({ "-p", gone + "," + puppet.pids() });

	puppet.tell("write 9");
	Run run = watch.end();
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.err.find("process " + gone + ": no such process") != std::string::npos);
	CHECK(run.report.calls("write") == 9);

	run = run_plain(iotrace_argv({ "-p", gone }, {}, nullptr));
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK(run.err.find("process " + gone + ": no such process") != std::string::npos);
	CHECK(run.err.find("calls") == std::string::npos);
}

/* The process has ended but is not reaped: nothing is left to trace. */
TEST_CASE("attach: a zombie is named")
{
	Puppet zombie, puppet;

	zombie.tell_only("exit 0");
	CHECK(eventually([&] { return status_of(zombie.pid(), "State") == "Z (zombie)"; }));
	Run run = run_plain(iotrace_argv({ "-p", zombie.pids() }, {}, nullptr));
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK(run.err.find(zombie.pids()) != std::string::npos);
	Watch watch({ "-p", zombie.pids() + "," + puppet.pids() });
	puppet.tell("write 2");
	run = watch.end();
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") == 2);
	CHECK(run.err.find(zombie.pids()) != std::string::npos);
}

TEST_CASE("attach: a process whose main thread has ended is traced")
{
	Puppet puppet;

	puppet.tell("threads 3");
	puppet.tell("leave");
	CHECK(eventually([&] { return status_of(puppet.pid(), "State") == "Z (zombie)"; }));
	Watch watch({ "-p", puppet.pids() });
	puppet.tell("write 6");
	puppet.tell("each 2");
	/* Its new threads are traced, too. */
	puppet.tell("threads 2");
	puppet.tell("each 2");
	puppet.tell_only("exit 0");
	CHECK(puppet.process().wait() == "exit 0");
	const Run run = watch.end(0);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") == 6 + 3 * 2 + 5 * 2);
}

TEST_CASE("attach: an id that is not a process is refused with the reason")
{
	Puppet puppet;
	const std::string tid = std::to_string(puppet.block());
	Run run = run_plain(iotrace_argv({ "-p", tid }, {}, nullptr));
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK(run.err.find(tid + ": it is a thread of process " + puppet.pids()) !=
	      std::string::npos);

	run = run_plain({ "sh", "-c", "exec " + quoted(iotrace_path()) + " -p $$" });
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK(run.err.find("that is iotrace itself") != std::string::npos);
}

/* A PID namespace below the first has none. */
TEST_CASE("attach: a kernel thread is refused", "[.][machine]")
{
	if (getenv("E2E_ISOLATED"))
		SKIP_CASE("it is run alone, as build/tests/e2e '[machine]'");
	REQUIRE(status_of(2, "Name") == "kthreadd");
	const Run run = run_plain(iotrace_argv({ "-p", "2" }, {}, nullptr));
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK(run.err.find("process 2: it is a kernel thread") != std::string::npos);
}

TEST_CASE("attach: children are followed, or with --no-follow left out")
{
	Puppet puppet;

	for (bool follow : { true, false }) {
		Watch watch(Words{ "-p", puppet.pids() } +
			    (follow ? Words{} : Words{ "--no-follow" }));
		puppet.tell("fork 50");
		puppet.tell("threads 2");
		puppet.tell("each 1");
		const Run run = watch.end();
		INFO(run);
		CHECK(run.report.calls("write") == (follow ? 50 + 2 : 4));
	}
}

TEST_CASE("attach: --no-follow leaves out a command's children, not its threads")
{
	const Words options = counts + Words{ "-e", "write,close", "--no-follow" };
	Run run = run_iotrace(options, { fixture("children"), "fork", "50" });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") == 0);
	run = run_iotrace(options, { fixture("threads"), "8", "50" });
	CHECK(run.report.calls("write") == 8 * 50);
	/* A program that the command executes is still the command. */
	run = run_iotrace(options, { "sh", "-c", "(echo one; echo two); exec echo three" });
	CHECK(run.out == "one\ntwo\nthree\n");
	CHECK(run.report.calls("write") == 1);
}

TEST_CASE("attach: children that exist before are traced with --with-children alone")
{
	Puppet puppet;

	puppet.tell("serve 10");
	for (bool with : { true, false }) {
		Watch watch(Words{ "-p", puppet.pids() } +
			    (with ? Words{ "--with-children" } : Words{}));
		puppet.tell("work 100");
		puppet.tell("serve 1");
		puppet.tell("work 1");
		puppet.tell("write 3");
		const Run run = watch.end();
		INFO(run);
		CHECK(run.err == begun);
		CHECK(run.report.calls("write") == (with ? 20 * 100 + 22 + 3 : 2 + 3));
	}
}

TEST_CASE("attach: a run that counted nothing names the children that it left out")
{
	Puppet puppet, childless;
	const std::string lacks =
		"iotrace: note: nothing was counted: process " + puppet.pids() + " has ";

	puppet.tell("serve 1");
	{
		Watch watch({ "-e", "write", "-p", puppet.pids() });
		puppet.tell("work 5");
		const Run run = watch.end();
		INFO(run);
		CHECK(run.err ==
		      begun + lacks +
			      "2 children, which are not traced: --with-children traces them, too\n");
	}
	const Run quiet = run_plain(iotrace_argv(
		{ "-q", "--duration=0.1", "-e", "write", "-p", puppet.pids() }, {}, nullptr));
	CHECK_THAT(quiet.err, !ContainsSubstring("nothing was counted"));
	{
		Watch watch({ "-e", "write", "-p", puppet.pids() + "," + childless.pids() });
		const Run run = watch.end();
		CHECK(run.err.find("the processes have 2 children") != std::string::npos);
	}
	Watch watch({ "-e", "write", "-p", childless.pids() });
	CHECK(watch.end().err == begun);
}

/* A program of a name that no other test uses. */
static std::string program_named(const std::string &name)
{
	const std::string path = temporary(name);

	REQUIRE(run_plain({ "cp", fixture("puppet"), path }).end == "exit 0");
	return path;
}

TEST_CASE("attach: -p takes the processes of a name, and says which they are")
{
	const std::string name = "named" + std::to_string(getpid());
	const std::string longer = "a-long-name-" + std::to_string(getpid());
	const std::string path = program_named(name), long_path = program_named(longer);
	Puppet a(path), b(path), c, d(long_path);
	const std::string begin = "iotrace: note: tracing ";

	{
		Watch watch({ "-p", name });
		a.tell("write 100");
		b.tell("write 20");
		c.tell("write 3");
		const Run run = watch.end();
		INFO(run);
		CHECK(run.report.calls("write") == 120);
		CHECK(run.err.find(begin + name + "[" + a.pids() + "], " + name + "[" + b.pids() +
				   "]\n") != std::string::npos);
	}
	{
		Watch watch({ "-p", longer + ", " + name + "," + c.pids() + " " + a.pids() });
		for (Puppet *puppet : { &a, &b, &c, &d })
			puppet->tell("write 5");
		const Run run = watch.end();
		INFO(run);
		CHECK(run.report.calls("write") == 20);
	}
	const Run none = run_plain(iotrace_argv({ "-p", name + "x" }, {}, nullptr));
	INFO(none);
	CHECK(none.end == "exit 125");
	CHECK(none.err == "iotrace: error: -p: no process is called '" + name + "x'\n");
	const Run some = run_plain(
		iotrace_argv({ "--duration=0.01", "-p", name + "x," + a.pids() }, {}, nullptr));
	INFO(some);
	CHECK(some.end == "exit 0");
	CHECK(some.err.find("no process is called '" + name + "x'") != std::string::npos);
}

TEST_CASE("attach: the report names what was attached to")
{
	const std::string name = "att " + std::to_string(getpid());
	Puppet puppet(program_named(name));
	const std::string capture = temporary("attached.json"), page = temporary("attached.md");
	const std::string target = name + "[" + puppet.pids() + "]";

	{
		Watch watch({ "-p", puppet.pids(), "-o", capture, "-o", page });
		puppet.tell("write 1");
		watch.process().signal(SIGINT);
		CHECK(watch.process().wait() == "exit 0");
	}
	CHECK(jq("[.command, .target]", capture) == "[null,\"" + target + "\"]");
	CHECK_THAT(read_file(page), ContainsSubstring("| target | `" + target + "` |"));
	CHECK_THAT(read_file(page), !ContainsSubstring("| command |"));
	const Run again = run_plain({ iotrace_path(), "report", "--format=markdown", capture });
	CHECK_THAT(again.out, ContainsSubstring(puppet.pids()));
}

/*
 * The start of a call is unknown if the call was under way when tracing began, and known if it
 * began later.
 */
TEST_CASE("attach: calls under way are not counted")
{
	Puppet puppet;

	puppet.block();
	Watch watch(counts + Words{ "-e", "write", "-p", puppet.pids() });
	puppet.tell("write 10");
	puppet.tell("unblock");
	const Run run = watch.end();
	INFO(run);
	/* One more write fills the pipe again. */
	CHECK(run.report.calls("write") == 11);
	CHECK(run.report.figures.at("write").timed == 11);
	CHECK(run.report.entered == 11);
	CHECK(run.report.in_flight == 0);
	CHECK_THAT(run.report.text, ContainsSubstring("; 1 begun before tracing not counted"));
}
