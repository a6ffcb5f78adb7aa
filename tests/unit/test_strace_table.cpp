// SPDX-License-Identifier: GPL-2.0
// The table is compared with the real strace's. `strace -C -w --syscall-times=ns` prints every call
// with the latency that it adds to its summary, at the end of the same file; so both programs get
// the same figures.
#include "unit/render_test.hpp"
#include "lib/pattern.hpp"
#include "lib/skip.hpp"

#include <unistd.h>
#include <vector>

extern "C" {
#include "model/syscalls.h"
}

namespace
{
struct Log {
	std::string calls, summary;
};
} // namespace

// The summary begins where its first line of headings is.
static Log split_log(const std::string &text)
{
	size_t pos = text.find("\n------ ");

	if (pos == std::string::npos) // With -U the first column may be another.
		pos = text.find("\n----");
	REQUIRE(pos != std::string::npos);
	pos = text.rfind('\n', pos - 1) + 1;
	// In a run without 64-bit calls, it begins one line above that.
	size_t header = text.rfind("System call usage summary", pos);
	if (header != std::string::npos && text.find('\n', header) + 1 == pos)
		pos = header;
	return { text.substr(0, pos), text.substr(pos) };
}

// Adds the calls of a log. From its first execve on, if there is one, a process may have another
// ABI.
static void add_log(Profile &p, const std::string &calls, iotrace_abi abi_after_execve)
{
	static const Pattern finished("([0-9]+ +)?(<\\.\\.\\. )?([a-zA-Z0-9_]+)( resumed>|\\().*"
				      " = (-1 E|\\? E)?.*<([0-9]+)\\.([0-9]{9})>");
	iotrace_abi abi = ABI_64;
	std::istringstream lines(calls);
	std::string line;

	while (std::getline(lines, line)) {
		const Pattern::Match m = finished.whole(line);

		if (m.empty())
			continue;
		const std::string &name = m[3];
		int nr = syscall_number(abi, name.c_str());
		CAPTURE(line);
		REQUIRE(nr >= 0);
		syscall_stats_add_call(p.row(nr, name.c_str(), false, abi), m[5].empty() ? 0 : -2,
				       true, std::stoull(m[6]) * 1000000000 + std::stoull(m[7]));
		if (name == "execve" && m[5].empty())
			abi = abi_after_execve;
	}
}

static void require_same_table(const std::string &text, const render_options &o,
			       iotrace_abi abi_after_execve = ABI_64)
{
	Log log = split_log(text);
	Profile p;

	add_log(p, log.calls, abi_after_execve);
	REQUIRE(render(render_strace, p, o) == log.summary);
}

TEST_CASE("strace table: tables that strace printed on another day", "[strace]")
{
	SECTION("64 bit, with children and failures")
	{
		require_same_table(read_file(test_path("fixtures/strace_64.log")), Options());
	}
	SECTION("from 64 to 32 bit")
	{
		require_same_table(read_file(test_path("fixtures/strace_32.log")), Options(),
				   ABI_32);
	}
	SECTION("from 64 to 32 bit, other columns in another order")
	{
		require_same_table(read_file(test_path("fixtures/strace_32_columns.log")),
				   Options("calls", "name,calls,errors,max-time,min-time"), ABI_32);
	}
}

// Runs strace with these options on a shell command. Returns "" if strace cannot be used here.
static std::string run_strace(const std::string &options, const std::string &command)
{
	char path[] = "/tmp/iotrace-test-XXXXXX";
	int fd = mkstemp(path);
	std::string text, quoted = "'" + command + "'";

	REQUIRE(fd >= 0);
	close(fd);
	// With -e raw, the log contains no strings, which could look like anything.
	std::string line = "strace -f -C -w --syscall-times=ns -e raw=all " + options + " -o " +
			   path + " sh -c " + quoted + " >/dev/null 2>&1";
	if (system(line.c_str()) != -1)
		text = read_file(path);
	unlink(path);
	return text;
}

#define REQUIRE_STRACE()                                                  \
	do {                                                              \
		if (run_strace("", "true").empty())                       \
			SKIP_CASE("strace is missing or must not trace"); \
	} while (0)

TEST_CASE("strace table: the table of real programs is strace's, byte for byte", "[strace]")
{
	REQUIRE_STRACE();
	for (const char *command :
	     { "ls -l /", "ls / | sort | head -n 3", "(cat /nowhere; cat /etc/passwd & wait); true",
	       "sleep 0.3", "cd /usr/include && tar cf - *.h | cat >/dev/null" }) {
		CAPTURE(command);
		require_same_table(run_strace("", command), Options());
	}
}

TEST_CASE("strace table: -S sorts as strace does", "[strace]")
{
	REQUIRE_STRACE();
	for (const char *sort :
	     { "time", "time_total", "total-time", "min_time", "shortest", "longest", "max-time",
	       "avg_time", "time-avg", "calls", "count", "error", "errors", "name", "syscall",
	       "syscall-name", "none", "nothing" }) {
		CAPTURE(sort);
		require_same_table(run_strace(std::string("-S ") + sort, "ls -l /"), Options(sort));
	}
}

TEST_CASE("strace table: -U shows what strace shows", "[strace]")
{
	REQUIRE_STRACE();
	for (const char *list :
	     { "name", "calls", "syscall,errors", "errors,name", "time,name,calls",
	       "min-time,max-time",
	       "longest,shortest,avg_time,total_time,time_percent,count,error,syscall_name",
	       "name,time-total,time-min" }) {
		CAPTURE(list);
		require_same_table(run_strace(std::string("-U ") + list, "ls /nowhere /"),
				   Options("time", list));
	}
}

TEST_CASE("strace table: words that strace refuses are refused, and those it takes are taken",
	  "[strace]")
{
	REQUIRE_STRACE();
	for (const char *word :
	     { "time",		 "time_percent", "time-percent", "time_total",	 "time-total",
	       "total_time",	 "total-time",	 "min_time",	 "min-time",	 "shortest",
	       "time_min",	 "time-min",	 "longest",	 "max_time",	 "max-time",
	       "time_max",	 "time-max",	 "avg_time",	 "avg-time",	 "time_avg",
	       "time-avg",	 "calls",	 "count",	 "error",	 "errors",
	       "name",		 "syscall",	 "syscall_name", "syscall-name", "none",
	       "nothing",	 "Time",	 "call",	 "total",	 "",
	       "calls,",	 ",calls",	 "calls,none",	 "calls,count",	 "calls, errors",
	       "time,time_total" }) {
		column_id list[NR_COLUMNS], sort;
		size_t nr;
		char err[200];
		std::string quoted = std::string(" \"") + word + "\"";

		CAPTURE(word);
		REQUIRE((column_parse_sort(&sort, word, err, sizeof(err)) == 0) ==
			!run_strace("-S" + quoted, "true").empty());
		REQUIRE((column_parse_list(list, &nr, word, err, sizeof(err)) == 0) ==
			!run_strace("-U" + quoted, "true").empty());
	}
}
