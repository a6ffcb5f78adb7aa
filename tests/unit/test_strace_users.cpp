// SPDX-License-Identifier: GPL-2.0
// Who used the files of strace's log: processes and their names, as calls and /proc say.
#include "unit/render_test.hpp"
#include "unit/strace_test.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

extern "C" {
#include "model/profile_files.h"
#include "trace/strace/parse.h"
}

namespace
{
// What /proc says of a task: its process, the parent, its name and its executable.
struct Entry {
	pid_t process, parent;
	const char *comm, *exe;
};
std::map<pid_t, Entry> proc_entries;

const Entry &entry_of(pid_t tid)
{
	static const Entry none = { 0, 0, "?", nullptr };
	const auto found = proc_entries.find(tid);

	return found == proc_entries.end() ? none : found->second;
}

const strace_proc proc = {
	[](pid_t tid) { return entry_of(tid).process; },
	[](pid_t pid) { return entry_of(pid).parent; },
	[](pid_t tid, char *comm, size_t size) { snprintf(comm, size, "%s", entry_of(tid).comm); },
	[](pid_t pid) { return entry_of(pid).exe ? strdup(entry_of(pid).exe) : nullptr; },
};

struct UserLog : Profile {
	explicit UserLog(const std::string &text, const std::vector<pid_t> &attached = {},
			 size_t max_files = 100)
	{
		const strace_format format = format_with([&](strace_format &f) {
			f.proc = &proc;
			f.max_files = max_files;
			f.ephemeral = { 32768, 60999 };
		});
		syscall_set set;
		char err[200];

		REQUIRE(syscall_set_parse(&set, "trace=all", err, sizeof(err)) == 0);
		strace_parser *p = strace_parser__new(&format, &set);
		REQUIRE(p);
		for (const pid_t tid : attached)
			REQUIRE(strace_parser__expect(p, tid, -1) == 0);
		REQUIRE(strace_parser__feed(p, 0, text.data(), text.size(), 1000) == 0);
		REQUIRE(strace_parser__snapshot(p, this, 2000) == 0);
		strace_parser__free(p);
		REQUIRE(profile_check_files(this) == 0);
	}
	// Returns "/out: 7 sh 2, 8 cat 1", sorted by pid.
	std::string users() const
	{
		std::ostringstream out;

		for (size_t i = 0; i < nr_files; i++) {
			const file_stats &f = files[i];
			std::vector<file_user> users(f.users, f.users + f.nr_users);

			std::sort(users.begin(), users.end(),
				  [](const file_user &a, const file_user &b) {
					  return a.pid != b.pid ? a.pid < b.pid
								: strcmp(a.comm, b.comm) < 0;
				  });
			out << (i ? "\n" : "") << f.path << ":";
			for (size_t u = 0; u < users.size(); u++)
				out << (u ? ", " : " ") << users[u].pid << " " << users[u].comm
				    << " " << users[u].calls;
		}
		if (lost_file_users)
			out << "\nmissing " << lost_file_users;
		return out.str();
	}
	// Returns "7 sh /bin/dash, 8 cat -".
	std::string programs_found() const
	{
		std::ostringstream out;

		for (size_t i = 0; i < nr_programs; i++)
			out << (i ? ", " : "") << programs[i].pid << " " << programs[i].comm << " "
			    << (programs[i].exe ? programs[i].exe : "-");
		return out.str();
	}
};

#define AT "[00007fd5f6ae0b1d] "

std::string task(pid_t pid, int nr, const std::string &text)
{
	return std::to_string(pid) + " [ " + std::to_string(nr) + "] " AT + text + "\n";
}

std::string executes(pid_t pid, const std::string &path)
{
	return task(pid, 59, "execve(\"" + path + "\", [\"a\", \"b/c\"], 0x7f /* 20 vars */) = 0");
}

std::string writes(pid_t pid)
{
	return task(pid, 1, "write(1</out>, \"a\\n\", 2) = 2");
}

std::string forks(pid_t pid, const std::string &end)
{
	return task(pid, 56, "clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD" + end);
}

std::string begins_thread(pid_t pid, const std::string &end)
{
	return task(pid, 435, "clone3({flags=CLONE_VM|CLONE_THREAD, stack=0x7f}" + end);
}

const std::string unfinished = " <unfinished ...>";
} // namespace

TEST_CASE("strace users: a program is a process until it executes another one", "[strace]")
{
	proc_entries.clear();
	CHECK(UserLog(executes(7, "/bin/sh") + writes(7) + executes(7, "./a/tool.py") + writes(7) +
		      writes(7))
		      .users() == "/out: 7 sh 1, 7 tool.py 2");
	/* A failed one changes nothing, and a name has 15 bytes. */
	CHECK(UserLog(executes(7, "/bin/a_name_of_20_bytes_") +
		      task(7, 59, "execve(\"/bin/b\", [\"b\"], 0x7f) = -1 ENOENT (No such file)") +
		      writes(7))
		      .users() == "/bin/b: 7 a_name_of_20_by 1\n/out: 7 a_name_of_20_by 1");
	/* It may come in two parts, and be relative to a directory. */
	CHECK(UserLog(task(7, 59, "execve(\"/bin/cat\", [\"cat\"], 0x7f" + unfinished) +
		      task(7, 59, "<... execve resumed>) = 0") + writes(7))
		      .users() == "/out: 7 cat 1");
	CHECK(UserLog(task(7, 322, "execveat(3</usr/bin>, \"cat\", [\"cat\"], 0x7f, 0) = 0") +
		      writes(7))
		      .users() == "/out: 7 cat 1");
	/* Given by a descriptor, the kernel says the name, or nobody knows it. */
	const std::string by_descriptor =
		task(7, 322, "execveat(3</bin/cat>, \"\", [\"cat\"], 0x7f, AT_EMPTY_PATH) = 0") +
		writes(7);
	CHECK(UserLog(by_descriptor).users() == "/bin/cat:\n/out:\nmissing 1");
	proc_entries[7] = { 7, 1, "3", "/bin/cat" };
	CHECK(UserLog(by_descriptor).users() == "/bin/cat: 7 3 1\n/out: 7 3 1");
}

TEST_CASE("strace users: threads are of their process, and children have its name", "[strace]")
{
	proc_entries.clear();
	const std::string sh = executes(7, "/bin/sh");

	/* Their own lines come after or before the return of the call that made them. */
	CHECK(UserLog(sh + begins_thread(7, ", 88) = 8") + writes(8) + writes(7)).users() ==
	      "/out: 7 sh 2");
	CHECK(UserLog(sh + begins_thread(7, unfinished) + writes(8) +
		      task(7, 435, "<... clone3 resumed>) = 8") + writes(8))
		      .users() == "/out: 7 sh 2");
	CHECK(UserLog(sh + forks(7, ") = 8") + writes(8) + executes(8, "/bin/cat") + writes(8) +
		      writes(7))
		      .users() == "/out: 7 sh 1, 8 cat 1, 8 sh 1");
	CHECK(UserLog(sh + forks(7, unfinished) + writes(8)).users() == "/out: 8 sh 1");
	/* A thread that executes a program has the id of its process then. */
	CHECK(UserLog(sh + begins_thread(7, ", 88) = 8") +
		      task(8, 59, "execve(\"/bin/cat\", [\"cat\"], 0x7f <unfinished ...>") +
		      "7 [ 59] " AT "+++ superseded by execve in pid 8 +++\n" +
		      task(7, 59, "<... execve resumed>) = 0") + writes(7))
		      .users() == "/out: 7 cat 1");
	/* A call in another PID namespace returns another id. */
	CHECK(UserLog(sh + forks(7, ") = 2 /* 8 in strace's PID NS */ <0.000010>") +
		      executes(2, "/bin/false") + writes(8))
		      .users() == "/out: 8 sh 1");
}

TEST_CASE("strace users: who of several has made a task", "[strace]")
{
	proc_entries.clear();
	const std::string begin = executes(7, "/bin/sh") + executes(9, "/bin/make");
	const std::string both = begin + forks(7, unfinished) + forks(9, unfinished);

	CHECK(UserLog(both + writes(12)).users() == "/out:\nmissing 1");
	/* Two tasks may have the same name. */
	CHECK(UserLog(executes(7, "/bin/sh") + forks(7, ") = 9") + forks(7, unfinished) +
		      forks(9, unfinished) + writes(12))
		      .users() == "/out: 12 sh 1");
	/* One of them has made its task already. */
	CHECK(UserLog(begin + forks(7, unfinished) + writes(8) + forks(9, unfinished) + writes(12))
		      .users() == "/out: 8 sh 1, 12 make 1");
	/* A living task's parent is known. */
	proc_entries[12] = { 12, 9, "changed", nullptr };
	CHECK(UserLog(both + writes(12)).users() == "/out: 12 make 1");
	proc_entries[12] = { 7, 1, "changed", nullptr };
	CHECK(UserLog(begin + begins_thread(7, unfinished) + forks(9, unfinished) + writes(12))
		      .users() == "/out: 7 sh 1");
	/* It has been adopted, by none of them. */
	proc_entries[12] = { 12, 1, "changed", nullptr };
	CHECK(UserLog(both + writes(12)).users() == "/out:\nmissing 1");
}

TEST_CASE("strace users: running processes are what /proc says when strace attaches", "[strace]")
{
	proc_entries = { { 7, { 7, 1, "postgres", "/usr/bin/postgres" } },
			 { 8, { 7, 1, "worker", nullptr } } };
	const UserLog log(writes(7) + writes(8) + forks(8, ") = 9") + writes(9), { 7, 8 });

	CHECK(log.users() == "/out: 7 postgres 2, 9 postgres 1");
	CHECK(log.programs_found() == "7 postgres /usr/bin/postgres, 9 postgres /usr/bin/postgres");
	/* Nobody knows one that has ended. */
	proc_entries.clear();
	CHECK(UserLog(writes(7) + writes(7), { 7 }).users() == "/out:\nmissing 1");
}

TEST_CASE("strace users: the executable is the one under the program's name", "[strace]")
{
	const auto executable = [](const std::string &path) {
		return UserLog(executes(7, path) + writes(7)).programs_found();
	};

	proc_entries.clear();
	CHECK(executable("/bin/tool") == "7 tool /bin/tool");
	CHECK(executable("bin/tool") == "7 tool -");
	proc_entries[7] = { 7, 1, "tool", "/usr/bin/perl" };
	CHECK(executable("bin/tool") == "7 tool /usr/bin/perl");
	/* It executes another one by now. */
	proc_entries[7] = { 7, 1, "other", "/usr/bin/other" };
	CHECK(executable("/bin/tool") == "7 other /usr/bin/other, 7 tool /bin/tool");
	/* Of programs with the same name, the last one counts. */
	proc_entries.clear();
	CHECK(UserLog(executes(7, "/a/tool") + writes(7) + executes(7, "/b/tool") + writes(7))
		      .programs_found() == "7 tool /b/tool");
}

TEST_CASE("strace users: there is room for so many, and the rest is missing", "[strace]")
{
	std::string text;
	uint64_t calls = 0;

	proc_entries.clear();
	for (pid_t pid = 10; pid < 2010; pid++)
		text += executes(pid, "/bin/a") + writes(pid) + writes(pid);
	const UserLog log(text, {}, 1);

	REQUIRE(log.nr_files == 1);
	for (size_t i = 0; i < log.files[0].nr_users; i++)
		calls += log.files[0].users[i].calls;
	CHECK(calls == 2 * log.files[0].nr_users);
	CHECK(log.files[0].nr_users + log.lost_file_users == 2000);
	CHECK(log.files[0].nr_users == 1026);
}
