// SPDX-License-Identifier: GPL-2.0
/*
 * The oracle: one run of a command, counted by two at once. A program seldom does the same twice,
 * but eBPF and ptrace can watch the same process: it is stopped before its execve until both have
 * attached, and then let go.
 *
 * iotrace by eBPF is compared with strace -f -c, iotrace by strace with iotrace by eBPF. Every
 * syscall has the same calls and errors, with iotrace as the other counter also the same errnos,
 * bytes and sizes.
 *
 * Two differences are allowed, each for one call of a task that was killed. One: eBPF may count a
 * call more. The call had returned, and the SIGKILL came before the stop in which the kernel would
 * have told strace (ptrace_stop() in kernel/signal.c stops no task with a fatal signal pending). To
 * strace the task has died in that call, which its log says. Two: the result of the task's last
 * call may differ. If the SIGKILL comes while strace looks at the stopped task, the kernel answers
 * PTRACE_GET_SYSCALL_INFO without a result, and strace takes what its buffer holds of another
 * task's stop: "= 231" for the number of its exit_group, "= -1 (errno 18446744073709551414)", or "=
 * 0".
 */
#pragma once

#include "lib/iotrace.hpp"

/* The way in which the iotrace under test attaches to the command. */
enum class Way { ATTACHED, LAUNCHED };

struct OneRun {
	std::string command, end, out, err;
	Report ours, theirs;
	uint64_t tasks = 0;	 // Processes and threads, if the calls that make them are traced.
	uint64_t allowed = 0;	 // Calls that differ as explained above.
	std::string differences; // All other differences, one a line. "": there is none.
};
std::ostream &operator<<(std::ostream &out, const OneRun &run);

/* The options of the iotrace under test, so that all its figures can be compared. */
static const Words all_figures = { "-U", "calls,errors,bytes,name", "--histogram=all" };

/*
 * Runs the command. The options, as -e, are for both counters. Throws if one of them cannot trace
 * or loses anything.
 */
OneRun count_both(const Words &options, const Words &command, const Spawn &how = {},
		  Way way = Way::ATTACHED, const Words &format = all_figures);

/* Compares two iotraces, both by eBPF, one with these options and one with those. */
OneRun count_twice(const Words &ours, const Words &theirs, const Words &command,
		   const Spawn &how = {});
