// SPDX-License-Identifier: GPL-2.0
// What the tests of the workloads share: they are run as programs, also by strace. WORKLOADS is the
// folder that they are in, ./workloads if unset.
#pragma once

#include "lib/catch.hpp"
#include "lib/ledger.hpp"
#include "lib/pattern.hpp"
#include "lib/process.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace fs = std::filesystem;
using std::string;
using std::vector;

namespace
{
/* The way to run a program, apart from its arguments. */
struct setting {
	int stdout_fd = STREAM_DEFAULT;
	/* A signal that the program ignores from the start. 0: none. */
	int ignored_signal = 0;
	rlim_t file_size = 0;	      /* RLIMIT_FSIZE. 0: unlimited. */
	const char *tmpdir = nullptr; /* TMPDIR. NULL: unset. */
};

inline string workload(const string &name)
{
	const char *folder = std::getenv("WORKLOADS");

	return string(folder ? folder : "./workloads") + "/" + name;
}

inline Finished run(const Words &command, const setting &s = {})
{
	Spawn how;

	how.out = s.stdout_fd;
	if (s.tmpdir)
		how.env.push_back("TMPDIR=" + string(s.tmpdir));
	how.in_child = [&s] {
		rlimit limit = { s.file_size, s.file_size };

		if (s.ignored_signal)
			signal(s.ignored_signal, SIG_IGN);
		if (s.file_size)
			setrlimit(RLIMIT_FSIZE, &limit);
	};
	return run_to_end(command, how);
}

/* A workload's command line: words separated by blanks. */
inline Words words(const string &line)
{
	std::istringstream in(line);
	Words command;
	string word;

	while (in >> word)
		command.push_back(command.empty() ? workload(word) : word);
	return command;
}

inline Finished run(const string &line, const setting &s = {})
{
	return run(words(line), s);
}

/* The log of strace -f -o; calls that another thread interrupted are joined again. */
inline Ledger parse_strace(const string &log)
{
	static const Pattern row("^[0-9]+ +(<\\.\\.\\. )?([a-z]+)(\\(| resumed).* = (-?[0-9]+)");
	std::istringstream in(log);
	Ledger l;

	for (string line; std::getline(in, line);) {
		vector<string> m = row.find(line);

		if (m.empty())
			continue;
		long value = std::stol(m[4]);
		LedgerRow &f = l[m[2]];

		f.calls++;
		f.errors += value < 0;
		f.bytes += value > 0 ? value : 0;
	}
	return l;
}

struct traced {
	Finished r;
	Ledger own, strace;
};

inline traced trace(const string &line, const setting &s = {})
{
	Folder folder;
	vector<string> command = {
		"strace", "-f", "-s0", "-o", folder / "log", "-e", "trace=write,writev,openat,close"
	};
	traced t;

	for (const string &word : words(line + " --ledger"))
		command.push_back(word);
	t.r = run(command, s);
	INFO(t.r.err);
	t.own = parse_ledger(t.r.err);
	t.strace = parse_strace(read_file(folder / "log"));
	REQUIRE(t.own.size() == 4);
	return t;
}

inline void check_ledger(const traced &t)
{
	INFO(t.r.err);
	for (const char *name : { "write", "writev" }) {
		INFO(name);
		CHECK(t.own.at(name) == (t.strace.count(name) ? t.strace.at(name) : LedgerRow()));
	}
}

const vector<string> loggers = { "logger_reopen", "logger_keep_open", "logger_per_thread" };

} // namespace
