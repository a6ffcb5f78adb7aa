// SPDX-License-Identifier: GPL-2.0
#include "lib/live.hpp"
#include "lib/pattern.hpp"

#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

Words operator+(Words words, const Words &more)
{
	words.insert(words.end(), more.begin(), more.end());
	return words;
}

Run run_with_files(const Words &options, const Words &command, const std::string &capture)
{
	return run_iotrace(options + Words{ "-y", "-o", capture, "-o", capture + ".txt" }, command);
}

void check_replay(const std::string &capture)
{
	const Run again = run_plain({ iotrace_path(), "report", "-y", capture });

	INFO(again);
	CHECK(again.end == "exit 0");
	CHECK(again.out == read_file(capture + ".txt"));
}

std::string hex(const std::string &text)
{
	static const char digits[] = "0123456789abcdef";
	std::string out;

	for (unsigned char c : text) {
		out += digits[c >> 4];
		out += digits[c & 15];
	}
	return out;
}

/*
 * Returns a number of this run's own: its namespace's, which the kernel counts from 0xf0000000 on
 * (proc_alloc_inum()).
 */
static unsigned own_number()
{
	struct stat ns;

	if (stat("/proc/self/ns/pid", &ns))
		throw std::runtime_error("no PID namespace");
	return ns.st_ino & 0xfffffff;
}

static std::string hexadecimal(unsigned number)
{
	char text[16];

	snprintf(text, sizeof(text), "%x", number);
	return text;
}

uid_t own_user()
{
	return own_number() + 100000000;
}

std::string own_name(const std::string &prefix)
{
	return prefix + hexadecimal(own_number());
}

int own_call()
{
	return 600 + (int)(own_number() % 400);
}

std::string own_call_name()
{
	return "syscall_0x" + hexadecimal((unsigned)own_call());
}

// ---- puppets ----

Puppet::Puppet(const std::string &program, Spawn how)
{
	int pair[2];

	if (how.argv.empty())
		how.argv = { program.empty() ? fixture("puppet") : program };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		throw std::runtime_error("socketpair");
	how.in = pair[1];
	process_ = std::make_unique<Process>(how);
	close(pair[1]);
	fd = pair[0];
	if (answer() != "ready")
		throw std::runtime_error("the puppet is not ready");
}

Puppet::~Puppet()
{
	close(fd);
}

std::string Puppet::answer()
{
	std::string text = read_until(fd, "\n");

	text.pop_back();
	return text;
}

void Puppet::tell_only(const std::string &order)
{
	write_all(fd, order + "\n");
}

std::string Puppet::tell(const std::string &order)
{
	tell_only(order);
	const std::string text = answer();
	if (text.size() < 2 || text.compare(text.size() - 2, 2, "ok") != 0)
		throw std::runtime_error("puppet: " + text);
	return text;
}

pid_t Puppet::block()
{
	const pid_t tid = std::stoi(tell("block"));

	if (!is_in(pid(), tid, SYS_write))
		throw std::runtime_error("the puppet's thread does not block");
	return tid;
}

// ---- looking at processes ----

long sleeps_in(pid_t pid, pid_t tid)
{
	const std::string text = read_file("/proc/" + std::to_string(pid) + "/task/" +
					   std::to_string(tid) + "/syscall");

	return isdigit(text[0]) ? std::stol(text) : -1;
}

bool is_in(pid_t pid, pid_t tid, long nr)
{
	return eventually([&] { return sleeps_in(pid, tid) == nr; });
}

std::string status_of(pid_t pid, const std::string &key)
{
	std::istringstream lines(read_file("/proc/" + std::to_string(pid) + "/status"));

	for (std::string line; std::getline(lines, line);)
		if (line.compare(0, key.size() + 1, key + ":") == 0)
			return line.substr(line.find_first_not_of(" \t", key.size() + 1));
	return "";
}

// ---- iotrace in the background ----

Watch::Watch(const Words &options, const Words &command, Spawn how)
{
	if (how.argv.empty())
		how.argv = iotrace_argv(options, command, &path);
	process_ = std::make_unique<Process>(how);
	eventually([&] {
		return !process_->running() || process_->err().find(begun) != std::string::npos;
	});
	if (!process_->running())
		throw std::runtime_error("iotrace ends at once: " + process_->wait() + ": " +
					 process_->err());
}

Run Watch::end(int sig, bool may_miss_tasks)
{
	Run run;

	if (sig)
		process_->signal(sig);
	run.command = "iotrace in the background";
	run.end = process_->wait();
	run.out = process_->out();
	run.err = process_->err();
	const std::string text = path.empty() ? run.err : read_file(path);
	const std::vector<Report> parts = parse_intervals(text);
	run.report = parts.back();
	INFO(run);
	INFO(text);
	for (const Report &part : parts) {
		CHECK(contradictions(part) == "");
		CHECK(part.lost == 0);
		CHECK((part.lost_tasks == 0 || may_miss_tasks));
	}
	return run;
}

Report Watch::report() const
{
	return parse_report(read_file(path));
}

std::vector<Report> parse_intervals(const std::string &text)
{
	static const Pattern head("[0-9]{2}:[0-9]{2}:[0-9]{2}  elapsed [0-9.]+ s");
	/* Without -y, an interval is a line, which is no part of the report. */
	static const Pattern alone("clock  .*|[0-9]{2}:[0-9]{2}:[0-9]{2} +[0-9]+[.][0-9]{3} .*");
	std::istringstream lines(text);
	std::vector<Report> parts;
	std::string part;
	bool interval = false;

	for (std::string line; std::getline(lines, line);) {
		if (!head.whole(line).empty()) {
			interval = true;
		} else if (interval && line.empty()) {
			parts.push_back(parse_report(part));
			part.clear();
			interval = false;
		} else if (alone.whole(line).empty()) {
			part += line + "\n";
		}
	}
	parts.push_back(parse_report(part));
	return parts;
}
