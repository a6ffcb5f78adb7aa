// SPDX-License-Identifier: GPL-2.0
#include "lib/process.hpp"
#include "lib/checked.hpp"
#include "lib/pipes.hpp"

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* The command gets nothing of the caller's environment except these. */
static Words known_environment(const Words &more)
{
	const char *plain_start = getenv("IOTRACE_PLAIN_START");
	Words env = more;

	const Words known = { "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
			      "LC_ALL=C",
			      "TZ=UTC0",
			      "TERM=xterm",
			      "PYTHONDONTWRITEBYTECODE=1",
			      "GIT_CONFIG_NOSYSTEM=1",
			      "GIT_PAGER=cat",
			      "CCACHE_DISABLE=1",
			      std::string("IOTRACE_PLAIN_START=") + (plain_start ?: "0"),
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

/* Runs in the child. Makes fd the descriptor of that number, or closes the number. */
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

	/* The caller may ignore some signals, as a background job does. */
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
	/* The command is found in its own PATH. */
	environ = const_cast<char **>(env);
	execvp(argv[0], argv);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(98);
}

/*
 * Makes a nameless file: threads that write to a memfd at the same time overwrite each other (it
 * has no FMODE_ATOMIC_POS, see alloc_file()). The name that the file had is the same in each run.
 */
static int capture_file(const char *name)
{
	const std::string path = temporary(name);
	int file = checked(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), name);
	int fd = fcntl(file, F_DUPFD_CLOEXEC, 10);

	close(file);
	unlink(path.c_str());
	return checked(fd, "fcntl");
}

Process::Process(const Spawn &spawn)
{
	Words env_words = known_environment(spawn.env);
	std::vector<char *> argv = pointers(spawn.argv), env = pointers(env_words);
	int null = checked(open("/dev/null", O_RDWR | O_CLOEXEC), "/dev/null");
	int streams[3] = { spawn.in, spawn.out, spawn.err };

	out_ = capture_file("captured-out");
	err_ = capture_file("captured-err");
	const int defaults[3] = { null, out_, err_ };
	for (int i = 0; i < 3; i++) {
		if (streams[i] == STREAM_DEFAULT)
			streams[i] = spawn.terminal >= 0 ? spawn.terminal : defaults[i];
	}
	/* Orphans of the command become our children, to be reaped. */
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

/* Does not move the offset, which the command shares. */
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

	/* It may still be another process's child, which ends before us. */
	if (fd < 0 || poll(&pfd, 1, patience_ms) != 1)
		return "not there, or it does not end";
	close(fd);
	if (!eventually([&] { return waitpid(pid, &status, WNOHANG) == pid; }))
		return "never became ours";
	return how_it_ended(status);
}

static std::string joined(const Words &words)
{
	std::string line;

	for (const std::string &word : words)
		line += (line.empty() ? "" : " ") + word;
	return line;
}

std::string quoted(const std::string &word)
{
	std::string text = "'";

	for (char c : word)
		text += c == '\'' ? "'\\''" : std::string(1, c);
	return text + "'";
}

Finished run_to_end(const Words &command, const Spawn &how)
{
	Spawn spawn = how;

	spawn.argv = command;
	Process process(spawn);
	const std::string end = process.wait();
	return { joined(command), end, process.out(), process.err() };
}
