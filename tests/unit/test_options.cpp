// SPDX-License-Identifier: GPL-2.0
// The command line: what each option sets, what is refused and in which words, and that the help
// names every option.
#include "lib/catch.hpp"
#include "unit/syscall_set.hpp"

#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern "C" {
#include "cli/options.h"
}

namespace
{
// The result of options_parse(), and its output on stdout and stderr.
struct Parsed {
	struct options o;
	int err;
	std::string out, error;
	std::vector<std::string> words;
	std::vector<char *> argv;

	~Parsed()
	{
		options_free(&o);
	}
};

// Redirects a descriptor to a temporary file, and returns what was written to it.
class Captured
{
	int fd, saved;
	FILE *stream, *file;

public:
	Captured(int fd, FILE *stream) : fd(fd), saved(dup(fd)), stream(stream), file(tmpfile())
	{
		fflush(stream);
		dup2(fileno(file), fd);
	}

	std::string take()
	{
		std::string text;
		char buf[4096];
		size_t n;

		fflush(stream);
		dup2(saved, fd);
		close(saved);
		rewind(file);
		while ((n = fread(buf, 1, sizeof(buf), file)) > 0)
			text.append(buf, n);
		fclose(file);
		return text;
	}
};

void parse(Parsed &p, const std::vector<std::string> &words)
{
	p.words = words;
	p.words.insert(p.words.begin(), "iotrace");
	for (auto &word : p.words)
		p.argv.push_back(word.data());
	p.argv.push_back(nullptr);

	Captured out(STDOUT_FILENO, stdout), error(STDERR_FILENO, stderr);

	p.err = options_parse(&p.o, (int)p.words.size(), p.argv.data());
	p.error = error.take();
	p.out = out.take();
}

void refuses(const std::vector<std::string> &words, const std::vector<std::string> &said)
{
	Parsed p;

	parse(p, words);
	CAPTURE(p.error);
	CHECK(p.err == -EINVAL);
	for (const auto &part : said)
		CHECK_THAT(p.error, ContainsSubstring(part));
	CHECK(p.out.empty());
}
} // namespace

TEST_CASE("options: a command alone has the defaults")
{
	Parsed p;

	parse(p, { "--", "ls", "-l", "--color=x" });
	REQUIRE(p.err == 0);
	CHECK(p.o.trace.scope == SCOPE_COMMAND);
	CHECK(std::string(p.o.trace.command[0]) == "ls");
	CHECK(std::string(p.o.trace.command[2]) == "--color=x");
	CHECK(p.o.trace.command[3] == nullptr);
	CHECK(nr_wanted(p.o.trace.set, ABI_64) == 53); // This is %findings.
	CHECK(p.o.report.render.sort == COLUMN_BY_DEFAULT);
	CHECK_FALSE(p.o.report.render.wall);
	CHECK(p.o.report.render.nr_columns == 0);
	CHECK(p.o.report.render.histogram == HISTOGRAM_SOME);
	CHECK(p.o.report.color == COLOR_AUTO);
	CHECK(p.o.trace.uid == -1);
	CHECK(p.o.trace.duration_ns == 0);
	CHECK_FALSE(p.o.trace.no_follow);
}

TEST_CASE("options: the command's own options are its own, with or without --")
{
	Parsed p;

	parse(p, { "-q", "ls", "-p", "1", "-a" });
	REQUIRE(p.err == 0);
	CHECK(p.o.trace.scope == SCOPE_COMMAND);
	CHECK(p.o.trace.nr_pids == 0);
	CHECK(std::string(p.o.trace.command[1]) == "-p");
}

TEST_CASE("options: strace's options are accepted")
{
	Parsed p;

	parse(p, { "-c", "-f", "-w", "-S", "calls", "-U", "name,calls", "-o", "x", "-e",
		   "trace=read", "true" });
	REQUIRE(p.err == 0);
	CHECK(p.o.report.render.sort == COLUMN_CALLS);
	CHECK(p.o.report.render.nr_columns == 2);
	CHECK(nr_wanted(p.o.trace.set, ABI_64) == 1);
}

TEST_CASE("options: -p takes commas, spaces and repetition, and keeps each process once")
{
	Parsed p;

	parse(p, { "-p", "12,34 12\n", "--attach=56", "-p", "34" });
	REQUIRE(p.err == 0);
	CHECK(p.o.trace.scope == SCOPE_PIDS);
	REQUIRE(p.o.trace.nr_pids == 3);
	CHECK(p.o.trace.pids[0] == 12);
	CHECK(p.o.trace.pids[1] == 34);
	CHECK(p.o.trace.pids[2] == 56);
}

TEST_CASE("options: the ways in and what narrows them")
{
	Parsed all, cgroup;

	parse(all,
	      { "-a", "--comm", "nginx", "--uid", "0", "--duration", "1.5", "--interval", "0.25" });
	REQUIRE(all.err == 0);
	CHECK(all.o.trace.scope == SCOPE_ALL);
	CHECK(std::string(all.o.trace.comm) == "nginx");
	CHECK(all.o.trace.uid == 0);
	CHECK(all.o.trace.duration_ns == 1500000000);
	CHECK(all.o.trace.interval_ns == 250000000);

	parse(cgroup, { "--cgroup", "a/b", "--uid=root", "--no-latency", "--overhead" });
	REQUIRE(cgroup.err == 0);
	CHECK(cgroup.o.trace.scope == SCOPE_CGROUP);
	CHECK(cgroup.o.trace.uid == 0);
	CHECK(cgroup.o.trace.no_latency);
	CHECK(cgroup.o.trace.overhead);
}

TEST_CASE("options: files are measured unless there is nothing to measure")
{
	Parsed by_default, none, asked, no_such_calls, paths;

	parse(by_default, { "true" });
	CHECK(by_default.o.trace.files);
	CHECK_FALSE(by_default.o.trace.files_needed);
	parse(none, { "--no-files", "true" });
	CHECK_FALSE(none.o.trace.files);
	parse(asked, { "-y3", "true" });
	CHECK(asked.o.trace.files_needed);
	CHECK(asked.o.report.render.top_files == 3);
	parse(no_such_calls, { "-e", "futex,getpid", "true" });
	CHECK_FALSE(no_such_calls.o.trace.files);
	parse(paths, { "-P", "/", "true" });
	CHECK(paths.o.trace.files_needed);
}

TEST_CASE("options: a budget must be about something that is traced and measured")
{
	Parsed p;

	parse(p, { "--fail-if", "write.calls>1000", "--fail-if=findings.high>0", "true" });
	REQUIRE(p.err == 0);
	CHECK(p.o.report.nr_budgets == 2);
	refuses({ "--fail-if", "nonsense", "true" }, { "--fail-if", "'nonsense'" });
	refuses({ "--fail-if", "futex.calls>1", "true" },
		{ "'futex.calls>1'", "not traced", "-e" });
	refuses({ "--fail-if", "write@32.calls>1", "-e", "write@64", "true" }, { "not traced" });
	refuses({ "--fail-if", "write.p99_ns>1", "--no-latency", "true" }, { "--no-latency" });
	refuses({ "--fail-if", "write.cpu_ns>1", "true" }, { "with --cpu" });
	refuses({ "--cpu", "--no-latency", "true" }, { "--no-latency", "--cpu" });
	refuses({ "--fail-if", "findings.low>0", "--no-files", "true" }, { "--no-files" });
	refuses({ "--fail-if", "findings.low>0", "-e", "futex", "true" }, { "-e" });
}

TEST_CASE("options: a report that is named like a picture is refused, unless a format is asked for")
{
	Parsed table;

	refuses({ "-o", "x.svg", "true" }, { "-o 'x.svg'", "--plot" });
	refuses({ "-o", "a/x.PNG", "true" }, { "-o 'a/x.PNG'", "--plot" });
	refuses({ "-o", "x.txt", "-o", "x.pdf", "true" }, { "-o 'x.pdf'", "--plot" });
	parse(table, { "-o", "x.svg", "--format=table", "true" });
	CHECK(table.err == 0);
}

TEST_CASE("options: until when")
{
	Parsed by_default, all, command;

	parse(by_default, { "true" });
	parse(all, { "--until=all", "true" });
	parse(command, { "--until=command", "true" });
	CHECK_FALSE(by_default.o.trace.until_command);
	CHECK_FALSE(all.o.trace.until_command);
	CHECK(command.o.trace.until_command);
}

TEST_CASE("options: two options that exclude each other are both named")
{
	refuses({}, { "nothing to trace", "-p", "--cgroup", "-a" });
	refuses({ "-p", "1", "true" }, { "-p", "command" });
	refuses({ "--cgroup", "x", "true" }, { "--cgroup", "command" });
	refuses({ "-a", "true" }, { "-a", "command" });
	refuses({ "-p", "1", "-a" }, { "-p", "-a" });
	refuses({ "-p", "1", "--cgroup", "x" }, { "-p", "--cgroup" });
	refuses({ "-a", "--cgroup", "x" }, { "-a", "--cgroup" });
	refuses({ "--comm", "x", "true" }, { "--comm", "-a", "--cgroup" });
	refuses({ "--uid", "0", "-p", "1" }, { "--uid", "-a", "--cgroup" });
	refuses({ "-u", "root", "-a" }, { "-u", "command" });
	refuses({ "--no-follow", "-a" }, { "--no-follow", "-p" });
	refuses({ "--until=command", "-p", "1" }, { "--until", "command" });
	refuses({ "--no-files", "-P", "/", "true" }, { "--no-files", "-P" });
	refuses({ "-y", "--no-files", "true" }, { "--no-files", "-y" });
	refuses({ "--no-files", "--section=files", "true" }, { "--no-files", "--section=files" });
	refuses({ "--no-files", "--section=findings", "true" },
		{ "--no-files", "--section=findings" });
}

TEST_CASE("options: folded stacks are refused where they would be empty")
{
	refuses({ "-o", "x.folded", "--no-stacks", "true" }, { ".folded", "--no-stacks" });
	refuses({ "-o", "x.folded", "--no-files", "true" }, { ".folded", "--no-files" });
	refuses({ "-o", "x.folded", "-e", "getpid", "true" }, { ".folded", "-e" });
	refuses({ "-o", "x.folded", "--backend=strace", "true" }, { "strace", "--stacks" });
	refuses({ "-o", "x.folded", "--weight=time", "--no-latency", "true" },
		{ "--weight", "--no-latency" });
	for (const std::vector<std::string> &fine :
	     { std::vector<std::string>{ "-o", "x.folded", "true" },
	       { "-o", "x.folded", "--backend=strace", "--stacks", "true" },
	       { "-o", "x.folded", "--weight=bytes", "--no-latency", "true" },
	       { "-o", "x.json", "--backend=strace", "true" } }) {
		Parsed p;

		parse(p, fine);
		INFO(p.error);
		CHECK(p.err == 0);
	}
}

TEST_CASE("options: --overhead is refused where no report would show it")
{
	const auto accepts = [](const std::vector<std::string> &line) {
		Parsed p;

		parse(p, line);
		INFO(p.error);
		return p.err == 0;
	};

	refuses({ "--overhead", "--section=summary", "true" }, { "--overhead", "integrity" });
	refuses({ "--overhead", "--format=csv", "true" }, { "--overhead", "run" });
	CHECK(accepts({ "--overhead", "true" }));
	CHECK(accepts({ "--overhead", "--section=integrity", "true" }));
	CHECK(accepts({ "--overhead", "--format=csv", "--section=run", "true" }));
	CHECK(accepts({ "--overhead", "--format=json", "--section=summary", "true" }));
	CHECK(accepts({ "--overhead", "-o", "x.csv", "-o", "x.json", "true" }));
}

TEST_CASE("options: bad values are refused with the offending word")
{
	refuses({ "-p", "12x" }, { "-p", "12x" });
	refuses({ "-p", "0" }, { "-p", "'0'" });
	refuses({ "-p", "99999999999" }, { "99999999999" });
	refuses({ "-p", " " }, { "-p", "empty" });
	refuses({ "--duration", "-1", "true" }, { "--duration", "-1" });
	refuses({ "--duration", "nan", "true" }, { "--duration", "nan" });
	refuses({ "--duration", "1e12", "true" },
		{ "--duration", "1e12", "above 0, and a century (3155760000) at most" });
	refuses({ "--until", "then", "true" }, { "--until", "'then'", "command or all" });
	refuses({ "--interval", "1e99", "true" }, { "--interval", "1e99" });
	refuses({ "--interval", "0", "true" }, { "--interval", "'0'" });
	refuses({ "--uid", "no such user", "-a" }, { "--uid", "no such user" });
	refuses({ "--color", "pink", "true" }, { "--color", "pink", "auto", "always", "never" });
	refuses({ "--histogram", "write,wirte", "true" }, { "--histogram", "wirte" });
	refuses({ "-S", "size", "true" }, { "size" });
	refuses({ "-U", "calls,size", "true" }, { "size" });
	refuses({ "-e", "wrte", "true" }, { "wrte", "write" });
	refuses({ "-o", "", "true" }, { "-o" });
	refuses({ "--nonsense", "true" }, { "--nonsense" });
	refuses({ "-e" }, { "'e'" });
}

TEST_CASE("options: hostile words come out escaped")
{
	Parsed p;

	parse(p, { "--color", "\033[31mred\n", "true" });
	CHECK(p.err == -EINVAL);
	CHECK(p.error.find('\033') == std::string::npos);
	CHECK_THAT(p.error, ContainsSubstring("\\x1b[31mred\\n"));
}

TEST_CASE("options: hostile words are escaped once, wherever the message comes from")
{
	const std::string word = "a\033[31mb\\c\xff", escaped = "a\\x1b[31mb\\\\c\\xff";
	const std::vector<std::vector<std::string>> lines = {
		{ "-P", "/nonexistent/" + word + "/x" },
		{ "-S", word },
		{ "-U", "calls," + word },
		{ "--section", word },
		{ "-e", word },
		{ "--format", word },
		{ "--fail-if", word },
		{ "--fail-if", "write." + word + ">1" },
	};

	for (std::vector<std::string> line : lines) {
		Parsed p;

		line.push_back("true");
		CAPTURE(line);
		parse(p, line);
		CHECK(p.err == -EINVAL);
		CHECK_THAT(p.error, ContainsSubstring(escaped));
		CHECK_THAT(p.error, !ContainsSubstring("\\\\x1b"));
	}
}

TEST_CASE("options: what getopt says of an option that there is not is escaped, too")
{
	for (const std::string word : { "--a\033[31mb", "--output\033", "-\033", "--\xff\xc2\x9b",
					"--quiet=\033", "--o\033=x" }) {
		Parsed p;

		CAPTURE(word);
		parse(p, { word, "true" });
		CHECK(p.err == -EINVAL);
		CHECK_THAT(p.error, ContainsSubstring("option"));
		for (const char *raw : { "\033", "\xff", "\xc2\x9b" })
			CHECK_THAT(p.error, !ContainsSubstring(raw));
	}
	Parsed p;

	parse(p, { "--a\033b\\c", "true" });
	CHECK_THAT(p.error, ContainsSubstring("unrecognized option '--a\\x1bb\\c'\n"));
}

TEST_CASE("options: help, usage and version go to stdout, and nothing else is done")
{
	for (const char *word : { "--help", "-h", "--usage", "-V", "--version" }) {
		Parsed p;

		CAPTURE(word);
		parse(p, { word });
		CHECK(p.err == 1);
		CHECK_FALSE(p.out.empty());
		CHECK(p.error.empty());
	}
}

TEST_CASE("options: the manual page has every option of --help")
{
	Parsed p;
	size_t at = 0, nr = 0;
	std::string page;
	FILE *file = fopen("src/iotrace.1", "re");
	char buf[4096];
	size_t n;

	REQUIRE(file);
	while ((n = fread(buf, 1, sizeof(buf), file)) > 0)
		page.append(buf, n);
	fclose(file);
	/* In troff, a hyphen that is to be printed as one has a backslash. */
	while ((at = page.find("\\-")) != std::string::npos)
		page.erase(at, 1);

	parse(p, { "--help" });
	for (at = 0; (at = p.out.find("--", at)) != std::string::npos; at += 2) {
		size_t end = p.out.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
		std::string option = p.out.substr(at, end - at);

		if (option.size() <= 2)
			continue;
		CAPTURE(option);
		CHECK_THAT(page, ContainsSubstring(option));
		nr++;
	}
	CHECK(nr > 20);
}
