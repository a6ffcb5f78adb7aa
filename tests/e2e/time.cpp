// SPDX-License-Identifier: GPL-2.0
/* --duration, --interval, the status line, --no-latency, and calls that are still under way. */
#include "lib/live.hpp"
#include "lib/one_run.hpp"
#include "lib/pattern.hpp"

#include <sys/syscall.h>
#include <unistd.h>

struct Sum {
	uint64_t calls = 0, errors = 0, bytes = 0;

	bool operator==(const Sum &other) const
	{
		return calls == other.calls && errors == other.errors && bytes == other.bytes;
	}
};

/* A call that transfers no bytes has no sizes. */
static uint64_t bytes_of(const Report &report, const std::string &name)
{
	return report.rows.at(name).cells.at("bytes") == "-" ? 0 : report.bytes(name);
}

static std::map<std::string, Sum> sums(const std::vector<Report> &parts)
{
	std::map<std::string, Sum> all;

	for (const Report &part : parts)
		for (const std::string &name : part.order) {
			all[name].calls += part.calls(name);
			all[name].errors += part.errors(name);
			all[name].bytes += bytes_of(part, name);
		}
	return all;
}

/* The intervals add up to the whole, call by call. Returns how many there are. */
static size_t check_intervals(std::vector<Report> parts)
{
	REQUIRE(!parts.empty());
	const std::vector<Report> whole = { parts.back() };

	parts.pop_back();
	CHECK(sums(parts) == sums(whole));
	return parts.size();
}

TEST_CASE("time: interval: the sum is the whole, under load")
{
	for (const Words &command :
	     { Words{ fixture("threads"), "4", "30000" },
	       Words{ fixture("children"), "fork", "500" },
	       Words{ "sh", "-c",
		      "for i in 1 2 3 4 5 6 7 8 9; do ls -lR /usr/include/linux; done" } }) {
		std::string report;
		const Run run = run_plain(iotrace_argv(
			counts + Words{ "-e", "trace=all", "-y", "--interval", "0.005" }, command,
			&report));
		const std::vector<Report> parts = parse_intervals(read_file(report));
		INFO(run);

		CHECK(run.end == "exit 0");
		CHECK(check_intervals(parts) > 1);
		CHECK(parts.back().accounted);
		CHECK(contradictions(parts.back()) == "");
	}
}

TEST_CASE("time: interval: a syscall may be made for the first time while figures are read")
{
	const std::string capture = temporary("first-calls.json"), file = temporary("first-calls");

	/* With all syscalls, each gets its place at its first call: one run in five met that. */
	for (int i = 0; i < (backend() == "bpf" ? 25 : 1); i++) {
		std::string report;
		const Run run = run_plain(
			iotrace_argv(counts + Words{ "-e", "all", "-y", "--interval", "0.001", "-o",
						     temporary("first-calls.txt"), "-o", capture },
				     { fixture("first_calls"), file }, &report));
		const std::vector<Report> parts = parse_intervals(read_file(report));

		CAPTURE(i);
		INFO(run);
		REQUIRE(run.end == "exit 0");
		CHECK(check_intervals(parts) > 1);
		CHECK(contradictions(parts.back()) == "");
		CHECK(jq("[.files[] | select(.path == \"" + file +
				 "\" and .syscall != \"openat\" and .calls == 3)] | length",
			 capture) == "30");
	}
}

TEST_CASE("time: interval: figures come as they happen, with time of day and elapsed")
{
	Puppet puppet;
	Spawn how;

	/* The report goes to stderr, to be read while it runs. */
	how.argv = iotrace_argv(counts + Words{ "-p", puppet.pids(), "-y", "--interval=0.02" }, {},
				nullptr);
	Watch watch({}, {}, how);
	for (uint64_t i = 1; i <= 5; i++) {
		puppet.tell("write 100");
		CHECK(eventually([&] {
			std::vector<Report> parts = parse_intervals(watch.process().err());

			parts.pop_back(); // The last part is not complete yet.
			return sums(parts)["write"].calls == 100 * i;
		}));
	}
	const Run run = watch.end();
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(check_intervals(parse_intervals(run.err)) >= 5);
	CHECK(run.report.calls("write") == 500);
	CHECK(run.report.bytes("write") == 1500);

	static const Pattern head("[0-9]{2}:[0-9]{2}:[0-9]{2}  elapsed ([0-9.]+) s\n");
	double last = 0;
	for (const Pattern::Match &match : head.all(run.err)) {
		const double elapsed = std::stod(match[1]);

		/* The last interval is what remains: it can be shorter than what is printed. */
		CHECK(elapsed >= last);
		last = elapsed;
	}
}

TEST_CASE("time: interval: together with --duration, of a cgroup's or a process's targets")
{
	Puppet puppet;
	Watch watch(counts +
		    Words{ "-p", puppet.pids(), "-y", "--interval", "0.03", "--duration=.1" });
	const Run run = watch.end(0);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(puppet.process().running());
}

/*
 * When the time is over the report is written; iotrace waits for the command and no longer traces
 * it.
 */
TEST_CASE("time: duration: the command goes on untraced")
{
	const std::string report = temporary("duration-report");
	Spawn how;

	how.argv = iotrace_argv(counts + Words{ "--duration", "0.05", "-o", report },
				{ fixture("puppet") }, nullptr);
	Puppet puppet("", how);
	CHECK(eventually([&] { return exists(report) && !read_file(report).empty(); }));
	const std::string text = read_file(report);
	CHECK(puppet.process().running());
	puppet.tell("write 1000");
	puppet.tell_only("exit 7");
	CHECK(puppet.process().wait() == "exit 7");
	CHECK(read_file(report) == text);
	INFO(text);
	CHECK(contradictions(parse_report(text)) == "");
	/* It may make the write that fills its pipe. */
	CHECK(parse_report(text).calls("write") <= 1);
}

TEST_CASE("time: duration: a command that ends before is not waited for")
{
	const Run run = run_iotrace({ "--duration", "1e6" }, { "sh", "-c", "echo x; exit 6" });
	INFO(run);
	CHECK(run.end == "exit 6");
	CHECK(run.report.calls("write") == 1);
}

TEST_CASE("time: duration, interval: invalid times are refused", "[once]")
{
	for (const char *option : { "--duration", "--interval" })
		for (const char *value : { "0", "-1", "x", "1x", "", "nan", "inf", "1e99", "0x" }) {
			const Run run =
				run_plain(iotrace_argv({ option, value }, { "true" }, nullptr));
			INFO(run);
			CHECK(run.end == "exit 125");
			CHECK_THAT(run.err, ContainsSubstring(option));
			CHECK_THAT(run.err, ContainsSubstring(std::string("'") + value + "'"));
		}
}

// ---- the status line ----

static const std::string erase = "\r\033[K";

TEST_CASE(
	"time: status line: on a terminal, of targets that run already, and gone before the report")
{
	Puppet puppet;
	Terminal terminal;
	Spawn how;

	how.argv =
		iotrace_argv({ "-e", "write", "-p", puppet.pids(), "--color=never" }, {}, nullptr);
	how.terminal = terminal.slave;
	Process iotrace(how);
	terminal.read_until("tracing has begun");
	puppet.tell("write 12345");
	terminal.read_until("  12345 calls  ");
	terminal.read_until("lost 0" + erase);
	/* The terminal turns this into SIGINT, as for Ctrl-C. */
	terminal.type("\003");
	CHECK(iotrace.wait() == "exit 0");
	const std::string text = terminal.read_all();
	INFO(text);

	const size_t last = text.rfind(erase);
	REQUIRE(last != std::string::npos);
	const std::string after = text.substr(last + erase.size());
	CHECK(after.find("calls/s  lost") == std::string::npos);
	CHECK(parse_report(after).calls("write") == 12345);
	/* It is one line, drawn over the previous one each time. */
	static const Pattern line("\r\033\\[K([0-9.]+)s  [0-9]+ calls  [0-9]+ calls/s  lost 0");
	const std::string drawn = text.substr(text.find(erase));
	double before = -1;
	for (const Pattern::Match &match : line.all(drawn)) {
		/* At most ten are drawn in a second. */
		CHECK(std::stod(match[1]) >= before + 0.1 - 1e-9);
		before = std::stod(match[1]);
	}
	CHECK(before >= 0);
	CHECK(line.replaced(drawn, "") == erase + after);
}

/* This takes long enough for several status lines, if there were any. */
static std::string on_terminal(const Words &options, const Words &command)
{
	Terminal terminal;
	Spawn how;

	how.argv = iotrace_argv(options, command, nullptr);
	how.terminal = terminal.slave;
	Process process(how);
	CHECK(process.wait() == "exit 0");
	return terminal.read_all();
}

TEST_CASE("time: status line: not over a command's own output, nor when it is not wanted")
{
	Puppet puppet;

	std::string text =
		on_terminal({ "--color=never" }, { "sh", "-c", "printf one; sleep 0.6" });
	CHECK(text.find('\033') == std::string::npos);
	CHECK(text.find("calls/s  lost") == std::string::npos);
	CHECK(text.compare(0, 3, "one") == 0);
	text = on_terminal({ "--color=never", "-q", "-p", puppet.pids(), "--duration", "0.6" }, {});
	CHECK(text.find("calls/s  lost") == std::string::npos);
	CHECK(text.find('\033') == std::string::npos);
}

TEST_CASE("time: status line: of a command, where neither its output nor the report goes to the "
	  "terminal")
{
	const std::string report = temporary("status-report");
	Terminal terminal;
	Spawn how;
	std::string line;

	for (const std::string &word : iotrace_argv({ "-e", "write", "-o", report },
						    { "sh", "-c", "echo one; read x" }, nullptr))
		line += "'" + word + "' ";
	how.argv = { "sh", "-c", "exec " + line + " >/dev/null" };
	how.terminal = terminal.slave;
	Process iotrace(how);
	terminal.read_until("  1 calls  ");
	terminal.type("\n");
	CHECK(iotrace.wait() == "exit 0");
	const std::string text = terminal.read_all();
	CHECK(text.compare(text.size() - erase.size(), erase.size(), erase) == 0);
	CHECK(parse_report(read_file(report)).calls("write") == 1);
	/* The command's own output is not drawn over. */
	const std::string both =
		on_terminal({ "-o", report }, { "sh", "-c", "echo one; sleep 0.6" });
	CHECK(both.find("calls/s  lost") == std::string::npos);
}

TEST_CASE("time: status line: with --interval until the next one is printed")
{
	Puppet puppet;
	Terminal terminal;
	Spawn how;

	how.argv = iotrace_argv(
		{ "-e", "write", "-p", puppet.pids(), "--color=never", "--interval=1" }, {},
		nullptr);
	how.terminal = terminal.slave;
	Process iotrace(how);
	terminal.read_until("tracing has begun");
	puppet.tell("write 12");
	terminal.read_until("  12 calls  ");
	/* The status line is erased before the interval's figures are printed. */
	std::string text = terminal.read_until("clock ");
	text.resize(text.find("clock "));
	CHECK(text.rfind(erase) > text.rfind(" calls/s"));
	terminal.type("\003");
	CHECK(iotrace.wait() == "exit 0");
}

TEST_CASE("time: status line: it needs a terminal")
{
	Puppet puppet;
	Terminal terminal;
	Spawn how;

	/* This holds even if another descriptor is a terminal. */
	Pipe err;
	how.argv = iotrace_argv({ "-p", puppet.pids(), "--duration", "0.6" }, {}, nullptr);
	how.in = terminal.slave;
	how.out = terminal.slave;
	how.err = err.writer;
	Process process(how);
	err.close_writer();
	const std::string text = read_until(err.reader, "lost 0");
	CHECK(process.wait() == "exit 0");
	CHECK(text.find('\r') == std::string::npos);
	CHECK(text.find("calls/s  lost") == std::string::npos);
	CHECK(terminal.read_all() == "");
}

// ---- without latencies ----

/* All other figures are the same as with everything. */
static void compare_without(const Words &options, const Words &set, const Words &command)
{
	Spawn how;

	how.directory = temporary("");
	const OneRun run = count_twice(set + options, set, command, how);
	INFO(run);
	CHECK(run.differences == "");
	CHECK(run.ours.rows.size() > 0);
	CHECK(run.ours.returned == run.theirs.returned);
	for (const auto &[name, figures] : run.ours.figures)
		if (options[0] == "--no-latency")
			CHECK(figures.latencies.empty());
		else if (options[0] == "--no-files")
			CHECK(figures.timed == run.theirs.figures.at(name).timed);
		else /* Calls have no time if none of their kind was timed. */
			CHECK(figures.timed <= run.theirs.figures.at(name).timed);
}

static void compare_all_without(const Words &options)
{
	const Words all = { "-e", "trace=all" }, four = {};
	const std::string execs64 = fixture("execs"), execs32 = fixture("execs", { "-m32" });
	const Words across = { execs64, execs32, execs64, execs32, "/bin/echo", "x" };

	for (const Words &set : { all, four, Words{ "-e", "execve,write,getppid" } }) {
		compare_without(options, set, { fixture("children"), "fork", "50" });
		compare_without(options, set, { fixture("children"), "vfork", "50" });
		compare_without(options, set, { fixture("mixed_abi") });
		compare_without(options, set, { fixture("seccomp") });
		compare_without(options, set, { fixture("signals") });
		compare_without(options, set, { fixture("signals", { "-m32" }) });
		compare_without(options, set, across);
		compare_without(options, set, { "ls", "-lR", "/usr/include/linux" });
		compare_without(options, set,
				{ "sh", "-c", "ls /nonexistent; (exec true); exit 3" });
	}
	compare_without(options, four, { fixture("threads"), "8", "500" });
	compare_without(options, four, { source_path("workloads/endl_loop"), "-n", "20000" });
	compare_without(options, four,
			{ source_path("workloads/logger_per_thread"), "-n", "2000", "--threads",
			  "4", "-o", "log" });
}

TEST_CASE("time: no latency, no files: all other figures are the same")
{
	BPF_ONLY("a process has one ptracer only");
	compare_all_without({ "--no-latency" });
	compare_all_without({ "--no-files" });
	compare_all_without({ "--sample-latency=7" });
	compare_all_without({ "--no-latency", "--no-files" });
}

/* Columns without figures say so, and nothing in the report is a time. */
TEST_CASE("time: no latency: times are not known, not 0")
{
	const Run run =
		run_iotrace({ "--no-latency", "-e", "write", "--histogram=all" }, { "echo", "x" });
	INFO(run);
	CHECK(run.report.rows.at("write").cells.at("seconds") == "-");
	CHECK(run.report.rows.at("write").cells.at("calls") == "1");
	CHECK(run.report.figures.at("write").latency.at("max") == "-");
}

// ---- calls under way ----

TEST_CASE("time: in flight: a call that began before tracing, and one that began since")
{
	for (bool before : { true, false }) {
		Puppet puppet;
		pid_t tid = 0;

		if (before)
			tid = puppet.block();
		Watch watch(Words{ "-e", "write", "-p", puppet.pids() });
		puppet.tell("write 5");
		if (!before)
			tid = puppet.block();
		const Run run = watch.end();
		INFO(run);
		CHECK(run.report.calls("write") == 5);
		CHECK(run.report.in_flight == (before ? 0 : 1));
		CHECK(run.report.entered == (before ? 5 : 6));
		REQUIRE(run.report.in_flight_lines.size() == 1);
		const std::string line = run.report.in_flight_lines[0];
		const std::string who =
			"write  pid " + puppet.pids() + " tid " + std::to_string(tid) + " (";
		CHECK_THAT(line, ContainsSubstring(who));
		CHECK_THAT(line, ContainsSubstring("puppet)"));
		CHECK((line.find("since before tracing began") != std::string::npos) == before);
		CHECK((line.find("  for more than ") != std::string::npos) == before);
		CHECK((line.find("  for ") != std::string::npos));
		/* It ends as if nothing had happened. */
		puppet.tell("unblock");
	}
}

TEST_CASE("time: in flight: the longest come first, all are counted")
{
	std::vector<std::unique_ptr<Puppet>> puppets;
	std::string pids;

	for (int i = 0; i < 40; i++) {
		puppets.push_back(std::make_unique<Puppet>());
		pids += puppets.back()->pids() + " ";
	}
	Watch watch(Words{ "-e", "write", "-p", pids });
	for (auto &puppet : puppets)
		puppet->block();
	const Run run = watch.end();
	INFO(run);
	CHECK(run.report.in_flight == 40);
	CHECK(run.report.entered == 40);
	CHECK(run.report.returned == 0);
	for (size_t i = 0; i + 1 < run.report.in_flight_lines.size(); i++)
		CHECK_THAT(run.report.in_flight_lines[i],
			   ContainsSubstring("pid " + puppets[i]->pids() + " "));
}

TEST_CASE("time: in flight: of a command that is given up waiting for")
{
	Spawn how;
	std::string report;

	how.argv = iotrace_argv({ "-e", "write", "--duration", "0.3" }, { fixture("puppet") },
				&report);
	Puppet puppet("", how);
	const std::string child =
		read_file("/proc/" + puppet.pids() + "/task/" + puppet.pids() + "/children");
	const pid_t pid = std::stoi(child), tid = std::stoi(puppet.tell("block"));
	REQUIRE(is_in(pid, tid, SYS_write));
	CHECK(eventually([&] { return !read_file(report).empty(); }));
	const Report r = parse_report(read_file(report));
	INFO(r.text);
	/* The time may be over before the thread blocks. Then nothing is in flight. */
	CHECK(r.in_flight == r.in_flight_lines.size());
	CHECK(contradictions(r) == "");
	puppet.tell_only("exit 0");
	CHECK(puppet.process().wait() == "exit 0");
}

/* A name may hold any byte except NUL. */
TEST_CASE("time: in flight: names come out escaped")
{
	const std::map<std::string, std::string> names = {
		{ "\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m" },
		{ "two\nlines\r\t", "two\\nlines\\r\\t" },
		{ "\377\376bad\200", "\\xff\\xfebad\\x80" },
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
		{ "fifteen bytes\xc3\xbc", "fifteen bytes\xc3\xbc" },
		/* The kernel cuts it in the middle of a character. */
		{ "fourteen bytes\xc3\xbc", "fourteen bytes\\xc3" },
		{ "(pid 1) x", "(pid 1) x" },
		{ "\xc2\x9b"
		  "31m",
		  "\\xc2\\x9b31m" },
	};

	for (const auto &[name, shown] : names) {
		Puppet puppet;

		puppet.tell("comm " + hex(name));
		Watch watch(Words{ "-e", "write", "-p", puppet.pids() });
		puppet.block();
		const Run run = watch.end();
		INFO(run);
		REQUIRE(run.report.in_flight_lines.size() == 1);
		CHECK_THAT(run.report.in_flight_lines[0], ContainsSubstring("(" + shown + ")"));
	}
}

/* eBPF sees no entries then: only the first call of a task is known, and only until it returns. */
TEST_CASE("time: no-latency: a call that was begun while tracing is not taken for one from before")
{
	const std::string json = temporary("no-latency.json");
	Puppet returns, stays;

	REQUIRE(is_in(stays.pid(), stays.pid(), SYS_recvfrom));
	REQUIRE(is_in(returns.pid(), returns.pid(), SYS_recvfrom));
	Watch watch({ "--no-latency", "--no-files", "-e", "recvfrom,write", "-p",
		      returns.pids() + "," + stays.pids(), "-o", json });
	returns.tell("write 3");
	REQUIRE(is_in(returns.pid(), returns.pid(), SYS_recvfrom));
	watch.process().signal(SIGINT);
	CHECK(watch.process().wait() == "exit 0");
	const std::string text = read_file(json);
	INFO(text);
	const auto before = [&](Puppet &puppet) {
		return jq("[.inflight[] | select(.pid == " + puppet.pids() + ") | .before]", json);
	};
	CHECK(before(stays) == "[true]");
	/* strace sees entries, and so it knows the call. */
	CHECK(before(returns) == (backend() == "bpf" ? "[]" : "[false]"));
}
