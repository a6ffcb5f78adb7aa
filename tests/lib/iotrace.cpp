// SPDX-License-Identifier: GPL-2.0
#define CATCH_CONFIG_EXTERNAL_INTERFACES // Catch2 2.x needs this for the listener.
#include "lib/iotrace.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

namespace fs = std::filesystem;

std::string iotrace_path()
{
	const char *path = getenv("IOTRACE");

	return fs::absolute(path ? path : "build/iotrace").string();
}

std::string backend()
{
	const char *name = getenv("BACKEND");

	return name ? name : "bpf";
}

std::string fixture(const std::string &name, const Words &flags)
{
	static std::map<std::string, std::string> made;
	Words argv = { "gcc", "-O1", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-pthread" };
	std::string key = name;

	argv.insert(argv.end(), flags.begin(), flags.end());
	for (const std::string &flag : flags)
		key += flag;
	std::string &path = made[key];
	if (!path.empty())
		return path;
	path = temporary("bin" + std::to_string(made.size()) + "-" + name);
	for (const char *word : { "-o", path.c_str() })
		argv.push_back(word);
	argv.push_back(source_path("tests/fixtures/e2e/" + name + ".c"));
	Run run = run_plain(argv);
	if (run.end != "exit 0" || !run.err.empty())
		throw std::runtime_error(key + " does not compile cleanly: " + run.err);
	return path;
}

std::ostream &operator<<(std::ostream &out, const Run &run)
{
	out << "$ " << run.command << "\n-> " << run.end << "\n";
	if (!run.err.empty())
		out << "stderr:\n" << run.err.substr(0, 4000) << "\n";
	return out << "report:\n" << run.report.text;
}

Run run_plain(const Words &command, const Spawn &how)
{
	return { run_to_end(command, how), {} };
}

Words iotrace_argv(const Words &options, const Words &command, std::string *report)
{
	static int count;
	Words argv = { iotrace_path() };

	if (getenv("BACKEND"))
		argv.push_back("--backend=" + backend());
	argv.insert(argv.end(), options.begin(), options.end());
	auto o = std::find(options.begin(), options.end(), "-o");
	if (report && o != options.end()) {
		*report = *(o + 1);
	} else if (report) {
		*report = temporary("report" + std::to_string(count++));
		argv.insert(argv.end(), { "-o", *report });
	}
	argv.push_back("--");
	argv.insert(argv.end(), command.begin(), command.end());
	return argv;
}

static void judge(const Run &run)
{
	INFO(run);
	CHECK(contradictions(run.report) == "");
	CHECK(run.report.lost == 0);
	CHECK(run.report.lost_tasks == 0);
}

Run run_iotrace(const Words &options, const Words &command, const Spawn &how)
{
	std::string path;
	Words argv = iotrace_argv(options, command, &path);
	Run run = run_plain(argv, how);

	/* A report to a device cannot be read back. */
	if (path.compare(0, 5, "/dev/") != 0)
		run.report = parse_report(read_file(path));
	judge(run);
	return run;
}

Run run_iotrace_to_stderr(const Words &options, const Words &command, const Spawn &how)
{
	Run run = run_plain(iotrace_argv(options, command, nullptr), how);

	run.report = parse_report(run.err);
	judge(run);
	return run;
}

std::string jq(const std::string &filter, const std::string &path)
{
	const Run run = run_plain({ "jq", "-c", filter, path });

	INFO(run);
	REQUIRE(run.end == "exit 0");
	return run.out.substr(0, run.out.find_last_not_of('\n') + 1);
}

// ---- what a test leaves behind ----

static void reap_leftovers()
{
	std::string children;

	while (!(children = read_file("/proc/thread-self/children")).empty()) {
		std::istringstream pids(children);

		for (pid_t pid; pids >> pid;) {
			signal_process(pid, SIGKILL);
			waitpid(pid, nullptr, 0);
		}
	}
}

#if __has_include(<catch2/catch_all.hpp>)
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

class Reaper : public ListenerBase
{
public:
	using ListenerBase::ListenerBase;

	void testCaseEnded(const Catch::TestCaseStats &) override
	{
		reap_leftovers();
	}
};

CATCH_REGISTER_LISTENER(Reaper)
