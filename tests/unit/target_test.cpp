// SPDX-License-Identifier: GPL-2.0
#include "unit/target_test.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <iostream>
#include <pty.h>
#include <set>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" {
#include "base/command.h"
#include "trace/target.h"
}

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

// ---- Commands that do not depend on a shell's reactions: this program, executed with two
// arguments.

static void listen_command()
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
			signal_group(getppid(), SIGTERM); // iotrace leads the group.
		else if (c != '\n')
			write_all(STDOUT_FILENO, std::string("heard ") + c + "\n");
	}
	_exit(5);
}

static void descriptors_command(const char *path)
{
	std::string text = descriptors(false);

	write_all(open(path, O_WRONLY | O_CLOEXEC), text + "\n");
	_exit(0);
}

__attribute__((constructor)) static void be_a_command(int argc, char **argv)
{
	if (argc != 3)
		return;
	if (!strcmp(argv[1], "be:listen"))
		listen_command();
	if (!strcmp(argv[1], "be:descriptors"))
		descriptors_command(argv[2]);
}

const Words listener = { "/proc/self/exe", "be:listen", "" };

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

static std::string event_name(int event)
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

static void default_signals()
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++) // Catch2 has handlers of its own.
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, nullptr);
}

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

Iotrace::Iotrace(const Words &command, bool terminal, const std::function<void(Iotrace &)> &before)
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

Iotrace::~Iotrace()
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

pid_t Iotrace::paused()
{
	std::string line = hear();

	REQUIRE(line.rfind("paused ", 0) == 0);
	command = atoi(line.c_str() + strlen("paused "));
	command_fd = syscall(SYS_pidfd_open, command, 0);
	REQUIRE(command_fd >= 0);
	return command;
}

pid_t Iotrace::fork_on_terminal()
{
	struct termios tio = {};

	tio.c_cflag = CS8 | CREAD;
	tio.c_lflag = ISIG | ICANON | NOFLSH;
	tio.c_cc[VINTR] = 3;
	tio.c_cc[VQUIT] = 28;
	return forkpty(&master, nullptr, &tio, nullptr);
}

void Iotrace::become(const Words &args, bool terminal, const std::function<void(Iotrace &)> &before)
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
