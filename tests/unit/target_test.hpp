// SPDX-License-Identifier: GPL-2.0
// What the tests of commands and targets share: children, and a process that acts as iotrace. Pipes
// settle the order of events: each side reports what it has done, line by line, and nothing sleeps.
#pragma once

#include "lib/catch.hpp"
#include "lib/pipes.hpp"
#include "lib/process.hpp"

#include <functional>
#include <poll.h>
#include <string>
#include <sys/types.h>

// The descriptors of this process, except the one that lists them.
std::string descriptors(bool only_inherited);

// A command that prints the signals and letters that it receives; "k" signals its process group,
// "e" ends it.
extern const Words listener;

// A command that is paused before its execve().
struct target *fork_target(const Words &args);

// The wait status of a child.
int wait_for(pid_t pid);

// The wait status of a child that runs this function and nothing else.
int in_child(const std::function<void()> &body);

// A process that acts as iotrace: from a paused command to the same end as the command's. It
// reports each step on a pipe of its own; stdin and stdout belong to the command.
class Iotrace
{
public:
	// before does what the process that starts iotrace would do to it.
	Iotrace(
		const Words &command, bool terminal = false,
		const std::function<void(Iotrace &)> &before = [](Iotrace &) {});
	~Iotrace();

	std::string hear()
	{
		return read_line(says.reader);
	}
	void say(const std::string &what)
	{
		write_all(says.writer, what + "\n");
	}

	// The paused command's pid.
	pid_t paused();
	pid_t go()
	{
		paused();
		wake();
		REQUIRE(hear() == "gone");
		return command;
	}
	// When it answers "woken", it has handled every signal that was sent before.
	void wake()
	{
		write_all(told.writer, "!");
	}
	// Ends the wait. Returns its wait status.
	int end()
	{
		told.close_writer();
		reaped = true;
		return wait_for(pid);
	}
	void wait_for_command()
	{
		struct pollfd p = { command_fd, POLLIN, 0 };

		REQUIRE(poll(&p, 1, patience_ms) == 1);
	}
	std::string command_says()
	{
		return read_line(master >= 0 ? master : out.reader);
	}
	void tell_command(const std::string &what)
	{
		write_all(master >= 0 ? master : in.writer, what);
	}

	pid_t pid, command = -1;
	int command_fd = -1, master = -1;
	bool reaped = false;
	Pipe in, out, says, told;

private:
	pid_t fork_on_terminal();
	[[noreturn]] void become(const Words &command, bool terminal,
				 const std::function<void(Iotrace &)> &before);
};
