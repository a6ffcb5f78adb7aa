// SPDX-License-Identifier: GPL-2.0
/*
 * The workloads are run as programs: what they write, whether their ledgers agree with the real
 * strace, and how they fail.
 */
#include "unit/workloads_test.hpp"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace
{

/* The openat or close calls in strace's log that are not in the ledger: the loader's and libc's. */
uint64_t loader_calls(const traced &t, const string &name)
{
	return t.strace.at(name).calls - t.own.at(name).calls;
}

string repeat(const string &s, size_t n)
{
	string all;

	while (n--)
		all += s;
	return all;
}

string integers(unsigned int n)
{
	string all;

	for (unsigned int i = 0; i < n; i++)
		all += std::to_string(i) + "\n";
	return all;
}

const string eighty = repeat("1234567890", 8);

/* The workloads that write to stdout, and what they write for 3,000 lines. */
struct stream_case {
	string line, content;
};

const size_t nr_lines = 3000;

vector<stream_case> stream_cases()
{
	string short_lines = repeat("123\n", nr_lines),
	       long_lines = repeat(eighty + "\n", nr_lines);

	return {
		{ "endl_loop", short_lines },
		{ "newline_loop", short_lines },
		{ "newline_loop --unsync", short_lines },
		{ "fd_write_loop", short_lines },
		{ "ofstream_lines", long_lines },
		{ "ofstream_lines --endl", long_lines },
		{ "ofstream_lines --newline", long_lines },
		{ "integer_lines", integers(nr_lines) },
		{ "integer_lines --newline", integers(nr_lines) },
		{ "cerr_lines", short_lines },
		{ "cerr_lines --nounitbuf", short_lines },
		{ "cerr_lines --unsync", short_lines },
		{ "cerr_lines --unsync --nounitbuf", short_lines },
	};
}

vector<string> all_lines()
{
	vector<string> all = loggers;

	for (const stream_case &c : stream_cases())
		all.push_back(c.line);
	return all;
}

string sorted(string s)
{
	std::sort(s.begin(), s.end());
	return s;
}

int null_reader_pipe()
{
	int fds[2];

	REQUIRE(pipe2(fds, O_CLOEXEC) == 0);
	close(fds[0]);
	return fds[1];
}

} // namespace

TEST_CASE("workloads: workloads write exactly their lines, to stdout or -o, and nothing else",
	  "[workloads]")
{
	Folder folder;
	string file = folder / "file";

	for (const stream_case &c : stream_cases()) {
		string line = c.line + " -n " + std::to_string(nr_lines);

		INFO(line);
		Finished r = run(line);
		CHECK(r.end == "exit 0");
		CHECK((r.out == c.content));
		CHECK(r.err == "");

		r = run(line + " -o " + file);
		CHECK(r.end == "exit 0");
		CHECK(r.out == "");
		CHECK(r.err == "");
		CHECK((read_file(file) == c.content));

		r = run(c.line + " -n 0 -o " + file);
		CHECK(r.end == "exit 0");
		CHECK(read_file(file) == "");
	}
}

TEST_CASE("workloads: workloads of several threads write all lines of each", "[workloads]")
{
	for (const stream_case &c : stream_cases()) {
		INFO(c.line);
		Finished r = run(c.line + " --threads 8 -n " + std::to_string(nr_lines));

		CHECK(r.end == "exit 0");
		CHECK(r.err == "");
		CHECK((sorted(r.out) == sorted(repeat(c.content, 8))));
	}
	for (const char *line : { "endl_loop", "fd_write_loop" })
		CHECK((run(string(line) + " --threads 8 -n 1000").out == repeat("123\n", 8000)));
}

TEST_CASE("workloads: ledgers equal what strace counts", "[workloads]")
{
	Folder folder;
	string file = folder / "file";
	auto threads = GENERATE(1, 8);
	setting s;

	s.tmpdir = folder.path.c_str();
	for (const string &line : all_lines())
		for (const string &output : { string(), " -o " + file }) {
			string options = output + " --threads " + std::to_string(threads);
			traced none = trace(line + options + " -n 0", s);
			traced some = trace(line + options + " -n 200", s);

			INFO(line << options);
			CHECK(none.r.end == "exit 0");
			CHECK(some.r.end == "exit 0");
			check_ledger(none);
			check_ledger(some);
			for (const char *name : { "openat", "close" }) {
				INFO(name);
				CHECK(loader_calls(some, name) == loader_calls(none, name));
				CHECK(some.own.at(name).errors == 0);
			}
		}
}

TEST_CASE("workloads: ledgers equal the table of strace -c", "[workloads]")
{
	Folder folder;
	string table = folder / "table";
	vector<string> command = { "strace", "-f",	   "-c",
				   "-U",     "calls,name", "-o",
				   table,    "-e",	   "trace=write,writev" };

	for (const string &word : words("newline_loop --unsync -n 20000 --ledger"))
		command.push_back(word);
	Ledger l = parse_ledger(run(command).err);

	CHECK(l.at("writev") == LedgerRow{ 9, 0, 8191 + 8 * 8192 });
	CHECK(l.at("write").calls == 2);
	CHECK(Pattern("^ +9 writev$").find(read_file(table)).size() == 1);
	CHECK(Pattern("^ +2 write$").find(read_file(table)).size() == 1);
}

TEST_CASE("workloads: experiments: calls as published", "[workloads]")
{
	auto own = [](const string &line, const char *name) {
		return parse_ledger(run(line + " --ledger").err).at(name).calls;
	};

	/* The last write is the ledger's own. */
	CHECK(own("endl_loop", "write") == 1000001);
	CHECK(own("fd_write_loop", "write") == 1000001);
	CHECK(own("newline_loop -n 20000000 --unsync", "writev") == 9765);
	CHECK(own("newline_loop -n 20000000", "write") == 19532 + 1);
	CHECK(own("ofstream_lines -n 1000", "write") == 1001);
	CHECK(own("ofstream_lines -n 1000 --newline", "writev") == 9);
	CHECK(own("integer_lines -n 1000 -o /dev/null", "write") == 1001);
	CHECK(own("integer_lines -n 1000 -o /dev/null --newline", "write") == 2);
	CHECK(own("cerr_lines -n 1000", "write") == 2001);
	CHECK(own("cerr_lines -n 1000 --nounitbuf", "write") == 2001);
	CHECK(own("cerr_lines -n 1000 --unsync", "write") == 2001);
	CHECK(own("cerr_lines -n 1000 --unsync --nounitbuf", "write") == 2);
	CHECK(own("logger_reopen -n 1000", "write") == 1001);
	CHECK(own("logger_reopen -n 0", "openat") + 1000 == own("logger_reopen -n 1000", "openat"));
	CHECK(own("logger_reopen -n 0", "close") + 1000 == own("logger_reopen -n 1000", "close"));
	CHECK(own("logger_keep_open -n 0", "openat") == own("logger_keep_open -n 1000", "openat"));
	CHECK(own("logger_per_thread -n 0 --threads 8", "openat") + 8 ==
	      own("logger_per_thread -n 1000 --threads 8", "openat"));
}

TEST_CASE("workloads: on a terminal integers are written line by line, with endl or without",
	  "[workloads]")
{
	setting s;
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	REQUIRE(terminal >= 0);
	REQUIRE(grantpt(terminal) == 0);
	REQUIRE(unlockpt(terminal) == 0);
	s.stdout_fd = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
	REQUIRE(s.stdout_fd >= 0);
	for (const char *end : { "--endl", "--newline" }) {
		const string lines = "0\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n";
		Finished r = run(string("integer_lines -n 10 --ledger ") + end, s);
		ssize_t len = 1;
		string seen;

		INFO(end << ": " << r.err);
		/* Nothing more comes from a workload that failed. */
		REQUIRE(r.end == "exit 0");
		/* A worker of the kernel hands over what was written, at times in parts. */
		while (seen.size() < lines.size() && len > 0) {
			char buf[256];

			len = read(terminal, buf, sizeof(buf));
			seen.append(buf, len > 0 ? len : 0);
		}
		CHECK(parse_ledger(r.err)["write"].calls == 11);
		CHECK(seen == lines);
	}
	close(s.stdout_fd);
	close(terminal);
}

TEST_CASE("workloads: a full device is reported, and the ledger still true", "[workloads]")
{
	auto threads = GENERATE("1", "8");
	/* With few lines only the last flush fails, with many lines earlier ones do. */
	auto count = GENERATE("1", "3000");
	setting s;

	s.stdout_fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	REQUIRE(s.stdout_fd >= 0);
	for (const stream_case &c : stream_cases()) {
		string line = c.line + " -n " + count + " --threads " + threads;
		traced t = trace(line, s);

		INFO(line);
		CHECK(t.r.end == "exit 1");
		CHECK_THAT(t.r.err,
			   ContainsSubstring(": standard output: No space left on device\n"));
		CHECK(t.own["write"].errors + t.own["writev"].errors > 0);
		check_ledger(t);

		t = trace(line + " -o /dev/full");
		CHECK(t.r.end == "exit 1");
		CHECK_THAT(t.r.err, ContainsSubstring(": /dev/full: No space left on device\n"));
		check_ledger(t);
	}
	close(s.stdout_fd);

	traced t = trace(string("logger_keep_open -o /dev/full -n ") + count + " --threads " +
			 threads);
	CHECK(t.r.end == "exit 1");
	CHECK_THAT(t.r.err, ContainsSubstring(": /dev/full: No space left on device\n"));
	check_ledger(t);
}

TEST_CASE("workloads: short writes are reported or resumed, never ignored", "[workloads]")
{
	Folder folder;
	setting s;

	/* The limit is reached inside a line: a short write, then EFBIG. */
	s.ignored_signal = SIGXFSZ;
	s.file_size = 4097;
	s.tmpdir = folder.path.c_str();

	for (const string &line : all_lines()) {
		if (line == "logger_reopen" || line == "logger_per_thread")
			continue; /* The next loop has these. */
		string file = folder / "file";
		Finished r = run(line + " -n 3000 --ledger -o " + file, s);

		INFO(line << ": " << r.err);
		CHECK(r.end == "exit 1");
		CHECK_THAT(r.err, ContainsSubstring(file));
		CHECK(fs::file_size(file) == 4097);
		CHECK(parse_ledger(r.err).size() == 4);
		if (line == "fd_write_loop")
			CHECK_THAT(r.err, ContainsSubstring("short write"));
		else
			CHECK_THAT(r.err, ContainsSubstring("File too large"));
		fs::remove(file);
	}
	for (const char *line : { "logger_reopen", "logger_per_thread" }) {
		Finished r = run(string(line) + " -n 3000", s);

		INFO(line << ": " << r.err);
		CHECK(r.end == "exit 1");
		CHECK_THAT(r.err, ContainsSubstring("File too large"));
		CHECK(folder.names().size() == 0);
	}
}

TEST_CASE("workloads: a pipe without reader: death by SIGPIPE, or EPIPE reported", "[workloads]")
{
	setting s;

	s.stdout_fd = null_reader_pipe();
	for (const stream_case &c : stream_cases()) {
		INFO(c.line);
		s.ignored_signal = 0;
		CHECK(run(c.line + " -n 10", s).end == "SIGPIPE");

		s.ignored_signal = SIGPIPE;
		traced t = trace(c.line + " -n 10", s);
		CHECK(t.r.end == "exit 1");
		CHECK_THAT(t.r.err, ContainsSubstring(": standard output: Broken pipe\n"));
		check_ledger(t);
	}
	close(s.stdout_fd);
}

TEST_CASE("workloads: an output that cannot be opened or written to is named", "[workloads]")
{
	Folder folder;
	string file = folder / "missing/file";
	setting s;

	for (const string &line : all_lines()) {
		Finished r = run(line + " -n 1 -o " + file);

		INFO(line << ": " << r.err);
		CHECK(r.end == "exit 1");
		CHECK_THAT(r.err, ContainsSubstring(": " + file));
		CHECK_THAT(r.err, ContainsSubstring(": No such file or directory\n"));
	}
	s.stdout_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	for (const stream_case &c : stream_cases()) {
		Finished r = run(c.line + " -n 1", s);

		INFO(c.line << ": " << r.err);
		CHECK(r.end == "exit 1");
		CHECK_THAT(r.err, ContainsSubstring(": standard output: Bad file descriptor\n"));
	}
	close(s.stdout_fd);
}

TEST_CASE("workloads: bad options name the word and end with 2", "[workloads]")
{
	const std::pair<string, string> cases[] = {
		{ "--frobnicate", "--frobnicate" },
		{ "-x", "'x'" },
		{ "word", "'word'" },
		{ "-n", "'n'" },
		{ "-n x", "'x'" },
		{ "-n 1x", "'1x'" },
		{ "-n 1.5", "'1.5'" },
		{ "-n -1", "'-1'" },
		{ "-n +1", "'+1'" },
		{ "-n 18446744073709551616", "'18446744073709551616'" },
		{ "--threads 0", "'0'" },
		{ "--threads 1025", "'1025'" },
		{ "--threads x", "'x'" },
	};
	for (const string &line : all_lines())
		for (const auto &c : cases) {
			Finished r = run(line + " " + c.first);

			INFO(line << " " << c.first);
			CHECK(r.end == "exit 2");
			CHECK(r.out == "");
			CHECK_THAT(r.err, ContainsSubstring(c.second));
		}
	for (const char *name : { "ofstream_lines", "integer_lines" }) {
		Finished r = run(string(name) + " --endl --newline");

		CHECK(r.end == "exit 2");
		CHECK_THAT(r.err, ContainsSubstring("'--newline'"));
	}
	CHECK(run(vector<string>{ workload("endl_loop"), "-n", "" }).end == "exit 2");
}

TEST_CASE("workloads: --help lists every option", "[workloads]")
{
	for (const string &line : all_lines()) {
		Finished r = run(line + " --help");

		INFO(line);
		CHECK(r.end == "exit 0");
		CHECK(r.err == "");
		for (const char *option : { "-n,", "-o,", "--threads", "--ledger", "--help" })
			CHECK_THAT(r.out, ContainsSubstring(option));
		for (const string &option : Pattern("--[a-z]+").find(line))
			CHECK_THAT(r.out, ContainsSubstring(option));
	}
	for (const string &name : loggers)
		CHECK_THAT(run(name + " --help").out, ContainsSubstring("--timing"));
}
