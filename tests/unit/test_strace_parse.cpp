// SPDX-License-Identifier: GPL-2.0
// The parser of strace's log: crafted lines of every kind.
#include "unit/strace_test.hpp"

extern "C" {
#include "trace/strace/path_filter.h"
}

#define AT    "[00007f0f562d5829] "
#define WRITE "[   1] " AT "write("
#define READ  "[   0] " AT "read("
#define ENDED "[????????????????] +++ "

TEST_CASE("strace parse: results are read")
{
	CHECK(parsed("") == "");
	CHECK(parsed("7 " WRITE "0x1, 0x2, 0x4) = 0x4 <0.000001234>\n") ==
	      "write 1 bytes 4 ns 1234; ");
	CHECK(parsed("12345 " WRITE "0x1) = 16 <0.0012>\n") == "write 1 bytes 16 ns 1200000; ");
	CHECK(parsed("7 " WRITE "0x1) = 0 <12.5>\n") == "write 1 bytes 0 ns 12500000000; ");
	CHECK(parsed("7 " WRITE "0x1) = 0 <3>\n") == "write 1 bytes 0 ns 3000000000; ");
	CHECK(parsed("7 " WRITE "0x1)    = 0\n") == "write 1 bytes 0; ");
	CHECK(parsed("7 " WRITE "0x1) = -1 EPIPE (Broken pipe) <0.000000009>\n") ==
	      "write 1 errors 1 EPIPE 1 bytes 0 ns 9; ");
	CHECK(parsed("7 " WRITE "0x1) = -1 EPIPE\n") == "write 1 errors 1 EPIPE 1 bytes 0; ");
	CHECK(parsed("7 " WRITE "0x1) = -1 (errno 4000) <0.000001>\n") ==
	      "write 1 errors 1 errno 4000 1 bytes 0 ns 1000; ");
	CHECK(parsed("7 " READ
		     "0) = ? ERESTARTSYS (To be restarted if SA_RESTART is set) <0.1>\n") ==
	      "read 1 errors 1 ERESTARTSYS 1 bytes 0 ns 100000000; ");
	CHECK(parsed("7 " READ "0) = -1 ERESTARTNOHAND (Unknown error 514) <0.1>\n") ==
	      "read 1 errors 1 ERESTARTNOHAND 1 bytes 0 ns 100000000; ");
	CHECK(parsed("7 [   9] " AT "mmap(0) = 0xffffffffff600000 <0.000001>\n") ==
	      "mmap 1 ns 1000; ");
	/* An unknown error name is an error without a number. */
	CHECK(parsed("7 " WRITE "0x1) = -1 EFUTURE (New) <0.000001>\n") ==
	      "write 1 errors 1 bytes 0 ns 1000; ");
	/* Text after a result, in any language, is neither a time nor an error. */
	CHECK(parsed("7 " READ "3) = 5 (EPIPE <0.5> or) EIO <0.1> here\n") == "read 1 bytes 5; ");
	CHECK(parsed("7 " READ "3) = -1 EIO (Ein-/Ausgabe <0.7> \xc3\xa4 (x)) <0.000002>\n") ==
	      "read 1 errors 1 EIO 1 bytes 0 ns 2000; ");
	CHECK(parsed("7 " READ "3) = 5 <99999999999999999999999999>\n") == "read 1 bytes 5; ");
	CHECK(parsed("7 " READ "3) = 99999999999999999999999\n") == "lost 1; ");
}

TEST_CASE("strace parse: unfinished, resumed and never returning calls are read")
{
	CHECK(parsed("7 " READ "0 <unfinished ...>\n"
		     "8 " WRITE "1, 2) = 0x2 <0.000001>\n"
		     "7 [   0] " AT "<... read resumed>, \"a) = 1\", 10) = 3 <0.5>\n") ==
	      "read 1 bytes 3 ns 500000000; write 1 bytes 2 ns 1000; ");
	/* A call is resumed without a beginning if strace attached during it. */
	CHECK(parsed("7 [   0] " AT "<... read resumed>) = 3 <0.5>\n") == "");
	CHECK(parsed("7 " READ "0 <unfinished ...>) = ?\n7 " ENDED "killed by SIGKILL +++\n") ==
	      "died 1; ");
	CHECK(parsed("7 " READ "0 <unfinished ...>\n7 " ENDED
		     "killed by SIGSEGV (core dumped) +++\n") == "died 1; ");
	CHECK(parsed("7 " READ "0) = ? <unavailable>\n7 " ENDED "exited with 0 +++\n") ==
	      "died 1; ");
	CHECK(parsed("7 " READ "0) = -1 (errno 18446744073709551554) <0.004793439>\n7 " ENDED
		     "killed by SIGKILL +++\n") == "died 1; ");
	CHECK(parsed("7 [ 231] " AT "exit_group(0) = ?\n7 " ENDED "exited with 0 +++\n") ==
	      "died 1; ");
	CHECK(parsed("7 " READ "0 <detached ...>\n") == "in read 7 for 2000; ");
	CHECK(parsed("7 " READ "0") == "in read 7 for 2000; ");
	CHECK(parsed("7 " READ "0 <unfinished ...>\n7 " WRITE "1) = 1\n") ==
	      "write 1 bytes 1; lost 1; ");
	CHECK(parsed("9 [ 219] " AT "restart_syscall(<... resuming interrupted read ...>) = 0\n") ==
	      "restart_syscall 1; ");
}

TEST_CASE("strace parse: a thread that executes a program becomes its leader")
{
	const std::string log = "7 [ 202] " AT "futex(0 <unfinished ...>\n"
				"8 [  59] " AT "execve(0x5 <unfinished ...>\n"
				"7 [ 202] " AT "<... futex resumed>) = ?\n"
				"7 [  59] " AT "+++ superseded by execve in pid 8 +++\n"
				"7 [  59] " AT "<... execve resumed>) = 0 <0.000219>\n"
				"7 " READ "0";

	CHECK(parsed(log) == "execve 1 ns 219000; in read 7 for 2000; died 1; ");
	/* Here strace had finished neither the line of one nor the call of the other. */
	CHECK(parsed("7 [ 202] " AT "futex(0 <unfinished ...>\n"
		     "8 [  59] " AT "execve(0x5 <pid changed to 7 ...>\n"
		     "7 [  59] " AT "+++ superseded by execve in pid 8 +++\n"
		     "7 [  59] " AT
		     "<... execve resumed>) = 0 <0.000219>\n") == "execve 1 ns 219000; died 1; ");
	/* strace takes this result for that of the next call. */
	for (const char *result :
	     { "-1 (errno 18446744073709551613)", "-1 ENOSYS (Function)", "0x9" })
		CHECK(parsed("8 [  59] " AT "execve(0x5 <unfinished ...>\n"
			     "7 [  59] " AT "+++ superseded by execve in pid 8 +++\n"
			     "7 [  59] " AT "<... execve resumed>) = " +
			     std::string(result) + " <0.000219>\n7 " READ "0) = 3\n") ==
		      "read 1 bytes 3; execve 1 ns 219000; ");
	CHECK(parsed("8 [  59] " AT "execve(0x5 <unfinished ...>\n"
		     "7 [  59] " AT "+++ superseded by execve in pid 8 +++\n"
		     "7 [  59] " AT "<... execve resumed>) = ?\n7 " ENDED
		     "killed by SIGSEGV +++\n") == "died 1; ");
}

TEST_CASE("strace parse: other lines and garbage are ignored")
{
	CHECK(parsed("7 " READ "0) = 1\n"
		     "7 [   0] " AT "--- SIGCHLD {si_signo=SIGCHLD, si_pid=3} ---\n"
		     "7 [   0] " AT "--- stopped by SIGSTOP ---\n"
		     "strace: Process 9 attached\n"
		     "[ Process PID=7 runs in 32 bit mode. ]\n"
		     " <ptrace(SYSCALL,7):No such process>\n"
		     "\n \n7\n7 \n+++\n7 +++ +++\n<... read resumed>) = 1\n"
		     "% time     seconds  usecs/call     calls    errors syscall\n"
		     "100.00    0.000100          10        10           write\n"
		     "write(1) = 1\n99999999 " WRITE "1) = 1\n-7 " WRITE "1) = 1\n0 " WRITE
		     "1) = 1\n"
		     "7 [?]  [?] x(\n7 " WRITE "1) = 2\n") == "read 1 bytes 1; write 1 bytes 2; ");
	/* Calls that cannot be parsed are lost, and counted as lost. */
	CHECK(parsed("7 " WRITE "1) 2\n7 " WRITE "1\n7 " WRITE "1) = x\n7 " WRITE
		     "\"1) = 1\n7 " WRITE "1) =\n7 " WRITE
		     "1) = 3\n") == "write 1 bytes 3; lost 5; ");
	CHECK(parsed(std::string("7 " WRITE "\0\0) = 3\n\0\0\n7 \0 = 1\n7 " WRITE "1) = 1\n",
				 90)) != "");
	/* A long line needs no memory. */
	CHECK(parsed("7 " WRITE "\"" + std::string(3000000, 'x') + "\") = 3 <0.000001>\n" +
		     std::string(1000000, '7') + " " WRITE "1) = 1\n7 [" + std::string(5000, '1') +
		     "] " AT "write(1) = 1\n7 " READ + std::string(500000, '(') + "\n") ==
	      "write 1 bytes 3 ns 1000; lost 1; ");
}

TEST_CASE("strace parse: decoded arguments are skipped")
{
	CHECK(parsed("7 " AT "write(1, \"a\\\"b) = 9 <0.9>\\\\\"..., 20) = 20 <0.000002>\n",
		     NAMED) == "write 1 bytes 20 ns 2000; ");
	CHECK(parsed("7 " AT "read(3</tmp/a) = 7 \"q\" \\74\\76->, 1<<2, {x=(1)}, \"\", 5) = 5 "
		     "<0.000002>\n",
		     NAMED) == "read 1 bytes 5 ns 2000; ");
	CHECK(parsed("7 " AT
		     "read(4<TCP:[1.1.1.1:1->[::1]:2]>, 5</dev/null<char 1:3>>) = 5 <0.5>\n",
		     NAMED) == "read 1 bytes 5 ns 500000000; ");
	CHECK(parsed("7 " AT
		     "openat(AT_FDCWD</x) = 1>, \"f\", 0) = 3</tmp/a = 3 (b) <0.5>-> <0.000002>\n",
		     NAMED) == "openat 1 ns 2000; ");
	CHECK(parsed("7 " AT "dup(3</a->) = 4</a->\n", NAMED) == "dup 1; ");
	CHECK(parsed("7 " AT "poll([{fd=3, events=POLLIN}], 1, -1) = 1 ([{fd=3, revents=POLLIN}]) "
		     "<0.000002>\n",
		     NAMED) == "poll 1 ns 2000; ");
}

TEST_CASE("strace parse: ABIs are told apart")
{
	CHECK(parsed("7 [   4] [f7ee65e9] write(3) = 0x3\n"
		     "7 [  20] [557f8423621c] getpid() = 7\n"
		     "7 [1073741825] [7f293caa2829] write(1) = -1 ENOSYS (Function not "
		     "implemented)\n"
		     "7 [ 470] " AT "syscall_0x1d6(1) = 0\n"
		     "7 [5000] " AT "syscall_0x1388(1) = 0\n"
		     "7 [18446744073709551615] " AT "syscall_0xffffffffffffffff(1) = 0\n") ==
	      "syscall_0x1d6 1; write@32 1 bytes 3; getpid@32 1; "
	      "write@x32 1 errors 1 ENOSYS 1 bytes 0; ");
	CHECK(parsed("7 [f7ee65e9] write(3) = 3\n7 [f7ee65e9] writev#64(3) = 3\n"
		     "7 " AT "syscall_0x1d6(1) = 0\n7 " AT "nosuchcall(1) = 0\n",
		     NAMED) == "syscall_0x1d6 1; write@32 1 bytes 3; writev#64@x32 1 bytes 3; ");
	/* The call that was entered counts, whichever call returned. */
	CHECK(parsed("7 [  59] " AT "execve(1 <unfinished ...>\n"
		     "7 [  11] [f7ee65e9] <... execve resumed>) = 0\n") == "execve 1; ");
}

static pid_t process_of_nobody(pid_t)
{
	return 0;
}

static pid_t process_of_12(pid_t tid)
{
	return tid == 12 ? 7 : 0;
}

static void no_name(pid_t, char *comm, size_t size)
{
	snprintf(comm, size, "?");
}

static char *no_executable(pid_t)
{
	return nullptr;
}

static const strace_proc NOTHING = { process_of_nobody, process_of_nobody, no_name, no_executable };
static const strace_proc OF_12 = { process_of_12, process_of_nobody, no_name, no_executable };

#define CLONE	"[  56] " AT "clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD"
#define THREAD	"[ 435] " AT "clone3({flags=CLONE_VM|CLONE_THREAD|CLONE_SYSVSEM, stack=0x7f}"
#define RESUMED "[ 435] " AT "<... clone3 resumed>) = "

TEST_CASE("strace parse: threads are told from children that are left out")
{
	const auto counted = [](const std::string &log, const strace_proc &proc) {
		return parsed(log, format_with([&](strace_format &f) {
				      f.command = 7;
				      f.no_follow = true;
				      f.proc = &proc;
			      }),
			      "write");
	};
	const std::string begin = "7 [  59] " AT "execve(1) = 0\n7 " WRITE "1) = 1\n";

	/* Their own lines come before or after the return of the call that made them. */
	CHECK(counted(begin + "7 " THREAD ", 88) = 8\n8 " WRITE "1) = 1\n", NOTHING) ==
	      "write 2 bytes 2; ");
	CHECK(counted(begin + "7 " THREAD " <unfinished ...>\n8 " WRITE "1) = 1\n7 " RESUMED "8\n",
		      NOTHING) == "write 2 bytes 2; ");
	CHECK(counted(begin + "7 " CLONE ") = 9\n9 " WRITE "1) = 1\n", NOTHING) ==
	      "write 1 bytes 1; ");
	CHECK(counted(begin + "7 " CLONE " <unfinished ...>\n9 " WRITE "1) = 1\n", NOTHING) ==
	      "write 1 bytes 1; ");
	/* A thread's thread belongs, a child's does not. */
	CHECK(counted(begin + "7 " THREAD ", 88) = 8\n8 " THREAD ", 88) = 10\n10 " WRITE
			      "1) = 1\n7 " CLONE ") = 9\n9 " THREAD ", 88) = 11\n11 " WRITE
			      "1) = 1\n",
		      NOTHING) == "write 2 bytes 2; ");
	/* An id may be used again. */
	CHECK(counted(begin + "7 " CLONE ") = 9\n9 " ENDED "exited with 0 +++\n7 " THREAD
			      ", 88) = 9\n9 " WRITE "1) = 1\n",
		      NOTHING) == "write 2 bytes 2; ");
	/* What /proc says goes first; where nobody can tell, a call is lost, not left out. */
	CHECK(counted(begin + "12 " WRITE "1) = 1\n", OF_12) == "write 2 bytes 2; ");
	CHECK(counted(begin + "13 " WRITE "1) = 1\n", OF_12) == "write 1 bytes 1; lost 1; ");
	CHECK(counted(begin + "8 " THREAD " <unfinished ...>\n7 " CLONE
			      " <unfinished ...>\n13 " WRITE "1) = 1\n",
		      NOTHING) == "write 1 bytes 1; lost 1; ");
	CHECK(counted(begin + "7 " THREAD ", 88) = 8\n8 " THREAD " <unfinished ...>\n7 " CLONE
			      " <unfinished ...>\n13 " WRITE "1) = 1\n",
		      NOTHING) == "write 1 bytes 1; lost 1; ");
}

TEST_CASE("strace parse: a call that was under way at the attach is not counted")
{
	const auto counted = [](int nr, const std::string &log, const char *expr = "trace=all") {
		Parser parser(NUMBERED, expr);
		Log out;

		REQUIRE(strace_parser__expect(parser.p, 7, nr) == 0);
		parser.feed(log);
		REQUIRE(strace_parser__snapshot(parser.p, &out, 3000) == 0);
		out.check();
		return describe(out) + "before " + std::to_string(out.under_way);
	};
	const std::string two = "7 " WRITE "1) = 1 <0.5>\n7 " WRITE "1) = 1 <0.1>\n";

	CHECK(counted(-1, two) == "write 2 bytes 2 ns 600000000; before 0");
	CHECK(counted(1, two) == "write 1 bytes 1 ns 100000000; before 1");
	CHECK(counted(1, "8 " WRITE "1) = 1\n") == "write 1 bytes 1; before 0");
	CHECK(counted(1, "7 " WRITE "1, 2") == "in write 7 for 2000; before 0");
	/* It ended before strace saw anything. */
	CHECK(counted(0, two) == "write 2 bytes 2 ns 600000000; before 1");
	CHECK(counted(0, two, "write") == "write 2 bytes 2 ns 600000000; before 0");
	/* It goes on under another name, or is given up. */
	CHECK(counted(230,
		      "7 [ 219] " AT "restart_syscall(<... resuming interrupted clock_nanosleep "
		      "...>) = 0 <0.1>\n") == "before 1");
	CHECK(counted(232, "7 [ 232] " AT "epoll_wait(3) = 1 <0.1>\n") ==
	      "epoll_wait 1 ns 100000000; before 1");
	/* An id may be used again. */
	CHECK(counted(1, "7 " ENDED "exited with 0 +++\n" + two) ==
	      "write 2 bytes 2 ns 600000000; before 0");
}

#define OPENAT "[ 257] " AT "openat(AT_FDCWD</root>, "

TEST_CASE("strace parse: with -P only the calls on its files are counted")
{
	const char *const paths[] = { "/usr/" };
	strace_path_filter *only = strace_path_filter__new(paths, 1);
	const strace_format format = format_with([&](strace_format &f) {
		f.filter_paths = only;
		f.max_files = 100;
	});

	REQUIRE(only);
	CHECK(parsed("7 " OPENAT "\"../usr/a\", O_RDONLY) = 3</usr/a>\n"
		     "7 " OPENAT "\"usr/b\", O_RDONLY) = 4</root/usr/b>\n"
		     "7 " OPENAT "\"/usr/c\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
		     "7 " OPENAT "\"/us\", O_RDONLY) = -1 ENOENT (No such file or directory)\n",
		     format) == "openat 2 errors 1 ENOENT 1; ");
	CHECK(parsed("7 " WRITE "3</usr/a>, \"x\", 1) = 1\n7 " WRITE "4</usrs>, \"xx\", 2) = 2\n"
		     "7 " WRITE "5</usr<char 1:3>>, \"xxxx\", 4) = 4\n"
		     "7 " WRITE "6<pipe:[1]>, \"x\", 1) = 1\n7 " WRITE "7, 0x0, 1) = -1 EBADF\n"
		     "7 [  39] " AT "getpid() = 7\n",
		     format) == "write 2 bytes 5; ");
	/* A call may not have returned, or its line may come in two parts. */
	CHECK(parsed("7 " WRITE "3</usr/a>, \"x\", 1 <unfinished ...>\n"
		     "8 " WRITE "4</tmp>, \"x\", 1 <unfinished ...>\n9 " READ "3</usr/a>, ",
		     format) == "in write 7 for 2000; in read 9 for 2000; ");
	CHECK(parsed("7 " OPENAT "\"a\", O_RDONLY <unfinished ...>\n8 " WRITE
		     "3</usr/a>, \"x\", 1) = 1\n7 [ 257] " AT "<... openat resumed>) = 3</usr/a>\n"
		     "7 " OPENAT "\"/usr/c\", O_RDONLY <unfinished ...>\n8 " WRITE
		     "4</tmp>, \"x\", 1) = 1\n7 [ 257] " AT "<... openat resumed>) = -1 EACCES\n",
		     format) == "write 1 bytes 1; openat 2 errors 1 EACCES 1; ");
	strace_path_filter__free(only);
}

TEST_CASE("strace parse: the logs of several straces are one")
{
	Parser parser(NUMBERED);
	const std::string first = "7 " WRITE "1) =", rest = " 1\n8 " WRITE "1) = 1\n",
			  other = "9 " WRITE "1) = 4\n";
	Log log;

	REQUIRE(strace_parser__add_log(parser.p) == 1);
	REQUIRE(strace_parser__feed(parser.p, 0, first.data(), first.size(), 1) == 0);
	REQUIRE(strace_parser__feed(parser.p, 1, other.data(), other.size(), 2) == 0);
	REQUIRE(strace_parser__feed(parser.p, 0, rest.data(), rest.size(), 3) == 0);
	REQUIRE(strace_parser__snapshot(parser.p, &log, 3000) == 0);
	CHECK(describe(log) == "write 3 bytes 6; ");
}

TEST_CASE("strace parse: only wanted calls in the window are counted")
{
	const strace_format launched = format_with([](strace_format &f) {
		f.command = 7;
		f.skip_execs = 1;
	});
	const std::string log = "7 [  59] " AT "execve(1) = 0 <0.000001>\n"
				"7 " WRITE "1) = 1\n"
				"7 [  59] " AT "execve(1) = -1 ENOENT (No such file or directory)\n"
				"8 [  59] " AT "execve(1) = 0 <0.000001>\n"
				"7 [  59] " AT "execve(1) = 0 <0.000002>\n"
				"7 " WRITE "1) = 2\n8 " WRITE "1) = 4\n7 " READ "1) = 1\n"
				"7 [  59] " AT "execve(1) = 0 <0.000004>\n";

	CHECK(parsed(log, launched) == "read 1 bytes 1; write 2 bytes 6; execve 2 ns 6000; ");
	CHECK(parsed(log, launched, "write") == "write 2 bytes 6; ");
	CHECK(parsed(log, format_with([](strace_format &f) { f.command = 9; })) == "");

	Parser parser(launched);
	uint64_t at = 0;

	parser.feed("7 [  59] " AT "execve(1) = 0\n", 100);
	CHECK_FALSE(strace_parser__window_open(parser.p, &at));
	parser.feed("7 [  59] " AT "execve(1) = 0\n", 200);
	CHECK(strace_parser__window_open(parser.p, &at));
	CHECK(at == 200);
	pid_t task = 0;
	CHECK(strace_parser__tasks(parser.p, &task, 1) == 1);
	CHECK(task == 7);
}

TEST_CASE("strace parse: a program's own seccomp filter is noticed")
{
	for (const char *line : {
		     "7 [ 157] " AT "prctl(0x16, 0x2, 0x7ff) = 0\n",
		     "7 [ 317] " AT "seccomp(0x1, 0, 0x7ff) = 0\n",
		     "7 [ 354] [f7ee65e9] seccomp(0x1 <unfinished ...>\n"
		     "7 [ 354] [f7ee65e9] <... seccomp resumed>) = 0\n",
	     }) {
		Parser parser(NUMBERED, "write");

		parser.feed(line);
		CHECK(strace_parser__saw_filter(parser.p));
	}
	for (const char *line : {
		     "7 [ 157] " AT "prctl(0x16, 0x2, 0x7ff) = -1 EINVAL (Invalid argument)\n",
		     "7 [ 157] " AT "prctl(0xf, 0x16, 0x1) = 0\n",
		     "7 [ 317] " AT "seccomp(0x2, 0x1) = 0\n",
		     "7 [   1] " AT "write(0x1, 0x16) = 1\n",
	     }) {
		Parser parser(NUMBERED, "write");

		parser.feed(line);
		CHECK_FALSE(strace_parser__saw_filter(parser.p));
	}
}

TEST_CASE("strace parse: tasks that end leave nothing behind")
{
	Parser parser(NUMBERED);
	Log log;
	char line[200];

	for (int round = 0; round < 3; round++) {
		for (int pid = 100; pid < 3100; pid++) {
			snprintf(line, sizeof(line), "%d " READ "0 <unfinished ...>\n", pid * 7);
			parser.feed(line, (uint64_t)pid);
		}
		CHECK(strace_parser__tasks(parser.p, nullptr, 0) == 3000);
		for (int pid = 100; pid < 3100; pid += 2) {
			snprintf(line, sizeof(line), "%d " ENDED "exited with 0 +++\n", pid * 7);
			parser.feed(line);
		}
		for (int pid = 101; pid < 3100; pid += 2) {
			snprintf(line, sizeof(line),
				 "%d [   0] " AT "<... read resumed>) = 0x1\n%d " ENDED
				 "killed by SIGKILL +++\n",
				 pid * 7, pid * 7);
			parser.feed(line);
		}
		CHECK(strace_parser__tasks(parser.p, nullptr, 0) == 0);
	}
	REQUIRE(strace_parser__snapshot(parser.p, &log, 0) == 0);
	log.check();
	CHECK(describe(log) == "read 4500 bytes 4500; died 4500; ");
}
