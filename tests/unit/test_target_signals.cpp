// SPDX-License-Identifier: GPL-2.0
// Signals, also those of a terminal: which of them reach the command, and which end the wait for
// it. Everything here uses real processes.
#include "unit/target_test.hpp"

#include <signal.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

TEST_CASE("target signals: signals sent to iotrace alone are passed on", "[target]")
{
	int sig = GENERATE(SIGTERM, SIGHUP, SIGINT, SIGQUIT);
	Iotrace iotrace(listener);
	std::string passed =
		"signal " + std::to_string(sig) + " from " + std::to_string(iotrace.pid);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, sig);
	CHECK(iotrace.command_says() == passed);
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(5, 0));
}

TEST_CASE("target signals: iotrace dies of the signal that it passed on, after the command",
	  "[target]")
{
	Iotrace iotrace({ "cat" });

	iotrace.go();
	signal_process(iotrace.pid, SIGTERM);
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGTERM));
}

TEST_CASE("target signals: a signal that comes before the go is passed on after it", "[target]")
{
	Iotrace iotrace({ "cat" });

	iotrace.paused();
	signal_process(iotrace.pid, SIGTERM);
	iotrace.wake();
	CHECK(iotrace.hear() == "gone");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGTERM));
}

TEST_CASE("target signals: a second signal gives up waiting and leaves the command alone",
	  "[target]")
{
	int sig = GENERATE(SIGINT, SIGQUIT, SIGTERM);
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, sig);
	CHECK(iotrace.command_says() != "");
	signal_process(iotrace.pid, sig);
	CHECK(iotrace.hear() == "interrupted");
	int status = iotrace.end();
	CHECK(WIFSIGNALED(status));
	CHECK(WTERMSIG(status) == sig);
	iotrace.tell_command("x");
	CHECK(iotrace.command_says() == "heard x");
	iotrace.tell_command("e");
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target signals: different signals are each passed on, SIGHUP every time", "[target]")
{
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	for (int sig : { SIGHUP, SIGINT, SIGHUP, SIGTERM, SIGHUP, SIGQUIT }) {
		signal_process(iotrace.pid, sig);
		CHECK(iotrace.command_says() ==
		      "signal " + std::to_string(sig) + " from " + std::to_string(iotrace.pid));
	}
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(5, 0));
}

TEST_CASE("target signals: a command that signals its own process group gets the signal once",
	  "[target]")
{
	Iotrace iotrace(listener);
	std::string self = std::to_string(iotrace.go());

	CHECK(iotrace.command_says() == "ready");
	iotrace.tell_command("k");
	CHECK(iotrace.command_says() == "signal 15 from " + self);
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	// It does not count as the first of two, either.
	signal_process(iotrace.pid, SIGTERM);
	CHECK(iotrace.command_says() == "signal 15 from " + std::to_string(iotrace.pid));
	iotrace.tell_command("k");
	CHECK(iotrace.command_says() == "signal 15 from " + self);
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
}

TEST_CASE("target signals: ignored signals stay ignored", "[target]")
{
	int sig = GENERATE(SIGINT, SIGHUP, SIGQUIT, SIGTERM);
	Iotrace iotrace(listener, false, [&](Iotrace &) { signal(sig, SIG_IGN); });

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	for (int i = 0; i < 2; i++) {
		signal_process(iotrace.pid, sig);
		iotrace.wake();
		CHECK(iotrace.hear() == "woken");
	}
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(5, 0));
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target signals: once the command has ended one signal ends the wait", "[target]")
{
	int sig = GENERATE(SIGINT, SIGTERM, SIGHUP);
	Iotrace iotrace({ "sh", "-c", "exit 3" });

	iotrace.go();
	CHECK(iotrace.hear() == "ended");
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	signal_process(iotrace.pid, sig);
	CHECK(iotrace.hear() == "interrupted");
	CHECK(iotrace.end() == W_EXITCODE(3, 0));
}

TEST_CASE("target signals: when the end and a second signal are both there, the end comes first",
	  "[target]")
{
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, SIGTERM);
	CHECK(iotrace.command_says() != "");
	signal_process(iotrace.pid, SIGSTOP);
	waitpid(iotrace.pid, nullptr, WUNTRACED);
	signal_process(iotrace.pid, SIGTERM);
	iotrace.tell_command("e");
	iotrace.wait_for_command();
	signal_process(iotrace.pid, SIGCONT);
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.hear() == "interrupted");
	CHECK(iotrace.end() == W_EXITCODE(5, 0));
}

TEST_CASE("target signals: being stopped and continued ends no wait", "[target]")
{
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, SIGSTOP);
	waitpid(iotrace.pid, nullptr, WUNTRACED);
	signal_process(iotrace.command, SIGSTOP);
	signal_process(iotrace.command, SIGCONT);
	signal_process(iotrace.pid, SIGCONT);
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	CHECK(iotrace.command_says() == "signal 18 from " + std::to_string(getpid()));
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
}

TEST_CASE("target signals: Ctrl-C on a terminal ends the command, then iotrace in the same way",
	  "[target]")
{
	Iotrace iotrace({ "cat" }, true);

	iotrace.go();
	// The signal and the end must arrive at the same time.
	signal_process(iotrace.pid, SIGSTOP);
	waitpid(iotrace.pid, nullptr, WUNTRACED);
	iotrace.tell_command("\x03");
	iotrace.wait_for_command();
	signal_process(iotrace.pid, SIGCONT);
	CHECK(iotrace.hear() == "ended");
	// The signal was for the command; iotrace goes on waiting for the processes that the
	// command left behind.
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGINT));
}

TEST_CASE("target signals: the terminal's keys reach the command once", "[target]")
{
	auto key = GENERATE(table<std::string, int>({ { "\x03", SIGINT }, { "\x1c", SIGQUIT } }));
	std::string by_kernel = "signal " + std::to_string(std::get<1>(key)) + " from 0";
	Iotrace iotrace(listener, true);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	iotrace.tell_command(std::get<0>(key));
	CHECK(iotrace.command_says() == by_kernel);
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	iotrace.tell_command("x\n");
	CHECK(iotrace.command_says() == "heard x");

	iotrace.tell_command(std::get<0>(key));
	CHECK(iotrace.command_says() == by_kernel);
	CHECK(iotrace.hear() == "interrupted");
}

TEST_CASE("target signals: the terminal's hang-up is passed on by a session leader", "[target]")
{
	// Its input does not end it.
	Iotrace iotrace({ "cat" }, true, [](Iotrace &self) { dup2(self.in.reader, STDIN_FILENO); });

	iotrace.go();
	close(iotrace.master);
	iotrace.master = -1;
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGHUP));
}
