// SPDX-License-Identifier: GPL-2.0
#include "lib/inject.hpp"

#include "lib/checked.hpp"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>

/* The "syscall" instruction, as the low bytes of a word. */
static constexpr long SYSCALL_INSTRUCTION = 0x050f;

/* A process that we have stopped. The destructor lets it go on as if nothing had happened. */
class Stopped
{
	const pid_t pid;
	user_regs_struct saved_regs;
	long saved_code;

	void ask(enum __ptrace_request request, void *address, void *data, const char *what) const
	{
		if (ptrace(request, pid, address, data) < 0)
			fail(what);
	}

	void wait_for_stop() const
	{
		int status;

		checked(waitpid(pid, &status, __WALL), "waitpid");
		if (!WIFSTOPPED(status))
			throw std::runtime_error("the process ended");
	}

	void *code() const
	{
		return reinterpret_cast<void *>(saved_regs.rip);
	}

public:
	explicit Stopped(pid_t process) : pid(process)
	{
		ask(PTRACE_SEIZE, nullptr, nullptr, "PTRACE_SEIZE");
		ask(PTRACE_INTERRUPT, nullptr, nullptr, "PTRACE_INTERRUPT");
		wait_for_stop();
		ask(PTRACE_GETREGS, nullptr, &saved_regs, "PTRACE_GETREGS");
		errno = 0;
		saved_code = ptrace(PTRACE_PEEKTEXT, pid, code(), nullptr);
		if (errno)
			fail("PTRACE_PEEKTEXT");
	}

	Stopped(const Stopped &) = delete;

	~Stopped()
	{
		ptrace(PTRACE_POKETEXT, pid, code(), reinterpret_cast<void *>(saved_code));
		ptrace(PTRACE_SETREGS, pid, nullptr, &saved_regs);
		ptrace(PTRACE_DETACH, pid, nullptr, nullptr);
	}

	long call(long nr, unsigned long arg)
	{
		user_regs_struct regs = saved_regs;

		regs.rax = static_cast<unsigned long>(nr);
		regs.rdi = arg;
		/* An interrupted call is restarted when its registers are back. */
		regs.orig_rax = -1UL;
		ask(PTRACE_POKETEXT, code(),
		    reinterpret_cast<void *>((saved_code & ~0xffffL) | SYSCALL_INSTRUCTION),
		    "PTRACE_POKETEXT");
		ask(PTRACE_SETREGS, nullptr, &regs, "PTRACE_SETREGS");
		ask(PTRACE_SINGLESTEP, nullptr, nullptr, "PTRACE_SINGLESTEP");
		wait_for_stop();
		ask(PTRACE_GETREGS, nullptr, &regs, "PTRACE_GETREGS");
		return static_cast<long>(regs.rax);
	}
};

void close_descriptor_of(pid_t pid, int fd)
{
	Stopped process(pid);
	const long result = process.call(SYS_close, static_cast<unsigned long>(fd));

	if (result)
		throw std::runtime_error("close() in the process returned " +
					 std::to_string(result));
}
