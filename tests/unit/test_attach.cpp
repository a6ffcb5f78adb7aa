// SPDX-License-Identifier: GPL-2.0
// Attaching to what runs already, and the reasons if that is refused; and the users of -u.
#include "lib/catch.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern "C" {
#include "base/proc.h"
#include "trace/attach.h"
#include "trace/user.h"
}

TEST_CASE("attach: a user's own process can be opened")
{
	int hold[2];
	char why[200];
	pid_t pid;
	int fd;

	REQUIRE(pipe2(hold, O_CLOEXEC) == 0);
	pid = fork();
	if (pid == 0) {
		char byte;

		close(hold[1]);
		_exit(read(hold[0], &byte, 1) != 0);
	}
	fd = attach_open_process(pid, why, sizeof(why));
	CAPTURE(why);
	CHECK(fd >= 0);
	close(fd);
	close(hold[0]);
	close(hold[1]);
	CHECK(waitpid(pid, nullptr, 0) == pid);

	CHECK(attach_open_process(pid, why, sizeof(why)) == -ESRCH);
	CHECK_THAT(why, ContainsSubstring("no such process"));
}

TEST_CASE("attach: iotrace itself, threads and kernel threads are told apart")
{
	char why[200];
	pid_t tid = 0;
	int fd;

	CHECK(attach_open_process(getpid(), why, sizeof(why)) < 0);
	CHECK_THAT(why, ContainsSubstring("itself"));

	std::thread thread([&] {
		tid = (pid_t)syscall(SYS_gettid);
		fd = attach_open_process(tid, why, sizeof(why));
	});
	thread.join();
	CHECK(fd < 0);
	CHECK_THAT(why, ContainsSubstring("thread of process " + std::to_string(getpid())));

	if (access("/proc/2/status", R_OK) == 0) {
		CHECK(attach_open_process(2, why, sizeof(why)) < 0);
		CHECK_THAT(why, ContainsSubstring("kernel thread"));
	}
}

TEST_CASE("attach: a path that is not a cgroup is refused by name")
{
	char why[512];

	CHECK(attach_open_cgroup("no-such-group", why, sizeof(why)) < 0);
	CHECK_THAT(why, ContainsSubstring("no-such-group"));
	CHECK(attach_open_cgroup("/tmp", why, sizeof(why)) < 0);
	CHECK_THAT(why, ContainsSubstring("/tmp"));
	CHECK(attach_open_cgroup("a\033[1m\nb", why, sizeof(why)) < 0);
	CHECK_THAT(why, ContainsSubstring("a\\x1b[1m\\nb"));
}

TEST_CASE("attach: user: the own user and group are always found")
{
	const struct passwd *me = getpwuid(geteuid());
	char why[200];
	struct user u;

	REQUIRE(me);
	std::string name = me->pw_name, home = me->pw_dir;

	/* In a container the group may differ from the one in the user's entry. */
	CHECK(user_find(&u, (name + ":" + std::to_string(getegid())).c_str(), why, sizeof(why)) ==
	      0);
	CHECK(u.uid == geteuid());
	CHECK(u.gid == getegid());
	CHECK(u.name == name);
	CHECK(u.home == home);
	CHECK(strlen(u.shell) > 0);
	user_free(&u);
}

TEST_CASE("attach: user: unknown users and groups are refused")
{
	char why[200];
	struct user u;

	for (const char *spec : { "no such user", "", "-1", "4294967295", ":root" }) {
		CAPTURE(spec);
		CHECK(user_find(&u, spec, why, sizeof(why)) < 0);
		CHECK_THAT(why, ContainsSubstring("no user"));
		user_free(&u);
	}
	CHECK(user_find(&u, "root:no such group", why, sizeof(why)) < 0);
	CHECK_THAT(why, ContainsSubstring("no such group"));
	user_free(&u);
}

TEST_CASE("attach: proc: a process is identified by the pipe that it has open, not by its id",
	  "[attach]")
{
	struct stat pipe, other;
	int fds[2], others[2], fd;

	REQUIRE(pipe2(fds, O_CLOEXEC) == 0);
	REQUIRE(pipe2(others, O_CLOEXEC) == 0);
	REQUIRE(fstat(fds[0], &pipe) == 0);
	REQUIRE(fstat(others[0], &other) == 0);
	close(others[0]);
	close(others[1]);
	fd = proc_open_holder(getpid(), pipe.st_ino);
	CHECK(fd >= 0);
	close(fd);
	CHECK(proc_open_holder(getpid(), other.st_ino) == -ESRCH);
	CHECK(proc_open_holder(0, pipe.st_ino) == -ESRCH);
	CHECK(proc_open_holder(-1, pipe.st_ino) == -ESRCH);
	close(fds[0]);
	close(fds[1]);
	CHECK(proc_open_holder(getpid(), pipe.st_ino) == -ESRCH);
}
