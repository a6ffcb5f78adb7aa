// SPDX-License-Identifier: GPL-2.0
/* -u: the user that the command runs as, and the environment that it gets. */
#include "lib/live.hpp"

#include <pwd.h>

static const Words who = {
	"sh", "-c",
	"echo $(id -u) $(id -g) $(id -G); echo \"$HOME $SHELL $USER $LOGNAME $OTHER\"; exit 3"
};

static Run as(const std::string &user)
{
	Spawn how;

	how.env = { "USER=before", "LOGNAME=too", "HOME=/before", "SHELL=/bin/before",
		    "OTHER=stays" };
	return run_iotrace({ "-u", user, "-e", "write" }, who, how);
}

TEST_CASE("user: -u runs the command as su would")
{
	const passwd *nobody = getpwnam("nobody");
	REQUIRE(nobody);
	const std::string uid = std::to_string(nobody->pw_uid),
			  gid = std::to_string(nobody->pw_gid),
			  home = std::string(nobody->pw_dir) + " " + nobody->pw_shell;

	for (const std::string &name : Words{ "nobody", uid }) {
		const Run run = as(name);
		INFO(run);
		CHECK(run.end == "exit 3");
		CHECK(run.out ==
		      uid + " " + gid + " " + gid + "\n" + home + " nobody nobody stays\n");
		CHECK(run.report.calls("write") >= 2);
	}
	/* The group is the given one; the user's own group comes from the list of groups. */
	const Run other = as("nobody:daemon");
	INFO(other);
	CHECK(other.end == "exit 3");
	const std::string daemon = std::to_string(getpwnam("daemon")->pw_gid);
	CHECK(other.out.compare(0, (uid + " " + daemon + " ").size(), uid + " " + daemon + " ") ==
	      0);
	/* For root, su sets neither USER nor LOGNAME. */
	const passwd *root = getpwnam("root");
	REQUIRE(root);
	const std::string root_home = std::string(root->pw_dir) + " " + root->pw_shell;
	const Run again = as("root");
	INFO(again);
	CHECK(again.end == "exit 3");
	CHECK_THAT(again.out, ContainsSubstring("\n" + root_home + " before too stays\n"));
}

TEST_CASE("user: numbers need no entry in passwd, as long as there are two")
{
	REQUIRE(!getpwuid(54321));
	const Run run = as("54321:54322");
	INFO(run);
	CHECK(run.end == "exit 3");
	CHECK(run.out == "54321 54322 54322\n/ /bin/sh   stays\n");
	CHECK(run.report.calls("write") >= 2);

	const Run named = as("54321:daemon");
	INFO(named);
	const std::string daemon = std::to_string(getpwnam("daemon")->pw_gid);
	CHECK(named.out.compare(0, 7 + daemon.size(), "54321 " + daemon + " ") == 0);
}

TEST_CASE("user: an unknown or forbidden user is refused before anything runs")
{
	const auto refused = [](const std::string &user, const Spawn &how) {
		const Run run = run_plain(
			iotrace_argv({ "-u", user }, { "echo", "has run" }, nullptr), how);
		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK(run.out == "");
		return run.err;
	};
	Spawn ordinary;
	ordinary.in_child = [] {
		if (setgid(65534) || setuid(65534))
			_exit(97);
	};

	CHECK(refused("e2e-nobody", {}) == "iotrace: error: -u: there is no user 'e2e-nobody'\n");
	CHECK(refused("54321", {}) == "iotrace: error: -u: there is no user 54321 in passwd: its "
				      "group is needed, as in '54321:54321'\n");
	CHECK(refused("nobody:e2e-none", {}) ==
	      "iotrace: error: -u: there is no group 'e2e-none'\n");
	CHECK(refused("root", ordinary) ==
	      "iotrace: error: -u: only root can run a command as user 'root'\n");
}
