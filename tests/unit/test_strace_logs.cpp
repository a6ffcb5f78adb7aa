// SPDX-License-Identifier: GPL-2.0
// The parser of strace's log, of logs of the real strace (-C, so that its own summary at the end of
// the same file is the expected result).
#include "unit/strace_test.hpp"

#include <cinttypes>
#include <map>

// strace's own summary: {"write@32": {calls, errors}}.
static std::map<std::string, std::pair<uint64_t, uint64_t>> summary_of(const std::string &text)
{
	std::map<std::string, std::pair<uint64_t, uint64_t>> rows;
	std::string line, suffix;
	std::istringstream lines(text);
	bool inside = false;

	while (std::getline(lines, line)) {
		char name[80];
		uint64_t calls = 0, errors = 0;

		if (line.find("32 bit mode") != std::string::npos)
			suffix = "@32";
		else if (line.find("x32 mode") != std::string::npos)
			suffix = "@x32";
		inside = inside || line.find("    calls    errors syscall") != std::string::npos;
		if (!inside)
			continue;
		/* One column is blank when there are no errors. */
		if (sscanf(line.c_str(), "%" SCNu64 "%" SCNu64 "%79s", &calls, &errors, name) !=
			    3 &&
		    (errors = 0, sscanf(line.c_str(), "%" SCNu64 "%79s", &calls, name) != 2))
			continue;
		if (strcmp(name, "total") != 0)
			rows[name + suffix] = { calls, errors };
	}
	return rows;
}

static const std::map<std::string, strace_format> real_logs = {
	{ "abis", NUMBERED },	     { "compat", NUMBERED }, { "decoded", NAMED },
	{ "leader_gone", NUMBERED }, { "paths", NAMED },     { "pipeline", NUMBERED },
	{ "signals", NUMBERED },     { "sockets", NAMED },   { "threads_exec", NUMBERED },
};

TEST_CASE("strace logs: real logs have the calls and errors of strace's own summary")
{
	static const char *const suffixes[] = { "", "@32", "@x32" };

	for (const auto &[name, format] : real_logs) {
		INFO(name);
		const std::string text = read_file(test_path("fixtures/strace/" + name + ".log"));
		auto expected = summary_of(text);
		Log log;

		REQUIRE(!expected.empty());
		parse(log, text, format);
		CHECK(log.lost == 0);
		for (size_t i = 0; i < log.nr_syscalls; i++) {
			const syscall_stats &s = log.syscalls[i];
			const std::string row = std::string(s.name) + suffixes[s.abi];

			INFO(row);
			/* strace leaves calls without a name out of its summary. */
			if (!strncmp(s.name, "syscall_0x", 10))
				continue;
			CHECK(s.calls == expected[row].first);
			CHECK(s.errors == expected[row].second);
			CHECK(s.timed == s.calls);
			expected.erase(row);
		}
		for (const auto &missing : expected)
			CHECK(missing.first == "");
	}
}

TEST_CASE("strace logs: cut anywhere, a log means the same")
{
	for (const char *name : { "abis", "signals", "threads_exec", "paths" }) {
		const strace_format format = real_logs.at(name);
		const std::string all =
			read_file(test_path(std::string("fixtures/strace/") + name + ".log"));
		const std::string text = all.substr(0, 9000);
		Log whole;

		INFO(name);
		parse(whole, text, format);
		const std::string expected = describe(whole);

		for (size_t at = 0; at <= text.size(); at += at < 1500 ? 1 : 7) {
			Parser parser(format);
			Log log;

			parser.feed(text.substr(0, at));
			REQUIRE(strace_parser__snapshot(parser.p, &log, 3000) == 0);
			log.check(); // The text ends as if strace had been killed at this point.
			profile_free(&log);
			parser.feed(text.substr(at));
			REQUIRE(strace_parser__snapshot(parser.p, &log, 3000) == 0);
			REQUIRE(describe(log) == expected);
		}
		Parser parser(format);
		Log log;

		for (char c : text)
			parser.feed(std::string(1, c));
		REQUIRE(strace_parser__snapshot(parser.p, &log, 3000) == 0);
		CHECK(describe(log) == expected);
	}
}
