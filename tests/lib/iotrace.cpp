// SPDX-License-Identifier: GPL-2.0
// Processes, pipes, terminals and files of the harness.
#define CATCH_CONFIG_EXTERNAL_INTERFACES // for the listener, in Catch2 2.x
#include "lib/iotrace.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <pty.h>
#include <sstream>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

/* After this, what is waited for does not come any more. Nothing takes nearly as long. */
static const int patience_ms = 5 * 60 * 1000;

[[noreturn]] static void fail(const std::string &what)
{
	throw std::runtime_error(what + ": " + strerror(errno));
}

static int checked(int result, const char *what)
{
	if (result < 0)
		fail(what);
	return result;
}

// ---- files ----

/* Made at first use, removed at the end. */
class TemporaryDirectory
{
	pid_t owner = getpid();

public:
	std::string path;

	TemporaryDirectory()
	{
		path = (fs::temp_directory_path() / "iotrace-e2e-XXXXXX").string();
		if (!mkdtemp(path.data()))
			fail(path);
		fs::permissions(path, fs::perms(0755));
	}
	~TemporaryDirectory()
	{
		std::error_code ignored;

		if (getpid() == owner)
			fs::remove_all(path, ignored);
	}
};

std::string temporary(const std::string &name)
{
	static const TemporaryDirectory directory;

	return directory.path + "/" + name;
}

std::string read_file(const std::string &path)
{
	std::ifstream file(path);
	std::ostringstream text;

	text << file.rdbuf();
	return text.str();
}

void write_file(const std::string &path, const std::string &text)
{
	std::ofstream file(path);

	file << text;
	file.close();
	if (!file)
		fail(path);
}

bool exists(const std::string &path)
{
	struct stat st;

	return lstat(path.c_str(), &st) == 0;
}

std::string source_path(const std::string &path)
{
	static const std::string top = fs::current_path().string();

	return top + "/" + path;
}

std::string iotrace_path()
{
	const char *path = getenv("IOTRACE");

	return fs::absolute(path ? path : "build/iotrace").string();
}

std::string backend()
{
	const char *name = getenv("BACKEND");

	return name ? name : "bpf";
}

std::string fixture(const std::string &name, const Words &flags)
{
	static std::map<std::string, std::string> made;
	Words argv = { "gcc", "-O1", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-pthread" };
	std::string key = name;

	argv.insert(argv.end(), flags.begin(), flags.end());
	for (const std::string &flag : flags)
		key += flag;
	std::string &path = made[key];
	if (!path.empty())
		return path;
	path = temporary("bin" + std::to_string(made.size()) + "-" + name);
	for (const char *word : { "-o", path.c_str() })
		argv.push_back(word);
	argv.push_back(source_path("tests/fixtures/e2e/" + name + ".c"));
	Run run = run_plain(argv);
	if (run.end != "exit 0" || !run.err.empty())
		throw std::runtime_error(key + " does not compile cleanly: " + run.err);
	return path;
}

// ---- descriptors ----

Pipe::Pipe()
{
	int fds[2];

	checked(pipe2(fds, O_CLOEXEC), "pipe2");
	reader = fds[0];
	writer = fds[1];
}

Pipe::~Pipe()
{
	close_reader();
	close_writer();
}

void Pipe::close_reader()
{
	if (reader >= 0)
		close(reader);
	reader = -1;
}

void Pipe::close_writer()
{
	if (writer >= 0)
		close(writer);
	writer = -1;
}

/* Adds what can be read to text. False at the end of file. */
static bool read_some(int fd, std::string &text)
{
	struct pollfd pfd = { fd, POLLIN, 0 };
	char buf[4096];

	if (poll(&pfd, 1, patience_ms) <= 0)
		throw std::runtime_error("nothing comes any more after: " + text);
	ssize_t size = read(fd, buf, sizeof(buf));
	/* A terminal that everybody has closed answers EIO. */
	if (size <= 0)
		return false;
	text.append(buf, size);
	return true;
}

std::string read_until(int fd, const std::string &text)
{
	std::string seen;

	while (seen.find(text) == std::string::npos)
		if (!read_some(fd, seen))
			throw std::runtime_error("end of file before '" + text + "': " + seen);
	return seen;
}

void write_all(int fd, const std::string &text)
{
	if (write(fd, text.data(), text.size()) != (ssize_t)text.size())
		fail("write");
}

Terminal::Terminal()
{
	struct termios mode;

	checked(openpty(&master, &slave, nullptr, nullptr, nullptr), "openpty");
	fcntl(master, F_SETFD, FD_CLOEXEC);
	fcntl(slave, F_SETFD, FD_CLOEXEC);
	tcgetattr(slave, &mode);
	mode.c_lflag &= ~ECHO;
	mode.c_oflag &= ~OPOST;
	tcsetattr(slave, TCSANOW, &mode);
}

Terminal::~Terminal()
{
	close(master);
	if (slave >= 0)
		close(slave);
}

void Terminal::type(const std::string &text)
{
	write_all(master, text);
}

std::string Terminal::read_until(const std::string &text)
{
	while (seen.find(text) == std::string::npos)
		if (!read_some(master, seen))
			throw std::runtime_error("terminal closed before '" + text + "': " + seen);
	return seen;
}

std::string Terminal::read_all()
{
	if (slave >= 0)
		close(slave);
	slave = -1;
	while (read_some(master, seen))
		;
	return seen;
}

bool eventually(const std::function<bool()> &so)
{
	auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms);

	while (!so()) {
		if (std::chrono::steady_clock::now() > end)
			return false;
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
	}
	return true;
}

// ---- processes ----

static std::string how_it_ended(int status)
{
	if (WIFEXITED(status))
		return "exit " + std::to_string(WEXITSTATUS(status));
	std::string name = "SIG" + std::string(sigabbrev_np(WTERMSIG(status)));
	return WCOREDUMP(status) ? name + ", core dumped" : name;
}

static int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* Nothing of the caller's environment but what is named here. */
static Words known_environment(const Words &more)
{
	Words env = more;

	const Words known = { "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
			      "LC_ALL=C",
			      "TZ=UTC0",
			      "TERM=xterm",
			      "PYTHONDONTWRITEBYTECODE=1",
			      "GIT_CONFIG_NOSYSTEM=1",
			      "GIT_PAGER=cat",
			      "CCACHE_DISABLE=1",
			      "HOME=" + temporary(""),
			      "TMPDIR=" + temporary("") };

	for (const std::string &entry : known) {
		const std::string name = entry.substr(0, entry.find('=') + 1);
		bool given = false;

		for (const std::string &other : more)
			given = given || other.compare(0, name.size(), name) == 0;
		if (!given)
			env.push_back(entry);
	}
	return env;
}

static std::vector<char *> pointers(const Words &words)
{
	std::vector<char *> out;

	for (const std::string &word : words)
		out.push_back(const_cast<char *>(word.c_str()));
	out.push_back(nullptr);
	return out;
}

/* In the child: fd becomes number, or that is closed. */
static void place(int fd, int number)
{
	if (fd == STREAM_CLOSED)
		close(number);
	else if (fd == number)
		fcntl(fd, F_SETFD, 0);
	else if (dup2(fd, number) < 0)
		_exit(99);
}

[[noreturn]] static void run_child(const Spawn &spawn, const int streams[3], char *const *argv,
				   char *const *env)
{
	sigset_t none;

	/* Whoever runs the tests may ignore some, as for a job in the background. */
	for (int sig = 1; sig < NSIG; sig++)
		if (sig != SIGKILL && sig != SIGSTOP)
			::signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, nullptr);
	if (spawn.terminal >= 0) {
		setsid();
		ioctl(spawn.terminal, TIOCSCTTY, 0);
	} else {
		setpgid(0, 0);
	}
	for (int i = 0; i < 3; i++)
		place(streams[i], i);
	if (!spawn.directory.empty() && chdir(spawn.directory.c_str()))
		_exit(99);
	if (spawn.in_child)
		spawn.in_child();
	/* The command is looked for in its own PATH. */
	environ = const_cast<char **>(env);
	execvp(argv[0], argv);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(98);
}

static int capture_file(const char *name)
{
	int fd = checked(memfd_create(name, MFD_CLOEXEC), "memfd_create");

	return checked(fcntl(fd, F_DUPFD_CLOEXEC, 10), "fcntl");
}

Process::Process(const Spawn &spawn)
{
	Words env_words = known_environment(spawn.env);
	std::vector<char *> argv = pointers(spawn.argv), env = pointers(env_words);
	int null = checked(open("/dev/null", O_RDWR | O_CLOEXEC), "/dev/null");
	int streams[3] = { spawn.in, spawn.out, spawn.err };

	out_ = capture_file("out");
	err_ = capture_file("err");
	const int defaults[3] = { null, out_, err_ };
	for (int i = 0; i < 3; i++) {
		if (streams[i] == STREAM_DEFAULT)
			streams[i] = spawn.terminal >= 0 ? spawn.terminal : defaults[i];
	}
	/* What it leaves behind becomes ours, to be reaped. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fflush(nullptr);
	pid_ = checked(fork(), "fork");
	if (!pid_)
		run_child(spawn, streams, argv.data(), env.data());
	if (spawn.terminal < 0)
		setpgid(pid_, pid_);
	pidfd_ = checked(open_pidfd(pid_), "pidfd_open");
	close(null);
}

Process::~Process()
{
	signal_group(pid_, SIGKILL);
	if (status_ == -1) {
		signal_process(pid_, SIGKILL);
		waitpid(pid_, &status_, 0);
	}
	close(pidfd_);
	close(out_);
	close(err_);
}

void Process::signal(int sig)
{
	checked((int)syscall(SYS_pidfd_send_signal, pidfd_, sig, nullptr, 0), "pidfd_send_signal");
}

bool Process::running()
{
	struct pollfd pfd = { pidfd_, POLLIN, 0 };

	return status_ == -1 && poll(&pfd, 1, 0) == 0;
}

std::string Process::wait()
{
	struct pollfd pfd = { pidfd_, POLLIN, 0 };

	if (status_ != -1)
		return how_it_ended(status_);
	if (poll(&pfd, 1, patience_ms) != 1)
		throw std::runtime_error("it does not end; stderr so far: " + err());
	checked(waitpid(pid_, &status_, 0), "waitpid");
	return how_it_ended(status_);
}

/* Leaves the offset alone, which the command shares. */
static std::string captured(int fd)
{
	struct stat st;
	std::string text;

	checked(fstat(fd, &st), "fstat");
	text.resize(st.st_size);
	text.resize(checked((int)pread(fd, text.data(), text.size(), 0), "pread"));
	return text;
}

std::string Process::out() const
{
	return captured(out_);
}

std::string Process::err() const
{
	return captured(err_);
}

std::string wait_for_orphan(pid_t pid)
{
	int status, fd = open_pidfd(pid);
	struct pollfd pfd = { fd, POLLIN, 0 };

	/* It may still be somebody else's child, whom we outlive. */
	if (fd < 0 || poll(&pfd, 1, patience_ms) != 1)
		return "not there, or it does not end";
	close(fd);
	if (!eventually([&] { return waitpid(pid, &status, WNOHANG) == pid; }))
		return "never became ours";
	return how_it_ended(status);
}

// ---- what a test leaves behind ----

static void reap_leftovers()
{
	std::string children;

	while (!(children = read_file("/proc/thread-self/children")).empty()) {
		std::istringstream pids(children);

		for (pid_t pid; pids >> pid;) {
			signal_process(pid, SIGKILL);
			waitpid(pid, nullptr, 0);
		}
	}
}

#if __has_include(<catch2/catch_all.hpp>)
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

class Reaper : public ListenerBase
{
public:
	using ListenerBase::ListenerBase;

	void testCaseEnded(const Catch::TestCaseStats &) override
	{
		reap_leftovers();
	}
};

CATCH_REGISTER_LISTENER(Reaper)
