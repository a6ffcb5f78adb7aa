// SPDX-License-Identifier: GPL-2.0
#include "lib/one_run.hpp"
#include "lib/live.hpp"
#include "lib/pattern.hpp"

#include <algorithm>
#include <csignal>
#include <sstream>
#include <stdexcept>
#include <sys/syscall.h>

static bool by_ebpf()
{
	return backend() == "bpf";
}

[[noreturn]] static void give_up(const std::string &what, const std::string &said)
{
	throw std::runtime_error(what + ": " + said);
}

// ---- the command ----

static bool is_stopped(pid_t pid)
{
	return status_of(pid, "State")[0] == 'T';
}

static void wait_until_stopped(pid_t pid, Process &process)
{
	eventually([&] { return is_stopped(pid) || !process.running(); });
	if (!is_stopped(pid))
		give_up("the command does not begin", process.err());
}

static std::unique_ptr<Process> begin_stopped(const Words &command, const Spawn &how)
{
	Spawn stopped = how;

	stopped.argv = command;
	stopped.in_child = [how] {
		if (how.in_child)
			how.in_child();
		raise(SIGSTOP);
	};
	auto process = std::make_unique<Process>(stopped);
	wait_until_stopped(process->pid(), *process);
	return process;
}

// ---- the other counter ----

/* The calls in which tasks were killed: by name if strace's log is there, otherwise as sums. */
struct Killed {
	std::map<std::string, uint64_t> inside; // Calls in which a task ended.
	std::map<std::string, uint64_t> unsure; // Last calls of tasks, which had returned.
	uint64_t any_inside = 0, any_unsure = 0;
};

static bool ends_with(const std::string &text, const std::string &end)
{
	return text.size() >= end.size() &&
	       text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/* Each line of the log begins with a pid, and no line of the tables after it does. */
static size_t end_of_log(const std::string &text)
{
	size_t at = 0;

	while (at < text.size() && isdigit(text[at]))
		at = std::min(text.find('\n', at), text.size() - 1) + 1;
	return at;
}

static Killed read_log(const std::string &log)
{
	static const Pattern line(
		"^([0-9]+) +(<\\.\\.\\. )?(([a-zA-Z0-9_]+)(\\(| resumed>)|([+-]))");
	std::map<std::string, std::string> under_way, returned; // Names of calls by pid.
	std::istringstream lines(log);
	Killed killed;

	for (std::string text; std::getline(lines, text);) {
		const Pattern::Match match = line.find(text);

		if (match.empty())
			continue;
		const std::string pid = match[1], name = match[4];
		if (match[6] == "+" && under_way.count(pid))
			killed.inside[under_way[pid]]++;
		else if (match[6] == "+" && returned.count(pid))
			killed.unsure[returned[pid]]++;
		under_way.erase(pid);
		returned.erase(pid);
		if (ends_with(text, " <unfinished ...>"))
			under_way[pid] = name;
		else if (ends_with(text, " = ?"))
			killed.inside[name]++;
		else if (!name.empty())
			returned[pid] = name;
	}
	return killed;
}

/* The counter that is compared with the iotrace under test. */
enum class Counter { STRACE, IOTRACE };

static Counter other_counter()
{
	return by_ebpf() ? Counter::STRACE : Counter::IOTRACE;
}

/* Attaches the other counter to a process. */
class Other
{
	std::string log;
	std::unique_ptr<Process> strace;
	std::unique_ptr<Watch> iotrace;

	void begin_strace(const Words &options, pid_t pid)
	{
		Spawn how;

		log = temporary("oracle.strace");
		/* The log besides the table says which calls tasks died in. */
		how.argv = Words{ "strace", "-f", "-C", "-s", "0", "-o", log } + options +
			   Words{ "-p", std::to_string(pid) };
		strace = std::make_unique<Process>(how);
		/*
		 * PTRACE_SEIZE of a stopped task returns when the task is in a traced stop:
		 * ptrace(2).
		 */
		eventually([&] { return status_of(pid, "State")[0] == 't' || !strace->running(); });
		if (status_of(pid, "TracerPid") != std::to_string(strace->pid()))
			give_up("strace does not attach", strace->err());
	}

	void begin_iotrace(const Words &options, pid_t pid)
	{
		/* If --backend is given twice, the last one counts. */
		iotrace = std::make_unique<Watch>(Words{ "--backend=bpf" } + options +
						  Words{ "-p", std::to_string(pid) });
	}

public:
	Killed killed; // The tasks that were killed, if strace is the counter.

	Other(Counter counter, const Words &options, pid_t pid)
	{
		if (counter == Counter::STRACE)
			begin_strace(options, pid);
		else
			begin_iotrace(options, pid);
	}

	Report end()
	{
		if (iotrace)
			return iotrace->end(0).report;
		if (strace->wait() != "exit 0")
			give_up("strace fails", strace->err());
		const std::string text = read_file(log);
		size_t end = end_of_log(text);

		killed = read_log(text.substr(0, end));
		return parse_report(text.substr(end));
	}
};

// ---- comparing ----

static std::string without_abi(const std::string &name)
{
	return name.substr(0, name.find('@'));
}

static void subtract_one(Report &report, const std::string &name)
{
	auto row = report.rows.find(name);

	if (row == report.rows.end())
		return;
	row->second.calls--;
	if (name == "read") {
		Figures &read = report.figures[name];

		row->second.cells["bytes"] = std::to_string(report.bytes(name) - 1);
		if (!--read.sizes["1 B"])
			read.sizes.erase("1 B");
	}
	if (!row->second.calls)
		report.rows.erase(row);
}

static uint64_t made_tasks(const Report &report)
{
	uint64_t made = 0;

	for (const auto &[name, row] : report.rows)
		for (const char *call : { "clone", "clone3", "fork", "vfork" })
			if (without_abi(name) == call)
				made += row.calls - row.errors;
	return made;
}

static std::string calls_and_errors(const Report &report, const std::string &name)
{
	return std::to_string(report.calls(name)) + " calls, " +
	       std::to_string(report.errors(name)) + " errors";
}

/*
 * Other differences between two iotraces' figures of a syscall. "": there is none, or one of them
 * does not know.
 */
static std::string other_difference(const OneRun &run, const std::string &name)
{
	if (!run.ours.figures.count(name) || !run.theirs.figures.count(name))
		return "";
	const Figures &ours = run.ours.figures.at(name), &theirs = run.theirs.figures.at(name);

	if (ours.errors != theirs.errors)
		return "other errnos";
	if (run.ours.rows.at(name).cells.at("bytes") != run.theirs.rows.at(name).cells.at("bytes"))
		return "other bytes";
	return ours.sizes != theirs.sizes ? "other sizes" : "";
}

static int64_t above(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b);
}

/* iotrace by strace does not tell which calls they were, only how many. */
static Killed killed_of(const OneRun &run)
{
	Killed killed;

	killed.any_inside = run.ours.died;
	if (run.tasks > 1 && run.tasks > run.ours.died)
		killed.any_unsure = run.tasks - run.ours.died;
	return killed;
}

static bool take(uint64_t &from, uint64_t calls)
{
	if (calls > from)
		return false;
	from -= calls;
	return true;
}

static void compare(OneRun &run, Killed killed)
{
	const Report &ebpf = by_ebpf() ? run.ours : run.theirs;
	const Report &strace = by_ebpf() ? run.theirs : run.ours;
	std::set<std::string> names;
	std::ostringstream out;

	for (const Report *report : { &run.ours, &run.theirs })
		for (const auto &[name, row] : report->rows)
			names.insert(name);
	for (const std::string &name : names) {
		uint64_t &inside = by_ebpf() ? killed.inside[without_abi(name)] : killed.any_inside;
		uint64_t &unsure = by_ebpf() ? killed.unsure[without_abi(name)] : killed.any_unsure;
		const int64_t more = above(ebpf.calls(name), strace.calls(name));
		const int64_t errors = above(ebpf.errors(name), strace.errors(name));
		/* Each call more may have failed. */
		const int64_t other = errors < 0 ? -errors : std::max<int64_t>(errors - more, 0);

		if (more < 0 || !take(inside, (uint64_t)more) || !take(unsure, (uint64_t)other)) {
			out << name << ": " << calls_and_errors(run.ours, name) << "; expected "
			    << calls_and_errors(run.theirs, name) << "\n";
			continue;
		}
		run.allowed += (uint64_t)(more + other);
		if (more || other || other_difference(run, name).empty())
			continue;
		if (take(unsure, 1))
			run.allowed++;
		else
			out << name << ": " << other_difference(run, name) << "\n";
	}
	run.differences = out.str();
}

// ---- a run ----

static void let_go(pid_t pid)
{
	if (!signal_process(pid, SIGCONT))
		give_up("the command is gone", std::to_string(pid));
}

static std::unique_ptr<Other> begin_other(const Words &options, const Words &format, pid_t pid)
{
	const Counter counter = other_counter();

	return std::make_unique<Other>(
		counter, counter == Counter::STRACE ? options : options + format, pid);
}

static void finish(OneRun &run, Process &process, Other &other)
{
	run.end = process.wait();
	run.out = process.out();
	run.err = process.err();
	run.theirs = other.end();
	run.tasks = 1 + made_tasks(run.theirs);
}

static OneRun attached(const Words &options, const Words &command, const Spawn &how,
		       const Words &format)
{
	OneRun run;
	auto process = begin_stopped(command, how);
	const pid_t pid = process->pid();
	std::unique_ptr<Other> other;

	/* eBPF comes first, as it stops nothing. */
	if (!by_ebpf())
		other = begin_other(options, format, pid);
	Watch ours(options + format + Words{ "-p", std::to_string(pid) });
	if (!other)
		other = begin_other(options, format, pid);
	let_go(pid);
	finish(run, *process, *other);
	run.ours = ours.end(0).report;
	compare(run, by_ebpf() ? other->killed : killed_of(run));
	return run;
}

/* The only child of the process, once it is the waiting program: stopped, or in its read. */
static pid_t child_that_holds(Process &process, const std::string &hold)
{
	const std::string pid = std::to_string(process.pid());
	const std::string children = "/proc/" + pid + "/task/" + pid + "/children";
	const std::string name = hold.substr(hold.rfind('/') + 1);
	pid_t child = 0;

	eventually([&] {
		std::istringstream text(read_file(children));

		if (!process.running())
			return true;
		/* The program before the execve may be in a read, too. */
		if (!(text >> child) || status_of(child, "Name") != name)
			return false;
		return by_ebpf() ? is_stopped(child) : sleeps_in(child, child) == SYS_read;
	});
	if (!process.running())
		give_up("iotrace has ended", process.err());
	return child;
}

/*
 * iotrace starts a program that waits for the other counter to attach; the program's own calls are
 * subtracted.
 */
static OneRun launched(const Words &options, const Words &command, const Spawn &how,
		       const Words &format)
{
	const std::string hold = fixture("hold", { "-nostdlib", "-static" });
	const Words begin = { hold, by_ebpf() ? "stop" : "read", "/bin/sh", "-c", "exec \"$@\"",
			      "sh" };
	const Words own =
		by_ebpf() ? Words{ "execve", "getpid", "kill" } : Words{ "execve", "read" };
	OneRun run;
	Spawn iotrace = how;
	Pipe in;
	std::string report;

	iotrace.argv = iotrace_argv(options + format, begin + command, &report);
	iotrace.in = in.reader;
	Process process(iotrace);
	in.close_reader();
	const pid_t pid = child_that_holds(process, hold);
	auto other = begin_other(options, format, pid);
	if (by_ebpf())
		let_go(pid);
	else
		write_all(in.writer, "x");
	in.close_writer();
	finish(run, process, *other);
	run.ours = parse_report(read_file(report));
	if (!contradictions(run.ours).empty() || run.ours.lost || run.ours.lost_tasks)
		give_up("the report contradicts itself, or something was lost", run.ours.text);
	for (const std::string &name : own)
		subtract_one(run.ours, name);
	compare(run, by_ebpf() ? other->killed : killed_of(run));
	return run;
}

static std::string joined(const Words &words)
{
	std::string line;

	for (const std::string &word : words)
		line += (line.empty() ? "" : " ") + word;
	return line;
}

OneRun count_both(const Words &options, const Words &command, const Spawn &how, Way way,
		  const Words &format)
{
	OneRun run = way == Way::ATTACHED ? attached(options, command, how, format)
					  : launched(options, command, how, format);

	run.command = joined(command);
	return run;
}

OneRun count_twice(const Words &ours, const Words &theirs, const Words &command, const Spawn &how)
{
	OneRun run;
	auto process = begin_stopped(command, how);
	const Words which = { "-p", std::to_string(process->pid()) };
	Watch first(ours + all_figures + which);
	Other second(Counter::IOTRACE, theirs + all_figures, process->pid());

	let_go(process->pid());
	finish(run, *process, second);
	run.ours = first.end(0).report;
	run.command = joined(command);
	compare(run, Killed());
	return run;
}

std::ostream &operator<<(std::ostream &out, const OneRun &run)
{
	out << "$ " << run.command << "\n-> " << run.end << "\n";
	if (!run.err.empty())
		out << "stderr:\n" << run.err.substr(0, 4000) << "\n";
	return out << "iotrace:\n" << run.ours.text << "\nthe other:\n" << run.theirs.text;
}
