// SPDX-License-Identifier: GPL-2.0
/* Pipes and terminals, and waiting for what comes: for minutes, but not for ever. */
#pragma once

#include <functional>
#include <string>

/* After this, ms, what is waited for does not come any more. Nothing takes nearly as long. */
constexpr int patience_ms = 5 * 60 * 1000;

/* A pipe; both ends close-on-exec, closed when it goes. */
class Pipe
{
public:
	int reader = -1, writer = -1;

	Pipe();
	Pipe(const Pipe &) = delete;
	~Pipe();
	void close_reader();
	void close_writer();
};

/* A pseudo-terminal that does not echo. */
class Terminal
{
	std::string seen;

public:
	int master = -1, slave = -1;

	Terminal();
	Terminal(const Terminal &) = delete;
	~Terminal();
	void type(const std::string &text);
	std::string read_until(const std::string &text); // everything so far, text at its end
	std::string read_all();				 // until everybody has closed it
};

std::string read_until(int fd, const std::string &text);
std::string read_line(int fd); // without its end; what there is at the end of the file
std::string read_all(int fd);  // to its end
void write_all(int fd, const std::string &text);

/* Polls until something is so. For what cannot be waited for; false if it does not come. */
bool eventually(const std::function<bool()> &so);
