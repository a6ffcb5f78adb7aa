// SPDX-License-Identifier: GPL-2.0
/* Programs that follow orders while iotrace watches them from outside: -p, --cgroup, -a. */
#pragma once

#include "lib/iotrace.hpp"

#include <csignal>
#include <memory>
#include <unistd.h>

/* Called first in a test case that the other backend cannot do. */
#define BPF_ONLY(reason)                   \
	do {                               \
		if (backend() != "bpf")    \
			SKIP_CASE(reason); \
	} while (0)

/*
 * The last id that was given to a task of the tests' own PID namespace; a new task gets the next
 * free one.
 */
static const char last_id[] = "/proc/sys/kernel/ns_last_pid";

#define NEED_CHOSEN_IDS()                                                                        \
	do {                                                                                     \
		if (access(last_id, W_OK))                                                       \
			SKIP_CASE("this kernel has no CONFIG_CHECKPOINT_RESTORE: ids cannot be " \
				  "chosen");                                                     \
	} while (0)

/* The puppet fixture does what it is told, and nothing else. */
class Puppet
{
	int fd = -1;
	std::unique_ptr<Process> process_;

	std::string answer();

public:
	explicit Puppet(const std::string &program = "", Spawn how = {});
	Puppet(const Puppet &) = delete;
	~Puppet();

	Process &process()
	{
		return *process_;
	}
	pid_t pid() const
	{
		return process_->pid();
	}
	std::string pids() const
	{
		return std::to_string(process_->pid());
	}
	/*
	 * Returns the answer, which begins with the value that was asked for, if there was one:
	 * "ok", "1234 ok".
	 */
	std::string tell(const std::string &order);
	void tell_only(const std::string &order); // Gives an order that it cannot answer.
	/* Tells a thread to block in a write to a full pipe, and waits until it is blocked. */
	pid_t block();
};

/* iotrace says this on stderr when it misses no call from then on. */
static const std::string begun = "iotrace: note: tracing has begun; Ctrl-C ends it\n";

/* iotrace in the background. */
class Watch
{
	std::string path;
	std::unique_ptr<Process> process_;

public:
	/* Returns when iotrace traces, which it says on stderr; throws if it ends instead. */
	explicit Watch(const Words &options, const Words &command = {}, Spawn how = {});
	Process &process()
	{
		return *process_;
	}
	/*
	 * Waits for its end, after sending a signal if that is not 0. Checks that nothing is lost
	 * and that the report does not contradict itself.
	 */
	Run end(int sig = SIGINT, bool may_miss_tasks = false);
	/* Returns what iotrace has printed, once it has ended. */
	Report report() const;
};

/* The number of the call that a task sleeps in; -1 if it is not in a call or does not sleep. */
long sleeps_in(pid_t pid, pid_t tid);
/* Waits until the task sleeps in this call. False if that takes minutes. */
bool is_in(pid_t pid, pid_t tid, long nr);
/* Returns a field of /proc/PID/status; "" if the process is gone. */
std::string status_of(pid_t pid, const std::string &key);

/* The parts of a report with --interval: one for each interval, then the whole run. */
std::vector<Report> parse_intervals(const std::string &text);

std::string hex(const std::string &text);

/*
 * A user whom no other run of the tests uses at the same time: for --uid, and for what the kernel
 * counts by user.
 */
uid_t own_user();
/* A name for --comm that no other test uses, of up to 8 bytes after the prefix. */
std::string own_name(const std::string &prefix);
/* Number of a call that no other test makes, as no syscall has it, and its name in reports. */
int own_call();
std::string own_call_name();
Words operator+(Words words, const Words &more);

/* Runs a command with -y, whose report is read back from the capture. */
Run run_with_files(const Words &options, const Words &command, const std::string &capture);
/* `iotrace report` makes of the capture what the run itself has printed. */
void check_replay(const std::string &capture);

static const Words counts = { "-U", "calls,errors,bytes,name" };
