// SPDX-License-Identifier: GPL-2.0
/*
 * The places that reports go to: those that do not take them, those that are closed, and those that
 * cannot be replaced. Nothing waits for ever, and what was measured is written where it can be.
 */
#include "lib/live.hpp"

#include <fcntl.h>
#include <filesystem>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace fs = std::filesystem;

static std::string folder(const std::string &name)
{
	std::string path = temporary(name);

	fs::create_directory(path);
	return path;
}

/* A named pipe without room that nobody reads. */
class FullPipe
{
	int fd;

public:
	const std::string path;

	explicit FullPipe(const std::string &where) : path(where)
	{
		const std::string page(4096, 'x');

		REQUIRE(mkfifo(path.c_str(), 0600) == 0);
		fd = open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
		REQUIRE(fd >= 0);
		while (write(fd, page.data(), page.size()) > 0)
			;
	}
	FullPipe(const FullPipe &) = delete;
	~FullPipe()
	{
		close(fd);
	}
};

static const Words short_run = { "workloads/endl_loop", "-n", "100", "-o", "/dev/null" };

static std::string calls_of_write(const std::string &capture)
{
	return jq(".syscalls[] | select(.name == \"write\") | .calls", capture);
}

TEST_CASE(
	"outputs: a report that nobody takes can be left by a signal, and files are written first")
{
	const std::string dir = folder("full-pipe"), capture = dir + "/run.json";
	const std::map<std::string, int> signals = { { "SIGINT", SIGINT },
						     { "SIGTERM", SIGTERM },
						     { "SIGHUP", SIGHUP },
						     { "SIGQUIT", SIGQUIT } };

	for (auto &[name, number] : signals) {
		FullPipe pipe(dir + "/" + name);
		Spawn how;

		fs::remove(capture);
		how.argv = iotrace_argv(
			{ "-e", "write", "-o", pipe.path, "-o", capture, "--format=json" },
			short_run, nullptr);
		Process process(how);
		REQUIRE(eventually([&] { return exists(capture); }));
		REQUIRE(is_in(process.pid(), process.pid(), SYS_poll));
		process.signal(number);
		CHECK(process.wait() == name);
		CHECK(process.err() == "iotrace: error: interrupted by " + name + ": '" +
					       pipe.path + "' was not written, '" + capture +
					       "' was\n");
		CHECK(calls_of_write(capture) == "100");
	}
}

TEST_CASE("outputs: a pipe that nobody has opened can be left by a signal before the run", "[once]")
{
	const std::string path = temporary("unread");
	Spawn how;

	REQUIRE(mkfifo(path.c_str(), 0600) == 0);
	how.argv = iotrace_argv({ "-o", path }, { "touch", path + ".ran" }, nullptr);
	Process process(how);
	REQUIRE(is_in(process.pid(), process.pid(), SYS_openat));
	process.signal(SIGINT);
	CHECK(process.wait() == "SIGINT");
	CHECK(!exists(path + ".ran"));
}

TEST_CASE("outputs: an interval that nobody takes does not keep a signal from ending the run")
{
	const std::string dir = folder("full-interval"), capture = dir + "/run.json";
	FullPipe pipe(dir + "/pipe");
	Puppet puppet;
	Spawn how;

	how.argv = iotrace_argv(
		{ "--interval=0.05", "-p", puppet.pids(), "-o", pipe.path, "-o", capture }, {},
		nullptr);
	Watch watch({}, {}, how);
	Process &process = watch.process();
	puppet.tell("write 3");
	REQUIRE(is_in(process.pid(), process.pid(), SYS_poll));
	/* The first signal ends the run, whose capture is written; the second one its report. */
	process.signal(SIGINT);
	REQUIRE(eventually([&] { return exists(capture); }));
	/*
	 * It is another signal: a repetition within a tenth of a second is taken for the same one.
	 */
	process.signal(SIGTERM);
	CHECK(process.wait() == "SIGTERM");
	CHECK(calls_of_write(capture) == "3");
}

TEST_CASE("outputs: timeout(1) signals iotrace twice, and the report is still written")
{
	const std::string capture = temporary("timeout.json");
	Words argv = { "timeout", "1" };

	for (const std::string &word : iotrace_argv({ "-o", capture }, { "sleep", "60" }, nullptr))
		argv.push_back(word);
	const Run run = run_plain(argv);
	INFO(run);
	CHECK(run.end == "exit 124");
	CHECK(jq(".backend", capture) == "\"" + backend() + "\"");
}

TEST_CASE("outputs: a closed stderr ends neither a run nor its files nor its budgets")
{
	const std::string dir = folder("closed-stderr"), capture = dir + "/run.json";
	Pipe pipe;
	Spawn how;

	how.err = pipe.writer;
	pipe.close_reader();
	/* There is a note, an interval, a broken budget, and a finding's message to lose. */
	for (const Words &options : { Words{}, Words{ "--interval=0.02" },
				      Words{ "-P", dir + "/missing", "-P", "/dev/null" } }) {
		Words all = { "-e", "write", "-o", capture, "--fail-if", "write.calls>1" };

		fs::remove(capture);
		all.insert(all.end(), options.begin(), options.end());
		const Run run = run_plain(
			iotrace_argv(all,
				     { "sh", "-c",
				       "workloads/endl_loop -n 500 -o /dev/null; sleep 0.1; "
				       "workloads/endl_loop -n 500 -o /dev/null" },
				     nullptr),
			how);
		INFO(run);
		CAPTURE(options);
		CHECK(run.end == (options.empty() || options[0] == "-P" ? "exit 3" : "exit 125"));
		CHECK(calls_of_write(capture) == "1000");
	}
}

TEST_CASE("outputs: intervals that cannot be written are told once, and the run goes on")
{
	const std::string dir = folder("full-device"), capture = dir + "/run.json";
	const Run run = run_plain(
		iotrace_argv({ "-e", "write", "--interval=0.02", "-o", "/dev/full", "-o", capture },
			     { "sh", "-c",
			       "workloads/endl_loop -n 500 -o /dev/null; sleep "
			       "0.3; workloads/endl_loop -n 500 -o /dev/null" },
			     nullptr));
	const std::string said =
		"cannot write an interval to '/dev/full': No space left on device; "
		"tracing goes on";

	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK(run.err.find(said) != std::string::npos);
	CHECK(run.err.find(said) == run.err.rfind(said));
	CHECK(calls_of_write(capture) == "1000");
}

TEST_CASE("outputs: what cannot be written to is an error and not a wait")
{
	Pipe pipe;
	Spawn how;

	how.err = pipe.reader;
	const Run as_stderr = run_plain(iotrace_argv({}, { "true" }, nullptr), how);
	INFO(as_stderr);
	CHECK(as_stderr.end == "exit 125");
	how = {};
	how.in = pipe.reader;
	const Run by_number =
		run_plain(iotrace_argv({ "-o", "/dev/fd/0" }, { "true" }, nullptr), how);
	INFO(by_number);
	CHECK(by_number.end == "exit 125");
	CHECK_THAT(by_number.err, ContainsSubstring("'/dev/fd/0': Bad file descriptor"));
}

TEST_CASE("outputs: watching ends when nobody is left to read it")
{
	Puppet puppet;
	Pipe pipe;
	Spawn how;

	how.err = pipe.writer;
	pipe.close_reader();
	const Run run = run_plain(
		iotrace_argv({ "--interval=0.05", "-p", puppet.pids() }, {}, nullptr), how);
	INFO(run);
	CHECK(run.end == "exit 125");
}

/* A capture to be written again somewhere else. */
static std::string a_capture()
{
	const std::string path = temporary("a-capture.json");
	const Run run = run_plain(iotrace_argv({ "-o", path }, { "true" }, nullptr));

	INFO(run);
	REQUIRE(run.end == "exit 0");
	chmod(path.c_str(), 0644);
	return path;
}

static Run write_again(const std::string &capture, const std::string &to, const Words &as = {})
{
	Words argv = as;

	for (const std::string &word :
	     Words{ iotrace_path(), "report", capture, "-o", to, "--format=json" })
		argv.push_back(word);
	return run_plain(argv);
}

static const Words as_user = { "setpriv", "--reuid=12345", "--regid=12345", "--clear-groups" };

static struct stat stat_of(const std::string &path)
{
	struct stat st = {};

	REQUIRE(stat(path.c_str(), &st) == 0);
	return st;
}

TEST_CASE("outputs: a file is written in place where it cannot be replaced", "[once]")
{
	const std::string dir = folder("in-place"), capture = a_capture(),
			  text = read_file(capture), mounted = dir + "/mounted",
			  beneath = dir + "/beneath", closed = folder("in-place/closed");

	write_file(mounted, "longer than nothing");
	write_file(beneath, std::string(100000, 'x'));
	REQUIRE(mount(beneath.c_str(), mounted.c_str(), nullptr, MS_BIND, nullptr) == 0);
	const Run into = write_again(capture, mounted);
	umount2(mounted.c_str(), MNT_DETACH);
	INFO(into);
	CHECK(into.end == "exit 0");
	CHECK(read_file(beneath) == text);

	write_file(closed + "/file", std::string(100000, 'x'));
	REQUIRE(chown((closed + "/file").c_str(), 12345, 12345) == 0);
	const Run below = write_again(capture, closed + "/file", as_user);
	INFO(below);
	CHECK(below.end == "exit 0");
	CHECK(read_file(closed + "/file") == text);
	const Run beside = write_again(capture, closed + "/other", as_user);
	INFO(beside);
	CHECK(beside.end == "exit 125");
	CHECK_THAT(beside.err, ContainsSubstring("other': Permission denied"));

	/* The error is found before a command is started. */
	const Run never = run_plain(
		iotrace_argv({ "-o", dir + "/none/x" }, { "touch", dir + "/ran" }, nullptr));
	INFO(never);
	CHECK(never.end == "exit 125");
	CHECK(!exists(dir + "/ran"));
}

TEST_CASE("outputs: a report in a sticky folder belongs to who writes it", "[once]")
{
	const std::string dir = folder("sticky"), capture = a_capture(), text = read_file(capture),
			  file = dir + "/file";
	const bool is_protected = read_file("/proc/sys/fs/protected_regular") != "0\n";

	REQUIRE(chmod(dir.c_str(), 01777) == 0);
	write_file(file, "old");
	REQUIRE(chown(file.c_str(), 54321, 54321) == 0);
	REQUIRE(chmod(file.c_str(), 0666) == 0);
	/* Another user's file may be written to where the kernel lets programs do so. */
	const Run other = write_again(capture, file, as_user);
	INFO(other);
	CHECK(other.end == (is_protected ? "exit 125" : "exit 0"));
	CHECK(read_file(file) == (is_protected ? "old" : text));
	CHECK(stat_of(file).st_uid == 54321);
	/* Who may replace it does, and does not give it away. */
	const Run root = write_again(capture, file);
	INFO(root);
	CHECK(root.end == "exit 0");
	CHECK(read_file(file) == text);
	CHECK(stat_of(file).st_uid == 0);
	CHECK((stat_of(file).st_mode & 0777) == 0644);
	/* A file elsewhere keeps its owner and mode. */
	REQUIRE(chmod(dir.c_str(), 0777) == 0);
	REQUIRE(chown(file.c_str(), 54321, 54321) == 0);
	REQUIRE(chmod(file.c_str(), 0640) == 0);
	CHECK(write_again(capture, file).end == "exit 0");
	CHECK(stat_of(file).st_uid == 54321);
	CHECK((stat_of(file).st_mode & 0777) == 0640);
}

TEST_CASE("outputs: a file of another user's keeps its owner and mode in every command")
{
	const std::string dir = folder("owner"), file = dir + "/file", capture = a_capture();
	const std::vector<Words> commands = {
		iotrace_argv({ "-o", file }, { "true" }, nullptr),
		{ iotrace_path(), "report", capture, "-o", file },
		{ iotrace_path(), "compare", capture, capture, "-o", file },
	};

	for (const Words &argv : commands) {
		CAPTURE(argv);
		write_file(file, "old");
		REQUIRE(chown(file.c_str(), 12345, 7) == 0);
		REQUIRE(chmod(file.c_str(), 0666) == 0);
		CHECK(run_plain(argv).end == "exit 0");
		CHECK(read_file(file) != "old");
		CHECK(stat_of(file).st_uid == 12345);
		CHECK(stat_of(file).st_gid == 7);
		CHECK((stat_of(file).st_mode & 07777) == 0666);
	}
}

TEST_CASE("outputs: a file keeps its owner although its writer may not give it away", "[once]")
{
	const std::string dir = folder("group"), file = dir + "/file", capture = a_capture();

	REQUIRE(chmod(dir.c_str(), 0777) == 0);
	write_file(file, std::string(100000, 'x'));
	REQUIRE(chown(file.c_str(), 54321, 12345) == 0);
	REQUIRE(chmod(file.c_str(), 0660) == 0);
	const Run run = write_again(capture, file, as_user);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(read_file(file) == read_file(capture));
	CHECK(stat_of(file).st_uid == 54321);
	CHECK(stat_of(file).st_gid == 12345);
	CHECK((stat_of(file).st_mode & 07777) == 0660);
}

/* Sets an attribute until the end of the scope, as chattr(1) does. */
class Attribute
{
	int fd;

	void set(bool on) const
	{
		int flags = 0;

		REQUIRE(ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0);
		flags = on ? flags | FS_APPEND_FL : flags & ~FS_APPEND_FL;
		REQUIRE(ioctl(fd, FS_IOC_SETFLAGS, &flags) == 0);
	}

public:
	explicit Attribute(const std::string &path)
	    : fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC))
	{
		REQUIRE(fd >= 0);
		set(true);
	}
	Attribute(const Attribute &) = delete;
	~Attribute()
	{
		set(false);
		close(fd);
	}
};

TEST_CASE("outputs: a report is written in a folder that is append-only")
{
	const std::string dir = folder("append-only"), old = dir + "/old", made = dir + "/made";
	std::vector<std::string> left;

	write_file(old, std::string(100000, 'x'));
	{
		const Attribute append_only(dir);

		for (const std::string &path : { old, made }) {
			const Run run = run_plain(
				iotrace_argv({ "-e", "write", "-o", path, "--format=json" },
					     short_run, nullptr));
			INFO(run);
			CHECK(run.end == "exit 0");
			CHECK(calls_of_write(path) == "100");
		}
	}
	for (const auto &entry : fs::directory_iterator(dir))
		left.push_back(entry.path().filename());
	std::sort(left.begin(), left.end());
	CHECK(left == Words{ "made", "old" });
}

TEST_CASE("outputs: a file that is append-only is refused before the command runs")
{
	const std::string dir = folder("append-only-file"), file = dir + "/file";

	write_file(file, "old");
	const Attribute append_only(file);
	const Run run = run_plain(iotrace_argv({ "-o", file }, { "touch", dir + "/ran" }, nullptr));
	INFO(run);
	CHECK(run.end == "exit 125");
	CHECK_THAT(run.err, ContainsSubstring("/file': Operation not permitted"));
	CHECK(!exists(dir + "/ran"));
	CHECK(read_file(file) == "old");
}
