// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger of every workload is compared with iotrace. For write and writev, a ledger holds all
 * calls of the process; for openat and close, the calls of the program itself, in addition to those
 * of a run with no lines.
 */
#include "lib/one_run.hpp"

static const Words columns = { "-U", "calls,errors,bytes,name", "--histogram=all" };

static Words operator+(Words words, const Words &more)
{
	words.insert(words.end(), more.begin(), more.end());
	return words;
}

/* A workload with its options. out is its stdout; the ledger is what it prints last on stderr. */
struct Workload {
	std::string name;
	Words options;
	std::string output; // Argument of -o, in the temporary directory. "": standard output.
	std::string end = "exit 0";
};

static Words command_line(const Workload &w, unsigned long lines, unsigned threads)
{
	Words command = { source_path("workloads/" + w.name), "--ledger" };

	if (!w.output.empty())
		command = command +
			  Words{ "-o", w.output[0] == '/' ? w.output : temporary(w.output) };
	return command + w.options +
	       Words{ "-n", std::to_string(lines), "--threads", std::to_string(threads) };
}

/* The calls of openat and close that are not in the ledger. */
static std::pair<uint64_t, uint64_t> unclaimed(const Run &run, const std::string &name)
{
	const LedgerRow claimed = parse_ledger(run.err).at(name);

	return { run.report.calls(name) - claimed.calls, run.report.errors(name) - claimed.errors };
}

static void check_workload(const Workload &w, unsigned long lines, unsigned threads)
{
	const Run run = run_iotrace(columns, command_line(w, lines, threads));
	const Run idle = run_iotrace(columns, command_line(w, 0, threads));
	const Ledger ledger = parse_ledger(run.err);
	INFO(run);
	INFO(idle);

	REQUIRE(run.end == w.end);
	REQUIRE(idle.end == "exit 0");
	REQUIRE(ledger.size() == 4);
	for (const char *name : { "write", "writev" }) {
		const LedgerRow &claimed = ledger.at(name);

		INFO(name);
		CHECK(run.report.calls(name) == claimed.calls);
		CHECK(run.report.errors(name) == claimed.errors);
		CHECK(run.report.bytes(name) == claimed.bytes);
	}
	for (const char *name : { "openat", "close" }) {
		INFO(name);
		CHECK(unclaimed(run, name) == unclaimed(idle, name));
	}
	CHECK(run.report.died == 0);
	CHECK(run.report.in_flight == 0);
}

static const Workload workloads[] = {
	{ "endl_loop", {}, "" },
	{ "endl_loop", {}, "out" },
	{ "newline_loop", {}, "" },
	{ "newline_loop", { "--unsync" }, "out" },
	{ "fd_write_loop", {}, "" },
	{ "fd_write_loop", {}, "out" },
	{ "ofstream_lines", { "--endl" }, "out" },
	{ "ofstream_lines", { "--newline" }, "out" },
	{ "integer_lines", { "--endl" }, "" },
	{ "integer_lines", { "--endl" }, "out" },
	{ "integer_lines", { "--newline" }, "" },
	{ "integer_lines", { "--newline" }, "out" },
	{ "cerr_lines", {}, "" },
	{ "cerr_lines", { "--nounitbuf" }, "out" },
	{ "cerr_lines", { "--nounitbuf", "--unsync" }, "out" },
	{ "logger_reopen", {}, "" },
	{ "logger_reopen", {}, "log" },
	{ "logger_keep_open", {}, "" },
	{ "logger_keep_open", { "--timing" }, "log" },
	{ "logger_per_thread", {}, "" },
	{ "logger_per_thread", {}, "log" },
};

static std::string title(const Workload &w)
{
	std::string text = w.name;

	for (const std::string &option : w.options)
		text += " " + option;
	return w.output.empty() ? text : text + " -o " + w.output;
}

TEST_CASE("ledger: the ledgers of one thread are matched")
{
	for (const Workload &w : workloads) {
		INFO(title(w));
		check_workload(w, 5000, 1);
	}
}

TEST_CASE("ledger: the ledgers of eight threads are matched")
{
	for (const Workload &w : workloads) {
		INFO(title(w));
		check_workload(w, 2000, 8);
	}
}

TEST_CASE("ledger: failures on a full disk are matched")
{
	for (const char *name : { "endl_loop", "newline_loop", "fd_write_loop", "ofstream_lines",
				  "integer_lines", "logger_keep_open" }) {
		const Workload w = { name, {}, "/dev/full", "exit 1" };
		const Run run = run_iotrace(columns, command_line(w, 5000, 1));
		const Ledger ledger = parse_ledger(run.err);
		INFO(run);

		CHECK(run.end == "exit 1");
		REQUIRE(ledger.size() == 4);
		CHECK(run.report.errors("write") + run.report.errors("writev") > 0);
		for (const char *call : { "write", "writev" }) {
			CHECK(run.report.calls(call) == ledger.at(call).calls);
			CHECK(run.report.errors(call) == ledger.at(call).errors);
			CHECK(run.report.bytes(call) == ledger.at(call).bytes);
		}
	}
}

/* strace sees the start-up calls as well, so nothing is assumed here. */
TEST_CASE("ledger: strace agrees")
{
	for (const Workload &w : workloads) {
		const Words command = command_line(w, 200, 8);
		const Words set = { "-e", "trace=write,writev,openat,close" };
		const OneRun run = count_both(set, command);
		INFO(run);

		CHECK(run.end == "exit 0");
		CHECK(run.differences == "");
	}
}

/*
 * The counts that the experiments are about. A backend that stops the command at each call runs
 * them with fewer lines.
 */
TEST_CASE("ledger: the published counts are matched")
{
	const unsigned long lines = backend() == "bpf" ? 20000000 : 200000;
	const Run endl = run_iotrace(columns, { source_path("workloads/endl_loop"), "-n",
						std::to_string(lines), "-o", "/dev/null" });
	const Run newline =
		run_iotrace(columns, { source_path("workloads/newline_loop"), "--unsync", "-n",
				       "20000000", "-o", "/dev/null" });
	INFO(endl);
	INFO(newline);

	CHECK(endl.report.calls("write") == lines);
	CHECK(endl.report.errors("write") == 0);
	CHECK(endl.report.bytes("write") == 4 * lines);
	CHECK(endl.report.figures.at("write").sizes.at("4 B - 8 B") == lines);
	CHECK(newline.report.calls("writev") == 9765);
	CHECK(newline.report.bytes("writev") + newline.report.bytes("write") == 80000000);
}
