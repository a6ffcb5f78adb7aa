// SPDX-License-Identifier: GPL-2.0
// Names, classes and sets of syscalls are compared with the installed strace. A filter refuses
// every call of a process, so it can make all of them; strace, which sees a call before the filter
// does, prints those that it selects.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/catch.hpp"
#include "lib/skip.hpp"

extern "C" {
#include "model/syscalls.h"
}

namespace
{

const enum iotrace_abi every_abi[] = { ABI_64, ABI_32, ABI_X32 };
const char *const abi_names[] = { "64", "32", "x32" };
const int x32_bit = 0x40000000;

std::string name_of(enum iotrace_abi abi, int nr)
{
	char buf[40];

	return syscall_name(abi, nr, buf, sizeof(buf));
}

bool is_named(enum iotrace_abi abi, int nr)
{
	return name_of(abi, nr).rfind("syscall_0x", 0) != 0;
}

const int last_exit = 0x77;

/* Name of the hidden case that strace runs. */
#define EVERY_SYSCALL "syscalls strace: every syscall is made once"

int refuse_every_syscall()
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, last_exit, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

void make_32_bit_syscall(long nr)
{
	asm volatile("int $0x80"
		     : "+a"(nr)
		     : "b"(0), "c"(0), "d"(0), "S"(0), "D"(0)
		     : "memory", "r8", "r9", "r10", "r11");
}

// The calls that strace selects with an expression, by ABI and number; only calls that strace has
// names for.
struct Selected {
	std::map<int, std::string> calls[NR_ABIS];
};

// Each call has a number below end.
Selected strace_selects(const std::string &expr, int end)
{
	// strace says on stderr, among the calls, when the ABI changes.
	std::string command = "TEST_HELPER=" + std::to_string(end) + " strace -n -e trace='" +
			      expr + "' /proc/$PPID/exe '" EVERY_SYSCALL "' 2>&1 >/dev/null";
	FILE *pipe = popen(command.c_str(), "r");
	enum iotrace_abi abi = ABI_64;
	Selected selected;
	char line[4096], name[40];
	int nr;

	REQUIRE(pipe);
	while (fgets(line, sizeof(line), pipe)) {
		if (strstr(line, "runs in 64 bit mode"))
			abi = ABI_64;
		else if (strstr(line, "runs in 32 bit mode"))
			abi = ABI_32;
		else if (strstr(line, "runs in x32 mode"))
			abi = ABI_X32;
		else if (sscanf(line, "[%d] %39[a-z0-9_#](", &nr, name) == 2 &&
			 strncmp(name, "syscall_0x", 10))
			selected.calls[abi][nr & ~x32_bit] = name;
	}
	pclose(pipe);
	return selected;
}

// A newer strace or libseccomp knows more calls: calls that only one of them knows are not
// compared.
const Selected &strace_knows()
{
	static const Selected all = strace_selects("all", MAX_SYSCALL_NR);

	return all;
}

// All numbers of calls that strace knows are below this.
int end_of_calls()
{
	int last = 0;

	for (auto abi : every_abi)
		last = std::max(last, strace_knows().calls[abi].rbegin()->first);
	return last + 1;
}

#define REQUIRE_STRACE()                                                  \
	do {                                                              \
		if (system("strace -o /dev/null true 2>/dev/null"))       \
			SKIP_CASE("strace is missing or must not trace"); \
		for (auto abi : every_abi)                                \
			REQUIRE(strace_knows().calls[abi].size() > 300);  \
	} while (0)

} // namespace

TEST_CASE(EVERY_SYSCALL, "[.helper]")
{
	// Hidden test cases were not meant to be run.
	if (!getenv("TEST_HELPER"))
		return;
	const long end = atol(getenv("TEST_HELPER"));
	if (refuse_every_syscall())
		return;
	for (long nr = 0; nr < end; nr++) {
		// The entries of uretprobe and uprobe, which no filter can refuse: the process gets
		// SIGILL.
		if (nr != 335 && nr != 336)
			syscall(nr, 0L, 0L, 0L, 0L, 0L, 0L);
	}
	for (long nr = 0; nr < end; nr++)
		syscall(nr | x32_bit, 0L, 0L, 0L, 0L, 0L, 0L);
	for (long nr = 0; nr < end; nr++)
		make_32_bit_syscall(nr);
	syscall(SYS_exit_group, (long)last_exit);
}

TEST_CASE("syscalls strace: names are the installed strace's", "[syscalls][strace]")
{
	REQUIRE_STRACE();
	for (auto abi : every_abi) {
		int compared = 0;

		for (const auto &call : strace_knows().calls[abi]) {
			if (call.first >= MAX_SYSCALL_NR || !is_named(abi, call.first))
				continue;
			CHECK(name_of(abi, call.first) == call.second);
			compared++;
		}
		CHECK(compared > 350);
	}
}

TEST_CASE("syscalls strace: sets are the installed strace's", "[syscalls][strace]")
{
	static const char *const expressions[] = {
		"%file",
		"%desc",
		"%network",
		"%net",
		"%process",
		"%memory",
		"%signal",
		"%ipc",
		"%clock",
		"%creds",
		"%stat",
		"%lstat",
		"%fstat",
		"%%stat",
		"%statfs",
		"%fstatfs",
		"%%statfs",
		"%pure",
		"file@64",
		"desc@32",
		"network@x32",
		"process",
		"memory@64",
		"signal@32",
		"ipc@32",
		"none",
		"!none",
		"all@32",
		"1",
		"!4@32",
		"!%desc,file",
		"!!write",
		"/^p?(read|write)v?",
		"!/a@64",
		"write@x32,t@64,?u",
		"??none_such,t=write",
	};

	REQUIRE_STRACE();
	for (std::string expr : expressions) {
		std::vector<std::string> different;
		struct syscall_set set;
		char err[200];

		// Some expressions are errors: then both must refuse them.
		if (syscall_set_parse(&set, expr.c_str(), err, sizeof(err)))
			memset(&set, 0, sizeof(set));
		Selected selected = strace_selects(expr, end_of_calls());
		for (auto abi : every_abi) {
			for (const auto &call : strace_knows().calls[abi]) {
				int nr = call.first;

				// In strace, %desc contains mq_notify, but not under this number.
				if (nr >= MAX_SYSCALL_NR || !is_named(abi, nr) ||
				    call.second == "mq_notify#64")
					continue;
				if (set.wanted[abi][nr] != (selected.calls[abi].count(nr) > 0))
					different.push_back(call.second + "@" + abi_names[abi]);
			}
		}
		INFO(expr);
		CHECK(different == std::vector<std::string>());
	}
}
