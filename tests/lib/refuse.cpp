// SPDX-License-Identifier: GPL-2.0
#include "lib/refuse.hpp"

#include "lib/files.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <linux/bpf.h>
#include <linux/sched.h>
#include <map>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

std::string name_in_kernel(const std::string &name)
{
	return name.substr(0, BPF_OBJ_NAME_LEN - 1);
}

/* Reads the memory of a thread's process. */
static void read_memory(pid_t tid, unsigned long from, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { reinterpret_cast<void *>(from), size };

	process_vm_readv(tid, &here, 1, &there, 1, 0);
}

/* The name in the attributes of a call of bpf(2). */
static std::string name_at(pid_t tid, unsigned long attributes, int command)
{
	const size_t at = command == BPF_MAP_CREATE ? offsetof(union bpf_attr, map_name)
						    : offsetof(union bpf_attr, prog_name);
	char name[BPF_OBJ_NAME_LEN + 1] = {};

	read_memory(tid, attributes + at, name, BPF_OBJ_NAME_LEN);
	return name;
}

/* What a thread is doing. */
struct Call {
	bool refused = false;
	std::string loading;
};

/* The tracer of a process and its threads. Nothing here throws: it runs in a forked child. */
class Refuser
{
	const pid_t pid;
	const Refusal &refusal;
	const int loaded;
	const bool stays;
	std::map<pid_t, Call> calls; // Calls that threads are in, by thread.

	void enter(pid_t tid, const struct __ptrace_syscall_info &info)
	{
		const int command = static_cast<int>(info.entry.args[0]);
		struct user_regs_struct regs;

		if (info.entry.nr != SYS_bpf)
			return;
		const std::string name = name_at(tid, info.entry.args[1], command);
		/* Trial programs of libbpf's and the stand-in are not listed. */
		if (command == BPF_PROG_LOAD && name.compare(0, 7, "libbpf_") != 0 &&
		    name != "stand_in")
			calls[tid].loading = name;
		if (command != refusal.command ||
		    (!refusal.name.empty() && name != name_in_kernel(refusal.name)))
			return;
		calls[tid].refused = true;
		ptrace(PTRACE_GETREGS, tid, nullptr, &regs);
		regs.orig_rax = -1UL;
		ptrace(PTRACE_SETREGS, tid, nullptr, &regs);
	}

	void leave(pid_t tid, const struct __ptrace_syscall_info &info)
	{
		Call &call = calls[tid];
		struct user_regs_struct regs;

		if (call.refused) {
			ptrace(PTRACE_GETREGS, tid, nullptr, &regs);
			regs.rax = static_cast<unsigned long>(-refusal.error);
			ptrace(PTRACE_SETREGS, tid, nullptr, &regs);
		} else if (!call.loading.empty() && info.exit.rval >= 0) {
			call.loading += '\n';
			if (write(loaded, call.loading.data(), call.loading.size()) < 0)
				_exit(1);
		}
		call = Call();
	}

	/* True if this call makes a process. A thread is followed. */
	static bool forks(pid_t tid, const struct __ptrace_syscall_info &info)
	{
		uint64_t flags = 0; // The first member of struct clone_args.

		switch (info.entry.nr) {
		case SYS_fork:
		case SYS_vfork:
			return true;
		case SYS_clone:
			return !(info.entry.args[0] & CLONE_THREAD);
		case SYS_clone3:
			read_memory(tid, info.entry.args[0], &flags, sizeof(flags));
			return !(flags & CLONE_THREAD);
		default:
			return false;
		}
	}

	bool is_time_to_go(pid_t tid, const struct __ptrace_syscall_info &info) const
	{
		return !stays && (info.entry.nr == SYS_capset || forks(tid, info));
	}

	/* Handles a stop; false if the process has been let go. Sets the signal that it gets. */
	bool handle(pid_t tid, int status, int *signal)
	{
		struct __ptrace_syscall_info info;

		*signal = 0;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
			if (status >> 16 == 0)
				*signal = WSTOPSIG(status);
			return true;
		}
		if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) < 0)
			return true;
		if (info.op == PTRACE_SYSCALL_INFO_EXIT)
			leave(tid, info);
		else if (info.op == PTRACE_SYSCALL_INFO_ENTRY && is_time_to_go(tid, info))
			return ptrace(PTRACE_DETACH, tid, nullptr, nullptr) != 0;
		else if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
			enter(tid, info);
		return true;
	}

public:
	Refuser(pid_t p, const Refusal &r, int fd, bool s)
	    : pid(p), refusal(r), loaded(fd), stays(s)
	{
	}

	/* Follows the process until it ends or is let go. */
	void follow()
	{
		int status, signal;
		pid_t tid;

		while ((tid = waitpid(-1, &status, __WALL)) > 0 &&
		       (tid != pid || WIFSTOPPED(status))) {
			if (!WIFSTOPPED(status))
				continue;
			if (!handle(tid, status, &signal))
				return;
			ptrace(PTRACE_SYSCALL, tid, nullptr, signal);
		}
	}
};

[[noreturn]] static void trace(pid_t pid, int ready, const Refusal &refusal, int loaded, bool stays)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE;

	/* Whoever waits for the end of what the command prints must not wait for us. */
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	if (ptrace(PTRACE_SEIZE, pid, nullptr, options) || ptrace(PTRACE_INTERRUPT, pid, 0, 0))
		_exit(1);
	close(ready);
	Refuser(pid, refusal, loaded, stays).follow();
	_exit(0);
}

/* The tracer is nobody's child, so that the command does not find one that it has not made. */
static void begin_tracer(const Refusal &refusal, const std::string &file, bool stays)
{
	const pid_t self = getpid();
	int ready[2], status = 0, loaded;
	char byte;

	loaded = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	if (loaded < 0 || pipe2(ready, O_CLOEXEC))
		_exit(98);
	const pid_t between = fork();
	if (!between) {
		const pid_t tracer = fork();

		if (!tracer) {
			close(ready[0]);
			trace(self, ready[1], refusal, loaded, stays);
		}
		_exit(tracer < 0);
	}
	close(ready[1]);
	if (between < 0 || waitpid(between, &status, 0) != between || status)
		_exit(98);
	/* Ends when the tracer has seized us; the exec is still to come. */
	if (read(ready[0], &byte, 1))
		_exit(98);
	close(ready[0]);
	close(loaded);
}

std::function<void()> refuse(const Refusal &refusal, const std::string &loaded, bool stays)
{
	return [=] { begin_tracer(refusal, loaded, stays); };
}

std::set<std::string> loaded_programs(const std::string &loaded)
{
	std::ifstream lines(loaded);
	std::set<std::string> names;

	for (std::string line; std::getline(lines, line);)
		names.insert(line);
	return names;
}
