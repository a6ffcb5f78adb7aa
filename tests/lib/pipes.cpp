// SPDX-License-Identifier: GPL-2.0
#include "lib/pipes.hpp"
#include "lib/checked.hpp"

#include <chrono>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

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

static void wait_until_readable(int fd, const std::string &before)
{
	struct pollfd pfd = { fd, POLLIN, 0 };

	if (poll(&pfd, 1, patience_ms) <= 0)
		throw std::runtime_error("nothing comes any more after: " + before);
}

/* Adds what can be read to text. False at the end of file. */
static bool read_some(int fd, std::string &text)
{
	char buf[4096];

	wait_until_readable(fd, text);
	ssize_t size = read(fd, buf, sizeof(buf));
	/* A terminal that every process has closed answers EIO. */
	if (size <= 0)
		return false;
	text.append(buf, size);
	return true;
}

std::string read_line(int fd)
{
	std::string line;
	char c;

	for (;;) {
		wait_until_readable(fd, line);
		if (read(fd, &c, 1) != 1 || c == '\n')
			return line;
		line += c;
	}
}

std::string read_all(int fd)
{
	std::string text;

	while (read_some(fd, text))
		;
	return text;
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
