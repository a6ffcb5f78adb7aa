// SPDX-License-Identifier: GPL-2.0
/*
 * Advice is tried: for each rule, and each language that its advice names, a program that has the
 * habit, and the same as advised. The first has the finding and nothing else; the second makes as
 * many calls as the finding predicts, or fewer where the advised buffer is larger, and has no
 * finding. The programs are in tests/fixtures/advice. src/model/advice.c says which advice is not
 * tried.
 */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"

#include <cmath>
#include <cstring>

namespace
{
const std::string sources = source_path("tests/fixtures/advice/");

struct Language {
	const char *name; // The language's name in reports.
	// Shell command in the tests' folder. $1: the sources' folder. NULL: nothing to compile.
	const char *compile;
	Words run;
	const char *source = "";
	// The habit that a program in this language cannot have.
	const char *never = "";
};

const std::vector<Language> languages = {
	{ "C", "cc -O2 -o habits_c \"$1\"/habits.c", { "./habits_c" } },
	{ "C++", "c++ -O2 -o habits_cpp \"$1\"/habits.cpp", { "./habits_cpp" } },
	{ "Python", nullptr, { "python3" }, "habits.py" },
	{ "Java",
	  "cp \"$1\"/Habits.java . && javac Habits.java",
	  { "java", "-cp", ".", "Habits" } },
	{ "Go",
	  "HOME=$PWD GO111MODULE=off go build -o habits_go \"$1\"/habits.go",
	  { "./habits_go" } },
	{ "Rust", "rustc -O -o habits_rs \"$1\"/habits.rs", { "./habits_rs" } },
	{ "Node", nullptr, { "node" }, "habits.js" },
	{ "shell", nullptr, { "sh" }, "habits.sh" },
	{ "Perl", nullptr, { "perl" }, "habits.pl" },
	{ "Ruby", nullptr, { "ruby" }, "habits.rb" },
	{ "Tcl", nullptr, { "tclsh" }, "habits.tcl" },
	// All of awk's input goes through a buffer.
	{ "awk", nullptr, { "awk", "-f" }, "habits.awk", "reads" },
	{ "PHP", nullptr, { "php" }, "habits.php" },
	{ "Lua", nullptr, { "lua5.4" }, "habits.lua" },
	{ "OCaml",
	  "cp \"$1\"/habits.ml . && ocamlopt -I +unix -o habits_ml unix.cmxa habits.ml",
	  { "./habits_ml" } },
};

struct Habit {
	const char *name, *rule;
	int number;
	const char *calls; // Regular expression of the calls that the prediction is about.
	std::string file;  // File that it works on. "": its standard output.
};

const char writing[] = "^writev?$", reading[] = "^read$";

std::string text_of(size_t lines)
{
	std::string text;

	for (size_t i = 0; i < lines; i++)
		text += "a line of text, as any others.\n";
	return text;
}

/* Runs a command in the tests' folder. */
void must_run(const Words &command)
{
	Spawn how;

	how.directory = temporary("");
	const Run run = run_plain(command, how);
	INFO(run);
	REQUIRE(run.end == "exit 0");
}

/* Profiles a command with its standard output, or another descriptor, in this file. */
void profile_of(Words command, const std::string &output, const std::string &capture)
{
	const Words redirected = { "sh", "-c", "exec \"$@\" " + output, "sh" };

	command.insert(command.begin(), redirected.begin(), redirected.end());
	must_run(iotrace_argv({ "-e", "all", "--format=json", "-o", capture }, command, nullptr));
}

const char shown[] = "[.findings[] | select(.severity != \"info\") | [.id, .path]]";

/* The calls on a file whose names match. */
uint64_t calls_on(const std::string &file, const std::string &names, const std::string &capture)
{
	return std::stoull(jq("[.files[] | select(.path == \"" + file +
				      "\" and (.syscall | test(\"" + names +
				      "\"))) | .calls] | add // 0",
			      capture));
}

/* The calls of the whole run whose names match. */
uint64_t calls_of_run(const std::string &names, const std::string &capture)
{
	return std::stoull(
		jq("[.syscalls[] | select(.name | test(\"" + names + "\")) | .calls] | add // 0",
		   capture));
}

void check_as_predicted(uint64_t calls, uint64_t predicted)
{
	const double allowed = std::max(1.0, 0.02 * static_cast<double>(predicted));

	CAPTURE(calls, predicted);
	CHECK(std::abs(static_cast<double>(calls) - static_cast<double>(predicted)) <= allowed);
}
} // namespace

TEST_CASE("advice: each is right in each language", "[once]")
{
	const std::string out = temporary("out"), in = temporary("in");
	const std::string capture = temporary("capture.json");
	const Habit habits[] = {
		{ "lines", "flush-per-line", 60000, writing, "" },
		{ "pieces", "tiny-writes", 60000, writing, out },
		{ "reads", "tiny-reads", 60000, reading, in },
		{ "reopen", "reopen-per-record", 5000, "^(writev?|open|openat|close)$", out },
	};

	write_file(in, text_of(60000));
	for (const Language &l : languages) {
		Words program = l.run;

		if (l.compile)
			must_run({ "sh", "-c", l.compile, "sh", sources });
		if (*l.source)
			program.push_back(sources + l.source);
		for (const Habit &h : habits) {
			const std::string file = h.file.empty() ? out : h.file;
			const auto run = [&](const char *way) {
				Words command = program;

				for (const std::string &word :
				     { std::string(h.name), std::string(way),
				       std::to_string(h.number), file })
					command.push_back(word);
				if (file == out)
					write_file(out, "");
				profile_of(command, h.file.empty() ? ">" + out : "", capture);
			};

			if (!strcmp(l.never, h.name))
				continue;
			INFO(l.name << ", " << h.name);
			run("bad");
			CHECK(jq(shown, capture) ==
			      "[[\"" + std::string(h.rule) + "\",\"" + file + "\"]]");
			CHECK(jq("[.files[] | select(.path == \"" + file +
					 "\") | .language] | unique",
				 capture) == "[\"" + std::string(l.name) + "\"]");
			const std::string predicted = jq(".findings[0].predicted_calls", capture);
			run("advised");
			CHECK(jq(shown, capture) == "[]");
			check_as_predicted(calls_on(file, h.calls, capture),
					   std::stoull(predicted));
		}
	}
}

TEST_CASE("advice: habits that are the same in every language are cured as advised", "[once]")
{
	const std::string out = temporary("records"), conf = temporary("conf");
	const std::string capture = temporary("capture.json");
	// The calls are those on the file, or, where the file has no path, those of the whole run.
	const Habit habits[] = {
		{ "sync", "sync-per-write", 300, "^fdatasync$", out },
		{ "map", "msync-per-record", 300, "^msync$", "(mapped memory)" },
		{ "reread", "reread", 500, "^(openat|read|close)$", conf },
		{ "places", "reread", 20000, "", temporary("places") },
		{ "pseudo", "reread", 500, "^(openat|pread64|close)$", "/proc/loadavg" },
		{ "storm", "path-storm", 500, "^openat$", temporary("missing") },
		{ "look", "repeated-looks", 2000, "", conf },
		{ "retry", "write-errors", 2000, "", "pipe" },
		{ "pipe", "write-errors", 500, "", "pipe" },
		{ "full", "write-errors", 500, "", "/dev/full" },
		{ "short", "short-writes", 500, "", "pipe" },
		{ "hand", "temporary-files", 500, "^(openat|write|read|close)$", out },
		{ "number", "taken-names", 100, "", temporary("page") },
		{ "await", "path-storm", 1, "", temporary("made") },
		{ "frames", "short-writes", 4000, "", "unix" },
		{ "empty", "busy-reads", 20, "", "pipe" },
		{ "length", "futile-seeks", 20000, "^(lseek|newfstatat|fstat)$", conf },
		{ "terminal", "repeated-isatty", 20000, "^ioctl$", conf },
		{ "send", "tiny-writes", 20000, "^(write|sendto)$", "unix" },
		{ "copy", "tiny-copies", 20000, "^sendfile$", out },
		{ "status", "rewrite-per-record", 5000, "^(openat|close|write|pwrite64)$", out },
		{ "closes", "futile-closes", 20, "^close_range$", "(not open)" },
		{ "ask", "delayed-writes", 40, "^writev$", "tcp:127" },
	};

	write_file(conf, "a = 1\n");
	write_file(temporary("places"), std::string(1 << 16, 'x'));
	must_run({ "cc", "-O2", "-Wall", "-D_GNU_SOURCE", "-o", "kernel_habits",
		   sources + "kernel_habits.c" });
	for (const Habit &h : habits) {
		const auto run = [&](const char *way) {
			profile_of({ "./kernel_habits", h.name, way, std::to_string(h.number),
				     h.file },
				   "", capture);
		};
		const std::string found =
			"[.findings[] | select(.path | startswith(\"" + h.file + "\")) | .id]";

		INFO(h.name);
		run("bad");
		CHECK(jq(found, capture) == "[\"" + std::string(h.rule) + "\"]");
		const std::string predicted = jq(".findings[0].predicted_calls", capture);
		run("advised");
		// What is left may be all that the program does.
		CHECK(jq("[.findings[] | select(.id != \"costly-call\")]", capture) == "[]");
		if (*h.calls)
			check_as_predicted(h.file.front() == '/'
						   ? calls_on(h.file, h.calls, capture)
						   : calls_of_run(h.calls, capture),
					   std::stoull(predicted));
	}
}

TEST_CASE("advice: one process does what many were started for", "[once]")
{
	const std::string capture = temporary("capture.json"), list = temporary("list");
	std::string lines;

	for (int i = 1; i <= 300; i++)
		lines += "customer " + std::to_string(i) + "\n";
	write_file(list, lines);
	const auto run = [&](const std::string &script) {
		profile_of({ "sh", "-c", script + " > " + temporary("out") }, "", capture);
		return read_file(temporary("out"));
	};
	const std::string bad =
		run("i=1; while [ $i -le 300 ]; do sed -n ${i}p " + list + "; i=$((i + 1)); done");
	CHECK(jq(".findings[0] | [.id, .severity != \"info\", .calls, .predicted_calls]",
		 capture) == "[\"process-per-record\",true,300,1]");
	CHECK_THAT(jq(".findings[0].path", capture), ContainsSubstring("/sed"));
	CHECK(run("while read -r line; do echo \"$line\"; done < " + list) == bad);
	CHECK(jq("[.findings[] | select(.id == \"process-per-record\")]", capture) == "[]");
}

TEST_CASE("advice: where only a look tells what is there, none is given")
{
	const std::string capture = temporary("capture.json");

	must_run({ "cc", "-O2", "-D_GNU_SOURCE", "-o", "kernel_habits",
		   sources + "kernel_habits.c" });
	for (const char *path : { "/proc/self/status", "/sys/kernel", "/dev/null" }) {
		INFO(path);
		profile_of({ "./kernel_habits", "look", "bad", "2000", path }, "", capture);
		CHECK(jq("[.files[] | select(.path == \"" + std::string(path) +
				 "\") | [.kind, .calls]]",
			 capture) == "[[\"found\",1999]]");
		CHECK(jq("[.findings[] | select(.id != \"costly-call\")]", capture) == "[]");
		profile_of(
			{ "./kernel_habits", "storm", "bad", "500", path + std::string("-none") },
			"", capture);
		CHECK(jq("[.files[] | select(.kind == \"failed\") | .calls] | max", capture) ==
		      "500");
		CHECK(jq("[.findings[] | select(.id != \"costly-call\")]", capture) == "[]");
	}
}

TEST_CASE("advice: what some languages have besides is right, too", "[once]")
{
	const std::string out = temporary("lines"), capture = temporary("capture.json");
	const struct {
		const char *name;
		Words bad, advised; // Without the number and the file.
		const char *rule, *word, *descriptor;
	} habits[] = {
		{ "std::clog once it is not synchronised with stdio",
		  { "./habits_cpp", "errors", "bad" },
		  { "./habits_cpp", "errors", "advised" },
		  "flush-per-line",
		  "std::clog",
		  "2" },
		{ "stderr with a buffer",
		  { "./habits_c", "errors", "bad" },
		  { "./habits_c", "errors", "advised" },
		  "flush-per-line",
		  "setvbuf",
		  "2" },
		{ "messages that are gathered",
		  { "perl", sources + "habits.pl", "errors", "bad" },
		  { "perl", sources + "habits.pl", "errors", "advised" },
		  "flush-per-line",
		  "gather",
		  "2" },
		{ "Ruby's Logger with a file that it has not opened",
		  { "ruby", sources + "habits.rb", "logger", "bad" },
		  { "ruby", sources + "habits.rb", "logger", "advised" },
		  "flush-per-line",
		  "Logger",
		  "1" },
		{ "mawk without -W interactive",
		  { "mawk", "-W", "interactive", "-f", sources + "habits.awk", "lines", "advised" },
		  { "mawk", "-f", sources + "habits.awk", "lines", "advised" },
		  "tiny-writes",
		  "-W interactive",
		  "1" },
	};

	must_run({ "cc", "-O2", "-o", "habits_c", sources + "habits.c" });
	must_run({ "c++", "-O2", "-o", "habits_cpp", sources + "habits.cpp" });
	for (const auto &h : habits) {
		const auto run = [&](Words command) {
			command.insert(command.end(), { "20000", out });
			write_file(out, "");
			profile_of(command, std::string(h.descriptor) + ">>" + out, capture);
			return calls_on(out, writing, capture);
		};

		INFO(h.name);
		CHECK(run(h.bad) >= 20000);
		CHECK(jq("[.findings[] | [.id, .path]]", capture) ==
		      "[[\"" + std::string(h.rule) + "\",\"" + out + "\"]]");
		CHECK_THAT(jq(".findings[0].advice", capture), ContainsSubstring(h.word));
		CHECK(run(h.advised) <= 20000 / 64);
		CHECK(jq(".findings", capture) == "[]");
	}
}

TEST_CASE("advice: each language sends a message of parts at once, as advised", "[once]")
{
	const std::string capture = temporary("capture.json"), port = temporary("port");
	const Language clients[] = {
		{ "Python", nullptr, { "python3", sources + "messages.py" }, "sendall()" },
		{ "Perl", nullptr, { "perl", sources + "messages.pl" }, "one print" },
		{ "Rust",
		  "rustc -O -o messages_rs \"$1\"/messages.rs",
		  { "./messages_rs" },
		  "BufWriter" },
		{ "Java",
		  "cp \"$1\"/Messages.java . && javac Messages.java",
		  { "java", "-cp", ".", "Messages" },
		  "BufferedOutputStream" },
	};

	for (const Language &client : clients) {
		const auto findings = [&](const char *way) {
			Words command = { "sh", "-c",
					  "rm -f \"$0\"; python3 \"$1\" \"$0\" & "
					  "until [ -s \"$0\" ]; do :; done; shift; "
					  "\"$@\" $(cat \"$0\")",
					  port, sources + "messages_server.py" };

			command.insert(command.end(), client.run.begin(), client.run.end());
			command.insert(command.end(), { way, "40" });
			profile_of(command, "", capture);
			return jq("[.findings[] | select(.id == \"delayed-writes\") | .advice]",
				  capture);
		};

		INFO(client.name);
		if (client.compile)
			must_run({ "sh", "-c", client.compile, "sh", sources });
		CHECK_THAT(findings("bad"), ContainsSubstring(client.source));
		CHECK(findings("gathered") == "[]");
		CHECK(findings("nodelay") == "[]");
	}
}

TEST_CASE("advice: a shorter search path needs no looks at what is missing", "[once]")
{
	const std::string capture = temporary("capture.json");
	const Folder folder;
	const struct {
		const char *make, *word;
		// Regular expression of the paths that only the search looks at.
		std::string missing;
		const char *bad, *advised;
	} searches[] = {
		{ "for i in $(seq 200); do echo >6/h$i.h; echo \"#include <h$i.h>\"; done "
		  ">h.c",
		  "-I", "/h[0-9]*[.]h$", "cc -I1 -I2 -I3 -I4 -I5 -I6 -E -o h.i h.c",
		  "cc -I6 -E -o h.i h.c" },
		{ "echo 'int f(void) { return 0; }' >l.c; for i in $(seq 100); do"
		  " cc -shared -fPIC -Wl,-soname,libx$i.so -o 6/libx$i.so l.c || exit; done;"
		  " echo 'int main(void) { return 0; }' >m.c; cc -Wl,--no-as-needed -o m m.c -L6"
		  " $(seq -f -lx%g 100)",
		  // Paths in the CPU's own folders do not match.
		  "LD_LIBRARY_PATH", "/[1-6]/lib[a-z0-9]*[.]so",
		  "LD_LIBRARY_PATH=$PWD/1:$PWD/2:$PWD/3:$PWD/4:$PWD/5:$PWD/6 ./m",
		  "LD_LIBRARY_PATH=$PWD/6 ./m" },
		{ "for i in $(seq 200); do mkdir -p node_modules/x$i; echo "
		  ">node_modules/x$i/index.js;"
		  " echo \"require('x$i')\"; done >near.js;"
		  " mkdir -p a/b/c/d; cp near.js a/b/c/d/far.js",
		  "node_modules", "/node_modules$", "node a/b/c/d/far.js", "node near.js" },
		{ "mkdir 1/bin 2/bin 3/bin 4/bin; ln -s /bin/true 4/bin/frob;"
		  " echo 'for i in 0 1 2 3 4 5 6 7 8 9; do for j in 0 1 2 3 4 5 6 7 8 9; do"
		  " /usr/bin/env frob; done; done' >loop",
		  "PATH", "/frob$", "PATH=$PWD/1/bin:$PWD/2/bin:$PWD/3/bin:$PWD/4/bin /bin/sh loop",
		  "PATH=$PWD/4/bin /bin/sh loop" },
		{ "for i in $(seq 200); do echo >6/text$i; done;"
		  " echo 'for i in $(seq 200); do for d; do test -e $d/text$i && break;"
		  " done; done' >find",
		  "search path", "/text[0-9]*$", "sh find 1 2 3 4 5 6", "sh find 6" },
	};

	// To start a command a hundred times is a habit by itself.
	const std::string others = "[.findings[] | select(.id != \"process-per-record\")";

	folder.run("mkdir 1 2 3 4 5 6");
	for (const auto &search : searches) {
		const std::string looks =
			"[.files[] | select(.kind == \"failed\" and (.path | test(\"" +
			search.missing + "\"))) | .calls] | add // 0";
		const auto run = [&](const char *command) {
			Spawn how;

			how.directory = folder.path;
			const Run run = run_plain(
				iotrace_argv({ "-y", "-e", "all", "--format=json", "-o", capture },
					     { "sh", "-c", command }, nullptr),
				how);
			INFO(run);
			REQUIRE(run.end == "exit 0");
			return std::stoull(jq(looks, capture));
		};

		INFO(search.word);
		folder.run(search.make);
		const unsigned long long before = run(search.bad);
		CHECK(jq(others + " | .id]", capture) == "[\"path-storm\"]");
		CHECK_THAT(jq(others + " | .advice]", capture), ContainsSubstring(search.word));
		const uint64_t found = std::stoull(jq(others + " | .calls] | add", capture));
		const uint64_t predicted =
			std::stoull(jq(others + " | .predicted_calls] | add", capture));
		const unsigned long long after = run(search.advised);
		CHECK(jq(others + "]", capture) == "[]");
		check_as_predicted(before - after, found - predicted);
	}
}
