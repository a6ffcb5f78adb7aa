// SPDX-License-Identifier: GPL-2.0
/* Pipes and terminals, and waiting for their data: for minutes, but not for ever. */
#pragma once

#include <functional>
#include <string>

/* Milliseconds after which a wait fails. Nothing takes nearly as long. */
constexpr int patience_ms = 5 * 60 * 1000;

/* A pipe; both ends are close-on-exec, and closed with the object. */
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
	/* Returns everything so far, with the text at its end. */
	std::string read_until(const std::string &text);
	/* Returns everything until all processes have closed the terminal. */
	std::string read_all();
};

std::string read_until(int fd, const std::string &text);
// Returns a line without its end; at the end of the file, what is left.
std::string read_line(int fd);
std::string read_all(int fd); // Returns everything up to the end of the file.
void write_all(int fd, const std::string &text);

/*
 * Polls until the condition holds, where nothing can be waited for. False if it does not hold in
 * time.
 */
bool eventually(const std::function<bool()> &so);
