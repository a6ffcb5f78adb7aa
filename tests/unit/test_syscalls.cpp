// SPDX-License-Identifier: GPL-2.0
// Names and numbers, traits, classes and the grammar of -e are compared with facts that are written
// down here.
#include <cerrno>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "lib/catch.hpp"
#include "unit/syscall_set.hpp"

extern "C" {
#include "model/syscall_table.h"
#include "model/syscalls.h"
}

namespace
{

const enum iotrace_abi every_abi[] = { ABI_64, ABI_32, ABI_X32 };
const char *const abi_names[] = { "64", "32", "x32" };

std::string name_of(enum iotrace_abi abi, int nr)
{
	char buf[40];

	return syscall_name(abi, nr, buf, sizeof(buf));
}

bool is_named(enum iotrace_abi abi, int nr)
{
	return name_of(abi, nr).rfind("syscall_0x", 0) != 0;
}

struct syscall_set parsed(const std::string &expr)
{
	struct syscall_set set;
	char err[200] = "not written";

	INFO(expr);
	// Everything that was in it must be gone.
	memset(&set, 1, sizeof(set));
	int ret = syscall_set_parse(&set, expr.c_str(), err, sizeof(err));
	INFO(err);
	REQUIRE(ret == 0);
	REQUIRE(std::string(err).empty());
	return set;
}

std::string parse_error(const std::string &expr)
{
	struct syscall_set set, before;
	char err[200] = "";

	INFO(expr);
	memset(&set, 0, sizeof(set));
	set.wanted[ABI_32][7] = true;
	before = set;
	REQUIRE(syscall_set_parse(&set, expr.c_str(), err, sizeof(err)) == -EINVAL);
	CHECK(memcmp(&set, &before, sizeof(set)) == 0);
	CHECK(std::string(err).find('\n') == std::string::npos);
	return err;
}

// The names in a set, of one ABI.
std::set<std::string> names(const struct syscall_set &set, enum iotrace_abi abi)
{
	std::set<std::string> all;

	for (int nr = 0; nr < MAX_SYSCALL_NR; nr++) {
		if (set.wanted[abi][nr])
			all.insert(name_of(abi, nr));
	}
	return all;
}

std::set<std::string> names(const std::string &expr, enum iotrace_abi abi = ABI_64)
{
	return names(parsed(expr), abi);
}

using Names = std::set<std::string>;

// The counts of all three ABIs.
std::vector<size_t> counts(const std::string &expr)
{
	struct syscall_set set = parsed(expr);

	return { nr_wanted(set, ABI_64), nr_wanted(set, ABI_32), nr_wanted(set, ABI_X32) };
}

using Counts = std::vector<size_t>;
const size_t all_numbers = MAX_SYSCALL_NR;

} // namespace

TEST_CASE("syscalls: syscalls have strace's names and the kernel's numbers in each ABI",
	  "[syscalls]")
{
	static const struct {
		enum iotrace_abi abi;
		int nr;
		const char *name;
	} facts[] = {
		{ ABI_64, 0, "read" },
		{ ABI_64, 1, "write" },
		{ ABI_64, 17, "pread64" },
		{ ABI_64, 20, "writev" },
		{ ABI_64, 23, "select" },
		{ ABI_64, 40, "sendfile" },
		{ ABI_64, 59, "execve" },
		{ ABI_64, 156, "_sysctl" },
		{ ABI_64, 166, "umount2" },
		{ ABI_64, 231, "exit_group" },
		{ ABI_64, 257, "openat" },
		{ ABI_64, 262, "newfstatat" },
		{ ABI_64, 326, "copy_file_range" },
		{ ABI_64, 424, "pidfd_send_signal" },
		{ ABI_64, 449, "futex_waitv" },
		{ ABI_32, 1, "exit" },
		{ ABI_32, 3, "read" },
		{ ABI_32, 4, "write" },
		{ ABI_32, 22, "umount" },
		{ ABI_32, 52, "umount2" },
		{ ABI_32, 59, "oldolduname" },
		{ ABI_32, 82, "select" },
		{ ABI_32, 102, "socketcall" },
		{ ABI_32, 117, "ipc" },
		{ ABI_32, 140, "_llseek" },
		{ ABI_32, 142, "_newselect" },
		{ ABI_32, 146, "writev" },
		{ ABI_32, 149, "_sysctl" },
		{ ABI_32, 180, "pread64" },
		{ ABI_32, 187, "sendfile" },
		{ ABI_32, 195, "stat64" },
		{ ABI_32, 239, "sendfile64" },
		{ ABI_32, 295, "openat" },
		{ ABI_32, 300, "fstatat64" },
		{ ABI_32, 337, "recvmmsg" },
		{ ABI_32, 359, "socket" },
		{ ABI_32, 369, "sendto" },
		{ ABI_32, 397, "shmat" },
		{ ABI_32, 403, "clock_gettime64" },
		{ ABI_32, 449, "futex_waitv" },
		{ ABI_X32, 0, "read" },
		{ ABI_X32, 20, "writev#64" },
		{ ABI_X32, 59, "execve#64" },
		{ ABI_X32, 257, "openat" },
		{ ABI_X32, 449, "futex_waitv" },
		{ ABI_X32, 512, "rt_sigaction" },
		{ ABI_X32, 516, "writev" },
		{ ABI_X32, 547, "pwritev2" },
	};

	for (const auto &fact : facts) {
		INFO(fact.name << "@" << abi_names[fact.abi]);
		CHECK(name_of(fact.abi, fact.nr) == fact.name);
		CHECK(syscall_number(fact.abi, fact.name) == fact.nr);
	}
}

TEST_CASE("syscalls: a number without a name shows the number, as strace does", "[syscalls]")
{
	CHECK(name_of(ABI_64, 400) == "syscall_0x190");
	CHECK(name_of(ABI_64, 511) == "syscall_0x1ff");
	CHECK(name_of(ABI_32, 222) == "syscall_0xde");
	CHECK(name_of(ABI_X32, 511) == "syscall_0x400001ff");
	CHECK(name_of(ABI_64, 123456) == "syscall_0x1e240");
	// libseccomp has numbers of its own for calls that an architecture lacks; they are not
	// used.
	CHECK(name_of(ABI_32, -101) == "syscall_0xffffff9b");
	CHECK(name_of(ABI_64, -10001) == "syscall_0xffffd8ef");

	char buf[5];
	CHECK(std::string(syscall_name(ABI_64, 262, buf, sizeof(buf))) == "newf");
}

TEST_CASE("syscalls: a name that an ABI lacks has no number there", "[syscalls]")
{
	CHECK(syscall_number(ABI_64, "wrte") == -1);
	CHECK(syscall_number(ABI_64, "") == -1);
	CHECK(syscall_number(ABI_64, "stat64") == -1);
	CHECK(syscall_number(ABI_64, "socketcall") == -1);
	CHECK(syscall_number(ABI_32, "newfstatat") == -1);
	CHECK(syscall_number(ABI_32, "accept") == -1); // On i386 it is only a part of socketcall.
	CHECK(syscall_number(ABI_32, "send") == -1);
	CHECK(syscall_number(ABI_32, "semop") == -1);	   // On i386 it is only a part of ipc.
	CHECK(syscall_number(ABI_64, "breakpoint") == -1); // It is a call of arm.
	CHECK(syscall_number(ABI_64, "writev#64") == -1);
	CHECK(syscall_number(ABI_X32, "write#64") == -1);
	CHECK(syscall_number(ABI_X32, "#64") == -1);
	CHECK(syscall_number(ABI_X32, "writev#6") == -1);
	CHECK(syscall_number(ABI_X32, "writev#64#64") == -1);
	CHECK(syscall_number(ABI_X32, (std::string(100, 'x') + "#64").c_str()) == -1);
}

TEST_CASE("syscalls: every named number is found again by its name", "[syscalls]")
{
	for (auto abi : every_abi) {
		int found = 0;

		for (int nr = 0; nr < 600; nr++) {
			if (nr >= MAX_SYSCALL_NR && abi != ABI_X32)
				break;
			if (!is_named(abi, nr))
				continue;
			INFO(name_of(abi, nr) << "@" << abi_names[abi]);
			CHECK(syscall_number(abi, name_of(abi, nr).c_str()) == nr);
			found++;
		}
		CHECK(found > 350);
	}
}

TEST_CASE("syscalls: the table of classes and traits is sorted", "[syscalls]")
{
	const char *before = "";

	for (const auto &row : syscall_rows) {
		INFO(row.name);
		CHECK(strcmp(before, row.name) < 0);
		CHECK(row.traits);
		before = row.name;
	}
}

TEST_CASE("syscalls: those without a trait stand sorted in the row of their classes", "[syscalls]")
{
	std::set<std::string> all;

	for (const auto &row : syscall_rows)
		all.insert(row.name);
	for (const auto &row : traitless) {
		const char *before = "";

		CHECK(row.classes);
		CHECK(*std::rbegin(row.names) == nullptr);
		for (const char *const *name = row.names; *name; name++) {
			INFO(*name);
			CHECK(strcmp(before, *name) < 0);
			CHECK(all.insert(*name).second);
			before = *name;
		}
	}
}

TEST_CASE("syscalls: calls whose result is a number of bytes moved are known", "[syscalls]")
{
	auto transfers = [](enum iotrace_abi abi) {
		Names all;

		for (int nr = 0; nr < MAX_SYSCALL_NR; nr++) {
			if (syscall_traits(abi, nr).transfers)
				all.insert(name_of(abi, nr));
		}
		return all;
	};
	Names native = {
		"read",
		"write",
		"pread64",
		"pwrite64",
		"readv",
		"writev",
		"preadv",
		"pwritev",
		"preadv2",
		"pwritev2",
		"recvfrom",
		"recvmsg",
		"sendto",
		"sendmsg",
		"sendfile",
		"copy_file_range",
		"splice",
		"tee",
		"vmsplice",
		"getrandom",
		"process_vm_readv",
		"process_vm_writev",
		"getdents",
		"getdents64",
		"mq_timedreceive",
		"msgrcv",
	};
	Names compat = native;
	compat.insert({ "sendfile64", "mq_timedreceive_time64" });

	CHECK(transfers(ABI_64) == native);
	CHECK(transfers(ABI_32) == compat);
	CHECK(syscall_traits(ABI_X32, 516).transfers); // This is writev.
	CHECK(syscall_traits(ABI_X32, syscall_number(ABI_X32, "sendfile")).transfers);
	for (const char *name : { "sendmmsg", "recvmmsg", "readlink", "getcwd", "getxattr", "ioctl",
				  "lseek", "mq_timedsend", "io_uring_enter", "open", "close" }) {
		INFO(name);
		REQUIRE(syscall_number(ABI_64, name) >= 0);
		CHECK_FALSE(syscall_traits(ABI_64, syscall_number(ABI_64, name)).transfers);
	}
	CHECK_FALSE(syscall_traits(ABI_32, 102).transfers); // This is socketcall.
}

TEST_CASE("syscalls: the descriptor of a call is known, and no directory is taken for it",
	  "[syscalls]")
{
	auto on_fd = [](enum iotrace_abi abi, const char *name) {
		INFO(name);
		REQUIRE(syscall_number(abi, name) >= 0);
		return syscall_traits(abi, syscall_number(abi, name)).on_fd;
	};

	for (const char *name : { "read", "write", "writev", "close", "fsync", "fstat", "ftruncate",
				  "lseek", "fcntl", "ioctl", "sendto", "recvmmsg", "getdents64",
				  "sendfile", "splice", "accept4", "flock", "dup2", "epoll_wait" })
		CHECK(on_fd(ABI_64, name));
	for (const char *name : { "_llseek", "fstat64", "fcntl64", "ftruncate64", "fchown32" })
		CHECK(on_fd(ABI_32, name));
	for (const char *name : { "open", "openat", "newfstatat", "statx", "unlinkat", "linkat",
				  "execveat", "socket", "poll", "mmap", "getpid", "sync", "futex" })
		CHECK_FALSE(on_fd(ABI_64, name));
	CHECK_FALSE(on_fd(ABI_32, "socketcall"));
	CHECK_FALSE(syscall_traits(ABI_64, 511).on_fd);
	CHECK_FALSE(syscall_traits(ABI_64, -1).on_fd);
}

TEST_CASE("syscalls: only exit and exit_group never return", "[syscalls]")
{
	for (auto abi : every_abi) {
		Names all;

		for (int nr = 0; nr < MAX_SYSCALL_NR; nr++) {
			if (syscall_traits(abi, nr).never_returns)
				all.insert(name_of(abi, nr));
		}
		CHECK(all == Names{ "exit", "exit_group" });
	}
}

TEST_CASE("syscalls: -e takes names, with and without a qualifier", "[syscalls]")
{
	Names expected = { "openat", "write" };

	CHECK(names("write,openat") == expected);
	CHECK(names("trace=write,openat") == expected);
	CHECK(names("t=write,openat") == expected);
	CHECK(names("write,openat,write") == expected);
	CHECK(names("write,openat", ABI_32) == expected);
	CHECK(names("write,openat", ABI_X32) == expected);
	// A name may be one of any ABI.
	CHECK(counts("stat64") == Counts{ 0, 1, 0 });
	CHECK(counts("newfstatat") == Counts{ 1, 0, 1 });
	CHECK(counts("accept") == Counts{ 1, 0, 1 });
	CHECK(counts("socketcall") == Counts{ 0, 1, 0 });
	CHECK(counts("writev#64") == Counts{ 0, 0, 1 });
}

TEST_CASE("syscalls: -e limits an item to an ABI", "[syscalls]")
{
	CHECK(counts("write@64") == Counts{ 1, 0, 0 });
	CHECK(counts("write@32") == Counts{ 0, 1, 0 });
	CHECK(counts("write@x32") == Counts{ 0, 0, 1 });
	CHECK(counts("socket@32,4@64") == Counts{ 1, 1, 0 });
	CHECK(names("4@64") == Names{ "stat" });
	CHECK(names("/^umount@32", ABI_32) == Names{ "umount", "umount2" });
	CHECK(counts("/^umount@32")[0] == 0);
	CHECK(names("%pure@64").count("getpid") == 1);
	CHECK(counts("%pure@64")[1] == 0);
	CHECK(counts("all@32") == Counts{ 0, all_numbers, 0 });
	CHECK(counts("none@32") == Counts{ 0, 0, 0 });
}

TEST_CASE("syscalls: -e takes numbers, in every ABI and with no name", "[syscalls]")
{
	CHECK(names("1", ABI_64) == Names{ "write" });
	CHECK(names("1", ABI_32) == Names{ "exit" });
	CHECK(names("1", ABI_X32) == Names{ "write" });
	CHECK(names("0001") == Names{ "write" });
	CHECK(names("400") == Names{ "syscall_0x190" });
	CHECK(counts(std::to_string(MAX_SYSCALL_NR - 1)) == Counts{ 1, 1, 1 });
}

TEST_CASE("syscalls: -e takes classes, some of them without their percent sign", "[syscalls]")
{
	CHECK(names("%stat") == Names{ "stat" });
	CHECK(names("%fstat") == Names{ "fstat", "newfstatat", "statx" });
	CHECK(names("%%stat", ABI_32) == Names{ "fstat", "fstat64", "fstatat64", "lstat", "lstat64",
						"oldfstat", "oldlstat", "oldstat", "stat", "stat64",
						"statx" });
	CHECK(names("%%statfs") == Names{ "fstatfs", "statfs", "ustat" });
	CHECK(names("%net") == names("%network"));
	for (const char *old :
	     { "file", "desc", "network", "process", "memory", "signal@64", "ipc@64" })
		CHECK(names(old) == names(std::string("%") + old));
	// These two are syscalls of i386, but also classes.
	CHECK(counts("signal@32")[1] > 1);
	CHECK(counts("ipc@32") == Counts{ 0, 12, 0 });
}

TEST_CASE("syscalls: %io is what reads, writes, moves and syncs", "[syscalls]")
{
	Names io = {
		"read",	     "write",	 "pread64",	   "pwrite64",	      "readv",	  "writev",
		"preadv",    "pwritev",	 "preadv2",	   "pwritev2",	      "sendfile", "splice",
		"tee",	     "vmsplice", "fsync",	   "copy_file_range", "sync",	  "msync",
		"fdatasync", "syncfs",	 "sync_file_range"
	};

	CHECK(names("%io") == io);
	io.insert("sendfile64");
	CHECK(names("%io", ABI_32) == io);
}

TEST_CASE("syscalls: %output is what opens, writes, syncs and closes", "[syscalls]")
{
	const Names output = { "write", "writev", "pwrite64",	     "pwritev", "pwritev2",
			       "open",	"openat", "openat2",	     "creat",	"close",
			       "fsync", "sync",	  "sync_file_range", "syncfs",	"fdatasync" };

	CHECK(names("%output") == output);
	CHECK(names("%output", ABI_32) == output);
	CHECK(names("%output", ABI_X32).count("writev") == 1);
}

TEST_CASE("syscalls: %findings is all that the rules look at, and it is the default", "[syscalls]")
{
	Names findings = { "lseek",	 "sendto",   "sendmsg", "sendmmsg",   "recvfrom",
			   "recvmsg",	 "recvmmsg", "access",	"faccessat",  "faccessat2",
			   "stat",	 "lstat",    "statx",	"newfstatat", "readlink",
			   "readlinkat", "fstat",    "fcntl",	"flock",      "ioctl",
			   "getcwd",	 "mkdir",    "mkdirat", "clone",      "clone3",
			   "fork",	 "vfork" };

	for (const char *part : { "%io", "%output" })
		for (const std::string &name : names(part))
			findings.insert(name);
	CHECK(names("%findings") == findings);
	CHECK(names(SYSCALL_SET_DEFAULT) == findings);
	/* A file's reads, seeks and syncs, and all looks at paths, are among them. */
	struct syscall_traits traits;
	const char *name;
	for (size_t i = 0; (name = syscall_known(i, &traits)); i++)
		if (syscall_number(ABI_64, name) >= 0 &&
		    (traits.action == ACTION_LOOKS || traits.action == ACTION_OPENS ||
		     (traits.on_fd && traits.action >= ACTION_READS &&
		      traits.action <= ACTION_SEEKS && traits.action != ACTION_LOOKS)))
			CHECK(findings.count(name) == 1);
}

TEST_CASE("syscalls: -e takes regular expressions", "[syscalls]")
{
	CHECK(names("/^p?write(v2|64)?$") == Names{ "pwrite64", "pwritev2", "write" });
	CHECK(names("/^p(read|write)") ==
	      Names{ "pread64", "preadv", "preadv2", "pwrite64", "pwritev", "pwritev2" });
	CHECK(names("/umount,write") == Names{ "umount2", "write" });
	CHECK(names("/").size() > 350);
	CHECK(names("/").count("syscall_0x190") == 0);
}

TEST_CASE("syscalls: -e accepts unknown names after a question mark", "[syscalls]")
{
	CHECK(names("?write") == Names{ "write" });
	CHECK(names("??write") == Names{ "write" });
	CHECK(names("?nosuchcall,write") == Names{ "write" });
	CHECK(names("write,?nosuchcall") == Names{ "write" });
	CHECK(counts("?nosuchcall") == Counts{ 0, 0, 0 });
	CHECK(counts("?nosuchcall@32,?%nosuch,?/nosuch,?99999,?1x") == Counts{ 0, 0, 0 });
	CHECK(counts("!?nosuchcall") == Counts{ all_numbers, all_numbers, all_numbers });
}

TEST_CASE("syscalls: -e takes all, none and negation", "[syscalls]")
{
	Counts all = { all_numbers, all_numbers, all_numbers };
	Counts none = { 0, 0, 0 };

	CHECK(counts("all") == all);
	CHECK(counts("trace=all") == all);
	CHECK(counts("!none") == all);
	CHECK(counts("!!all") == all);
	CHECK(counts("write,all") == all);
	CHECK(counts("none") == none);
	CHECK(counts("!all") == none);
	CHECK(counts("t=!all") == none);
	CHECK(names("none,write") == Names{ "write" });
	CHECK(names("!!write") == Names{ "write" });

	struct syscall_set set = parsed("trace=!write,openat");
	CHECK(nr_wanted(set, ABI_64) == all_numbers - 2);
	CHECK_FALSE(set.wanted[ABI_64][1]);
	CHECK_FALSE(set.wanted[ABI_64][257]);
	CHECK_FALSE(set.wanted[ABI_32][4]);
	CHECK(set.wanted[ABI_64][0]);
	CHECK(set.wanted[ABI_64][511]);
	CHECK(counts("!write@64") == Counts{ all_numbers - 1, all_numbers, all_numbers });
}

TEST_CASE("syscalls: -e names the wrong word", "[syscalls]")
{
	static const struct {
		const char *expr, *error;
	} cases[] = {
		{ "wrte", "unknown syscall 'wrte': did you mean 'write'?" },
		{ "trace=read,wriet", "unknown syscall 'wriet': did you mean 'write'?" },
		{ "!opennat", "unknown syscall 'opennat': did you mean 'openat'?" },
		{ "xyzzyxyzzy", "unknown syscall 'xyzzyxyzzy'" },
		{ "Write", "unknown syscall 'Write': did you mean 'write'?" },
		{ " write", "unknown syscall ' write': did you mean 'write'?" },
		{ "pread", "unknown syscall 'pread': did you mean 'pread64'?" },
		{ "clock", "unknown syscall 'clock': did you mean '%clock'?" },
		{ "io", "unknown syscall 'io': did you mean '%io'?" },
		{ "trace", "unknown syscall 'trace': did you mean 'ptrace'?" },
		{ "wrte@32", "unknown syscall 'wrte@32': did you mean 'write'?" },
		{ "stat64@64", "'stat64@64': there is no 'stat64' in that ABI, only in 32" },
		{ "send", "'send' is a part of 32-bit 'socketcall' and cannot be told from its "
			  "other calls" },
		{ "semop@32", "'semop@32' is a part of 32-bit 'ipc' and cannot be told from its "
			      "other calls" },
		{ "write@", "unknown ABI '@' in 'write@': it is 64, 32 or x32" },
		{ "?write@i386", "unknown ABI '@i386' in 'write@i386': it is 64, 32 or x32" },
		{ "%nope", "unknown class '%nope'" },
		{ "%fiel", "unknown class '%fiel': did you mean '%file'?" },
		{ "%", "unknown class '%'" },
		{ "%all", "unknown class '%all'" },
		{ "99999", "syscall number out of range: '99999' (0 to" },
		{ "99999999999999999999@32", "out of range: '99999999999999999999@32'" },
		{ "0x10", "'0x10' is neither a syscall's number nor a name" },
		{ "1,2-4", "'2-4' is neither a syscall's number nor a name" },
		{ "/(", "bad regular expression '(': Unmatched ( or \\(" },
		{ "?/[", "bad regular expression '[': " },
		{ "/nosuchcall", "no syscall's name matches '/nosuchcall'" },
		{ "write,,read", "empty item in 'write,,read'" },
		{ "write,", "empty item in 'write,'" },
		{ ",write", "empty item in ',write'" },
		{ "?", "empty item in '?'" },
		{ "read,@32", "empty item in 'read,@32'" },
		{ "", "empty set of syscalls: -e ''" },
		{ "trace=", "empty set of syscalls: -e 'trace='" },
		{ "t=!", "empty set of syscalls: -e 't=!'" },
		{ "inject=all:error=EIO", "not supported by iotrace: -e inject=" },
		{ "signal=none", "not supported by iotrace: -e signal=" },
		{ "status=failed", "not supported by iotrace: -e status=" },
		{ "write=1", "not supported by iotrace: -e write=" },
		{ "foo=write", "unknown qualifier 'foo' in 'foo=write'" },
	};

	for (const auto &c : cases) {
		INFO(c.expr);
		CHECK_THAT(parse_error(c.expr), ContainsSubstring(c.error));
	}
}

TEST_CASE("syscalls: -e's reason fits into any buffer", "[syscalls]")
{
	std::string word(500, 'x'), room(20, '#');
	struct syscall_set set;

	CHECK(parse_error(word).size() == 199);
	CHECK(syscall_set_parse(&set, word.c_str(), &room[0], 10) == -EINVAL);
	CHECK(room == std::string("unknown s") + '\0' + std::string(10, '#'));
	CHECK(syscall_set_parse(&set, word.c_str(), nullptr, 0) == -EINVAL);
	CHECK(syscall_set_parse(&set, "?nosuchcall", nullptr, 0) == 0);
}
