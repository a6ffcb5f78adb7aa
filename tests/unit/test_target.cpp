// SPDX-License-Identifier: GPL-2.0
// A command from its start to its end, and what it inherits. Everything here uses real processes.
#include "unit/target_test.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <signal.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" {
#include "trace/target.h"
}

namespace fs = std::filesystem;

namespace
{

// The lines of /proc/PID/status that a command inherits through execve().
std::string signal_state(std::istream &status)
{
	std::string line, text;

	while (std::getline(status, line))
		if (line.rfind("SigBlk:", 0) == 0 || line.rfind("SigIgn:", 0) == 0)
			text += line + " ";
	return text;
}

std::string signal_state()
{
	std::ifstream status("/proc/self/status");

	return signal_state(status);
}

// Runs it to its end. Returns its wait status, or the negative errno of its execve().
int run(const Words &args)
{
	struct target *t = fork_target(args);
	int status = target__go(t);

	if (!status)
		status = target__wait(t, -1, -1) == TARGET_ENDED ? target__status(t) : -1000;
	target__free(t, false);
	return status;
}

} // namespace

// ---- Running ----

TEST_CASE("target: the end of a command is reported", "[target]")
{
	CHECK(run({ "true" }) == W_EXITCODE(0, 0));
	CHECK(run({ "sh", "-c", "exit 3" }) == W_EXITCODE(3, 0));
	CHECK(run({ "sh", "-c", "kill -KILL $$" }) == W_EXITCODE(0, SIGKILL));
	CHECK(run({ "sh", "-c", "test \"$0 $1\" = 'a b' && exit 4", "a", "b" }) ==
	      W_EXITCODE(4, 0));
}

TEST_CASE("target: a failing execve is told apart from a command that exits 127", "[target]")
{
	Folder dir;

	CHECK(run({ "sh", "-c", "exit 127" }) == W_EXITCODE(127, 0));
	CHECK(run({ dir.write("no-interpreter", "#!/no/such/interpreter\n", 0755) }) == -ENOENT);
	CHECK(run({ "true", std::string(4 << 20, 'x') }) == -E2BIG);
}

TEST_CASE("target: a script without #! is run by the shell, as by env and timeout", "[target]")
{
	Folder dir;

	CHECK(run({ dir.write("script", "exit $1\n", 0755), "6" }) == W_EXITCODE(6, 0));
}

TEST_CASE("target: a failed child is reaped and leaves nothing to wait for", "[target]")
{
	Folder dir;
	struct target *t = fork_target({ dir.write("bad", "#!/no/such\n", 0755) });

	CHECK(target__go(t) == -ENOENT);
	CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
	CHECK(target__wait(t, -1, 0) == TARGET_TIMEOUT);
	target__free(t, false);
}

TEST_CASE("target: a wait ends by timeout or wake-up while the command runs", "[target]")
{
	struct target *t = fork_target({ "true" });
	Pipe wakeup;

	CHECK(target__status(t) == -1);
	CHECK(target__wait(t, -1, 0) == TARGET_TIMEOUT);
	CHECK(target__wait(t, wakeup.reader, 1) == TARGET_TIMEOUT);
	write_all(wakeup.writer, "!");
	CHECK(target__wait(t, wakeup.reader, -1) == TARGET_WAKEUP);
	CHECK(target__status(t) == -1);
	CHECK(target__end_status(t) == 0);

	REQUIRE(target__go(t) == 0);
	CHECK(target__wait(t, -1, -1) == TARGET_ENDED);
	CHECK(target__status(t) == 0);
	CHECK(target__wait(t, wakeup.reader, -1) == TARGET_WAKEUP);
	CHECK(target__wait(t, -1, 0) == TARGET_TIMEOUT);
	// The caller must also wake up when the other side of a descriptor is closed.
	close(wakeup.writer);
	wakeup.writer = -1;
	CHECK(target__wait(t, wakeup.reader, -1) == TARGET_WAKEUP);
	target__free(t, false);
}

TEST_CASE("target: a target without a child waits for time, wake-up and one signal", "[target]")
{
	int sig = GENERATE(SIGINT, SIGTERM, SIGHUP, SIGQUIT);
	int status = in_child([=] {
		std::string state = signal_state();
		struct target *t;
		Pipe wakeup;

		write_all(wakeup.writer, "!");
		if (target__watch(&t) || target__wait(t, -1, 0) != TARGET_TIMEOUT)
			_exit(1);
		if (target__wait(t, wakeup.reader, -1) != TARGET_WAKEUP)
			_exit(2);
		kill(getpid(), sig);
		if (target__wait(t, wakeup.reader, -1) != TARGET_INTERRUPTED)
			_exit(3);
		// A letter that comes too late is dropped; it must not kill the process.
		kill(getpid(), sig);
		target__free(t, false);
		_exit(signal_state() == state ? 0 : 4);
	});

	CHECK(status == 0);
}

TEST_CASE("target: a signal that comes once all is done does not end the program", "[target]")
{
	const int sig = GENERATE(SIGINT, SIGTERM, SIGHUP, SIGQUIT);
	const int status = in_child([=] {
		struct target *t;

		if (target__watch(&t))
			_exit(1);
		target__free(t, true);
		kill(getpid(), sig);
		_exit(0);
	});

	CHECK(status == 0);
}

TEST_CASE("target: a paused target that is freed executes nothing and is reaped", "[target]")
{
	Folder dir;
	std::string state = signal_state();
	struct target *t = fork_target({ "touch", dir.path / "touched" });
	pid_t pid = target__pid(t);

	SECTION("as it is")
	{
	}
	SECTION("stopped")
	{
		signal_process(pid, SIGSTOP);
		waitpid(pid, nullptr, WUNTRACED);
	}
	target__free(t, false);
	CHECK_FALSE(signal_process(pid, 0));
	CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
	CHECK_FALSE(fs::exists(dir.path / "touched"));
	CHECK(signal_state() == state);
	target__free(nullptr, false);
}

TEST_CASE("target: a running target that is freed runs on", "[target]")
{
	Pipe in;
	int inherited = dup(in.reader);
	struct target *t = fork_target(
		{ "sh", "-c", "read x < /dev/fd/" + std::to_string(inherited) + "; exit $x" });
	pid_t pid = target__pid(t);

	close(inherited);
	REQUIRE(target__go(t) == 0);
	target__free(t, false);
	CHECK(waitpid(pid, nullptr, WNOHANG) == 0);
	write_all(in.writer, "8\n");
	CHECK(wait_for(pid) == W_EXITCODE(8, 0));
}

TEST_CASE("target: 1000 commands in a row leave no descriptor and no child", "[target]")
{
	std::string before = descriptors(false);
	int failed = 0;

	for (int i = 0; i < 1000; i++)
		failed += run({ "true" }) != 0;
	CHECK(failed == 0);
	CHECK(descriptors(false) == before);
	CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
}

// ---- What the command inherits ----

TEST_CASE("target: mask and dispositions are those that iotrace inherited", "[target]")
{
	Iotrace iotrace({ "cat", "/proc/self/status" }, false, [](Iotrace &self) {
		sigset_t set;

		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigaddset(&set, SIGQUIT);
		sigaddset(&set, SIGRTMIN + 1);
		sigprocmask(SIG_SETMASK, &set, nullptr);
		for (int sig : { SIGINT, SIGPIPE, SIGCHLD, SIGUSR2 })
			signal(sig, SIG_IGN);
		self.say(signal_state());
	});
	std::string inherited = iotrace.hear();

	iotrace.go();
	CHECK(iotrace.hear() == "ended");
	// If SIGCHLD were ignored, the kernel would discard the status.
	CHECK(iotrace.end() == 0);
	std::istringstream status(read_all(iotrace.out.reader));
	CHECK(signal_state(status) == inherited);
}

TEST_CASE("target: descriptors are those that iotrace inherited", "[target]")
{
	Folder dir;
	std::string list = dir.write("list", "", 0644), text;
	std::vector<int> closed = GENERATE(std::vector<int>{}, std::vector<int>{ 2 },
					   std::vector<int>{ 0, 1 }, std::vector<int>{ 0, 1, 2 });

	Iotrace iotrace({ "/proc/self/exe", "be:descriptors", list }, false, [&](Iotrace &self) {
		for (int fd : closed)
			close(fd);
		self.say(descriptors(true));
	});
	std::string inherited = iotrace.hear();

	iotrace.paused();
	// No descriptor of ours took the place of the closed one.
	for (int fd : closed)
		CHECK_FALSE(fs::exists("/proc/" + std::to_string(iotrace.pid) + "/fd/" +
				       std::to_string(fd)));
	iotrace.wake();
	CHECK(iotrace.hear() == "gone");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == 0);
	std::ifstream lines(list);
	std::getline(lines, text);
	CHECK(text == inherited);
}

// ---- Deaths ----

TEST_CASE("target: when iotrace is killed before the go, the command is never executed", "[target]")
{
	Iotrace iotrace({ "sh", "-c", "echo executed" });

	iotrace.paused();
	signal_process(iotrace.pid, SIGKILL);
	iotrace.wait_for_command();
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target: when iotrace is killed after the go, the command is undisturbed", "[target]")
{
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, SIGKILL);
	iotrace.reaped = true;
	CHECK(wait_for(iotrace.pid) == W_EXITCODE(0, SIGKILL));
	iotrace.tell_command("x");
	CHECK(iotrace.command_says() == "heard x");
	iotrace.tell_command("e");
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target: a command killed while paused ends by that signal", "[target]")
{
	Iotrace iotrace({ "sh", "-c", "echo executed" });

	signal_process(iotrace.paused(), SIGKILL);
	iotrace.wait_for_command();
	iotrace.wake();
	CHECK(iotrace.hear() == "gone");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGKILL));
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target: iotrace ends as the command ended", "[target]")
{
	for (int code : { 0, 1, 125, 127, 255 })
		CHECK(in_child([&] { target_end_like(W_EXITCODE(code, 0)); }) ==
		      W_EXITCODE(code, 0));
	for (int sig : { SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGPIPE, SIGTERM, SIGRTMIN })
		CHECK(in_child([&] { target_end_like(W_EXITCODE(0, sig)); }) == W_EXITCODE(0, sig));
	CHECK(in_child([] { target_end_like(-1); }) == 0);
}

TEST_CASE("target: iotrace dies of a signal that it ignores and blocks", "[target]")
{
	int status = in_child([] {
		sigset_t set;

		sigfillset(&set);
		sigprocmask(SIG_SETMASK, &set, nullptr);
		signal(SIGTERM, SIG_IGN);
		target_end_like(W_EXITCODE(0, SIGTERM));
	});

	CHECK(status == W_EXITCODE(0, SIGTERM));
}

TEST_CASE("target: iotrace leaves no core file of its own", "[target]")
{
	Folder dir;
	int status = in_child([&] {
		const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

		setrlimit(RLIMIT_CORE, &unlimited);
		fs::current_path(dir.path);
		target_end_like(W_EXITCODE(0, SIGSEGV) | WCOREFLAG);
	});

	CHECK(status == W_EXITCODE(0, SIGSEGV));
	CHECK(fs::is_empty(dir.path));
}

TEST_CASE("target: the init process of a pid namespace exits as a shell would", "[target]")
{
	const int not_allowed = 2;
	int status = in_child([] {
		if (unshare(CLONE_NEWPID))
			_exit(not_allowed);
		pid_t pid = fork();
		if (!pid)
			target_end_like(W_EXITCODE(0, SIGTERM));
		_exit(WEXITSTATUS(wait_for(pid)));
	});

	if (WEXITSTATUS(status) == not_allowed)
		WARN("not tested: no right to make a pid namespace");
	else
		CHECK(status == W_EXITCODE(128 + SIGTERM, 0));
}
