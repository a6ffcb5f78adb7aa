// SPDX-License-Identifier: GPL-2.0
/* A run over time (--interval): lines for people, what formats and captures keep, and parts. */
#include "lib/live.hpp"
#include "lib/pattern.hpp"

/* Writes some lines and waits, again and again, so that there are intervals with and without. */
static const Words in_turns = { "perl", "-e",
				"$| = 1; for (1 .. 12) { print \"x\\n\" for 1 .. 50; open(F, '<', "
				"'/dev/null'); close F; select(undef, undef, undef, 0.02) }" };

static Run traced_over_time(const Words &options)
{
	Run run = run_plain(iotrace_argv(Words{ "--interval=0.01" } + options, in_turns, nullptr));

	INFO(run);
	REQUIRE(run.end == "exit 0");
	return run;
}

static const Pattern line_of_interval(
	"[0-9]{2}:[0-9]{2}:[0-9]{2} +[0-9]+[.][0-9]{3} +[0-9,.]+ +[0-9,.]+ +([0-9.]+ k?M?B|-) .*");

TEST_CASE("intervals: each is a line, below headings for each twenty, then comes the report")
{
	const std::string text = temporary("lines.txt");
	size_t nr = 0, headings = 0;
	bool ended = false;

	traced_over_time({ "-o", text });
	std::istringstream lines(read_file(text));
	for (std::string line; !ended && std::getline(lines, line);) {
		INFO(line);
		if (line.empty()) {
			ended = true;
		} else if (line.compare(0, 5, "clock") == 0) {
			CHECK(nr % 20 == 0);
			headings++;
		} else {
			CHECK(!line_of_interval.whole(line).empty());
			CHECK(line.back() != ' ');
			nr++;
		}
	}
	CHECK(ended);
	CHECK(nr > 20);
	CHECK(headings == (nr + 19) / 20);
	std::string rest;
	std::getline(lines, rest);
	CHECK_THAT(rest, ContainsSubstring("calls"));
	CHECK(parse_report(read_file(text).substr(read_file(text).find("\n\n") + 2))
		      .calls("write") == 600);
}

TEST_CASE("intervals: a capture has them, and they add up to the run")
{
	const std::string capture = temporary("run.json");

	traced_over_time({ "-o", capture, "--by=comm", "-e", "trace=all" });
	CHECK(std::stoul(jq(".intervals | length", capture)) > 10);
	CHECK(jq("[.syscalls[] | {name, calls, errors, bytes: (.bytes // 0)}] | sort_by(.name)",
		 capture) ==
	      jq("[.intervals[].syscalls[]] | group_by(.name) | map({name: .[0].name, calls: "
		 "(map(.calls) | add), errors: (map(.errors // 0) | add), bytes: (map(.bytes // 0) "
		 "| add)}) | sort_by(.name)",
		 capture));
	CHECK(jq("[.groups[].calls] | add", capture) ==
	      jq("[.intervals[].groups[].syscalls[].calls] | add", capture));
	CHECK(jq(".integrity.entered", capture) ==
	      jq("([.intervals[].integrity.entered // 0] | add) - ([.intervals[:-1][].integrity."
		 "in_flight // 0] | add)",
		 capture));
	CHECK(jq("[.intervals[].elapsed_ns] | add", capture) == jq(".elapsed_ns", capture));
	CHECK(jq("[.intervals[].total.calls // 0] | add", capture) ==
	      jq("[.syscalls[].calls] | add", capture));
}

TEST_CASE("intervals: what programs worked is known of each while they run")
{
	BPF_ONLY("strace does not know how long programs worked");
	const std::string capture = temporary("worked.json"), lines = temporary("worked.jsonl");
	Puppet puppet;
	Watch watch({ "-p", puppet.pids(), "--interval=0.05", "-o", capture, "-o", lines });

	puppet.tell("write 3000");
	CHECK(eventually(
		[&] { return read_file(lines).find("\"run_calls\":") != std::string::npos; }));
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	for (const char *name : { "user_ns", "system_ns", "run_ns", "run_calls" })
		CHECK(jq("[.intervals[].busy." + std::string(name) + " // 0] | add", capture) ==
		      jq(".busy." + std::string(name), capture));
}

TEST_CASE("intervals: those of a program that never rests fit, and are read back")
{
	const std::string capture = temporary("busy.json"), part = temporary("part.json");
	const std::string count = backend() == "bpf" ? "300000" : "3000";

	for (const char *by : { "--by=comm", "--no-latency", "--sample-latency=8" }) {
		if (backend() == "strace" && std::string(by) != "--by=comm")
			continue;
		const Run run = run_plain(iotrace_argv(
			{ "--interval=0.01", by, "-o", capture },
			{ "dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=" + count },
			nullptr));

		INFO(run);
		REQUIRE(run.end == "exit 0");
		for (const char *name : { "calls", "errors", "bytes" })
			CHECK(jq("[.syscalls[]." + std::string(name) + " // 0] | add", capture) ==
			      jq("[.intervals[].syscalls[]." + std::string(name) + " // 0] | add",
				 capture));
		const Run cut = run_plain(
			{ iotrace_path(), "report", capture, "--from", "0.03", "-o", part });
		INFO(cut);
		CHECK(cut.end == "exit 0");
		const Run again = run_plain({ iotrace_path(), "report", part });
		INFO(again);
		CHECK(again.end == "exit 0");
	}
}

TEST_CASE("intervals: whoever reads JSON lines sees each when it ends")
{
	Puppet puppet;
	Spawn how;

	how.argv = iotrace_argv({ "-p", puppet.pids(), "--interval=0.05", "--format=jsonl" }, {},
				nullptr);
	Watch watch({}, {}, how);
	puppet.tell("write 7");
	/* The run goes on when a line with these calls has come. */
	CHECK(eventually([&] {
		const std::string text = watch.process().err();

		return text.find("\"calls\":7") < text.rfind('\n');
	}));
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	/* Messages about the tracing are on stderr, too. */
	const std::string path = temporary("run.jsonl");
	std::istringstream lines(watch.process().err());
	std::string objects;
	for (std::string line; std::getline(lines, line);)
		if (line[0] == '{')
			objects += line + "\n";
	write_file(path, objects);
	CHECK(jq("select(.schema) | .syscalls[] | select(.name == \"write\") | .calls", path) ==
	      "7");
	const Run sum = run_plain({ "jq", "-s",
				    "[.[:-1][].syscalls[] | select(.name == \"write\") | .calls] | "
				    "add",
				    path });
	CHECK(sum.out == "7\n");
}

TEST_CASE("intervals: JSON on stderr is one document, and tables have the time")
{
	const std::string csv = temporary("run.csv"), capture = temporary("run.json"),
			  text = temporary("run.txt");
	const Run run = traced_over_time({ "--format=json" });

	write_file(text, run.err);
	CHECK(std::stoul(jq(".intervals | length", text)) > 10);

	traced_over_time({ "-o", csv, "-o", capture, "-e", "write" });
	std::istringstream lines(read_file(csv));
	std::string line;
	uint64_t calls = 0, end_ns = 0;
	std::getline(lines, line);
	CHECK_THAT(line, Catch::StartsWith("end_ns,syscall,abi,calls,"));
	while (std::getline(lines, line)) {
		std::istringstream fields(line);
		std::string end, name, abi, number;

		std::getline(std::getline(fields, end, ','), name, ',');
		std::getline(std::getline(fields, abi, ','), number, ',');
		CHECK(std::stoull(end) > end_ns);
		end_ns = std::stoull(end);
		CHECK(name == "write");
		calls += std::stoull(number);
	}
	CHECK(calls == 600);
	for (const char *format : { "markdown", "latex", "asciidoc", "table" }) {
		const Run report =
			run_plain({ iotrace_path(), "report", capture, "--format", format });

		INFO(report);
		CHECK(report.end == "exit 0");
		CHECK_THAT(report.out, ContainsSubstring("costliest file"));
	}
	/* The whole run is still to be had. */
	const Run whole = run_plain(
		{ iotrace_path(), "report", capture, "--format=csv", "--section=summary" });
	CHECK_THAT(whole.out, Catch::StartsWith("syscall,abi,calls,"));
	CHECK_THAT(whole.out, ContainsSubstring("\nwrite,64,600,"));
	const Run files = run_plain(
		{ iotrace_path(), "report", capture, "--format=csv", "--section=intervals,files" });
	CHECK_THAT(files.out, Catch::StartsWith("end_ns,path,"));
}

TEST_CASE("intervals: a part of a run is reported and compared, and is a capture again")
{
	const std::string capture = temporary("run.json"), part = temporary("part.json");

	traced_over_time({ "-o", capture });
	const double end = std::stod(jq(".intervals[-1].end_ns", capture)) / 1e9;
	const std::string middle = std::to_string(end / 2);
	uint64_t calls = 0;
	for (const Words &options : { Words{ "--to", middle }, Words{ "--from", middle } }) {
		const Run run =
			run_plain(Words{ iotrace_path(), "report", capture, "-o", part } + options);

		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK_THAT(run.err, ContainsSubstring("note: this is the run from second "));
		calls += std::stoull(jq("[.syscalls[].calls] | add", part));
		const Run again = run_plain({ iotrace_path(), "report", part });
		INFO(again);
		CHECK(again.end == "exit 0");
		CHECK_THAT(again.out, ContainsSubstring("from "));
	}
	CHECK(calls == std::stoull(jq("[.syscalls[].calls] | add", capture)));

	const Run both =
		run_plain({ iotrace_path(), "compare", capture, capture, "--from", middle });
	INFO(both);
	CHECK(both.end == "exit 0");
}

TEST_CASE("intervals: parts and sections that are not there are refused", "[once]")
{
	const std::string with = temporary("with.json"), without = temporary("without.json");

	traced_over_time({ "-o", with });
	REQUIRE(run_plain(iotrace_argv({ "-o", without }, { "true" }, nullptr)).end == "exit 0");
	const struct {
		Words argv;
		const char *said;
	} cases[] = {
		{ { "report", with, "--from", "1000" }, "has no interval in that time: it ends" },
		{ { "report", with, "--from", "2", "--to", "1" }, "--from must be before --to" },
		{ { "report", with, "--from", "-1" }, "invalid --from '-1'" },
		{ { "report", with, "--to", "x" }, "invalid --to 'x'" },
		{ { "report", without, "--from", "0" }, "has no intervals: trace with --interval" },
		{ { "report", without, "--section=intervals" },
		  "has no intervals: trace with --interval" },
		{ { "compare", "--from=1", "true", "false" }, "about captures" },
		{ { "--section=intervals", "true" }, "--section=intervals needs --interval" },
		{ { "--from=1", "true" }, "--from" },
	};
	for (const auto &c : cases) {
		const Run run = run_plain(Words{ iotrace_path() } + c.argv);

		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, ContainsSubstring(c.said));
	}
}
