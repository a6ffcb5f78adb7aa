// SPDX-License-Identifier: GPL-2.0
// Everything here uses real processes. Pipes settle the order of events: each side reports what it
// has done, line by line, and nothing sleeps.
#include "lib/catch.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <set>
#include <signal.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" {
#include "base/command.h"
#include "trace/target.h"
}
#include "lib/pipes.hpp"
#include "lib/process.hpp"

namespace fs = std::filesystem;

namespace
{

// The descriptors of this process, except the one that lists them.
std::string descriptors(bool only_inherited)
{
	std::set<int> fds;
	std::string text;
	DIR *dir = opendir("/proc/self/fd");

	while (struct dirent *entry = readdir(dir)) {
		int fd = atoi(entry->d_name);

		if (entry->d_name[0] == '.' || fd == dirfd(dir))
			continue;
		if (!only_inherited || !(fcntl(fd, F_GETFD) & FD_CLOEXEC))
			fds.insert(fd);
	}
	closedir(dir);
	for (int fd : fds)
		text += std::to_string(fd) + " ";
	return text;
}

// The lines of /proc/PID/status that a command inherits through execve().
std::string signal_state(std::istream &status)
{
	std::string line, text;

	while (std::getline(status, line))
		if (line.rfind("SigBlk:", 0) == 0 || line.rfind("SigIgn:", 0) == 0)
			text += line + " ";
	return text;
}

std::string signal_state()
{
	std::ifstream status("/proc/self/status");

	return signal_state(status);
}

// ---- Commands that do not depend on a shell's reactions: this program, executed with two
// arguments.

// Prints the signals and letters that it receives; "k" signals its process group, "e" ends it.
void listen_command()
{
	sigset_t set;
	char c;

	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, nullptr);
	struct pollfd fds[] = { { signalfd(-1, &set, SFD_CLOEXEC), POLLIN, 0 },
				{ STDIN_FILENO, POLLIN, 0 } };

	write_all(STDOUT_FILENO, "ready\n");
	while (poll(fds, 2, -1) > 0) {
		struct signalfd_siginfo si;

		if (fds[0].revents && read(fds[0].fd, &si, sizeof(si)) == sizeof(si)) {
			write_all(STDOUT_FILENO, "signal " + std::to_string(si.ssi_signo) +
							 " from " + std::to_string(si.ssi_pid) +
							 "\n");
			continue;
		}
		if (read(STDIN_FILENO, &c, 1) != 1 || c == 'e')
			break;
		if (c == 'k')
			signal_group(getppid(), SIGTERM); // iotrace leads the group
		else if (c != '\n')
			write_all(STDOUT_FILENO, std::string("heard ") + c + "\n");
	}
	_exit(5);
}

void descriptors_command(const char *path)
{
	std::string text = descriptors(false);

	write_all(open(path, O_WRONLY | O_CLOEXEC), text + "\n");
	_exit(0);
}

__attribute__((constructor)) void be_a_command(int argc, char **argv)
{
	if (argc != 3)
		return;
	if (!strcmp(argv[1], "be:listen"))
		listen_command();
	if (!strcmp(argv[1], "be:descriptors"))
		descriptors_command(argv[2]);
}

const Words listener = { "/proc/self/exe", "be:listen", "" };

// ---- What iotrace does with a target.

struct target *fork_target(const Words &args)
{
	std::vector<char *> argv;
	struct target *t = nullptr;
	char *path = nullptr;

	for (const std::string &arg : args)
		argv.push_back(const_cast<char *>(arg.c_str()));
	argv.push_back(nullptr);
	if (find_command(argv[0], &path) || target__fork(&t, path, argv.data(), nullptr))
		abort();
	free(path);
	return t;
}

// Runs it to its end: its wait status, or the negative errno of its execve().
int run(const Words &args)
{
	struct target *t = fork_target(args);
	int status = target__go(t);

	if (!status)
		status = target__wait(t, -1, -1) == TARGET_ENDED ? target__status(t) : -1000;
	target__free(t, false);
	return status;
}

std::string event_name(int event)
{
	static const char *const names[] = { "ended", "interrupted", "woken", "timeout" };

	return event >= 0 && event <= TARGET_TIMEOUT ? names[event] : "error";
}

int wait_for(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

void default_signals()
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++) // Catch has its own
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, nullptr);
}

// The wait status of a child that runs this function and nothing else.
int in_child(const std::function<void()> &body)
{
	std::cout.flush();
	pid_t pid = fork();

	if (!pid) {
		default_signals();
		body();
		_exit(0);
	}
	return wait_for(pid);
}

// A process that acts as iotrace: from a paused command to the same end as the command's. It
// reports each step on a pipe of its own; stdin and stdout belong to the command.
class Iotrace
{
public:
	// before: what the process that starts it has done to it.
	Iotrace(
		const Words &command, bool terminal = false,
		const std::function<void(Iotrace &)> &before = [](Iotrace &) {})
	{
		std::cout.flush();
		pid = terminal ? fork_on_terminal() : fork();
		if (pid < 0)
			abort();
		if (!pid) {
			default_signals();
			become(command, terminal, before);
		}
		says.close_writer();
		told.close_reader();
		out.close_writer();
		in.close_reader();
	}
	~Iotrace()
	{
		if (command_fd >= 0) {
			syscall(SYS_pidfd_send_signal, command_fd, SIGKILL, nullptr, 0);
			close(command_fd);
		}
		if (!reaped) {
			signal_process(pid, SIGKILL);
			wait_for(pid);
		}
		if (master >= 0)
			close(master);
	}

	std::string hear()
	{
		return read_line(says.reader);
	}
	void say(const std::string &what)
	{
		write_all(says.writer, what + "\n");
	}

	// The paused command's pid.
	pid_t paused()
	{
		std::string line = hear();

		REQUIRE(line.rfind("paused ", 0) == 0);
		command = atoi(line.c_str() + strlen("paused "));
		command_fd = syscall(SYS_pidfd_open, command, 0);
		REQUIRE(command_fd >= 0);
		return command;
	}
	pid_t go()
	{
		paused();
		wake();
		REQUIRE(hear() == "gone");
		return command;
	}
	// When it answers "woken", it has handled every signal that was sent before.
	void wake()
	{
		write_all(told.writer, "!");
	}
	// Ends the wait. Returns its wait status.
	int end()
	{
		told.close_writer();
		reaped = true;
		return wait_for(pid);
	}
	void wait_for_command()
	{
		struct pollfd p = { command_fd, POLLIN, 0 };

		REQUIRE(poll(&p, 1, patience_ms) == 1);
	}
	std::string command_says()
	{
		return read_line(master >= 0 ? master : out.reader);
	}
	void tell_command(const std::string &what)
	{
		write_all(master >= 0 ? master : in.writer, what);
	}

	pid_t pid, command = -1;
	int command_fd = -1, master = -1;
	bool reaped = false;
	Pipe in, out, says, told;

private:
	pid_t fork_on_terminal()
	{
		struct termios tio = {};

		tio.c_cflag = CS8 | CREAD;
		tio.c_lflag = ISIG | ICANON | NOFLSH;
		tio.c_cc[VINTR] = 3;
		tio.c_cc[VQUIT] = 28;
		return forkpty(&master, nullptr, &tio, nullptr);
	}

	[[noreturn]] void become(const Words &args, bool terminal,
				 const std::function<void(Iotrace &)> &before)
	{
		char c;
		int event = TARGET_WAKEUP;

		if (!terminal) {
			setpgid(0, 0);
			dup2(in.reader, STDIN_FILENO);
			dup2(out.writer, STDOUT_FILENO);
		}
		in.close_writer();
		out.close_reader();
		out.close_writer();
		says.close_reader();
		told.close_writer();
		before(*this);

		struct target *t = fork_target(args);

		say("paused " + std::to_string(target__pid(t)));
		if (read(told.reader, &c, 1) != 1 || target__go(t))
			_exit(99);
		say("gone");
		while (event != TARGET_INTERRUPTED) {
			event = target__wait(t, told.reader, -1);
			if (event == TARGET_WAKEUP && read(told.reader, &c, 1) != 1)
				break;
			say(event_name(event));
		}
		int status = target__end_status(t);

		target__free(t, false);
		target_end_like(status);
	}
};

struct SearchPath {
	std::string saved;

	explicit SearchPath(const std::string &dirs)
	{
		if (const char *before = getenv("PATH"))
			saved = before;
		setenv("PATH", dirs.c_str(), 1);
	}
	~SearchPath()
	{
		if (saved.empty())
			unsetenv("PATH");
		else
			setenv("PATH", saved.c_str(), 1);
	}
};

// The path found, or "-" and the errno.
std::string found(const std::string &name)
{
	char *path = nullptr;
	int err = find_command(name.c_str(), &path);
	std::string result = err ? "-" + std::to_string(-err) : path;

	free(path);
	return result;
}

const std::string enoent = "-" + std::to_string(ENOENT);
const std::string eacces = "-" + std::to_string(EACCES);

} // namespace

// ---- Finding

TEST_CASE("target: a command is found in PATH", "[target]")
{
	Folder dir;
	std::string a = dir.path / "a", b = dir.path / "b";

	dir.write("a/plain", "", 0644);
	dir.write("a/both", "", 0644);
	dir.write("b/both", "", 0755);
	dir.write("b/only", "", 0755);
	fs::create_directories(dir.path / "a/folder");
	fs::create_symlink("nowhere", dir.path / "a/dangling");
	SearchPath path(a + ":/no/such/folder:" + dir.write("not-a-folder", "", 0755) + ":" + b);

	CHECK(found("only") == b + "/only");
	CHECK(found("missing") == enoent);
	CHECK(found("dangling") == enoent);
	CHECK(found("") == enoent);
	CHECK(found(std::string(5000, 'x')) == enoent);
	// Even for root, who may read and write everything.
	CHECK(found("plain") == eacces);
	CHECK(found("folder") == eacces);
	CHECK(found("both") == b + "/both");
}

TEST_CASE("target: a name with a slash is not looked up in PATH", "[target]")
{
	Folder dir;
	std::string plain = dir.write("a/plain", "", 0644), good = dir.write("a/good", "", 0755);
	SearchPath path(dir.path);

	CHECK(found(good) == good);
	CHECK(found("a/good") == enoent);
	CHECK(found(plain) == eacces);
	CHECK(found(dir.path) == eacces);
	CHECK(found(good + "/x") == "-" + std::to_string(ENOTDIR));
}

TEST_CASE("target: an empty element of PATH is the current folder", "[target]")
{
	Folder dir;
	fs::path before = fs::current_path();

	dir.write("here", "", 0755);
	fs::current_path(dir.path);
	for (const char *dirs : { "", ":/no/such", "/no/such:", "/no/such::/nor/this" }) {
		SearchPath path(dirs);

		CHECK(found("here") == "./here");
	}
	{
		SearchPath path("/no/such");

		CHECK(found("here") == enoent);
	}
	fs::current_path(before);
}

TEST_CASE("target: without PATH the system's own folders are searched", "[target]")
{
	SearchPath path("");

	unsetenv("PATH");
	CHECK(found("sh") == "/bin/sh");
}

TEST_CASE("target: the effective user's rights decide what is executable", "[target]")
{
	Folder dir;
	std::string ours = dir.write("a/tool", "", 0700), all = dir.write("b/tool", "", 0755);
	SearchPath path((dir.path / "a").string() + ":" + (dir.path / "b").string());
	bool root = geteuid() == 0;

	int status = in_child([&] {
		if (root && (setegid(65534) || seteuid(65534)))
			_exit(2);
		_exit(found("tool") == (root ? all : ours) ? 0 : 1);
	});
	CHECK(status == 0);
}

// ---- Running

TEST_CASE("target: the end of a command is reported", "[target]")
{
	CHECK(run({ "true" }) == W_EXITCODE(0, 0));
	CHECK(run({ "sh", "-c", "exit 3" }) == W_EXITCODE(3, 0));
	CHECK(run({ "sh", "-c", "kill -KILL $$" }) == W_EXITCODE(0, SIGKILL));
	CHECK(run({ "sh", "-c", "test \"$0 $1\" = 'a b' && exit 4", "a", "b" }) ==
	      W_EXITCODE(4, 0));
}

TEST_CASE("target: a failing execve is told apart from a command that exits 127", "[target]")
{
	Folder dir;

	CHECK(run({ "sh", "-c", "exit 127" }) == W_EXITCODE(127, 0));
	CHECK(run({ dir.write("no-interpreter", "#!/no/such/interpreter\n", 0755) }) == -ENOENT);
	CHECK(run({ "true", std::string(4 << 20, 'x') }) == -E2BIG);
}

TEST_CASE("target: a script without #! is run by the shell, as by env and timeout", "[target]")
{
	Folder dir;

	CHECK(run({ dir.write("script", "exit $1\n", 0755), "6" }) == W_EXITCODE(6, 0));
}

TEST_CASE("target: a failed child is reaped and leaves nothing to wait for", "[target]")
{
	Folder dir;
	struct target *t = fork_target({ dir.write("bad", "#!/no/such\n", 0755) });

	CHECK(target__go(t) == -ENOENT);
	CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
	CHECK(target__wait(t, -1, 0) == TARGET_TIMEOUT);
	target__free(t, false);
}

TEST_CASE("target: a wait ends by timeout or wake-up while the command runs", "[target]")
{
	struct target *t = fork_target({ "true" });
	Pipe wakeup;

	CHECK(target__status(t) == -1);
	CHECK(target__wait(t, -1, 0) == TARGET_TIMEOUT);
	CHECK(target__wait(t, wakeup.reader, 1) == TARGET_TIMEOUT);
	write_all(wakeup.writer, "!");
	CHECK(target__wait(t, wakeup.reader, -1) == TARGET_WAKEUP);
	CHECK(target__status(t) == -1);
	CHECK(target__end_status(t) == 0);

	REQUIRE(target__go(t) == 0);
	CHECK(target__wait(t, -1, -1) == TARGET_ENDED);
	CHECK(target__status(t) == 0);
	CHECK(target__wait(t, wakeup.reader, -1) == TARGET_WAKEUP);
	CHECK(target__wait(t, -1, 0) == TARGET_TIMEOUT);
	// The caller must also wake up when the other side of a descriptor is closed.
	close(wakeup.writer);
	wakeup.writer = -1;
	CHECK(target__wait(t, wakeup.reader, -1) == TARGET_WAKEUP);
	target__free(t, false);
}

TEST_CASE("target: a target without a child waits for time, wake-up and one signal", "[target]")
{
	int sig = GENERATE(SIGINT, SIGTERM, SIGHUP, SIGQUIT);
	int status = in_child([=] {
		std::string state = signal_state();
		struct target *t;
		Pipe wakeup;

		write_all(wakeup.writer, "!");
		if (target__watch(&t) || target__wait(t, -1, 0) != TARGET_TIMEOUT)
			_exit(1);
		if (target__wait(t, wakeup.reader, -1) != TARGET_WAKEUP)
			_exit(2);
		kill(getpid(), sig);
		if (target__wait(t, wakeup.reader, -1) != TARGET_INTERRUPTED)
			_exit(3);
		// A letter that comes too late is dropped; it must not kill the process.
		kill(getpid(), sig);
		target__free(t, false);
		_exit(signal_state() == state ? 0 : 4);
	});

	CHECK(status == 0);
}

TEST_CASE("target: a signal that comes once all is done does not end the program", "[target]")
{
	const int sig = GENERATE(SIGINT, SIGTERM, SIGHUP, SIGQUIT);
	const int status = in_child([=] {
		struct target *t;

		if (target__watch(&t))
			_exit(1);
		target__free(t, true);
		kill(getpid(), sig);
		_exit(0);
	});

	CHECK(status == 0);
}

TEST_CASE("target: a paused target that is freed executes nothing and is reaped", "[target]")
{
	Folder dir;
	std::string state = signal_state();
	struct target *t = fork_target({ "touch", dir.path / "touched" });
	pid_t pid = target__pid(t);

	SECTION("as it is")
	{
	}
	SECTION("stopped")
	{
		signal_process(pid, SIGSTOP);
		waitpid(pid, nullptr, WUNTRACED);
	}
	target__free(t, false);
	CHECK_FALSE(signal_process(pid, 0));
	CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
	CHECK_FALSE(fs::exists(dir.path / "touched"));
	CHECK(signal_state() == state);
	target__free(nullptr, false);
}

TEST_CASE("target: a running target that is freed runs on", "[target]")
{
	Pipe in;
	int inherited = dup(in.reader);
	struct target *t = fork_target(
		{ "sh", "-c", "read x < /dev/fd/" + std::to_string(inherited) + "; exit $x" });
	pid_t pid = target__pid(t);

	close(inherited);
	REQUIRE(target__go(t) == 0);
	target__free(t, false);
	CHECK(waitpid(pid, nullptr, WNOHANG) == 0);
	write_all(in.writer, "8\n");
	CHECK(wait_for(pid) == W_EXITCODE(8, 0));
}

TEST_CASE("target: 1000 commands in a row leave no descriptor and no child", "[target]")
{
	std::string before = descriptors(false);
	int failed = 0;

	for (int i = 0; i < 1000; i++)
		failed += run({ "true" }) != 0;
	CHECK(failed == 0);
	CHECK(descriptors(false) == before);
	CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
}

// ---- What the command inherits

TEST_CASE("target: mask and dispositions are those that iotrace inherited", "[target]")
{
	Iotrace iotrace({ "cat", "/proc/self/status" }, false, [](Iotrace &self) {
		sigset_t set;

		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigaddset(&set, SIGQUIT);
		sigaddset(&set, SIGRTMIN + 1);
		sigprocmask(SIG_SETMASK, &set, nullptr);
		for (int sig : { SIGINT, SIGPIPE, SIGCHLD, SIGUSR2 })
			signal(sig, SIG_IGN);
		self.say(signal_state());
	});
	std::string inherited = iotrace.hear();

	iotrace.go();
	CHECK(iotrace.hear() == "ended");
	// If SIGCHLD were ignored, the kernel would discard the status.
	CHECK(iotrace.end() == 0);
	std::istringstream status(read_all(iotrace.out.reader));
	CHECK(signal_state(status) == inherited);
}

TEST_CASE("target: descriptors are those that iotrace inherited", "[target]")
{
	Folder dir;
	std::string list = dir.write("list", "", 0644), text;
	std::vector<int> closed = GENERATE(std::vector<int>{}, std::vector<int>{ 2 },
					   std::vector<int>{ 0, 1 }, std::vector<int>{ 0, 1, 2 });

	Iotrace iotrace({ "/proc/self/exe", "be:descriptors", list }, false, [&](Iotrace &self) {
		for (int fd : closed)
			close(fd);
		self.say(descriptors(true));
	});
	std::string inherited = iotrace.hear();

	iotrace.paused();
	// No descriptor of ours took the place of the closed one.
	for (int fd : closed)
		CHECK_FALSE(fs::exists("/proc/" + std::to_string(iotrace.pid) + "/fd/" +
				       std::to_string(fd)));
	iotrace.wake();
	CHECK(iotrace.hear() == "gone");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == 0);
	std::ifstream lines(list);
	std::getline(lines, text);
	CHECK(text == inherited);
}

// ---- Deaths

TEST_CASE("target: when iotrace is killed before the go, the command is never executed", "[target]")
{
	Iotrace iotrace({ "sh", "-c", "echo executed" });

	iotrace.paused();
	signal_process(iotrace.pid, SIGKILL);
	iotrace.wait_for_command();
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target: when iotrace is killed after the go, the command is undisturbed", "[target]")
{
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, SIGKILL);
	iotrace.reaped = true;
	CHECK(wait_for(iotrace.pid) == W_EXITCODE(0, SIGKILL));
	iotrace.tell_command("x");
	CHECK(iotrace.command_says() == "heard x");
	iotrace.tell_command("e");
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target: a command killed while paused ends by that signal", "[target]")
{
	Iotrace iotrace({ "sh", "-c", "echo executed" });

	signal_process(iotrace.paused(), SIGKILL);
	iotrace.wait_for_command();
	iotrace.wake();
	CHECK(iotrace.hear() == "gone");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGKILL));
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target: iotrace ends as the command ended", "[target]")
{
	for (int code : { 0, 1, 125, 127, 255 })
		CHECK(in_child([&] { target_end_like(W_EXITCODE(code, 0)); }) ==
		      W_EXITCODE(code, 0));
	for (int sig : { SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGPIPE, SIGTERM, SIGRTMIN })
		CHECK(in_child([&] { target_end_like(W_EXITCODE(0, sig)); }) == W_EXITCODE(0, sig));
	CHECK(in_child([] { target_end_like(-1); }) == 0);
}

TEST_CASE("target: iotrace dies of a signal that it ignores and blocks", "[target]")
{
	int status = in_child([] {
		sigset_t set;

		sigfillset(&set);
		sigprocmask(SIG_SETMASK, &set, nullptr);
		signal(SIGTERM, SIG_IGN);
		target_end_like(W_EXITCODE(0, SIGTERM));
	});

	CHECK(status == W_EXITCODE(0, SIGTERM));
}

TEST_CASE("target: iotrace leaves no core file of its own", "[target]")
{
	Folder dir;
	int status = in_child([&] {
		const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };

		setrlimit(RLIMIT_CORE, &unlimited);
		fs::current_path(dir.path);
		target_end_like(W_EXITCODE(0, SIGSEGV) | WCOREFLAG);
	});

	CHECK(status == W_EXITCODE(0, SIGSEGV));
	CHECK(fs::is_empty(dir.path));
}

TEST_CASE("target: the init process of a pid namespace exits as a shell would", "[target]")
{
	const int not_allowed = 2;
	int status = in_child([] {
		if (unshare(CLONE_NEWPID))
			_exit(not_allowed);
		pid_t pid = fork();
		if (!pid)
			target_end_like(W_EXITCODE(0, SIGTERM));
		_exit(WEXITSTATUS(wait_for(pid)));
	});

	if (WEXITSTATUS(status) == not_allowed)
		WARN("not tested: no right to make a pid namespace");
	else
		CHECK(status == W_EXITCODE(128 + SIGTERM, 0));
}

// ---- Signals

TEST_CASE("target: signals sent to iotrace alone are passed on", "[target]")
{
	int sig = GENERATE(SIGTERM, SIGHUP, SIGINT, SIGQUIT);
	Iotrace iotrace(listener);
	std::string passed =
		"signal " + std::to_string(sig) + " from " + std::to_string(iotrace.pid);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, sig);
	CHECK(iotrace.command_says() == passed);
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(5, 0));
}

TEST_CASE("target: iotrace dies of the signal that it passed on, after the command", "[target]")
{
	Iotrace iotrace({ "cat" });

	iotrace.go();
	signal_process(iotrace.pid, SIGTERM);
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGTERM));
}

TEST_CASE("target: a signal that comes before the go is passed on after it", "[target]")
{
	Iotrace iotrace({ "cat" });

	iotrace.paused();
	signal_process(iotrace.pid, SIGTERM);
	iotrace.wake();
	CHECK(iotrace.hear() == "gone");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGTERM));
}

TEST_CASE("target: a second signal gives up waiting and leaves the command alone", "[target]")
{
	int sig = GENERATE(SIGINT, SIGQUIT, SIGTERM);
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, sig);
	CHECK(iotrace.command_says() != "");
	signal_process(iotrace.pid, sig);
	CHECK(iotrace.hear() == "interrupted");
	int status = iotrace.end();
	CHECK(WIFSIGNALED(status));
	CHECK(WTERMSIG(status) == sig);
	iotrace.tell_command("x");
	CHECK(iotrace.command_says() == "heard x");
	iotrace.tell_command("e");
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target: different signals are each passed on, SIGHUP every time", "[target]")
{
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	for (int sig : { SIGHUP, SIGINT, SIGHUP, SIGTERM, SIGHUP, SIGQUIT }) {
		signal_process(iotrace.pid, sig);
		CHECK(iotrace.command_says() ==
		      "signal " + std::to_string(sig) + " from " + std::to_string(iotrace.pid));
	}
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(5, 0));
}

TEST_CASE("target: a command that signals its own process group gets the signal once", "[target]")
{
	Iotrace iotrace(listener);
	std::string self = std::to_string(iotrace.go());

	CHECK(iotrace.command_says() == "ready");
	iotrace.tell_command("k");
	CHECK(iotrace.command_says() == "signal 15 from " + self);
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	// It does not count as the first of two, either.
	signal_process(iotrace.pid, SIGTERM);
	CHECK(iotrace.command_says() == "signal 15 from " + std::to_string(iotrace.pid));
	iotrace.tell_command("k");
	CHECK(iotrace.command_says() == "signal 15 from " + self);
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
}

TEST_CASE("target: ignored signals stay ignored", "[target]")
{
	int sig = GENERATE(SIGINT, SIGHUP, SIGQUIT, SIGTERM);
	Iotrace iotrace(listener, false, [&](Iotrace &) { signal(sig, SIG_IGN); });

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	for (int i = 0; i < 2; i++) {
		signal_process(iotrace.pid, sig);
		iotrace.wake();
		CHECK(iotrace.hear() == "woken");
	}
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(5, 0));
	CHECK(read_all(iotrace.out.reader) == "");
}

TEST_CASE("target: once the command has ended one signal ends the wait", "[target]")
{
	int sig = GENERATE(SIGINT, SIGTERM, SIGHUP);
	Iotrace iotrace({ "sh", "-c", "exit 3" });

	iotrace.go();
	CHECK(iotrace.hear() == "ended");
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	signal_process(iotrace.pid, sig);
	CHECK(iotrace.hear() == "interrupted");
	CHECK(iotrace.end() == W_EXITCODE(3, 0));
}

TEST_CASE("target: when the end and a second signal are both there, the end comes first",
	  "[target]")
{
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, SIGTERM);
	CHECK(iotrace.command_says() != "");
	signal_process(iotrace.pid, SIGSTOP);
	waitpid(iotrace.pid, nullptr, WUNTRACED);
	signal_process(iotrace.pid, SIGTERM);
	iotrace.tell_command("e");
	iotrace.wait_for_command();
	signal_process(iotrace.pid, SIGCONT);
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.hear() == "interrupted");
	CHECK(iotrace.end() == W_EXITCODE(5, 0));
}

TEST_CASE("target: being stopped and continued ends no wait", "[target]")
{
	Iotrace iotrace(listener);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	signal_process(iotrace.pid, SIGSTOP);
	waitpid(iotrace.pid, nullptr, WUNTRACED);
	signal_process(iotrace.command, SIGSTOP);
	signal_process(iotrace.command, SIGCONT);
	signal_process(iotrace.pid, SIGCONT);
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	CHECK(iotrace.command_says() == "signal 18 from " + std::to_string(getpid()));
	iotrace.tell_command("e");
	CHECK(iotrace.hear() == "ended");
}

TEST_CASE("target: Ctrl-C on a terminal ends the command, then iotrace in the same way", "[target]")
{
	Iotrace iotrace({ "cat" }, true);

	iotrace.go();
	// The signal and the end must arrive at the same time.
	signal_process(iotrace.pid, SIGSTOP);
	waitpid(iotrace.pid, nullptr, WUNTRACED);
	iotrace.tell_command("\x03");
	iotrace.wait_for_command();
	signal_process(iotrace.pid, SIGCONT);
	CHECK(iotrace.hear() == "ended");
	// The signal was for the command; iotrace goes on waiting for the processes that the
	// command left behind.
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGINT));
}

TEST_CASE("target: the terminal's keys reach the command once", "[target]")
{
	auto key = GENERATE(table<std::string, int>({ { "\x03", SIGINT }, { "\x1c", SIGQUIT } }));
	std::string by_kernel = "signal " + std::to_string(std::get<1>(key)) + " from 0";
	Iotrace iotrace(listener, true);

	iotrace.go();
	CHECK(iotrace.command_says() == "ready");
	iotrace.tell_command(std::get<0>(key));
	CHECK(iotrace.command_says() == by_kernel);
	iotrace.wake();
	CHECK(iotrace.hear() == "woken");
	iotrace.tell_command("x\n");
	CHECK(iotrace.command_says() == "heard x");

	iotrace.tell_command(std::get<0>(key));
	CHECK(iotrace.command_says() == by_kernel);
	CHECK(iotrace.hear() == "interrupted");
}

TEST_CASE("target: the terminal's hang-up is passed on by a session leader", "[target]")
{
	// Its input does not end it.
	Iotrace iotrace({ "cat" }, true, [](Iotrace &self) { dup2(self.in.reader, STDIN_FILENO); });

	iotrace.go();
	close(iotrace.master);
	iotrace.master = -1;
	CHECK(iotrace.hear() == "ended");
	CHECK(iotrace.end() == W_EXITCODE(0, SIGHUP));
}
