// SPDX-License-Identifier: GPL-2.0
/*
 * Starting a command: what it inherits, when tracing begins, what can go wrong, and what its exit
 * status becomes.
 */
#include "lib/iotrace.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static std::string tiny()
{
	return fixture("tiny", { "-nostdlib", "-static" });
}

static bool says(const Run &run, const std::string &text)
{
	return run.err.find(text) != std::string::npos;
}

TEST_CASE("launch: the window begins with the command's execve")
{
	const Run run = run_iotrace({ "-e", "trace=all" }, { tiny() });
	const Run sh = run_iotrace({ "-e", "execve,execveat" }, { "sh", "-c", "exec " + tiny() });
	INFO(run);
	INFO(sh);

	/* exit never returns, so it does not count. */
	CHECK(run.report.order.size() == 2);
	CHECK(run.report.calls("execve") == 1);
	CHECK(run.report.calls("write") == 1);
	CHECK(run.report.totals.at("").calls == 2);
	CHECK(run.report.totals.at("").errors == 0);
	CHECK(run.out == "tiny\n");
	CHECK(run.end == "exit 7");
	CHECK(sh.report.calls("execve") == 2);
}

TEST_CASE("launch: a search of PATH is not counted")
{
	const std::string hidden = temporary("hidden");
	Spawn how;

	mkdir(hidden.c_str(), 0755);
	write_file(hidden + "/true", "not executable\n");
	mkdir((hidden + "/dir").c_str(), 0755);
	mkdir((hidden + "/dir/true").c_str(), 0755);
	how.env = { "PATH=/nonexistent::" + hidden + "/true:" + hidden + "/dir:" + hidden +
		    ":/usr/bin:/bin" };
	for (const char *set : { "trace=execve", "all" }) {
		const Run run = run_iotrace({ "-e", set }, { "true" }, how);
		INFO(run);

		CHECK(run.end == "exit 0");
		CHECK(run.report.calls("execve") == 1);
		CHECK(run.report.errors("execve") == 0);
	}
}

TEST_CASE("launch: the exit status is the command's")
{
	for (const char *status : { "0", "1", "3", "125", "126", "127", "128", "255" }) {
		const Run run = run_iotrace({ "-e", "execve" },
					    { "sh", "-c", std::string("exit ") + status });
		INFO(run);

		CHECK(run.end == std::string("exit ") + status);
		CHECK(run.report.calls("execve") == 1);
		CHECK(run.err == "");
	}
}

/* A command that exists and cannot be run, and one that does not exist. Nothing is reported. */
static void check_refused(const std::string &command, const std::set<std::string> &ends)
{
	const std::string path = temporary("refused");
	const Run run = run_iotrace({ "-o", path }, { command, "-x" });
	INFO(run);

	CHECK(ends.count(run.end) == 1);
	CHECK(says(run, "iotrace: error: "));
	CHECK(says(run, command));
	CHECK(run.out == "");
	CHECK(read_file(path) == "");
}

TEST_CASE("launch: commands that cannot be run are named")
{
	const std::string plain = temporary("plain");

	write_file(plain, "exit 3\n");
	chmod(plain.c_str(), 0644);
	check_refused("no-such-command", { "exit 127" });
	check_refused("/nonexistent/command", { "exit 127" });
	check_refused("./no-such-command", { "exit 127" });
	check_refused("", { "exit 127" });
	check_refused(plain, { "exit 126" });
	check_refused(temporary(""), { "exit 126" });
	check_refused(plain + "/under", { "exit 126", "exit 127" });
}

TEST_CASE("launch: the interpreter that keeps a command from being run is named")
{
	Folder folder;
	const std::string crlf = folder.write("crlf", "#!/bin/sh\r\necho\r\n", 0755);
	const std::string data = folder.write("data", "x");
	const std::string through = folder.write("through", "#!" + crlf + "\n", 0755);
	const std::string loader = folder / "loader";
	const struct {
		std::string command, why;
	} cases[] = {
		{ folder.write("missing", "#! /nonexistent/inter\x1bpreter -x\n", 0755),
		  "its interpreter '/nonexistent/inter\\x1bpreter': No such file or directory\n" },
		{ crlf, "its interpreter '/bin/sh\\r': No such file or directory; the file's lines "
			"end in \\r\\n, as on Windows" },
		{ through, "its interpreter '/bin/sh\\r': No such file" },
		{ folder.write("not-executable", "#!" + data + "\n", 0755),
		  "its interpreter '" + data + "': Permission denied\n" },
		{ loader, "its loader '/lib64/ld-linux-x86-64.so.X': No such file or directory; "
			  "the libraries of" },
	};

	std::string program = read_file("/bin/true");
	const std::string name = "/lib64/ld-linux-x86-64.so.";
	REQUIRE(program.find(name) != std::string::npos);
	program[program.find(name) + name.size()] = 'X';
	folder.write("loader", program, 0755);
	for (const auto &c : cases) {
		const Run run = run_iotrace({ "-o", folder / "report" }, { c.command });

		INFO(run);
		CHECK(run.end == "exit 126");
		CHECK_THAT(run.err, Catch::Contains("iotrace: error: cannot run '" + c.command +
						    "': " + c.why));
		CHECK(!exists(folder / "report"));
	}
}

TEST_CASE("launch: a script without an interpreter is run by the shell")
{
	const std::string script = temporary("plain-script");

	write_file(script, "echo \"$1\"; exit 5\n");
	chmod(script.c_str(), 0755);
	const Run run = run_iotrace({ "-e", "execve" }, { script, "word" });
	INFO(run);
	CHECK(run.end == "exit 5");
	CHECK(run.out == "word\n");
	CHECK(run.report.calls("execve") - run.report.errors("execve") == 1);
}

TEST_CASE("launch: usage errors name the word, and nothing runs", "[once]")
{
	const std::string side = temporary("usage-side-effect");
	const Run none = run_plain({ iotrace_path() });
	INFO(none);

	CHECK(none.end == "exit 125");
	CHECK(says(none, "command"));
	for (const Words &words : std::vector<Words>{ { "--nosuchoption" },
						      { "-Y" },
						      { "-e", "nosuchcall" },
						      { "-e", "trace=write,%nosuchclass" },
						      { "-e", "/(unclosed" },
						      { "-S", "nosuchkey" },
						      { "-U", "calls,nosuchcolumn" },
						      { "-U", "calls,calls" },
						      { "--histogram=nosuchcall" },
						      { "--color=nosuchcolor" },
						      { "--format=nosuchformat" } }) {
		const Run run = run_iotrace_to_stderr(words, { "touch", side });
		const std::string &word = words.back();
		size_t at = word.find_last_of("=,-/%");
		INFO(run);

		CHECK(run.end == "exit 125");
		CHECK(says(run, word.substr(at == std::string::npos ? 0 : at + 1)));
		CHECK(says(run, "iotrace: "));
		CHECK(run.out == "");
		CHECK(!exists(side));
	}
	const Run missing = run_plain({ iotrace_path(), "-o" });
	INFO(missing);
	CHECK(missing.end == "exit 125");
}

TEST_CASE("launch: a mistyped word gets a suggestion, and a bare iotrace prints its usage",
	  "[once]")
{
	const Run help = run_plain({ iotrace_path(), "help" });
	INFO(help);
	CHECK(help.end == "exit 127");
	CHECK_THAT(help.err,
		   ContainsSubstring("command 'help' not found; did you mean 'iotrace --help'?"));
	const Run swapped = run_plain({ iotrace_path(), "reprot", "run.json" });
	INFO(swapped);
	CHECK_THAT(swapped.err, ContainsSubstring("did you mean 'iotrace report'?"));
	const Run other = run_plain({ iotrace_path(), "no-such-command" });
	INFO(other);
	CHECK(other.err == "iotrace: error: command 'no-such-command' not found\n");
	const Run bare = run_plain({ iotrace_path() });
	INFO(bare);
	CHECK(bare.end == "exit 125");
	CHECK(std::count(bare.err.begin(), bare.err.end(), '\n') == 4);
	CHECK_THAT(bare.err, ContainsSubstring("nothing to trace"));
	CHECK_THAT(bare.err, ContainsSubstring("\n  sudo iotrace -- ./app"));
}

TEST_CASE("launch: a report that cannot be written is an error")
{
	const std::string side = temporary("report-side-effect");
	const Run unwritable = run_iotrace({ "-o", "/nonexistent/report" }, { "touch", side });
	INFO(unwritable);

	CHECK(unwritable.end == "exit 125");
	CHECK(says(unwritable, "/nonexistent/report"));
	CHECK(!exists(side));

	const Run directory = run_iotrace({ "-o", temporary("") }, { "touch", side });
	INFO(directory);
	CHECK(directory.end == "exit 125");
	CHECK(!exists(side));

	/* This disk turns out to be full only at the end. */
	const Run full = run_iotrace({ "-o", "/dev/full" }, { "touch", side });
	INFO(full);
	CHECK(full.end == "exit 125");
	CHECK(says(full, "No space left on device"));
	CHECK(exists(side));
}

/* The world fixture must see the same under iotrace as without it. */
static void check_world(Spawn how, const Words &options = {})
{
	const std::string file = temporary("world-says");
	const Words command = { fixture("world"), file, "-o", "--", "-e" };
	const Run plain = run_plain(command, how);
	const std::string expected = read_file(file);
	const Run traced = run_iotrace(options, command, how);
	INFO(traced);

	REQUIRE(plain.end == "exit 0");
	CHECK(traced.end == "exit 0");
	CHECK(read_file(file) == expected);
	CHECK(traced.report.accounted);
}

TEST_CASE("launch: the command inherits what it would without iotrace")
{
	Spawn how;

	SECTION("as it is")
	{
	}
	SECTION("directory, environment, more descriptors, limits, mask")
	{
		how.directory = "/usr";
		how.env = { "FOO=bar", "EMPTY=", "_=underscore" };
		how.in_child = [] {
			struct rlimit limit = { 100, 200 };

			dup2(0, 77);
			setrlimit(RLIMIT_NOFILE, &limit);
			umask(027);
			setpriority(PRIO_PROCESS, 0, 5);
		};
	}
	SECTION("signals")
	{
		how.in_child = [] {
			sigset_t set;

			sigemptyset(&set);
			for (int sig : { SIGUSR1, SIGTERM, SIGCHLD, SIGRTMIN })
				sigaddset(&set, sig);
			sigprocmask(SIG_BLOCK, &set, nullptr);
			for (int sig : { SIGPIPE, SIGHUP, SIGINT, SIGTTOU, SIGCHLD })
				::signal(sig, SIG_IGN);
		};
	}
	SECTION("stdin closed")
	{
		how.in = STREAM_CLOSED;
	}
	SECTION("stdout closed")
	{
		how.out = STREAM_CLOSED;
	}
	SECTION("stderr closed")
	{
		how.err = STREAM_CLOSED;
	}
	SECTION("all three closed")
	{
		how.in = how.out = how.err = STREAM_CLOSED;
	}
	check_world(how);
	check_world(how, { "-v" });
}

TEST_CASE("launch: with stderr closed, the command is undisturbed and the report is an error")
{
	const std::string file = temporary("world-says");
	Spawn how;

	how.err = STREAM_CLOSED;
	run_plain({ fixture("world"), file }, how);
	const std::string expected = read_file(file);
	const Run run = run_iotrace_to_stderr({}, { fixture("world"), file }, how);
	INFO(run);
	CHECK(read_file(file) == expected);
	/* Nobody can read the report. */
	CHECK(run.end == "exit 125");
}

TEST_CASE("launch: the command's streams are untouched")
{
	const Words command = { "sh", "-c",
				"cat; seq 1 10000; echo said >&2; printf 'no newline'" };
	std::string input = "binary \0\xff\n";
	Pipe plain_in, traced_in, stderr_in;
	Spawn how;

	for (Pipe *pipe : { &plain_in, &traced_in, &stderr_in }) {
		write_all(pipe->writer, input);
		pipe->close_writer();
	}
	how.in = plain_in.reader;
	const Run plain = run_plain(command, how);
	how.in = traced_in.reader;
	const Run traced = run_iotrace({ "-e", "all" }, command, how);
	how.in = stderr_in.reader;
	const Run to_stderr = run_iotrace_to_stderr({ "-e", "all" }, command, how);
	CHECK(plain.out.size() > 48000);
	CHECK(traced.out == plain.out);
	CHECK(traced.err == plain.err);
	CHECK(to_stderr.out == plain.out);
	/* This comes before the report. */
	CHECK(to_stderr.err.compare(0, plain.err.size(), plain.err) == 0);
	CHECK(to_stderr.report.rows.size() > 5);
}

TEST_CASE("launch: the command's own options stay its own", "[once]")
{
	const Run run = run_plain(iotrace_argv({}, {}, nullptr));
	INFO(run);
	CHECK(run.end == "exit 125");

	std::string report;
	Words argv = iotrace_argv({ "-q" }, {}, &report);
	argv.pop_back(); // The last word is "--".
	argv.insert(argv.end(), { "echo", "-n", "-e", "--color=never", "--", "-o", "x" });
	const Run echo = run_plain(argv);
	INFO(echo);
	CHECK(echo.end == "exit 0");
	CHECK(echo.out == "--color=never -- -o x");
}
