// SPDX-License-Identifier: GPL-2.0
/*
 * Only the strace backend has these: an ordinary user's first run, and the end of strace itself.
 * Everything else is tested for both backends.
 */
#include "lib/live.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

static Words with_backend(const std::string &name, Words options)
{
	options.insert(options.begin(), "--backend=" + name);
	return options;
}

/* ---- an ordinary user ---- */

struct Ordinary {
	std::string binary = temporary("iotrace-for-all"),
		    workload = temporary("endl_loop-for-all");
	Spawn how;

	Ordinary()
	{
		fs::copy_file(iotrace_path(), binary, fs::copy_options::overwrite_existing);
		fs::copy_file(source_path("workloads/endl_loop"), workload,
			      fs::copy_options::overwrite_existing);
		how.directory = "/";
		how.in_child = [] {
			if (setgid(65534) || setuid(65534))
				_exit(97);
			clearenv();
			setenv("PATH", "/usr/bin:/bin", 1);
		};
	}
};

static size_t count_lines(const std::string &text)
{
	size_t lines = 0;

	for (char c : text)
		lines += c == '\n';
	return lines;
}

TEST_CASE("strace: an ordinary user's first try works and says what it did", "[once]")
{
	Ordinary user;
	Spawn how = user.how;

	how.argv = { user.binary, "--", user.workload, "-n", "1000" };
	Process process(how);
	CHECK(process.wait() == "exit 0");
	INFO(process.err());
	CHECK(count_lines(process.out()) == 1000);
	const Report report = parse_report(process.err());
	CHECK(report.calls("write") == 1000);
	CHECK(report.accounted);
	CHECK_THAT(process.err(), ContainsSubstring("iotrace: note: "));
	CHECK_THAT(process.err(), ContainsSubstring("using strace instead"));
	CHECK_THAT(process.err(), ContainsSubstring("times include strace's own"));
}

TEST_CASE("strace: --backend=bpf never falls back, doctor says why", "[once]")
{
	Ordinary user;
	Spawn how = user.how;

	how.argv = { user.binary, "--backend=bpf", "--", user.workload, "-n", "10" };
	Process bpf(how);
	CHECK(bpf.wait() == "exit 125");
	CHECK(bpf.out() == "");
	CHECK_THAT(bpf.err(), ContainsSubstring("sudo"));

	how.argv = { user.binary, "doctor" };
	Process doctor(how);
	CHECK(doctor.wait() == "exit 0");
	INFO(doctor.out());
	CHECK_THAT(doctor.out(), ContainsSubstring("bpf: not usable"));
	CHECK_THAT(doctor.out(), ContainsSubstring("missing  CAP_BPF and CAP_PERFMON"));
	CHECK_THAT(doctor.out(), ContainsSubstring("strace: usable"));
	CHECK_THAT(doctor.out(), ContainsSubstring("\niotrace uses strace, which stops"));

	how.env.push_back("PATH=/nonexistent");
	Process nothing(how);
	CHECK(nothing.wait() == "exit 1");
	INFO(nothing.out());
	CHECK_THAT(nothing.out(), ContainsSubstring("strace: not usable"));
	CHECK_THAT(nothing.out(), ContainsSubstring("\niotrace cannot trace anything here: "));
}

TEST_CASE("strace: root has eBPF without a word", "[once]")
{
	const Run run = run_plain({ iotrace_path(), "-o", "/dev/null", "true" });

	CHECK(run.end == "exit 0");
	CHECK(run.err == "");
	const Run doctor = run_plain({ iotrace_path(), "doctor" });
	CHECK(doctor.end == "exit 0");
	CHECK_THAT(doctor.out, ContainsSubstring("iotrace uses bpf."));
}

TEST_CASE("strace: options that strace lacks are named", "[once]")
{
	for (const Words &options : { Words{ "--cgroup=/" }, Words{ "-a" } }) {
		Words argv = { iotrace_path(), "--backend=strace" };

		argv.insert(argv.end(), options.begin(), options.end());
		const Run run = run_plain(argv);
		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err,
			   ContainsSubstring("strace cannot do " + options[0].substr(0, 8)));
	}
}

TEST_CASE("strace: a missing, old, wrong or failing strace is an error", "[once]")
{
	const struct {
		const char *script, *said;
	} cases[] = {
		{ nullptr, "install the package 'strace'" },
		{ "echo 'strace -- version 4.26'", "strace 4.26 is too old" },
		{ "echo nonsense", "does not tell its version" },
		{ "[ \"$1\" = -V ] && echo 'strace -- version 6.1' || { echo 'strace: oh\tno' >&2; "
		  "exit 1; }",
		  "strace says: oh\\tno" },
	};
	const std::string path = temporary("path");

	fs::create_directory(path);
	for (const auto &c : cases) {
		fs::remove(path + "/strace");
		if (c.script) {
			write_file(path + "/strace", "#!/bin/sh\n" + std::string(c.script) + "\n");
			fs::permissions(path + "/strace", fs::perms::all);
		}
		Spawn how;
		how.env = { "PATH=" + path };
		const Run run =
			run_plain({ iotrace_path(), "--backend=strace", "/bin/echo", "ran" }, how);
		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK(run.out == "");
		CHECK_THAT(run.err, ContainsSubstring(c.said));
	}
}

/* With fewer options strace's log has fewer fields; the figures are the same. */
TEST_CASE("strace: an old strace works", "[once]")
{
	const std::string path = temporary("old");

	fs::create_directory(path);
	write_file(path + "/strace",
		   "#!/bin/sh\n[ \"$1\" = -V ] && exec echo 'strace -- version 5.2'\n"
		   "exec /usr/bin/strace \"$@\"\n");
	fs::permissions(path + "/strace", fs::perms::all);
	Spawn how;
	how.env = { "PATH=" + path + ":/usr/bin:/bin" };
	const Run old = run_iotrace(
		{ "-e", "write,close,execve", "-U", "calls,errors,bytes,name", "--backend=strace" },
		{ fixture("children"), "fork", "20" }, how);
	INFO(old);
	CHECK(old.end == "exit 0");
	CHECK(old.report.calls("execve") == 1);
	CHECK(old.report.calls("write") == 60);
	CHECK(old.report.bytes("write") == 120);
	CHECK(old.report.errors("close") == 20);
}

/* ---- a tracer that goes away ---- */

static pid_t tracer_of(pid_t pid)
{
	std::ifstream status("/proc/" + std::to_string(pid) + "/status");
	std::string line;

	while (std::getline(status, line))
		if (line.rfind("TracerPid:", 0) == 0)
			return std::stoi(line.substr(10));
	return 0;
}

static void wait_until_traced(pid_t pid, Process &tracing)
{
	const bool traced = eventually([&] { return tracer_of(pid) > 1 || !tracing.running(); });

	INFO(tracing.err());
	REQUIRE(traced);
	REQUIRE(tracing.running());
}

/* Prints its pid, then a line for each line that it is given. */
static const Words echoing = { "sh", "-c", "echo $$; while read -r line; do echo $line; done" };

struct Echoing {
	Pipe in, out;
	std::string report;
	Spawn how;
	pid_t pid = 0;

	explicit Echoing(const Words &options)
	{
		how.argv = iotrace_argv(with_backend("strace", options), echoing, &report);
		how.in = in.reader;
		how.out = out.writer;
	}
	void begin()
	{
		in.close_reader();
		out.close_writer();
		pid = std::stoi(read_until(out.reader, "\n"));
	}
	void say(const std::string &text)
	{
		write_all(in.writer, text + "\n");
	}
	void hear(const std::string &text)
	{
		read_until(out.reader, text + "\n");
	}
};

TEST_CASE("strace: killed, what was measured is reported, and the exit status says so", "[once]")
{
	/* The command goes on; with --seccomp its calls would fail. */
	Echoing command({ "-e", "execve,write" });
	Process process(command.how);

	command.begin();
	command.say("one");
	command.hear("one");
	command.say("two");
	command.hear("two");
	const pid_t tracer = tracer_of(command.pid);
	REQUIRE(tracer > 1);
	signal_process(tracer, SIGKILL);
	REQUIRE(eventually([&] { return tracer_of(command.pid) == 0; }));
	command.say("three");
	command.hear("three");
	command.in.close_writer();
	CHECK(process.wait() == "exit 125");
	INFO(process.err());
	CHECK_THAT(process.err(), ContainsSubstring("strace has ended before what it traced"));
	const Report report = parse_report(read_file(command.report));
	CHECK(report.accounted);
	CHECK(report.calls("execve") == 1);
	/* strace may not have seen the write of the last line return. */
	CHECK(report.calls("write") >= 2);
	CHECK(report.calls("write") <= 3);
}

TEST_CASE("strace: killed while attached, the process goes on", "[once]")
{
	Spawn sleeper;
	sleeper.argv = { "sleep", "1000" };
	Process sleeping(sleeper);
	std::string report;
	Spawn how;

	how.argv = { iotrace_path(), "--backend=strace",
		     "-p",	     std::to_string(sleeping.pid()),
		     "-o",	     temporary("report-of-the-killed") };
	Process process(how);
	/* While a process is being attached to, another strace takes the place of one that ends. */
	REQUIRE(eventually([&] { return process.err() == begun || !process.running(); }));
	wait_until_traced(sleeping.pid(), process);
	signal_process(tracer_of(sleeping.pid()), SIGKILL);
	CHECK(process.wait() == "exit 125");
	CHECK_THAT(process.err(), ContainsSubstring("strace"));
	CHECK(sleeping.running());
	CHECK(tracer_of(sleeping.pid()) == 0);
}

/* With a filter strace cannot go away: the command's calls would fail. */
TEST_CASE("strace: iotrace killed, the command goes on to its end", "[once]")
{
	for (const Words &options : { Words{ "-e", "write" }, { "-e", "write", "--seccomp" } }) {
		Echoing command(options);
		Process process(command.how);

		command.begin();
		process.signal(SIGKILL);
		CHECK(process.wait() == "SIGKILL");
		for (int i = 0; i < 100; i++) {
			command.say(std::to_string(i));
			command.hear(std::to_string(i));
		}
		const pid_t tracer = tracer_of(command.pid);
		command.in.close_writer();
		CHECK(wait_for_orphan(command.pid) == "exit 0");
		CHECK(eventually([&] {
			const std::string stat = "/proc/" + std::to_string(tracer) + "/stat";

			return !tracer || !exists(stat) ||
			       read_file(stat).find(") Z") != std::string::npos;
		}));
	}
}

TEST_CASE("strace: iotrace killed, an attached process is let go", "[once]")
{
	Spawn sleeper;
	sleeper.argv = { "sleep", "1000" };
	Process sleeping(sleeper);
	Spawn how;

	how.argv = { iotrace_path(), "--backend=strace", "-p", std::to_string(sleeping.pid()) };
	Process process(how);
	wait_until_traced(sleeping.pid(), process);
	process.signal(SIGKILL);
	process.wait();
	CHECK(eventually([&] { return tracer_of(sleeping.pid()) == 0; }));
	CHECK(sleeping.running());
}

TEST_CASE("strace: after --duration the command goes on untraced, to its own end", "[once]")
{
	Echoing command({ "-e", "write", "--duration", "0.2" });
	Process process(command.how);

	command.begin();
	REQUIRE(eventually([&] { return tracer_of(command.pid) == 0; }));
	command.say("one");
	command.hear("one");
	command.in.close_writer();
	CHECK(process.wait() == "exit 0");
	CHECK(parse_report(read_file(command.report)).calls("write") == 1);
}

TEST_CASE("strace: a process that another traces is refused with the tracer's pid", "[once]")
{
	Spawn sleeper, other;
	sleeper.argv = { "sleep", "1000" };
	Process sleeping(sleeper);
	const std::string pid = std::to_string(sleeping.pid());

	other.argv = { "strace", "-o", "/dev/null", "-p", pid };
	Process tracing(other);
	wait_until_traced(sleeping.pid(), tracing);
	const Run run = run_plain({ iotrace_path(), "--backend=strace", "-p", pid });
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("cannot trace process " + pid));
	CHECK_THAT(run.err, ContainsSubstring("process " + std::to_string(tracing.pid()) +
					      " traces it already"));
}

TEST_CASE("strace: a program's own seccomp filter is reported where strace has one, too", "[once]")
{
	for (const bool seccomp : { false, true }) {
		const Run run = run_iotrace(Words{ "--backend=strace", "-e", "getppid,getpid" } +
						    (seccomp ? Words{ "--seccomp" } : Words{}),
					    { fixture("seccomp") });
		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(run.report.calls("getpid") == 100);
		CHECK((run.err.find("seccomp filter") != std::string::npos) == seccomp);
	}
}

/* Prints what became of a child that no tracer follows. */
static const Words untraced = {
	"python3", "-c",
	"import ctypes, os\n"
	"CLONE_UNTRACED, SIGCHLD, SYS_clone = 0x00800000, 17, 56\n"
	"pid = ctypes.CDLL(None).syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0)\n"
	"if pid == 0:\n"
	"    try:\n"
	"        os.write(1, b'written\\n')\n"
	"    except OSError as e:\n"
	"        os._exit(e.errno)\n"
	"    os._exit(0)\n"
	"print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
};

TEST_CASE("strace: the program is not changed, but by --seccomp", "[once]")
{
	const std::string id = temporary("id-of-nobody");

	fs::copy_file(fs::canonical("/usr/bin/id"), id);
	REQUIRE(chown(id.c_str(), 65534, 65534) == 0);
	REQUIRE(chmod(id.c_str(), 04755) == 0);
	for (const bool seccomp : { false, true }) {
		const Words options =
			Words{ "--backend=strace" } + (seccomp ? Words{ "--seccomp" } : Words{});
		const Run child = run_iotrace(options, untraced);
		const Run rights = run_iotrace(options, { id, "-u" });

		INFO(child);
		CHECK(child.end == "exit 0");
		CHECK(child.out ==
		      (seccomp ? std::to_string(ENOSYS) + "\n" : std::string("written\n0\n")));
		INFO(rights);
		CHECK(rights.out == (seccomp ? "0\n" : "65534\n"));
	}
}

TEST_CASE("strace: --seccomp that cannot be used is named", "[once]")
{
	for (const Words &options :
	     { Words{ "-e", "all" }, { "--duration=60" }, { "--no-follow" }, { "-u", "nobody" } }) {
		const Run run =
			run_iotrace(Words{ "--backend=strace", "--seccomp" } + options, { "true" });

		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK_THAT(run.err, ContainsSubstring("--seccomp is not used"));
	}
	CHECK(run_iotrace({ "--backend=strace", "--seccomp-bpf" }, { "true" }).err == "");
}
