// SPDX-License-Identifier: GPL-2.0
/* --cgroup and -a, the options that narrow them, and which ways in exclude each other. */
#include "lib/cgroup.hpp"
#include "lib/live.hpp"

#include <unistd.h>

TEST_CASE("scope: cgroup: those in it and below it, before and after")
{
	NEED_CGROUPS();
	Cgroup group, child(group.name), other;
	Puppet before, below, outside, leaves, comes;

	group.take(before);
	child.take(below);
	other.take(outside);
	group.take(leaves);
	Watch watch(counts + Words{ "-e", "write,close", "--cgroup", group.path });
	before.tell("write 1");
	below.tell("write 10");
	outside.tell("write 5000");
	leaves.tell("write 100");
	comes.tell("write 7000");
	group.take(comes);
	other.take(leaves);
	comes.tell("write 1000");
	leaves.tell("write 9000");
	comes.tell("fork 20");
	/* A cgroup that is made while it is traced. */
	{
		Cgroup late(child.name);

		late.take(comes);
		comes.tell("write 10000");
		comes.tell("fail 7");
		group.take(comes);
	}
	const Run run = watch.end();
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") == 11131);
	CHECK(run.report.bytes("write") == 3 * 11131);
	CHECK(run.report.errors("write") == 0);
	CHECK(run.report.errors("close") == 7);
	CHECK(run.report.entered == 11138);
	CHECK(run.report.in_flight == 0);
}

/*
 * A service is stopped, and its cgroup is removed. When it starts again, it gets a new cgroup of
 * the same name.
 */
TEST_CASE("scope: cgroup: tracing ends when the cgroup is removed")
{
	NEED_CGROUPS();
	const Cgroup parent;
	const std::string path = parent.path + "/service", other = parent.path + "/other";
	Puppet puppet;

	REQUIRE(mkdir(path.c_str(), 0755) == 0);
	REQUIRE(mkdir(other.c_str(), 0755) == 0);
	write_file(path + "/cgroup.procs", puppet.pids());
	Watch watch(Words{ "-e", "write", "--cgroup", path });
	puppet.tell("write 7");
	/* The removal of another cgroup has no effect. */
	REQUIRE(rmdir(other.c_str()) == 0);
	puppet.tell("write 2");
	parent.take(puppet);
	CHECK(watch.process().running());
	REQUIRE(rmdir(path.c_str()) == 0);
	const Run run = watch.end(0);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.err ==
	      begun + "iotrace: note: the cgroup has been removed, and with it tracing ends: a "
		      "service that starts again gets a new one\n");
	CHECK(run.report.calls("write") == 9);
}

/* A call counts in the cgroup where it was entered. */
TEST_CASE("scope: cgroup: a call in which its task is moved")
{
	NEED_CGROUPS();
	Cgroup group, other;
	Puppet leaves, comes;

	group.take(leaves);
	other.take(comes);
	Watch watch(Words{ "-e", "write", "--cgroup", group.name });
	leaves.block();
	comes.block();
	other.take(leaves);
	group.take(comes);
	leaves.tell("unblock");
	comes.tell("unblock");
	const Run run = watch.end();
	INFO(run);
	/*
	 * The blocked call of the task that left counts, and what the task that came did
	 * afterwards.
	 */
	CHECK(run.report.calls("write") == 2);
	CHECK(run.report.entered == 2);
}

TEST_CASE("scope: cgroup: a path, a name, or what /proc/PID/cgroup says")
{
	NEED_CGROUPS();
	Cgroup group;
	Puppet puppet;

	group.take(puppet);
	for (const std::string &form : { group.path, group.path + "/", group.name, "/" + group.name,
					 own_cgroup(), mounted("cgroup2") + "/./" + group.name }) {
		Watch watch(Words{ "--cgroup=" + form });
		puppet.tell("write 12");
		const Run run = watch.end();
		INFO(form);
		INFO(run);
		CHECK(run.report.calls("write") == 12);
	}
}

TEST_CASE("scope: cgroup: a path that is not a cgroup, or of version 1, is refused")
{
	BPF_ONLY("strace knows no cgroups");
	const std::string v1 = mounted("cgroup");
	Words wrong = { "/nonexistent/group", "nosuchgroup", "/tmp", "/dev/null" };

	if (!v1.empty())
		wrong.push_back(v1);
	for (const std::string &path : wrong) {
		const Run run = run_plain(iotrace_argv({ "--cgroup", path }, {}, nullptr));
		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, ContainsSubstring("'" + path + "'"));
		CHECK(run.err.find("calls") == std::string::npos);
		if (path == v1)
			CHECK_THAT(run.err, ContainsSubstring("is a cgroup v1 directory"));
	}
	const Run run = run_plain(iotrace_argv({ "--cgroup", "a\033[31m\n\377" }, {}, nullptr));
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("'a\\x1b[31m\\n\\xff'"));
}

TEST_CASE("scope: cgroup: narrowed by name and user")
{
	NEED_CGROUPS();
	Cgroup group;
	Puppet named, user, both, neither, outside;
	const std::string name = hex("narrow"), uid = std::to_string(own_user());

	for (Puppet *puppet : { &named, &user, &both, &neither })
		group.take(*puppet);
	for (Puppet *puppet : { &named, &both, &outside })
		puppet->tell("comm " + name);
	for (Puppet *puppet : { &user, &both, &outside })
		puppet->tell("uid " + uid);
	const struct {
		Words options;
		uint64_t calls;
	} cases[] = {
		{ {}, 1111 },
		{ { "--comm", "narrow" }, 101 },
		{ { "--uid", uid }, 110 },
		{ { "--comm", "narrow", "--uid", uid }, 100 },
		{ { "--comm", "narro" }, 0 },
		{ { "--comm", "narrower" }, 0 },
	};
	for (const auto &c : cases) {
		Watch watch(Words{ "--cgroup", group.name } + c.options);
		named.tell("write 1");
		user.tell("write 10");
		both.tell("write 100");
		neither.tell("write 1000");
		outside.tell("write 10000");
		const Run run = watch.end();
		INFO(run);
		CHECK(run.report.calls("write") == c.calls);
	}
}

TEST_CASE("scope: all: the whole system is traced")
{
	BPF_ONLY("strace cannot trace a whole system");
	Puppet a, b;
	/* No other process makes this call. */
	const std::string order = "call " + std::to_string(own_call()) + " ";
	Watch watch(Words{ "-a", "-e", std::to_string(own_call()) + ",write" });
	a.tell(order + "30");
	b.tell(order + "4");
	a.tell("write 1000");
	Puppet late;
	late.tell(order + "500");
	const Run run = watch.end();
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls(own_call_name()) == 534);
	CHECK(run.report.errors(own_call_name()) == 534);
	CHECK(run.report.calls("write") >= 1000);
}

/*
 * The activity of the machine is not known, but every call must be accounted for: Watch::end()
 * checks that.
 */
/* Nobody waits for orphans: the last of them may come too late. */
static void count_busy_system(const Words &options)
{
	Watch watch(options + Words{ "--all", "-e", "trace=all" });
	for (const char *how : { "fork", "together", "orphans" })
		CHECK(run_plain({ fixture("children"), how, "200" }).end == "exit 0");
	CHECK(run_plain({ fixture("threads"), "64", "100" }).end == "exit 0");
	CHECK(run_plain({ fixture("mixed_abi") }).end == "exit 0");
	const Run run = watch.end();
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") >= 2 * 600 + 6400);
	CHECK(run.report.calls("getppid@32") >= 20);
	CHECK(run.report.entered_known);
}

TEST_CASE("scope: all: every call of a busy system is accounted for")
{
	BPF_ONLY("strace cannot trace a whole system");
	count_busy_system({});
	count_busy_system({ "--no-files" });
}

TEST_CASE("scope: all: narrowed by name and user, as they are at the time of the call")
{
	BPF_ONLY("strace cannot trace a whole system");
	const std::string name = own_name("n"), uid = std::to_string(own_user());
	const std::string call = std::to_string(own_call());
	Puppet puppet, other;

	puppet.tell("comm " + hex(name));
	Watch by_name(counts + Words{ "-a", "--comm", name });
	Watch by_uid(Words{ "-a", "--uid", uid });
	puppet.tell("write 10");
	other.tell("write 1000");
	puppet.tell("comm " + hex("somethingelse"));
	puppet.tell("write 2000");
	puppet.tell("uid " + uid);
	puppet.tell("write 7");
	puppet.tell("comm " + hex(name));
	puppet.tell("write 100");
	Run run = by_name.end();
	INFO(run);
	CHECK(run.report.calls("write") == 110);
	CHECK(run.report.bytes("write") == 330);
	run = by_uid.end();
	INFO(run);
	CHECK(run.report.calls("write") == 107);

	Puppet nobody;
	nobody.tell("uid 65534");
	Watch by_user_name(Words{ "-a", "--uid", "nobody", "-e", call });
	nobody.tell("call " + call + " 3");
	puppet.tell("call " + call + " 5");
	CHECK(by_user_name.end().report.calls(own_call_name()) == 3);
}

/* The kernel keeps names of up to 15 bytes. */
TEST_CASE("scope: all: long and strange names are matched")
{
	BPF_ONLY("strace cannot trace a whole system");
	const std::string call = std::to_string(own_call());
	Puppet puppet;

	for (const std::string &name :
	     { std::string("exactly15bytes."), std::string("thisislongerthan15bytes"),
	       std::string("a b\033[1m\n\377") }) {
		puppet.tell("comm " + hex(name));
		Watch watch(Words{ "-a", "--comm", name, "-e", call });
		puppet.tell("call " + call + " 3");
		CHECK(watch.end().report.calls(own_call_name()) == 3);
	}
}

TEST_CASE("scope: all: iotrace itself is left out")
{
	BPF_ONLY("strace cannot trace a whole system");
	/* It has a name of its own: other tests may run at the same time. */
	const std::string name = own_name("i"), path = temporary(name);
	REQUIRE(run_plain({ "cp", iotrace_path(), path }).end == "exit 0");
	Spawn how;

	how.argv = { path, "-a", "--comm", name, "-e", "trace=all", "-y", "--interval", "0.01" };
	Watch watch({}, {}, how);
	/* It has made calls. */
	CHECK(eventually([&] { return parse_intervals(watch.process().err()).size() > 5; }));
	const Run run = watch.end();
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.rows.empty());
	CHECK(run.report.entered == 0);

	/* Other processes of the same name are not counted. */
	Puppet puppet;
	puppet.tell("comm " + hex(name));
	Watch again({}, {}, how);
	puppet.tell("write 4");
	CHECK(again.end().report.calls("write") == 4);
}

TEST_CASE("scope: all: a name or user that nobody has is named")
{
	BPF_ONLY("strace cannot trace the whole system");
	const std::string name = own_name("no"), uid = std::to_string(own_user());
	Puppet puppet;

	// That this is not the whole machine is another note.
	puppet.tell("comm " + hex(name + "l"));
	Run run = Watch({ "-a", "--comm", name }).end();
	INFO(run);
	CHECK_THAT(run.err, ContainsSubstring("nothing was counted: no task is called " + name +
					      "; did you mean " + name + "l?"));
	run = Watch({ "-a", "--uid", uid }).end();
	INFO(run);
	CHECK_THAT(run.err, ContainsSubstring("nothing was counted: no process is of user " + uid));
	run = Watch({ "-a", "--comm", name + "l" }).end();
	INFO(run);
	CHECK_THAT(run.err, !ContainsSubstring("nothing was counted"));
}

TEST_CASE("scope: all: files are looked at wherever they are used, unless it is said by whom")
{
	BPF_ONLY("strace cannot trace the whole system");
	const std::string path = temporary("everybody");
	Watch watch({ "-P", path });

	for (int i = 0; i < 3; i++)
		run_plain({ "sh", "-c", "echo line >> " + path });
	const Run run = watch.end();
	INFO(run);
	CHECK(run.report.calls("write") == 3);
}

TEST_CASE("scope: contradictions name both options", "[once]")
{
	const std::string pid = std::to_string(getpid());
	const struct {
		Words options, command, named;
	} cases[] = {
		{ { "-p", pid }, { "true" }, { "-p", "command" } },
		{ { "--cgroup", "x" }, { "true" }, { "--cgroup", "command" } },
		{ { "-a" }, { "true" }, { "-a", "command" } },
		{ { "-p", pid, "--cgroup", "x" }, {}, { "-p", "--cgroup" } },
		{ { "-p", pid, "-a" }, {}, { "-p", "-a" } },
		{ { "--cgroup", "x", "-a" }, {}, { "--cgroup", "-a" } },
		{ { "--comm", "x" }, { "true" }, { "--comm", "-a", "--cgroup" } },
		{ { "--uid", "0", "-p", pid }, {}, { "--uid", "-a", "--cgroup" } },
		{ { "-u", "nobody", "-p", pid }, {}, { "-u", "command" } },
		{ { "--no-follow", "-a" }, {}, { "--no-follow", "command", "-p" } },
		{ { "--with-children", "-a" }, {}, { "--with-children", "-p" } },
		{ { "--with-children" }, { "true" }, { "--with-children", "-p" } },
		{ { "--with-children", "--no-follow", "-p", pid },
		  {},
		  { "--no-follow", "--with-children" } },
		{ {}, {}, { "command", "-p", "--cgroup", "-a" } },
	};

	for (const auto &c : cases) {
		const Run run = run_plain(iotrace_argv(c.options, c.command, nullptr));
		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK(run.out == "");
		for (const std::string &word : c.named)
			CHECK_THAT(run.err, ContainsSubstring(word));
		CHECK_THAT(run.err, ContainsSubstring("see 'iotrace --help'"));
	}
}
