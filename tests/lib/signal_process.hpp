// SPDX-License-Identifier: GPL-2.0
// kill(2) for tests: the user who runs them has other processes, and is often root.
#pragma once

#include <csignal>
#include <stdexcept>
#include <string>
#include <sys/types.h>

// Signals one process, and never a group or all processes, as 0 and -1 would. Returns false if the
// process is gone.
inline bool signal_process(pid_t pid, int sig)
{
	if (pid <= 0)
		throw std::logic_error("no process has the id " + std::to_string(pid));
	return kill(pid, sig) == 0;
}

// Signals a process group that a test has made, by the id of its leader.
inline bool signal_group(pid_t leader, int sig)
{
	if (leader <= 1)
		throw std::logic_error("no test's group has the id " + std::to_string(leader));
	return kill(-leader, sig) == 0;
}
