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
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* The kernel keeps this much of a name: BPF_OBJ_NAME_LEN, its NUL included. */
static std::string kept(const std::string &name)
{
	return name.substr(0, BPF_OBJ_NAME_LEN - 1);
}

/* The tracer of one process with one thread. Nothing here throws: it runs in a forked child. */
class Refuser
{
	const pid_t pid;
	const Refusal &refusal;
	const int loaded;
	const bool stays;
	bool refused = false;
	std::string loading;

	/* The name in the attributes of a call of bpf(2). */
	std::string name_at(unsigned long attributes, int command) const
	{
		const size_t at = command == BPF_MAP_CREATE ? offsetof(union bpf_attr, map_name)
							    : offsetof(union bpf_attr, prog_name);
		char name[BPF_OBJ_NAME_LEN + 1] = {};
		struct iovec here = { name, BPF_OBJ_NAME_LEN },
			     there = { reinterpret_cast<void *>(attributes + at),
				       BPF_OBJ_NAME_LEN };

		process_vm_readv(pid, &here, 1, &there, 1, 0);
		return name;
	}

	void enter(const struct __ptrace_syscall_info &info)
	{
		const int command = static_cast<int>(info.entry.args[0]);
		struct user_regs_struct regs;

		if (info.entry.nr != SYS_bpf)
			return;
		const std::string name = name_at(info.entry.args[1], command);
		/* Those by which libbpf finds out what the kernel can do are left alone. */
		if (command == BPF_PROG_LOAD && name.compare(0, 7, "libbpf_") != 0)
			loading = name;
		if (command != refusal.command ||
		    (!refusal.name.empty() && name != kept(refusal.name)))
			return;
		refused = true;
		ptrace(PTRACE_GETREGS, pid, nullptr, &regs);
		regs.orig_rax = -1UL;
		ptrace(PTRACE_SETREGS, pid, nullptr, &regs);
	}

	void leave(const struct __ptrace_syscall_info &info)
	{
		struct user_regs_struct regs;

		if (refused) {
			ptrace(PTRACE_GETREGS, pid, nullptr, &regs);
			regs.rax = static_cast<unsigned long>(-refusal.error);
			ptrace(PTRACE_SETREGS, pid, nullptr, &regs);
		} else if (!loading.empty() && info.exit.rval >= 0) {
			loading += '\n';
			if (write(loaded, loading.data(), loading.size()) < 0)
				_exit(1);
		}
		refused = false;
		loading.clear();
	}

	bool is_time_to_go(const struct __ptrace_syscall_info &info) const
	{
		const auto nr = static_cast<long>(info.entry.nr);

		return !stays && (nr == SYS_fork || nr == SYS_vfork || nr == SYS_clone ||
				  nr == SYS_clone3 || nr == SYS_capset);
	}

	/* Handles a stop; false if the process has been let go. Sets the signal that it gets. */
	bool handle(int status, int *signal)
	{
		struct __ptrace_syscall_info info;

		*signal = 0;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
			if (status >> 16 == 0)
				*signal = WSTOPSIG(status);
			return true;
		}
		if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) < 0)
			return true;
		if (info.op == PTRACE_SYSCALL_INFO_EXIT)
			leave(info);
		else if (info.op == PTRACE_SYSCALL_INFO_ENTRY && is_time_to_go(info))
			return ptrace(PTRACE_DETACH, pid, nullptr, nullptr) != 0;
		else if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
			enter(info);
		return true;
	}

public:
	Refuser(pid_t p, const Refusal &r, int fd, bool s)
	    : pid(p), refusal(r), loaded(fd), stays(s)
	{
	}

	/* Until it ends or is let go. */
	void follow()
	{
		int status, signal;

		while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status)) {
			if (!handle(status, &signal))
				return;
			ptrace(PTRACE_SYSCALL, pid, nullptr, signal);
		}
	}
};

[[noreturn]] static void trace(pid_t pid, int ready, const Refusal &refusal, int loaded, bool stays)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC;

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
