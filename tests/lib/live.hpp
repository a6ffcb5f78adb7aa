// SPDX-License-Identifier: GPL-2.0
/* Programs that are told what to do while iotrace watches them from outside: -p, --cgroup, -a. */
#pragma once

#include "lib/iotrace.hpp"

#include <csignal>
#include <memory>
#include <unistd.h>

/* First in a test case of what the other backend cannot do. */
#define BPF_ONLY(reason)                   \
	do {                               \
		if (backend() != "bpf")    \
			SKIP_CASE(reason); \
	} while (0)

/* The last id that was given to a task of the tests' own PID namespace: a new one gets the next that is free. */
static const char last_id[] = "/proc/sys/kernel/ns_last_pid";

#define NEED_CHOSEN_IDS()                                                                        \
	do {                                                                                     \
		if (access(last_id, W_OK))                                                       \
			SKIP_CASE("this kernel has no CONFIG_CHECKPOINT_RESTORE: ids cannot be " \
				  "chosen");                                                     \
	} while (0)

/* The puppet fixture: does what it is told, and nothing else. */
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
	/* Its answer, which begins with what was asked for, if anything: "ok", "1234 ok". */
	std::string tell(const std::string &order);
	void tell_only(const std::string &order); // for what it cannot answer
	/* Tells a thread to go into a write to a full pipe, and waits until it is in there. */
	pid_t block();
};

/* What iotrace says on stderr when no call is missed from then on. */
static const std::string begun = "iotrace: note: tracing has begun; Ctrl-C ends it\n";

/* iotrace in the background. */
class Watch
{
	std::string path;
	std::unique_ptr<Process> process_;

public:
	/* Returns when it traces, which it says on stderr; throws if it ends instead. */
	explicit Watch(const Words &options, const Words &command = {}, Spawn how = {});
	Process &process()
	{
		return *process_;
	}
	/* Waits for its end, after a signal if that is not 0. Nothing may be lost or contradict itself. */
	Run end(int sig = SIGINT);
	/* What it has written, once it has ended. */
	Report report() const;
};

/* The number of the call that a task sleeps in; -1 if it is in none, or does not sleep. */
long sleeps_in(pid_t pid, pid_t tid);
bool is_in(pid_t pid, pid_t tid, long nr);		  // becomes true, or there is no hope
std::string status_of(pid_t pid, const std::string &key); // of /proc/PID/status; "" if gone

/* The parts of a report with --interval: one for each, the whole run last. */
std::vector<Report> parse_intervals(const std::string &text);

std::string hex(const std::string &text);

/* A user that no other run of the tests uses meanwhile: by --uid, and what the kernel counts by user. */
uid_t own_user();
Words operator+(Words words, const Words &more);

static const Words counts = { "-U", "calls,errors,bytes,name" };
