// SPDX-License-Identifier: GPL-2.0
/*
 * Signals: how the command dies, what is passed on to it, Ctrl-C, and the death of iotrace itself.
 */
#include "lib/live.hpp"

#include <csignal>
#include <memory>
#include <sstream>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* iotrace with a command that talks by stdin and stdout, or by a terminal. */
struct Session {
	Pipe in, out;
	std::string report_path;
	std::unique_ptr<Process> process;

	Session(const Words &options, const Words &command, int terminal = -1)
	{
		Spawn how;

		how.argv = iotrace_argv(options, command, &report_path);
		how.terminal = terminal;
		if (terminal < 0) {
			how.in = in.reader;
			how.out = out.writer;
		}
		process = std::make_unique<Process>(how);
		in.close_reader();
		out.close_writer();
	}
	std::string read_until(const std::string &text)
	{
		return ::read_until(out.reader, text);
	}
	/* Waits as pid_said() does. */
	pid_t wait_until_it_reads();
	Run finish()
	{
		Run run;

		run.command = "(a session)";
		run.end = process->wait();
		run.err = process->err();
		run.report = parse_report(read_file(report_path));
		return run;
	}
};

static bool sound(const Run &run)
{
	return run.report.accounted && contradictions(run.report) == "" && run.report.lost == 0;
}

static Words shell(const std::string &script)
{
	return { "sh", "-c", script };
}

/* True if no signal of this number is pending for the process. */
static bool nothing_pending(pid_t pid, int sig)
{
	std::istringstream status(read_file("/proc/" + std::to_string(pid) + "/status"));
	std::string word;

	while (status >> word) {
		uint64_t mask;

		if ((word == "SigPnd:" || word == "ShdPnd:") && status >> std::hex >> mask &&
		    mask & 1ULL << (sig - 1))
			return false;
	}
	return true;
}

/* The process that says "pid N ready" by itself, and then reads. */
static pid_t pid_said(const std::string &text)
{
	const pid_t pid = std::stoi(text.substr(text.find("pid ") + 4));

	/* A signal that comes before is handled by a shell after it has read something. */
	REQUIRE(is_in(pid, pid, SYS_read));
	return pid;
}

pid_t Session::wait_until_it_reads()
{
	return pid_said(read_until("ready"));
}

TEST_CASE("signals: iotrace dies as the command did, without a core")
{
	Spawn how;

	how.directory = temporary("");
	how.in_child = [] {
		struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

		setrlimit(RLIMIT_CORE, &limit);
	};
	for (const char *name :
	     { "KILL", "SEGV", "TERM", "INT", "HUP", "QUIT", "ABRT", "USR1", "PIPE" }) {
		const Run run =
			run_iotrace({ "-e", "execve" },
				    shell("kill -" + std::string(name) + " $$; echo no"), how);
		INFO(run);

		CHECK(run.end == "SIG" + std::string(name));
		CHECK(run.out == "");
		CHECK(run.report.calls("execve") == 1);
		CHECK(run.err == "");
	}
}

TEST_CASE("signals: Ctrl-C on a command that dies of it")
{
	Terminal terminal;
	Session session({ "-e", "execve,write" }, shell("echo pid $$ ready; read x"),
			terminal.slave);

	pid_said(terminal.read_until("ready"));
	terminal.type("\x03");
	const Run run = session.finish();
	INFO(run);
	CHECK(run.end == "SIGINT");
	CHECK(sound(run));
	CHECK(run.report.calls("execve") == 1);
	CHECK(run.report.calls("write") == 1);
}

TEST_CASE("signals: Ctrl-C on a command that handles it")
{
	Terminal terminal;
	Session session({ "-e", "execve" },
			shell("trap 'echo caught; exit 5' INT; echo pid $$ ready; while :; do read "
			      "x; done"),
			terminal.slave);

	pid_said(terminal.read_until("ready"));
	terminal.type("\x03");
	terminal.read_until("caught");
	const Run run = session.finish();
	INFO(run);
	CHECK(run.end == "exit 5");
	CHECK(sound(run));
}

TEST_CASE("signals: the command keeps the terminal")
{
	Terminal terminal;
	Session session({ "-e", "execve" },
			shell("test -t 0 && test -t 1 && test -t 2 && read x && echo \"<$x>\""),
			terminal.slave);

	terminal.type("word\n");
	terminal.read_until("<word>");
	CHECK(session.finish().end == "exit 0");
}

TEST_CASE("signals: a second Ctrl-C gives up waiting")
{
	Terminal terminal;
	/*
	 * It reports each signal and goes on; the read that it waits in is in flight. The terminal
	 * hangs up when iotrace, whose session it is, has ended.
	 */
	Session session({ "-e", "read,execve" },
			{ "python3", "-S", "-c",
			  "import os, signal\n"
			  "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
			  "signal.signal(signal.SIGINT, lambda *args: os.write(1, b'caught\\n'))\n"
			  "os.write(1, b'pid %d ready\\n' % os.getpid())\n"
			  "while True: os.read(0, 1)\n" },
			terminal.slave);
	pid_t iotrace = session.process->pid();
	pid_t command = pid_said(terminal.read_until("ready"));

	terminal.type("\x03");
	terminal.read_until("caught");
	/* Two signals that are pending at the same time are one. */
	REQUIRE(eventually([&] { return nothing_pending(iotrace, SIGINT); }));
	CHECK(session.process->running());
	terminal.type("\x03");
	const Run run = session.finish();
	INFO(run);
	CHECK(run.end == "SIGINT");
	CHECK(sound(run));
	CHECK(run.report.calls("execve") == 1);
	if (backend() == "bpf") {
		CHECK(run.report.in_flight == 1);
		CHECK(run.report.in_flight_lines.size() == 1);
	}
	/* The command gets no signal. */
	CHECK(signal_process(command, 0));
	signal_process(command, SIGKILL);
	CHECK(wait_for_orphan(command) == "SIGKILL");
}

TEST_CASE("signals: SIGTERM, SIGHUP, SIGINT and SIGQUIT are passed on")
{
	for (const char *name : { "TERM", "HUP", "INT", "QUIT" }) {
		const std::string trap = "trap 'echo caught; exit 9' " + std::string(name) +
					 "; echo pid $$ ready; read x";
		const std::map<std::string, int> numbers = { { "TERM", SIGTERM },
							     { "HUP", SIGHUP },
							     { "INT", SIGINT },
							     { "QUIT", SIGQUIT } };
		Session handles({ "-e", "execve" }, shell(trap));
		Session dies({ "-e", "execve" }, shell("echo pid $$ ready; read x"));

		handles.wait_until_it_reads();
		dies.wait_until_it_reads();
		handles.process->signal(numbers.at(name));
		dies.process->signal(numbers.at(name));
		const Run handled = handles.finish(), died = dies.finish();
		INFO(handled);
		INFO(died);
		CHECK(handled.end == "exit 9");
		CHECK(died.end == "SIG" + std::string(name));
		CHECK(sound(handled));
		CHECK(sound(died));
		CHECK(handled.report.calls("execve") == 1);
	}
}

/* A daemon takes it as a request to reload, any number of times. */
TEST_CASE("signals: SIGHUP does not make iotrace give up")
{
	Session session({ "-e", "execve" },
			shell("trap 'echo reload' HUP; echo pid $$ ready; "
			      "until read x && [ \"$x\" = bye ]; do :; done; exit 4"));

	const pid_t command = session.wait_until_it_reads();
	for (int i = 0; i < 3; i++) {
		REQUIRE(is_in(command, command, SYS_read));
		session.process->signal(SIGHUP);
		session.read_until("reload");
	}
	write_all(session.in.writer, "bye\n");
	const Run run = session.finish();
	INFO(run);
	CHECK(run.end == "exit 4");
	CHECK(sound(run));
}

TEST_CASE("signals: a second SIGTERM gives up waiting")
{
	Session session(
		{ "-e", "execve" },
		shell("trap 'echo caught' TERM; echo pid $$ ready; while :; do read x; done"));
	pid_t command = session.wait_until_it_reads();

	session.process->signal(SIGTERM);
	session.read_until("caught");
	REQUIRE(eventually([&] { return nothing_pending(session.process->pid(), SIGTERM); }));
	session.process->signal(SIGTERM);
	const Run run = session.finish();
	INFO(run);
	CHECK(run.end == "SIGTERM");
	CHECK(sound(run));
	signal_process(command, SIGKILL);
	CHECK(wait_for_orphan(command) == "SIGKILL");
}

/* nohup, and background jobs of a shell without job control. */
TEST_CASE("signals: inherited ignored signals stay ignored")
{
	Spawn how;
	std::string report;
	Pipe in, out;

	how.argv = iotrace_argv({ "-e", "execve" }, shell("echo ready; read x; exit 6"), &report);
	how.in = in.reader;
	how.out = out.writer;
	how.in_child = [] {
		::signal(SIGHUP, SIG_IGN);
		::signal(SIGINT, SIG_IGN);
	};
	Process process(how);
	read_until(out.reader, "ready");
	process.signal(SIGHUP);
	process.signal(SIGINT);
	process.signal(SIGINT);
	write_all(in.writer, "go\n");
	CHECK(process.wait() == "exit 6");
	CHECK(parse_report(read_file(report)).calls("execve") == 1);
}

/* A command that is stopped has not ended. */
TEST_CASE("signals: a command can be stopped and continued")
{
	Session session({ "-e", "execve" }, shell("echo pid $$ ready; read x; exit 8"));
	pid_t command = session.wait_until_it_reads();
	const std::string stat = "/proc/" + std::to_string(command) + "/stat";

	signal_process(command, SIGSTOP);
	REQUIRE(eventually([&] {
		const std::string state = read_file(stat).substr(read_file(stat).rfind(')'), 3);

		return state == ") T" || state == ") t";
	}));
	CHECK(session.process->running());
	signal_process(command, SIGCONT);
	write_all(session.in.writer, "go\n");
	const Run run = session.finish();
	INFO(run);
	CHECK(run.end == "exit 8");
	CHECK(sound(run));
}

TEST_CASE("signals: SIGKILL of iotrace leaves the command undisturbed")
{
	Session session({ "-e", "all" }, shell("echo pid $$ ready; read x; echo \"<$x>\"; exit 4"));
	pid_t command = session.wait_until_it_reads();

	session.process->signal(SIGKILL);
	CHECK(session.process->wait() == "SIGKILL");
	write_all(session.in.writer, "still there\n");
	session.read_until("<still there>");
	CHECK(wait_for_orphan(command) == "exit 4");
}
