// SPDX-License-Identifier: GPL-2.0
/*
 * The end of tracing: which calls are counted, when tracing ends, and what iotrace does until then.
 */
#include "lib/live.hpp"

#include <cerrno>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A program that reads and writes without a pause. */
static Spawn copies_for_ever()
{
	Spawn how;

	how.argv = { "dd", "if=/dev/zero", "of=/dev/null", "bs=1" };
	return how;
}

TEST_CASE("end: it comes between two events of a task, not between a call's entry and its return")
{
	Process one(copies_for_ever()), other(copies_for_ever());
	const std::string pids = std::to_string(one.pid()) + "," + std::to_string(other.pid());

	for (int i = 0; i < 20; i++) {
		Watch watch({ "-e", "read,write", "-p", pids });
		const Run run = watch.end();
		INFO(run);
		for (const auto &[name, figures] : run.report.figures)
			CHECK(figures.timed == figures.calls);
		/* One of the two calls may be under way at each end. */
		const int64_t more =
			(int64_t)run.report.calls("read") - (int64_t)run.report.calls("write");
		CHECK(more >= -4);
		CHECK(more <= 4);
		CHECK(run.report.in_flight <= 2);
		CHECK(run.report.died == 0);
	}
}

/*
 * Tasks are visited in the order of their ids. Many tasks follow those that end, so there is time
 * for them to end.
 */
TEST_CASE("end: a task that ends at that moment is counted once")
{
	NEED_CHOSEN_IDS();
	write_file(last_id, "20000");
	Puppet many;
	many.tell("threads 1500");
	write_file(last_id, "1000");
	Spawn how;
	how.argv = { "sh", "-c", "while :; do sleep 0.06 & :; done" };
	Process shell(how);

	for (int i = 0; i < 30; i++) {
		Watch watch({ "-e", "all", "-p", std::to_string(shell.pid()) + "," + many.pids() });
		const Run run = watch.end(); // Watch::end() checks that the figures add up.
		INFO(run);
		CHECK(run.end == "exit 0");
	}
}

/*
 * On a machine with CPUs that have no timer tick (nohz_full=), MEMBARRIER_CMD_GLOBAL is refused
 * like this.
 */
static void refuse_membarrier()
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof(code) / sizeof(*code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		_exit(98);
}

TEST_CASE("end: it needs no membarrier")
{
	Puppet puppet;
	Spawn how;
	std::string report;

	how.argv = iotrace_argv({ "-p", puppet.pids() }, {}, &report);
	how.in_child = refuse_membarrier;
	Watch watch({}, {}, how);
	puppet.tell("write 5");
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	CHECK(watch.process().err() == begun);
	CHECK(parse_report(read_file(report)).calls("write") == 5);
}

/*
 * Many tasks end while iotrace sleeps: it must not wake up for each of them, and must not wait for
 * ever.
 */
TEST_CASE("end: of the tasks that are traced leaves iotrace asleep where others may come")
{
	BPF_ONLY("strace cannot trace a whole system");
	const std::string name = own_name("e");
	/* A sample of a stack would wake it up. */
	const Words scope = { "-a",	    "--comm", name, "--uid", std::to_string(own_user()),
			      "--no-stacks" };
	Spawn how;

	fixture("puppet");
	how.in_child = [] {
		if (setresuid(own_user(), own_user(), own_user()))
			_exit(99);
	};
	const auto run_one = [&] {
		Puppet puppet("", how);
		puppet.tell("comm " + hex(name));
		puppet.tell("write 3");
	};
	Watch watch(scope);
	run_one();
	Watch looking({ "-e", "poll,ppoll", "-p", std::to_string(watch.process().pid()) });
	run_one();
	run_one();
	const Run looked = looking.end();
	INFO(looked);
	CHECK(looked.report.calls("poll") + looked.report.calls("ppoll") == 0);
	CHECK(watch.end().report.calls("write") == 9);
}

static double elapsed_ms(const std::string &json)
{
	const size_t at = json.find("\"elapsed_ns\"");

	return at == std::string::npos ? -1 : std::stod(json.substr(json.find(':', at) + 1)) / 1e6;
}

TEST_CASE("end: the time of a scope goes on when its last task has ended")
{
	BPF_ONLY("strace cannot trace a whole system");
	const std::string json = temporary("elapsed.json");
	Spawn how;

	fixture("puppet");
	how.in_child = [] {
		if (setresuid(own_user(), own_user(), own_user()))
			_exit(99);
	};
	Watch watch({ "-a", "--uid", std::to_string(own_user()), "--duration", "0.5", "-o", json });
	{
		Puppet puppet("", how);
		puppet.tell("write 3");
	}
	watch.process().wait();
	/* An upper limit would depend on the machine. */
	CHECK(elapsed_ms(read_file(json)) >= 500);
}

/*
 * "iotrace -p PID & ... kill -INT $!" in a script: a shell without job control starts background
 * jobs with SIGINT ignored.
 */
TEST_CASE("end: by SIGINT, also where it was ignored")
{
	Puppet puppet;
	std::string report;
	Spawn how;

	how.argv = iotrace_argv({ "-p", puppet.pids() }, {}, &report);
	how.in_child = [] {
		::signal(SIGINT, SIG_IGN);
		::signal(SIGQUIT, SIG_IGN);
	};
	Watch watch({}, {}, how);
	puppet.tell("write 2");
	watch.process().signal(SIGQUIT);
	puppet.tell("write 3");
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	CHECK(parse_report(read_file(report)).calls("write") == 5);
}
