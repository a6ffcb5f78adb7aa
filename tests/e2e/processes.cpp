// SPDX-License-Identifier: GPL-2.0
/*
 * Ways in which a tracer may lose sight of a process: none of them may change a count. tasks.cpp
 * has more.
 */
#include "lib/live.hpp"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const Words set = { "-e", "write,close,execve", "-U", "calls,errors,bytes,name" };

TEST_CASE("processes: threads that reuse each other's ids are counted")
{
	Pipe orders, answers;

	write_all(orders.writer, "go\n");
	Spawn storm;
	std::string report;
	storm.argv = iotrace_argv(set, { fixture("thread_storm"), "11" }, &report);
	storm.in = orders.reader;
	storm.out = answers.writer;
	Process iotrace(storm);
	answers.close_writer();
	const std::string text = read_until(answers.reader, "threads\n");
	CHECK(iotrace.wait() == "exit 0");
	const Report r = parse_report(read_file(report));
	INFO(r.text);
	CHECK(contradictions(r) == "");
	CHECK(r.lost == 0);
	/* It also writes "ready", and the number itself. */
	CHECK(r.calls("write") == 11 * std::stoull(text.substr(text.find('\n') + 1)) + 2);
}

/* Every way of calling exec gives one execve, and the calls of the new program count. */
TEST_CASE("processes: execve by another thread than the first is counted")
{
	const std::string children = fixture("children");

	for (const char *order : { "exec", "texec" }) {
		std::string report;
		Spawn how;

		how.argv = iotrace_argv(set, { fixture("puppet") }, &report);
		Puppet puppet("", how);
		puppet.tell("threads 20");
		puppet.tell("each 2");
		puppet.tell_only(std::string(order) + " " + children + " fork 10");
		CHECK(puppet.process().wait() == "exit 0");
		const Report r = parse_report(read_file(report));
		INFO(order);
		INFO(r.text);
		CHECK(contradictions(r) == "");
		CHECK(r.lost == 0);
		CHECK(r.calls("execve") == 2);
		CHECK(r.errors("execve") == 0);
		/* It fills its pipe and has 20 threads and 10 children. */
		CHECK(r.calls("write") == 1 + 40 + 30);
		CHECK(r.errors("close") == 10);
	}
}

TEST_CASE("processes: execve by a thread of a process that is attached to")
{
	Puppet puppet;

	puppet.tell("threads 20");
	Watch watch(set + Words{ "-p", puppet.pids() });
	puppet.tell("each 2");
	puppet.tell_only("texec " + fixture("children") + " fork 10");
	CHECK(puppet.process().wait() == "exit 0");
	const Run run = watch.end(0);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("execve") == 1);
	CHECK(run.report.calls("write") == 40 + 30);
	CHECK(run.report.in_flight == 0);
}

TEST_CASE("processes: the other threads are counted after the first has ended")
{
	Spawn how;
	std::string report;

	how.argv = iotrace_argv(counts, { fixture("puppet") }, &report);
	Puppet puppet("", how);
	puppet.tell("threads 5");
	puppet.tell("leave");
	puppet.tell("write 10");
	puppet.tell("each 10");
	puppet.tell("fork 10");
	puppet.tell_only("exit 3");
	CHECK(puppet.process().wait() == "exit 3");
	const Report r = parse_report(read_file(report));
	INFO(r.text);
	CHECK(contradictions(r) == "");
	CHECK(r.calls("write") == 1 + 10 + 50 + 10);
	CHECK(r.lost == 0);
}

TEST_CASE("processes: a setuid program is counted")
{
	const std::string path = temporary("setuid");
	REQUIRE(run_plain({ "cp", fixture("raise_self"), path }).end == "exit 0");
	REQUIRE(chown(path.c_str(), 54321, 54321) == 0);
	REQUIRE(chmod(path.c_str(), 06755) == 0);
	const Words command = { "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
				path };
	const Run run = run_iotrace(set, command);
	const Run plain = run_plain(command);
	INFO(run);
	REQUIRE(plain.out == "65534 54321\n");
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") == 8);
	/* strace must not be traced with the command's privileges; iotrace does not touch them. */
	if (backend() == "bpf")
		CHECK(run.out == plain.out);
	CHECK(run.report.calls("execve") - run.report.errors("execve") == 2);
}

TEST_CASE("processes: a process that is killed in a write is accounted for")
{
	std::string report;
	Spawn how;

	how.argv = iotrace_argv(counts, { fixture("puppet") }, &report);
	Puppet puppet("", how);
	const pid_t tid = std::stoi(puppet.tell("block"));
	const std::string children =
		read_file("/proc/" + puppet.pids() + "/task/" + puppet.pids() + "/children");
	/* It is strace's grandchild. */
	pid_t pid = backend() == "bpf" ? std::stoi(children) : -1;
	if (pid > 0)
		REQUIRE(is_in(pid, tid, SYS_write));
	else
		REQUIRE(eventually([&] { return sleeps_in(tid, tid) == SYS_write; }));
	puppet.tell("write 3");
	puppet.tell_only("kill 9");
	CHECK(puppet.process().wait() == "SIGKILL");
	const Report r = parse_report(read_file(report));
	INFO(r.text);
	CHECK(contradictions(r) == "");
	/* The call that it died in has no end: strace does not count it either. */
	CHECK(r.calls("write") == 1 + 3);
	CHECK(r.errors("write") == 0);
	if (backend() == "bpf") {
		CHECK(r.died == 1);
		CHECK(r.in_flight == 0);
	}
}

/* Each restart is a call of its own; it failed with an errno that the program never sees. */
TEST_CASE("processes: interrupted and restarted calls are counted")
{
	const Words calls = { "-e", "recvfrom,poll,restart_syscall" };
	const Run ours = run_iotrace(calls, { fixture("restarts") });
	INFO(ours);
	CHECK(ours.end == "exit 0");
	CHECK(ours.report.calls("recvfrom") == 6);
	CHECK(ours.report.errors("recvfrom") == 5);
	if (backend() == "bpf")
		CHECK(ours.report.figures.at("recvfrom").errors ==
		      std::map<std::string, uint64_t>{ { "ERESTARTSYS", 5 } });
	CHECK(ours.report.calls("poll") == 1);
	CHECK(ours.report.errors("poll") == 1);
	CHECK(ours.report.calls("restart_syscall") == 2);
	CHECK(ours.report.errors("restart_syscall") == 1);
}

/* A process that gets the id of an ended target is not the target. */
TEST_CASE("processes: a reused id is not confused")
{
	NEED_CHOSEN_IDS();
	Puppet other;
	auto target = std::make_unique<Puppet>();
	const pid_t pid = target->pid();
	Watch watch(counts +
		    Words{ "-e", "write", "-p", std::to_string(pid) + "," + other.pids() });

	target->tell("write 10");
	target->tell_only("exit 0");
	target->process().wait();
	target.reset();
	std::unique_ptr<Puppet> second;
	/* Another process may take the id first. */
	REQUIRE(eventually([&] {
		second.reset();
		write_file(last_id, std::to_string(pid - 1));
		second = std::make_unique<Puppet>();
		return second->pid() == pid;
	}));
	second->tell("write 1000");
	other.tell("write 100");
	const Run run = watch.end();
	INFO(run);
	CHECK(run.report.calls("write") == 110);
	CHECK(run.report.entered == 110);
}

/* Unreaped children are no longer traced tasks, even though they still exist. */
TEST_CASE("processes: zombies do not disturb the counts")
{
	Puppet puppet;
	Watch watch(counts + Words{ "-e", "write", "-p", puppet.pids() });

	puppet.tell_only("exec " + fixture("zombies") + " 30");
	CHECK(puppet.process().wait() == "exit 0");
	const Run run = watch.end(0);
	INFO(run);
	CHECK(run.report.calls("write") == 30);
	CHECK(run.report.in_flight == 0);
}
