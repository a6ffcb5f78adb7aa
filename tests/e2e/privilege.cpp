// SPDX-License-Identifier: GPL-2.0
/*
 * An ordinary user whose iotrace has CAP_BPF and CAP_PERFMON sees what they may ptrace, and nothing
 * else.
 */
#include "lib/cgroup.hpp"
#include "lib/live.hpp"

#include <csignal>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

static void become_somebody()
{
	const uid_t user = own_user();

	if (setresgid(user, user, user) || setresuid(user, user, user))
		_exit(97);
}

/* A copy of iotrace with capabilities, where everybody can execute it. */
static const std::string &capable_iotrace()
{
	static std::string path;

	if (path.empty()) {
		path = temporary("iotrace-with-capabilities");
		fs::copy_file(iotrace_path(), path);
		REQUIRE(run_plain({ "setcap", "cap_bpf,cap_perfmon+ep", path }).end == "exit 0");
	}
	return path;
}

static Spawn as_somebody(const Words &options, const Words &command, std::string *report)
{
	Spawn how;

	/* A folder of the user's own for the report. */
	const std::string folder = temporary("reports-of-somebody");
	fs::create_directory(folder);
	REQUIRE(chown(folder.c_str(), own_user(), own_user()) == 0);
	static int count;
	*report = folder + "/" + std::to_string(count++);
	how.argv = iotrace_argv(options + Words{ "-o", *report }, command, nullptr);
	how.argv[0] = capable_iotrace();
	how.in_child = become_somebody;
	return how;
}

static Run run_as_somebody(const Words &options, const Words &command)
{
	std::string report;
	const Spawn how = as_somebody(options, command, &report);
	Run run = run_plain(how.argv, how);

	run.report = parse_report(read_file(report));
	INFO(run);
	CHECK(contradictions(run.report) == "");
	return run;
}

/* iotrace of that user in the background. */
struct Somebody {
	std::string report;
	Watch watch;

	explicit Somebody(const Words &options) : watch({}, {}, as_somebody(options, {}, &report))
	{
	}
	/* Ends it, if it has not ended together with its target. */
	Report end()
	{
		if (watch.process().running())
			watch.process().signal(SIGINT);
		CHECK(watch.process().wait() == "exit 0");
		const Report read = parse_report(read_file(report));
		CHECK(contradictions(read) == "");
		return read;
	}
};

static Spawn puppet_of_somebody()
{
	Spawn how;

	fixture("puppet");
	how.in_child = become_somebody;
	return how;
}

/*
 * A copy of dd by which a process becomes root or gets capabilities, or that the user may not read.
 */
static std::string privileged_dd(const std::string &kind)
{
	const std::string path = temporary("dd-" + kind);

	if (exists(path))
		return path;
	fs::copy_file(fs::canonical("/bin/dd"), path);
	if (kind == "set-uid")
		REQUIRE(chmod(path.c_str(), 04755) == 0);
	else if (kind == "set-gid")
		REQUIRE(chmod(path.c_str(), 02755) == 0);
	else if (kind == "unreadable")
		REQUIRE(chmod(path.c_str(), 0711) == 0);
	else
		REQUIRE(run_plain({ "setcap", "cap_net_raw+ep", path }).end == "exit 0");
	return path;
}

static const Words kinds = { "set-uid", "set-gid", "capable", "unreadable" };

#define PRIVILEGE_CASE() BPF_ONLY("the strace backend has the rights of strace")

TEST_CASE("privilege: a command of the user's own, without iotrace's capabilities")
{
	PRIVILEGE_CASE();
	const Run run = run_as_somebody({ "-e", "write" },
					{ "sh", "-c", "id -u; grep ^Cap /proc/self/status" });
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.err == "");
	CHECK(run.out.substr(0, run.out.find("CapBnd")) ==
	      std::to_string(own_user()) + "\nCapInh:\t0000000000000000\nCapPrm:"
					   "\t0000000000000000\nCapEff:\t0000000000000000\n");
	CHECK(run.report.calls("write") == 2);
	CHECK(run.report.lost == 0);
}

TEST_CASE(
	"privilege: iotrace keeps no capability once it traces, and writes with the user's rights")
{
	PRIVILEGE_CASE();
	Puppet puppet("", puppet_of_somebody());
	Somebody somebody({ "-p", puppet.pids() });
	const pid_t pid = somebody.watch.process().pid();

	for (const char *set : { "CapPrm", "CapEff", "CapInh", "CapAmb" })
		CHECK(status_of(pid, set) == "0000000000000000");
	puppet.tell("write 5");
	const Report report = somebody.end();
	CHECK(report.calls("write") == 5);
	struct stat st;
	REQUIRE(stat(somebody.report.c_str(), &st) == 0);
	CHECK(st.st_uid == own_user());

	const std::string folder = temporary("of-root");
	fs::create_directory(folder);
	REQUIRE(chmod(folder.c_str(), 0755) == 0);
	std::string unused;
	Spawn how = as_somebody({ "-o", folder + "/report" }, { "echo", "has run" }, &unused);
	const Run refused = run_plain(how.argv, how);
	INFO(refused);
	CHECK(refused.end == "exit 125");
	CHECK(refused.out == "");
	CHECK_THAT(refused.err, ContainsSubstring(folder + "/report': Permission denied"));
}

TEST_CASE("privilege: -p takes the user's own processes, and names what it may not take")
{
	PRIVILEGE_CASE();
	Puppet own("", puppet_of_somebody()), hidden("", puppet_of_somebody()), other;

	hidden.tell("undumpable");
	{
		Somebody somebody({ "-p", own.pids() + "," + other.pids() + "," + hidden.pids() });
		own.tell("write 3");
		other.tell("write 50");
		hidden.tell("write 70");
		CHECK(somebody.end().calls("write") == 3);
		CHECK_THAT(somebody.watch.process().err(),
			   ContainsSubstring("cannot trace process " + other.pids() +
					     ": not permitted: it runs as root; use sudo\n"));
		CHECK_THAT(somebody.watch.process().err(),
			   ContainsSubstring("cannot trace process " + hidden.pids() +
					     ": not permitted: it is not dumpable"));
	}
	std::string unused;
	Spawn how = as_somebody({ "-p", other.pids() }, {}, &unused);
	CHECK(run_plain(how.argv, how).end == "exit 125");
}

TEST_CASE("privilege: doctor finds for a user with capabilities what works for that user")
{
	PRIVILEGE_CASE();
	Puppet own("", puppet_of_somebody());
	Spawn how;

	how.in_child = become_somebody;
	const Run doctor = run_plain({ capable_iotrace(), "doctor" }, how);
	INFO(doctor);
	CHECK(doctor.end == "exit 0");
	CHECK_THAT(doctor.out, Catch::Contains("  ok       running processes (-p)\n"));
	CHECK_THAT(doctor.out, Catch::Contains("  ok       the whole system (-a) and cgroups"));
	CHECK_THAT(doctor.out, Catch::Contains("  ok       ptrace(2) of a child\n"));
	CHECK_THAT(doctor.out, !Catch::Contains("missing"));
}

TEST_CASE("privilege: a root without capabilities is told which they are")
{
	Puppet other;
	Words command = { "setpriv", "--bounding-set=-sys_ptrace,-sys_module" };

	for (const std::string &word : iotrace_argv({ "-p", other.pids() }, {}, nullptr))
		command.push_back(word);
	const Run run = run_plain(command);
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err,
		   ContainsSubstring("it has capabilities that you have not (cap_sys_module, "
				     "cap_sys_ptrace); CAP_SYS_PTRACE would do"));
}

/* In /proc, a leader that has ended belongs to root; its process is still the user's. */
TEST_CASE("privilege: -p takes a process whose first thread has ended")
{
	PRIVILEGE_CASE();
	Puppet own("", puppet_of_somebody()), other;

	own.tell("leave");
	other.tell("leave");
	Somebody somebody({ "-p", own.pids() });
	own.tell("write 4");
	CHECK(somebody.end().calls("write") == 4);
	std::string unused;
	Spawn how = as_somebody({ "-p", other.pids() }, {}, &unused);
	CHECK(run_plain(how.argv, how).end == "exit 125");
}

TEST_CASE("privilege: a process that gains privileges at an execve is not traced any more")
{
	PRIVILEGE_CASE();
	for (const std::string &kind : kinds) {
		const std::string dd = privileged_dd(kind),
				  said = "; 1 process left out when it gained privileges\n";
		const Words args = { dd,     "if=/dev/zero", "of=/dev/null",
				     "bs=1", "count=400",    "status=none" };
		INFO(kind);

		const Run itself = run_as_somebody({ "-e", "write,execve" }, args);
		INFO(itself);
		CHECK(itself.end == "exit 0");
		CHECK(itself.report.calls("write") == 0);
		CHECK_THAT(itself.report.text, ContainsSubstring(said));
		const Run child =
			run_as_somebody({ "-e", "write,execve" },
					{ "sh", "-c", "echo one; \"$@\"; echo two", "sh", dd,
					  args[1], args[2], args[3], args[4], args[5] });
		INFO(child);
		CHECK(child.end == "exit 0");
		CHECK(child.report.calls("write") == 2);
		CHECK_THAT(child.report.text, ContainsSubstring(said));

		for (const Words &scope : { Words{ "-p" }, Words{ "-a", "--uid" } }) {
			Puppet puppet("", puppet_of_somebody());
			Somebody somebody(scope + Words{ scope[0] == "-p"
								 ? puppet.pids()
								 : std::to_string(own_user()),
							 "-e", "write" });
			puppet.tell("write 3");
			puppet.tell("fork 2");
			puppet.tell_only("exec " + dd +
					 " if=/dev/zero of=/dev/null bs=1 count=400 status=none");
			CHECK(puppet.process().wait() == "exit 0");
			const Report report = somebody.end();
			INFO(report.text);
			CHECK(report.calls("write") == 5);
			CHECK_THAT(report.text, ContainsSubstring(said));
		}
	}
}

TEST_CASE("privilege: -a takes what the user may trace and what that starts, and names the rest")
{
	PRIVILEGE_CASE();
	Puppet own("", puppet_of_somebody()), other;
	std::vector<std::unique_ptr<Puppet>> hidden;

	for (int i = 0; i < 12; i++) {
		hidden.push_back(std::make_unique<Puppet>("", puppet_of_somebody()));
		hidden.back()->tell("comm " + hex("hidden " + std::to_string(i)));
		hidden.back()->tell("undumpable");
	}
	Somebody somebody({ "-a", "-e", "write" });
	own.tell("write 3");
	own.tell("fork 4");
	own.tell("threads 2");
	own.tell("each 5");
	for (const auto &each : hidden)
		each->tell("write 100");
	other.tell("write 1000");
	CHECK(somebody.end().calls("write") == 17);
	const std::string said = somebody.watch.process().err();
	for (int i = 0; i < 12; i++)
		CHECK_THAT(said, ContainsSubstring("hidden " + std::to_string(i) + " (" +
						   hidden[i]->pids() + ")"));
	CHECK_THAT(said, ContainsSubstring("(" + other.pids() + ")"));

	/* Nothing is said about another user who was not selected. */
	Somebody narrowed({ "-a", "--uid", std::to_string(own_user()), "-e", "write" });
	own.tell("write 2");
	CHECK(narrowed.end().calls("write") == 2);
	CHECK_THAT(narrowed.watch.process().err(),
		   ContainsSubstring("not permitted to trace 12 processes, which are"));
}

TEST_CASE("privilege: --cgroup takes what the user may trace of those in it")
{
	NEED_CGROUPS();
	const Cgroup group;
	Puppet own("", puppet_of_somebody()), outside("", puppet_of_somebody()), other;

	group.take(own);
	group.take(other);
	Somebody somebody({ "--cgroup", group.path, "-e", "write" });
	own.tell("write 6");
	outside.tell("write 30");
	other.tell("write 90");
	group.take(outside);
	outside.tell("write 5");
	CHECK(somebody.end().calls("write") == 11);
	const std::string said = somebody.watch.process().err();
	CHECK_THAT(said,
		   ContainsSubstring("not permitted to trace 1 process, which is left out: "));
	CHECK_THAT(said, ContainsSubstring("(" + other.pids() + ")"));
}
