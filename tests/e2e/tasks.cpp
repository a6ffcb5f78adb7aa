// SPDX-License-Identifier: GPL-2.0
/* Threads and children, made in every way: all are counted, and iotrace waits for all of them. */
#include "lib/iotrace.hpp"

#include <csignal>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const Words set = { "-e", "write,close,execve", "-U", "calls,errors,bytes,name" };

/* The children fixture: each child writes 3 times 2 bytes, and fails to close once. */
static void check_children(const std::string &how, uint64_t count)
{
	const Run run = run_iotrace(set, { fixture("children"), how, std::to_string(count) });
	INFO(run);

	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") == 3 * count);
	CHECK(run.report.bytes("write") == 6 * count);
	CHECK(run.report.errors("close") == count);
	CHECK(run.report.calls("execve") == 1);
	CHECK(run.report.in_flight == 0);
	CHECK(run.report.died == 0);
}

TEST_CASE("tasks: children by fork, vfork and clone3 are counted")
{
	for (const char *how : { "fork", "vfork", "clone3" })
		check_children(how, 1000);
}

TEST_CASE("tasks: children of children, together, in a chain, left alone")
{
	check_children("together", 300);
	check_children("chain", 200);
	check_children("orphans", 300);
}

TEST_CASE("tasks: 10,000 forks are counted")
{
	check_children("fork", backend() == "bpf" ? 10000 : 1000);
}

TEST_CASE("tasks: 1,000 short-lived programs are counted")
{
	const std::string tiny = fixture("tiny", { "-nostdlib", "-static" });
	const Run run = run_iotrace(set, { fixture("children"), "spawn", "1000", tiny });
	INFO(run);

	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("execve") == 1001);
	CHECK(run.report.errors("execve") == 0);
	CHECK(run.report.calls("write") == 1000);
	CHECK(run.report.bytes("write") == 5000);
	CHECK(run.out.size() == 5000);
}

/* A child returns from fork as well as its parent; strace counts the call once. */
TEST_CASE("tasks: fork is one call")
{
	for (const auto &[how, name] : std::map<std::string, std::string>{
		     { "fork", "clone" }, { "vfork", "vfork" }, { "clone3", "clone3" } }) {
		const Run run = run_iotrace({ "-e", "clone,fork,vfork,clone3,wait4" },
					    { fixture("children"), how, "100" });
		INFO(run);

		CHECK(run.report.calls(name) == 100);
		CHECK(run.report.calls("wait4") == 100);
		CHECK(run.report.totals.at("").calls == 200);
		CHECK(run.report.totals.at("").errors == 0);
	}
}

TEST_CASE("tasks: threads are counted")
{
	for (uint64_t count : { 8, 64, 1000 }) {
		const Run run =
			run_iotrace(set, { fixture("threads"), std::to_string(count), "50" });
		INFO(run);

		CHECK(run.end == "exit 0");
		CHECK(run.report.calls("write") == 50 * count);
		CHECK(run.report.bytes("write") == 150 * count);
		CHECK(run.report.errors("close") == 50 * count);
	}
}

/* A daemon that the command starts: strace -f waits for it, and so does iotrace. */
struct Daemon {
	std::string fifo = temporary("fifo" + std::to_string(count++)), report;
	Pipe in, out;
	std::unique_ptr<Process> iotrace;
	pid_t command, daemon;
	int fifo_fd;

	static int count;

	Daemon(const Words &options)
	{
		const std::string there = "setsid sh -c 'echo pid $$ there; read x < " + fifo +
					  "; echo one; echo two; exit 9'";
		Spawn how;

		mkfifo(fifo.c_str(), 0600);
		fifo_fd = open(fifo.c_str(), O_RDWR | O_CLOEXEC);
		how.argv = iotrace_argv(
			options, { "sh", "-c", there + " & read y; echo pid $$ ends; exit 3" },
			&report);
		how.in = in.reader;
		how.out = out.writer;
		iotrace = std::make_unique<Process>(how);
		out.close_writer();
		daemon = pid_of(read_until(out.reader, "there\n"));
		write_all(in.writer, "go on\n");
		command = pid_of(read_until(out.reader, "ends\n"));
	}
	~Daemon()
	{
		close(fifo_fd);
	}
	static pid_t pid_of(const std::string &text)
	{
		return std::stoi(text.substr(text.rfind("pid ") + 4));
	}
	void tell(const std::string &what)
	{
		write_all(fifo_fd, what + "\n");
	}
	/* iotrace has seen the end of its parent. */
	bool command_is_reaped() const
	{
		return eventually([&] { return !signal_process(command, 0); });
	}
};

int Daemon::count;

TEST_CASE("tasks: a descendant that outlives the command is waited for")
{
	Daemon d({ "-e", "write,execve" });

	REQUIRE(d.command_is_reaped());
	CHECK(d.iotrace->running());
	d.tell("bye");
	CHECK(d.iotrace->wait() == "exit 3");
	const Report report = parse_report(read_file(d.report));
	INFO(report.text);
	CHECK(contradictions(report) == "");
	CHECK(report.calls("write") == 4);
	/* sh, setsid and the program that it runs are executed. */
	CHECK(report.calls("execve") - report.errors("execve") == 3);
	CHECK(wait_for_orphan(d.daemon) == "exit 9");
}

TEST_CASE("tasks: Ctrl-C when only a descendant is left")
{
	Daemon d({ "-e", "write,read" });

	REQUIRE(d.command_is_reaped());
	d.iotrace->signal(SIGINT);
	/* The command ended long before. */
	CHECK(d.iotrace->wait() == "exit 3");
	const Report report = parse_report(read_file(d.report));
	INFO(report.text);
	CHECK(contradictions(report) == "");
	CHECK(report.calls("write") == 2);
	d.tell("bye");
	CHECK(wait_for_orphan(d.daemon) == "exit 9");
}

TEST_CASE("tasks: a note says once who is still watched when the command has ended")
{
	Daemon d({ "-e", "write" });
	const std::string said =
		"iotrace: note: the command has ended; still watching its 1 process (sh " +
		std::to_string(d.daemon) + "); Ctrl-C ends it\n";

	CHECK(eventually([&] { return d.iotrace->err().find(said) != std::string::npos; }));
	d.tell("bye");
	CHECK(d.iotrace->wait() == "exit 3");
	CHECK(d.iotrace->err() == said);
	wait_for_orphan(d.daemon);
}

TEST_CASE("tasks: with --until=command tracing ends with the command")
{
	Daemon d({ "-e", "write", "--until=command" });

	CHECK(d.iotrace->wait() == "exit 3");
	const Report report = parse_report(read_file(d.report));
	INFO(report.text);
	CHECK(contradictions(report) == "");
	CHECK(report.calls("write") == 2);
	d.tell("bye");
	CHECK(wait_for_orphan(d.daemon) == "exit 9");
}

TEST_CASE("tasks: two runs at the same time do not see each other")
{
	Pipe in, out;
	Spawn how;
	std::string report;

	how.argv =
		iotrace_argv({ "-e", "write" }, { "sh", "-c", "echo a; read x; echo b" }, &report);
	how.in = in.reader;
	how.out = out.writer;
	Process first(how);
	read_until(out.reader, "a");
	const Run second = run_iotrace(set, { fixture("children"), "fork", "50" });
	INFO(second);
	write_all(in.writer, "go\n");
	CHECK(first.wait() == "exit 0");
	CHECK(second.report.calls("write") == 150);
	CHECK(parse_report(read_file(report)).calls("write") == 2);
}

TEST_CASE("tasks: iotrace can trace iotrace")
{
	if (backend() != "bpf")
		SKIP_CASE("a process has one ptracer only");
	std::string report;
	/* Without files it has no findings, for which it would fork a process of its own. */
	const Words inner = iotrace_argv(
		{ "--no-files", "-e", "write,close,execve", "-U", "calls,errors,bytes,name" },
		{ fixture("children"), "fork", "50" }, &report);
	const Run outer = run_iotrace({ "-e", "execve,clone" }, inner);
	INFO(outer);

	CHECK(outer.end == "exit 0");
	CHECK(outer.report.calls("execve") == 2);
	CHECK(outer.report.calls("clone") == 51);
	CHECK(parse_report(read_file(report)).calls("write") == 150);
}
