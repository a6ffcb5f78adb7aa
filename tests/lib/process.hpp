// SPDX-License-Identifier: GPL-2.0
/*
 * Commands in a known environment. Everything that is started is ended and reaped; no wait lasts
 * for ever.
 */
#pragma once

#include "lib/files.hpp"
#include "lib/signal_process.hpp"

#include <functional>
#include <ostream>
#include <string>
#include <sys/types.h>

/* Values for Spawn::in, out and err. */
enum { STREAM_DEFAULT = -1, STREAM_CLOSED = -2 };

/* The way to start a command. */
struct Spawn {
	Words argv;
	Words env; // NAME=value, in addition to the known environment, which it overrides.
	/* Descriptors. By default, in is the null device, and out and err are captured. */
	int in = STREAM_DEFAULT;
	int out = STREAM_DEFAULT;
	int err = STREAM_DEFAULT;
	// Terminal of a session of its own, which is all three streams then. -1: none.
	int terminal = -1;
	std::string directory; // Working directory. "": the caller's.
	std::function<void()> in_child;
};

/* A running command. The destructor kills it with its process group, and reaps it. */
class Process
{
	pid_t pid_ = -1;
	int pidfd_ = -1, out_ = -1, err_ = -1;
	int status_ = -1;

public:
	explicit Process(const Spawn &spawn);
	Process(const Process &) = delete;
	~Process();

	pid_t pid() const
	{
		return pid_;
	}
	void signal(int sig);
	std::string wait(); // Returns how it ended: "exit 3", "SIGTERM", "SIGSEGV, core dumped".
	bool running();
	std::string out() const; // Returns what has been captured so far.
	std::string err() const;
};

/* A command that has been run to its end. */
struct Finished {
	std::string command, end, out, err;
};

/* Quotes a word for a shell's command. */
std::string quoted(const std::string &word);

Finished run_to_end(const Words &command, const Spawn &how = {}); // The spawn's argv is not used.

/*
 * Returns the end of a process that descends from the tests but is not their child, as
 * Process::wait() does.
 */
std::string wait_for_orphan(pid_t pid);
