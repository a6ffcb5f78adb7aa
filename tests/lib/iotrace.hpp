// SPDX-License-Identifier: GPL-2.0
/*
 * The harness of the end-to-end tests: runs iotrace, strace and other commands in a known
 * environment, and reads their reports. Everything started is ended and reaped; nobody is waited
 * for for ever.
 *
 * IOTRACE names the binary under test, BACKEND the backend that it is told to use. The tests run in
 * the source tree's top directory.
 */
#pragma once

#include "lib/catch.hpp"
#include "lib/signal_process.hpp"
#include "lib/skip.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

using Words = std::vector<std::string>;

/* For Spawn::in, out and err. */
enum { STREAM_DEFAULT = -1, STREAM_CLOSED = -2 };

/* How to start a command. */
struct Spawn {
	Words argv;
	Words env; // NAME=value, besides and before the known environment
	/* Descriptors. The default is the null device for in; out and err are captured. */
	int in = STREAM_DEFAULT;
	int out = STREAM_DEFAULT;
	int err = STREAM_DEFAULT;
	int terminal = -1;     // of a session of its own; then all three are the terminal
	std::string directory; // to run in
	std::function<void()> in_child;
};

/* A running command. The destructor kills it with its process group, and reaps it. */
class Process
{
	pid_t pid_ = -1;
	int pidfd_ = -1, out_ = -1, err_ = -1;
	int status_ = -1;

public:
	explicit Process(const Spawn &spawn);
	Process(const Process &) = delete;
	~Process();

	pid_t pid() const
	{
		return pid_;
	}
	void signal(int sig);
	std::string wait(); // "exit 3", "SIGTERM", "SIGSEGV, core dumped"
	bool running();
	std::string out() const; // what was captured so far
	std::string err() const;
};

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

/* A directory of the test program's own; its files go with the program. */
std::string temporary(const std::string &name);
std::string read_file(const std::string &path);
void write_file(const std::string &path, const std::string &text);
bool exists(const std::string &path);

std::string read_until(int fd, const std::string &text);
void write_all(int fd, const std::string &text);

/* Polls until something is so. For what cannot be waited for; false if it does not come. */
bool eventually(const std::function<bool()> &so);

/*
 * A process that the tests did not start themselves but that descends from them: its end, as of
 * Process::wait().
 */
std::string wait_for_orphan(pid_t pid);

/* Path of a program compiled from tests/fixtures/e2e/NAME.c; flags are those of gcc. */
std::string fixture(const std::string &name, const Words &flags = {});
std::string source_path(const std::string &path); // absolute, from the top directory
std::string iotrace_path();
std::string backend(); // "bpf" or "strace"

// ---- reports ----

struct Row {
	uint64_t calls = 0, errors = 0;
	std::map<std::string, std::string> cells; // by heading
};

/* What the default report says about one syscall below the table. */
struct Figures {
	uint64_t calls = 0, timed = 0;
	std::string bytes; // "80.1 kB"
	std::map<std::string, std::string> latency;
	std::map<std::string, uint64_t> latencies, sizes; // histograms, by label
	std::map<std::string, uint64_t> errors;
};

/* Syscalls are named as iotrace does: "write", "write@32", "write@x32". */
struct Report {
	std::string text; // without colors
	Words headings, order;
	std::map<std::string, Row> rows, totals; // totals by "", "@32", "@x32"
	std::map<std::string, Figures> figures;
	bool accounted = false;	    // there is a line that says so
	bool entered_known = false; // and it knows entered, in flight and died
	uint64_t entered = 0, returned = 0, in_flight = 0, died = 0, lost = 0, lost_tasks = 0;
	Words in_flight_lines;

	uint64_t calls(const std::string &name) const;
	uint64_t errors(const std::string &name) const;
	uint64_t bytes(const std::string &name) const; // of the column
};

/* Reads what iotrace or strace -c has printed. */
Report parse_report(const std::string &text);

/*
 * What is wrong in itself: rows and totals, histograms, errnos, entered and returned. "" if
 * nothing.
 */
std::string contradictions(const Report &report);

/* The syscalls whose calls or errors differ, one a line; "" if none. */
std::string differences(const Report &ours, const Report &theirs);

/* The lines "syscall calls errors bytes" of a workload's --ledger. */
struct LedgerRow {
	uint64_t calls = 0, errors = 0, bytes = 0;
};
using Ledger = std::map<std::string, LedgerRow>;

Ledger parse_ledger(const std::string &text);

// ---- runs ----

/* A run that is over. Put it into INFO(), so that a failing check shows all of it. */
struct Run {
	std::string command, end, out, err;
	Report report;
};
std::ostream &operator<<(std::ostream &out, const Run &run);

/*
 * The command line of iotrace with these options. If they hold no -o, the report goes to a file,
 * which is returned in *report unless that is NULL: then it goes to stderr.
 */
Words iotrace_argv(const Words &options, const Words &command, std::string *report);

/*
 * Runs iotrace to its end; its report is taken from the file of -o. Checks that a report
 * contradicts nothing. The spawn's argv is not used.
 */
Run run_iotrace(const Words &options, const Words &command, const Spawn &how = {});
/* The same with the report on stderr, with whatever else is there. */
Run run_iotrace_to_stderr(const Words &options, const Words &command, const Spawn &how = {});
/* Without either. */
Run run_plain(const Words &command, const Spawn &how = {});
