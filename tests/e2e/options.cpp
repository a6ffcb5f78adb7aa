// SPDX-License-Identifier: GPL-2.0
/* Options as a user gives them. The unit tests cover what they mean in detail. */
#include "lib/cgroup.hpp"
#include "lib/one_run.hpp"

#include <algorithm>

static const Words some_calls = { "sh", "-c", "cat /etc/passwd /nonexistent; exit 0" };

static Run with(Words options, const Spawn &how = {})
{
	Run run = run_iotrace(options, some_calls, how);

	INFO(run);
	CHECK(run.end == "exit 0");
	return run;
}

TEST_CASE("options: -e in all forms selects what strace selects")
{
	for (const char *expr :
	     { "write",		"trace=write,openat", "t=close",  "trace=all",
	       "all",		"trace=%file",	      "%desc",	  "trace=%process",
	       "trace=%memory", "trace=%signal",      "%network", "%ipc",
	       "trace=file",	"trace=!close,mmap",  "!%file",	  "trace=/^(open|close)",
	       "/read",		"?nosuchcall,read",   "1,3",	  "trace=execve,exit_group" }) {
		const OneRun run = count_both({ "-e", expr }, some_calls);
		INFO(expr);
		INFO(run);

		CHECK(run.end == "exit 0");
		CHECK(run.differences == "");
	}
	const Run io = with({ "-e", "%io" }),
		  calls = with({ "-e", "read,write,pread64,copy_file_range" });
	INFO(io);
	CHECK(io.report.calls("read") > 0);
	CHECK(differences(io.report, calls.report) == "");
}

TEST_CASE("options: without -e, all calls that findings look at are traced")
{
	CHECK(differences(with({}).report, with({ "-e", "%findings" }).report) == "");
}

TEST_CASE("options: -S sorts the table", "[once]")
{
	const Run calls = with({ "-e", "all", "-S", "calls" }),
		  name = with({ "-e", "all", "-S", "name" }),
		  errors = with({ "-e", "all", "-S", "errors" });
	auto descending = [](const Run &run, uint64_t Row::*figure) {
		const Report &report = run.report;

		return std::is_sorted(report.order.begin(), report.order.end(),
				      [&](const std::string &a, const std::string &b) {
					      return report.rows.at(a).*figure >
						     report.rows.at(b).*figure;
				      });
	};

	CHECK(calls.report.order.size() > 10);
	CHECK(descending(calls, &Row::calls));
	CHECK(descending(errors, &Row::errors));
	CHECK(std::is_sorted(name.report.order.begin(), name.report.order.end()));
	for (const char *key : { "time-percent", "total-time", "avg-time", "min-time", "max-time",
				 "p50", "p90", "p99", "p999", "bytes", "avg-bytes", "none" })
		CHECK(with({ "-e", "%output", "-S", key }).report.rows.size() == 3);
}

TEST_CASE("options: -U selects the columns", "[once]")
{
	CHECK(with({ "-e", "%output" }).report.headings ==
	      Words{ "% time", "seconds", "usecs/call", "calls", "errors", "syscall" });
	CHECK(with({ "-U", "calls,name" }).report.headings == Words{ "calls", "syscall" });
	/* Like strace, iotrace adds the name if it is not asked for. */
	CHECK(with({ "-U", "errors,p50,bytes" }).report.headings ==
	      Words{ "errors", "p50 usecs", "bytes", "syscall" });
	CHECK(with({ "-U", "name,min-time,max-time,p90,p99,p999,avg-bytes,total-time,avg-time" })
		      .report.headings == Words{ "syscall", "shortest", "longest", "p90 usecs",
						 "p99 usecs", "p99.9 usecs", "bytes/call",
						 "seconds", "usecs/call" });
}

TEST_CASE("options: --histogram selects the syscalls", "[once]")
{
	auto shown = [](const Run &run) {
		std::set<std::string> names;

		for (const auto &[name, figures] : run.report.figures)
			names.insert(name);
		return names;
	};

	const Run plain = run_plain(
		{ iotrace_path(), "-e", "%output", "--", "./workloads/endl_loop", "-n", "5000" });
	CHECK_THAT(plain.err, ContainsSubstring("\nwrite  5000 calls"));
	CHECK_THAT(plain.err, !ContainsSubstring("\nclose  "));
	CHECK(shown(with({ "-e", "%output", "--histogram=all" })) ==
	      std::set<std::string>{ "write", "openat", "close" });
	CHECK(shown(with({ "--histogram=none" })).empty());
	CHECK(shown(with({ "--histogram=openat,writev" })) == std::set<std::string>{ "openat" });
}

TEST_CASE("options: -q, -c, -f, -w, -v, --format=strace")
{
	const Run plain = with({ "--histogram=none" });
	const Run strace = with({ "--format=strace" });

	for (const char *option : { "-q", "-c", "-f", "-w", "-v", "-cfw" }) {
		const Run run = with({ "--histogram=none", option });
		INFO(run);

		CHECK(differences(run.report, plain.report) == "");
		CHECK(run.report.accounted);
	}
	CHECK(differences(strace.report, plain.report) == "");
	CHECK(!strace.report.accounted);
	CHECK(strace.report.figures.empty());
}

TEST_CASE("options: a run without calls says that nothing was counted", "[once]")
{
	const Run note = with({ "-e", "reboot" }), quiet = with({ "-e", "reboot", "-q" });
	const Run strace = with({ "-e", "reboot", "--format=strace" });

	CHECK(note.report.rows.empty());
	CHECK_THAT(note.report.text, ContainsSubstring("None of the selected calls was counted"));
	CHECK_THAT(quiet.report.text, !ContainsSubstring("None of the"));
	CHECK(strace.report.text == "");
}

TEST_CASE("options: an empty set of calls makes an empty report")
{
	for (const char *set : { "?nosuchcall", "none", "!all", "exit_group" })
		for (const Words &options : { Words{}, Words{ "--no-files" }, Words{ "-y" },
					      Words{ "--no-latency", "--no-files" },
					      Words{ "--interval=0.01" }, Words{ "-P", "/" } }) {
			const Run run = with(Words{ "-e", set } + options);

			INFO(set << " " << (options.empty() ? "" : options[0]));
			CHECK(run.report.rows.empty());
			CHECK(run.report.accounted);
			CHECK(run.report.returned == 0);
			CHECK_THAT(run.report.text,
				   ContainsSubstring("None of the selected calls was counted"));
		}
}

TEST_CASE("options: an empty set of calls makes an empty report of running processes")
{
	std::vector<Words> scopes{ {} };

	if (backend() == "bpf") {
		scopes.insert(scopes.end(), { { "-a" }, { "-a", "--comm", own_name("no") } });
		if (have_cgroups())
			scopes.push_back({ "--cgroup" });
	}
	for (Words scope : scopes) {
		std::unique_ptr<Cgroup> group;
		Puppet puppet;

		if (scope.empty())
			scope = { "-p", puppet.pids() };
		if (scope[0] == "--cgroup") {
			group = std::make_unique<Cgroup>();
			group->take(puppet);
			scope.push_back(group->path);
		}
		Watch watch(Words{ "-e", "none" } + scope);
		puppet.tell("write 3");
		const Run run = watch.end();
		INFO(scope[0] << ": " << run);
		CHECK(run.end == "exit 0");
		CHECK(run.report.rows.empty());
		CHECK(run.report.entered == 0);
		CHECK(run.report.returned == 0);
	}
}

TEST_CASE("options: -o names the report's file")
{
	const std::string path = temporary("report-of-o");

	write_file(path, std::string(100000, 'x'));
	const Run file = with({ "-e", "%output", "-o", path });
	CHECK(file.report.rows.size() == 3);
	CHECK(read_file(path).find("xxx") == std::string::npos);
	CHECK(file.err == run_plain(some_calls).err);

	/* The report is not mixed into the command's output, even if both go to the same place. */
	const Run out = run_plain(
		iotrace_argv({ "-e", "%output", "-o", "/dev/stdout" }, { "true" }, nullptr));
	INFO(out);
	CHECK(out.end == "exit 0");
	CHECK(parse_report(out.out).rows.size() == 2);
	CHECK(out.err == "");
}

static bool colored(const std::string &text)
{
	return text.find('\x1b') != std::string::npos;
}

TEST_CASE("options: --color switches colors on and off", "[once]")
{
	const std::string path = temporary("colors");

	with({ "-o", path });
	CHECK(!colored(read_file(path)));
	with({ "-e", "%output", "-o", path, "--color=always" });
	const std::string text = read_file(path);
	CHECK(colored(text));
	CHECK(parse_report(text).rows.size() == 3);
	with({ "-o", path, "--color=never" });
	CHECK(!colored(read_file(path)));
}

TEST_CASE("options: a terminal gets colors", "[once]")
{
	auto on_terminal = [](Words options, const Words &env) {
		Terminal terminal;
		Spawn how;

		options.insert(options.end(), { "-e", "%output" });
		how.argv = iotrace_argv(options, { "true" }, nullptr);
		how.terminal = terminal.slave;
		how.env = env;
		Process process(how);
		const std::string text = terminal.read_all();
		INFO(text);
		CHECK(process.wait() == "exit 0");
		CHECK(parse_report(text).rows.size() == 2);
		return text;
	};

	CHECK(colored(on_terminal({}, {})));
	CHECK(!colored(on_terminal({}, { "NO_COLOR=1" })));
	CHECK(colored(on_terminal({}, { "NO_COLOR=" })));
	CHECK(!colored(on_terminal({}, { "TERM=dumb" })));
	CHECK(!colored(on_terminal({ "--color=never" }, {})));
	CHECK(colored(on_terminal({ "--color=always" }, { "NO_COLOR=1", "TERM=dumb" })));
}

TEST_CASE("options: --help and --version print and exit", "[once]")
{
	for (const char *option : { "--help", "--usage", "-V", "--version" }) {
		const Run run = run_plain({ iotrace_path(), option });
		INFO(run);

		CHECK(run.end == "exit 0");
		CHECK_THAT(run.out, ContainsSubstring("iotrace"));
		CHECK(run.err == "");
	}
	CHECK_THAT(run_plain({ iotrace_path(), "--help" }).out, ContainsSubstring("--histogram"));
}

/* Numbers are printed in the C locale, whatever the user's locale is. */
TEST_CASE("options: the locale changes nothing")
{
	Spawn how;

	how.env = { "LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8" };
	const Run run =
		with({ "-e", "all", "-U", "time-percent,total-time,calls,errors,name" }, how);
	INFO(run);
	CHECK(run.report.totals.at("").cells.at("% time") == "100.00");
	/* Below the table, commas stand between thousands. */
	const std::string table = run.report.text.substr(0, run.report.text.find(" total\n"));
	CHECK(table.find(',') == std::string::npos);
}
