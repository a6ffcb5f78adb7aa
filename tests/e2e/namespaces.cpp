// SPDX-License-Identifier: GPL-2.0
/*
 * PID namespaces: iotrace takes and shows the ids that its user sees, which in a container are not
 * the machine's. The suite itself runs in a namespace below the first (main.cpp), and some tests
 * run one level deeper.
 */
#include "lib/cgroup.hpp"
#include "lib/live.hpp"

#include <filesystem>
#include <sys/syscall.h>
#include <unistd.h>

namespace fs = std::filesystem;

static const Words deeper = { "unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "--" };

/* The only child of a process, as seen from here; throws if there is not one. */
static pid_t child_of(pid_t pid)
{
	const std::string id = std::to_string(pid);
	const std::string children = read_file("/proc/" + id + "/task/" + id + "/children");

	return std::stoi(children);
}

/* A puppet that is the init process of a namespace of its own. */
class DeepPuppet
{
	static Spawn how(const Words &command)
	{
		Spawn spawn;

		spawn.argv = deeper + command;
		return spawn;
	}

public:
	Puppet puppet;
	pid_t pid; // The id that it has here.

	explicit DeepPuppet(const Words &command = { fixture("puppet") })
	    : puppet("", how(command)), pid(child_of(puppet.pid()))
	{
	}
};

static pid_t sleeper_in(pid_t pid, long nr)
{
	for (const auto &task : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
		const pid_t tid = std::stoi(task.path().filename().string());

		if (sleeps_in(pid, tid) == nr)
			return tid;
	}
	return -1;
}

static bool in_first_namespace()
{
	return fs::read_symlink("/proc/self/ns/pid") == "pid:[4026531836]";
}

TEST_CASE("namespaces: calls in flight and files name processes by the ids that are seen here")
{
	REQUIRE(!in_first_namespace());
	Puppet puppet;
	const std::string capture = temporary("namespaces.json");
	Spawn how;

	how.argv =
		iotrace_argv({ "-y", "-p", puppet.pids(), "-e", "write", "-o", capture, "-o", "-" },
			     {}, nullptr);
	Watch watch({}, {}, how);
	puppet.tell("write 10");
	const std::string tid = std::to_string(puppet.block());
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	const std::string text = watch.process().out();
	INFO(text);
	CHECK_THAT(text, ContainsSubstring("[" + puppet.pids() + "]"));
	CHECK_THAT(text, ContainsSubstring("write  pid " + puppet.pids() + " tid " + tid + " ("));
	const Run json = run_plain({ "jq", "-c", ".inflight[] | [.pid, .tid]", capture });
	CHECK(json.out == "[" + puppet.pids() + "," + tid + "]\n");
}

TEST_CASE("namespaces: a process of a deeper namespace has its id in ours")
{
	DeepPuppet deep;
	const std::string capture = temporary("deep.json");
	const std::string pid = std::to_string(deep.pid);
	Spawn how;

	how.argv =
		iotrace_argv({ "-p", pid, "-e", "write", "-o", capture, "-o", "-" }, {}, nullptr);
	Watch watch({}, {}, how);

	deep.puppet.tell("write 10");
	deep.puppet.tell("fork 3");
	const pid_t inner = std::stoi(deep.puppet.tell("block"));
	pid_t outer = -1;
	REQUIRE(eventually([&] { return (outer = sleeper_in(deep.pid, SYS_write)) > 0; }));
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	const std::string text = watch.process().out();
	INFO(text);
	CHECK(inner != outer);
	/* It made most of the calls, and its children one each. */
	CHECK(jq("[.files[] | select(.path == \"/dev/null\") | .users[0].pid, "
		 "(.users | map(.calls))]",
		 capture) == "[" + pid + ",[10,1,1,1]]");
	CHECK_THAT(text,
		   ContainsSubstring("write  pid " + pid + " tid " + std::to_string(outer) + " ("));
}

/* The view of root in a privileged container. */
TEST_CASE("namespaces: -a and --cgroup see what is outside, which has no ids there")
{
	NEED_CGROUPS();
	const std::string call = std::to_string(own_call());
	Cgroup group;

	for (const std::string &scope : { std::string("-a"), "--cgroup=" + group.name }) {
		const std::string report = temporary("scope" + std::to_string(scope.size())),
				  capture = report + ".json";
		DeepPuppet deep({ "sh", "-c",
				  quoted(iotrace_path()) + " --backend=bpf -e " + call +
					  ",write -o " + capture + " -o " + report + " " + scope +
					  " & exec " + fixture("puppet") });
		Puppet outside;

		group.take(deep.pid);
		group.take(outside);
		REQUIRE(eventually([&] {
			return deep.puppet.process().err().find(begun) != std::string::npos;
		}));
		CHECK((deep.puppet.process().err().find("note: -a means the whole machine") !=
		       std::string::npos) == (scope == "-a"));
		deep.puppet.tell("call " + call + " 7");
		outside.tell("call " + call + " 5000");
		outside.tell("block");
		deep.puppet.tell("call " + call + " 30");
		deep.puppet.tell("block");
		for (const pid_t pid : { outside.process().pid(), deep.pid })
			REQUIRE(eventually([&] { return sleeper_in(pid, SYS_write) > 0; }));
		REQUIRE(signal_process(child_of(deep.pid), SIGTERM));
		REQUIRE(eventually([&] { return exists(report); }));
		const Report r = parse_report(read_file(report));
		INFO(r.text);
		CHECK(contradictions(r) == "");
		CHECK(r.calls(own_call_name()) == 5037);
		CHECK(r.in_flight >= 2);
		CHECK(r.lost == 0);
		CHECK_THAT(r.text, ContainsSubstring("\n  write  outside this PID namespace\n"));
		CHECK_THAT(r.text, ContainsSubstring("\n  write  pid 1 "));
		CHECK_THAT(read_file(capture),
			   ContainsSubstring("\"pid\": null, \"tid\": null, \"comm\": null"));
		const Run again = run_plain({ iotrace_path(), "report", capture });
		CHECK(again.out == r.text);
		outside.tell_only("unblock");
		deep.puppet.tell_only("unblock");
	}
}

TEST_CASE("namespaces: the note of who is left out has the ids that are seen here")
{
	BPF_ONLY("strace cannot trace a whole system");
	REQUIRE(!in_first_namespace());
	Puppet not_ours;
	Spawn how;

	not_ours.tell("comm " + hex("root's\n"));
	how.argv = Words{ "setpriv",
			  "--reuid=54321",
			  "--regid=54321",
			  "--clear-groups",
			  "--inh-caps=-all,+bpf,+perfmon",
			  "--ambient-caps=-all,+bpf,+perfmon" } +
		   iotrace_argv({ "-a", "--duration", "0.1" }, {}, nullptr);
	const std::string binary = temporary("iotrace-for-somebody");
	fs::copy_file(iotrace_path(), binary);
	how.argv[6] = binary;
	const Run run = run_plain(how.argv);
	INFO(run);
	/* No other process belongs to this user. */
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("there is no process that you may trace"));
	CHECK_THAT(run.err, ContainsSubstring("which are left out: "));
	CHECK_THAT(run.err, ContainsSubstring("root's\\n (" + not_ours.pids() + ")"));
}

TEST_CASE("namespaces: where /proc is another namespace's, what needs its own says so")
{
	const Words below = { "unshare", "--pid", "--fork", "--kill-child", "--" };
	const std::string said = "/proc is that of another PID namespace: 'mount -t proc proc "
				 "/proc' brings this one's\n";
	const Run run = run_plain(below + Words{ "sh", "-c", "sleep 60 & \"$@\" -p $!; echo $?",
						 "sh", iotrace_path(), "--backend=" + backend() });

	INFO(run);
	CHECK_THAT(run.err, ContainsSubstring(said));
	CHECK(run.out == "125\n");
	/* With eBPF, a command needs none. */
	const Run command = run_plain(
		below + iotrace_argv({ "-e", "write" },
				     { "workloads/endl_loop", "-n", "10", "-o", "/dev/null" },
				     nullptr));
	INFO(command);
	CHECK(command.end == (backend() == "bpf" ? "exit 0" : "exit 125"));
	if (backend() == "bpf")
		CHECK(parse_report(command.err).calls("write") == 10);
	else
		CHECK_THAT(command.err, ContainsSubstring(said));
}
