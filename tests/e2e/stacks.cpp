// SPDX-License-Identifier: GPL-2.0
/*
 * Where calls come from: each program is compiled in many ways, and the frames must be
 * those of its source. The lines are marked there by comments.
 */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"
#include "lib/stacks.hpp"

#include <algorithm>
#include <fstream>

// Rust's names end in a hash, and those of templates in what the compiler calls their parameters.
static std::string without_parameters(std::string told)
{
	const std::string text = "std::__cxx11::basic_string<char, std::char_traits<char>, "
				 "std::allocator<char> >";

	for (size_t at; (at = told.find(text)) != std::string::npos;)
		told.replace(at, text.size(), "std::string");
	for (size_t at;
	     (at = told.find("::h")) != std::string::npos && told.find(':', at + 3) == at + 3 + 16;)
		told.erase(at, 3 + 16);
	for (size_t at; (at = told.find(" >::")) != std::string::npos;)
		told.erase(at, 1);
	return told;
}

TEST_CASE("stacks: a finding names the functions and lines of its calls, however compiled",
	  "[once]")
{
	const std::string out = temporary("out");
	const std::string expected = frames({ "write_line", "inlined", "lines", "main" });
	const struct {
		const char *name;
		Words compiler;
	} ways[] = {
		{ "gcc_O0", { "gcc", "-O0" } },
		{ "gcc_O2", { "gcc", "-O2" } },
		{ "gcc_O3_lto", { "gcc", "-O3", "-flto" } },
		{ "gcc_static", { "gcc", "-O2", "-static" } },
		{ "gcc_static_pie", { "gcc", "-O2", "-static-pie" } },
		{ "gcc_no_pie", { "gcc", "-O2", "-no-pie" } },
		{ "gcc_frame_pointers", { "gcc", "-O2", "-fno-omit-frame-pointer" } },
		{ "gcc_dwarf4", { "gcc", "-O2", "-gdwarf-4" } },
		{ "gcc_split", { "gcc", "-O2", "-gsplit-dwarf" } },
		{ "gcc_split_dwarf4", { "gcc", "-O2", "-gdwarf-4", "-gsplit-dwarf" } },
		{ "gcc_compressed", { "gcc", "-O2", "-gz" } },
		{ "gcc_32", { "gcc", "-O2", "-m32" } },
		{ "clang_O0", { "clang", "-O0" } },
		{ "clang_O2", { "clang", "-O2" } },
		{ "clang_split", { "clang", "-O2", "-gsplit-dwarf" } },
	};

	for (const auto &way : ways) {
		INFO(way.name);
		CHECK(frames_told({ compiled(way.name, way.compiler), out }) == expected);
	}
}

TEST_CASE("stacks: C++, Rust and Go are told by their own names, also stripped Go", "[once]")
{
	NEED_PROGRAM("rustc");
	NEED_PROGRAM("go");
	const std::string out = temporary("out");
	const Words in_cxx = { "app::Writer<std::string>::write_line",
			       "app::(anonymous namespace)::Lines::write", "app::lines", "main" };
	const Words in_go = { "main.writeLine", "main.writer.put", "main.putFirst", "main.lines",
			      "main.main" };
	const Words in_calls = { "main.put", "main.main.func1", "main.each", "main.main" };
	const struct {
		const char *source;
		const char *compiler;
		Words functions;
	} languages[] = {
		{ "lines.cpp", "g++ -g -O2 -o program", in_cxx },
		{ "lines.cpp", "clang++ -g -O2 -o program", in_cxx },
		{ "lines.rs",
		  "/usr/bin/rustc -g -O -o program",
		  { "lines::write_line", "lines::lines", "lines::main" } },
		{ "calls.go", "go build -o program", in_calls },
		{ "calls.go", "go build -ldflags='-s -w' -o program", in_calls },
		{ "lines.go", "go build -o program", in_go },
		{ "lines.go", "go build -ldflags='-s -w' -trimpath -o program", in_go },
		{ "lines.go", "go build -buildmode=pie -ldflags='-s -w' -o program", in_go },
		{ "lines.go", "go build -ldflags=-linkmode=external -o program", in_go },
		{ "lines.go",
		  "go build -buildmode=pie -ldflags='-s -w -linkmode=external' -o program", in_go },
	};

	for (const auto &language : languages) {
		const std::string source = stack_sources + language.source;

		INFO(language.compiler);
		must_run({ "sh", "-c",
			   "GO111MODULE=off HOME=$PWD PATH=/usr/bin:/bin " +
				   std::string(language.compiler) + " " + source });
		CHECK(without_parameters(frames_told({ "./program", out })) ==
		      frames(language.functions, source));
	}
}

TEST_CASE("stacks: an inlined lambda is told with the function that it is in", "[once]")
{
	const std::string out = temporary("out"), source = stack_sources + "lines.cpp";
	const struct {
		const char *level, *way;
		Words functions;
	} ways[] = {
		{ "-O0", "lambda", { "app::lines_of_lambda::{lambda}::operator()" } },
		{ "-O2", "lambda", { "app::lines_of_lambda::{lambda}::operator()" } },
		{ "-Og",
		  "pointer",
		  { "app::(anonymous namespace)::Lines::write",
		    "app::lines_of_pointer::{lambda}::operator()" } },
		{ "-O2",
		  "pointer",
		  { "app::(anonymous namespace)::Lines::write",
		    "app::lines_of_pointer::{lambda}::operator()" } },
	};

	for (const auto &way : ways) {
		const std::string program = compiled("lambda" + std::string(way.level),
						     { "g++", way.level }, "lines.cpp");

		INFO(way.level << ' ' << way.way);
		CHECK_THAT(frames_told({ program, out, way.way }),
			   ContainsSubstring(frames(way.functions, source)));
	}
}

TEST_CASE("stacks: a goroutine's stack ends where it begins, and a short run has all its samples",
	  "[once]")
{
	NEED_PROGRAM("go");
	const std::string out = temporary("out"), source = stack_sources + "lines.go",
			  capture = temporary("short.json");
	Words command = { "./program", out, "files" };

	must_run({ "sh", "-c",
		   "GO111MODULE=off HOME=$PWD PATH=/usr/bin:/bin go build -o program " + source });
	CHECK(frames_told({ "./program", out, "goroutine" }) ==
	      frames({ "main.writeLine", "main.writer.put", "main.putFirst", "main.lines",
		       "main.main.func1" },
		     source));
	/* While the file of the program is read, samples of eight files come. */
	for (int i = 0; i < 8; i++)
		command.push_back(out + std::to_string(i));
	for (int i = 0; i < 5; i++) {
		profile(command, capture);
		CHECK(jq("[.stacks.lost]", capture) == "[0]");
		CHECK(jq("[.files[] | select((.path | test(\"out[0-7]$\")) and "
			 ".syscall == \"write\") | .sites | length]",
			 capture) == "[1,1,1,1,1,1,1,1]");
	}
}

TEST_CASE("stacks: whatever stack a call is made on, its functions are told", "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });
	const struct {
		const char *way;
		Words functions;
	} ways[] = {
		{ "signal", { "write_line", "inlined", "lines", "handler" } },
		{ "coroutine", { "write_line", "inlined", "lines", "coroutine" } },
		{ "vfork", { "write_line", "inlined", "lines", "borrowed" } },
		{ "crowd", { "write_line", "few" } },
		{ "replaced", { "write_line", "inlined", "lines", "replaced" } },
	};

	for (const auto &way : ways) {
		INFO(way.way);
		CHECK_THAT(frames_told({ program, out, way.way }),
			   Catch::StartsWith(frames(way.functions)));
	}
}

TEST_CASE("stacks: a program that is in memory alone is told by that", "[once]")
{
	const std::string out = temporary("out"), other = compiled("other", { "gcc", "-O0" });
	const std::string program = compiled("lines", { "gcc", "-O2" });

	CHECK(frames_told({ program, out, "memory", other }) ==
	      frames({ "write_line", "inlined", "lines", "main" }));
	CHECK(jq("[.findings[0].sites[0].frames[0].object | startswith(\"/memfd:copy\")]",
		 temporary("capture.json")) == "[true]");
}

TEST_CASE("stacks: the functions of a library that was unloaded are told", "[once]")
{
	const std::string out = temporary("out"), host = stack_sources + "host.c";

	must_run({ "gcc", "-O2", "-g", "-shared", "-fPIC", "-pthread", "-o", "lines.so",
		   stack_sources + "lines.c" });
	must_run({ "gcc", "-O2", "-g", "-o", "host", host });
	const std::string near = frames({ "write_line", "inlined", "lines", "entry" });
	std::string last = frames({ "host" }, host);
	CHECK(frames_told({ "./host", "./lines.so", out }) ==
	      near + " main" + last.substr(last.find(':')));
}

TEST_CASE("stacks: a program below another root is told by its own files", "[once]")
{
	NEED_PROGRAM("bwrap");
	const std::string out = temporary("out");

	must_run({ "sh", "-c", "mkdir -p root/app" });
	compiled("root/app/lines", { "gcc", "-O2", "-static" });
	CHECK(frames_told({ "bwrap", "--unshare-all", "--bind", temporary("root"), "/",
			    "/app/lines", "/out", "wait" }) ==
	      frames({ "write_line", "inlined", "lines", "main" }));
}

// What strace prints of a call of the program: "function+offset of its return address".
static std::vector<std::string> chain_of_strace(const Words &command)
{
	const std::string log = temporary("strace.log");
	std::vector<std::string> chain;
	std::string line;

	Words strace = { "strace", "-k", "-f", "-e", "trace=write", "-o", log };
	strace.insert(strace.end(), command.begin(), command.end());
	must_run(strace);
	std::ifstream in(log);
	while (std::getline(in, line)) {
		if (line.find("write(") != std::string::npos) {
			if (!chain.empty())
				break;
			continue;
		}
		const size_t open = line.rfind('('), close = line.rfind(") [0x");
		REQUIRE(line.find(" > /") == 0);
		REQUIRE(close != std::string::npos);
		chain.push_back(line.substr(open + 1, line.find('+', open) - open - 1) + " " +
				line.substr(close + 3, line.size() - close - 4));
	}
	return chain;
}

TEST_CASE("stacks: the whole chain is that of strace -k", "[once]")
{
	const std::string out = temporary("out"), capture = temporary("capture.json");

	for (const Words &compiler :
	     { Words{ "gcc", "-O2" }, { "clang", "-O2" }, { "gcc", "-O0" } }) {
		const std::string program = compiled("lines", compiler);
		const auto chain = chain_of_strace({ program, out });

		INFO(compiler[0] << compiler[1]);
		profile({ program, out }, capture);
		/* What is inlined has no frame; strace has the address behind a call. */
		const std::string ours = jq(
			"[.stacks as $s | ([.files[] | select(.path | endswith(\"/out\")) | "
			"select(.syscall == \"write\")][0].sites[0].stack) as $i | $s.stacks[$i].frames[] | "
			"$s.frames[.] | select(.inlined | not) | select(.object | endswith(\"/lines\")) | "
			".function + \" \" + (.offset + 1 | tostring)] | join(\",\")",
			capture);
		std::string theirs;
		for (const auto &frame : chain) {
			const size_t space = frame.find(' ');
			const std::string name = frame.substr(0, space);

			if (name != "write_line" && name != "lines" && name != "main" &&
			    name != "_start")
				continue;
			theirs += (theirs.empty() ? "" : ",") + name + " " +
				  std::to_string(std::stoull(frame.substr(space + 1), nullptr, 16));
		}
		CHECK(ours == "\"" + theirs + "\"");
	}
}

TEST_CASE("stacks: a thread's stack ends where the thread begins", "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });

	CHECK(frames_told({ program, out, "thread" }) ==
	      frames({ "write_line", "inlined", "lines", "thread" }));
}

TEST_CASE("stacks: of a stack that is deeper than a sample the near frames are told", "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });
	const std::string told = frames_told({ program, out, "deep" });

	CHECK(told.find(frames({ "write_line", "inlined", "lines", "deep" })) == 0);
	CHECK(jq("[.findings[].sites[0].cut]", temporary("capture.json")) == "[true]");
}

TEST_CASE("stacks: functions that write one after the other have their shares, also in short runs",
	  "[once]")
{
	const std::string source = temporary("phases.c"), capture = temporary("phases.json");

	write_file(source,
		   "#include <fcntl.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
		   "static void __attribute__((noinline)) first(int fd, int nr)\n"
		   "{ while (nr--) if (write(fd, \"abc\\n\", 4) < 0) _exit(1); }\n"
		   "static void __attribute__((noinline)) second(int fd, int nr)\n"
		   "{ while (nr--) if (write(fd, \"cde\\n\", 4) < 0) _exit(2); }\n"
		   "int main(int argc, char **argv)\n"
		   "{ int fd = open(argv[1], O_WRONLY | O_CREAT, 0600);\n"
		   "  first(fd, atoi(argv[2])); second(fd, atoi(argv[3])); return argc != 4; }\n");
	must_run({ "gcc", "-g", "-O1", "-o", "phases", source });
	const struct {
		const char *first, *second;
		double share;
	} ways[] = { { "10000", "10000", 0.5 },
		     { "5000", "15000", 0.75 },
		     { "15000", "5000", 0.25 },
		     { "100000", "100000", 0.5 } };

	for (const auto &way : ways) {
		CAPTURE(way.first, way.second);
		// A share is an estimate: the middle of three counts.
		std::vector<double> shares, errors;

		for (int i = 0; i < 3; i++) {
			profile({ "./phases", temporary("out"), way.first, way.second }, capture);
			for (std::vector<double> *list : { &shares, &errors })
				list->push_back(std::stod(jq(
					std::string("[.findings[0].sites[] | "
						    "select(.frames[0].function == \"second\") "
						    "| .share") +
						(list == &errors ? "_error" : "") + "] | add // 0",
					capture)));
		}
		CAPTURE(shares, errors);
		std::sort(shares.begin(), shares.end());
		std::sort(errors.begin(), errors.end());
		CHECK(std::abs(shares[1] - way.share) < 2 * errors[1]);
		CHECK(errors[1] > 0);
		CHECK(errors[1] < 0.1);
	}
	const struct {
		const char *format, *site, *error;
	} formats[] = { { "table", "phases.c:7 second() ← main() phases.c:10  ", " samples, ±" },
			{ "markdown", "\n| from | `phases.c:7 second() ← main()", " samples, ±" },
			{ "latex", "\n{from} & \\texttt{phases.c:7 second() $\\leftarrow$ main()",
			  " samples,{} $\\pm$" },
			{ "asciidoc", "\n|from\n|phases.c&#58;7 second&#40;&#41; ← main",
			  " samples, ±" } };

	for (const auto &to : formats) {
		const std::string text =
			run_plain({ iotrace_path(), "report", std::string("--format=") + to.format,
				    capture })
				.out;

		CHECK_THAT(text, Catch::Contains(to.site));
		CHECK_THAT(text, Catch::Contains(to.error));
	}
}

TEST_CASE("stacks: processes that live for a millisecond are told by their functions", "[once]")
{
	const std::string capture = temporary("brief.json");

	write_file(
		temporary("brief.c"),
		"#include <fcntl.h>\n#include <unistd.h>\n"
		"static void __attribute__((noinline)) lines(int fd)\n"
		"{ for (int i = 0; i < 20; i++) if (write(fd, \"abc\\n\", 4) < 0) _exit(1); }\n"
		"int main(void) { lines(open(\"brief.out\", O_WRONLY | O_CREAT | O_APPEND, 0600)); "
		"_exit(0); }\n");
	for (const char *how : { "-O1", "-static" }) {
		INFO(how);
		must_run({ "gcc", "-g", how, "-o", "brief", "brief.c" });
		profile({ "sh", "-c", "for i in $(seq 100); do ./brief; done; rm brief" }, capture);
		CHECK(jq("[.findings[] | select(.path | endswith(\"brief.out\")) | .calls, (.sites[] | "
			 ".share, (.frames[:2] | map(.function)))]",
			 capture) == "[2000,1,[\"lines\",\"main\"]]");
	}
}

TEST_CASE("stacks: a program of several compilers is told by the lines of each", "[once]")
{
	const std::string a = temporary("a.c"), b = temporary("b.c");
	const std::string of_a = "[[\"in_a\",\"all_of_a\",\"main\"],[1,2,5]]";
	const std::string of_b = "[[\"in_b\",\"all_of_b\",\"main\"],[2,3,5]]";

	write_file(a,
		   "int write(int, const void *, int); void in_a(int fd) { write(fd, \"a\\n\", 2); "
		   "__asm__(\"\"); }\n"
		   "void all_of_a(int fd) { for (int i = 0; i < 3000; i++) in_a(fd); "
		   "__asm__(\"\"); }\n");
	write_file(b,
		   "#include <fcntl.h>\n"
		   "int write(int, const void *, int); void in_b(int fd) { write(fd, \"b\\n\", 2); "
		   "__asm__(\"\"); }\n"
		   "void all_of_b(int fd) { for (int i = 0; i < 3000; i++) in_b(fd); "
		   "__asm__(\"\"); }\n"
		   "void all_of_a(int);\n"
		   "int main(int c, char **v) { int fd = open(v[1], O_WRONLY | O_CREAT, 0600); "
		   "all_of_a(fd); all_of_b(fd); return c - 2; }\n");
	must_run({ "clang", "-g", "-O0", "-c", a });
	must_run({ "gcc", "-g", "-O0", "-c", b });
	for (const auto &order : { Words{ "a.o", "b.o" }, Words{ "b.o", "a.o" } }) {
		must_run({ "gcc", "-o", "both", order[0], order[1] });
		profile({ "./both", temporary("out") }, temporary("both.json"));
		CHECK(jq("[.findings[0].sites | sort_by(.frames[0].function)[] | .frames | "
			 "[[.[].function], [.[].line]]]",
			 temporary("both.json")) == "[" + of_a + "," + of_b + "]");
	}
}

TEST_CASE("stacks: the text names line, function, callers and share, unless it is not wanted",
	  "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });
	const std::string source = stack_sources + "lines.c";
	const std::string text =
		must_run(iotrace_argv({ "-o", "/dev/stderr" }, { program, out }, nullptr));

	INFO(text);
	CHECK(text.find("  From: lines.c:" + line_of(source, "write_line") +
			" write_line() ← inlined() lines.c:" + line_of(source, "inlined")) !=
	      std::string::npos);
	CHECK(text.find(" 100 %\n") != std::string::npos);
	CHECK(must_run(iotrace_argv({ "--no-stacks", "-o", "/dev/stderr" }, { program, out },
				    nullptr))
		      .find("From:") == std::string::npos);
}

TEST_CASE("stacks: a capture says the same later, and elsewhere", "[once]")
{
	const std::string out = temporary("out"), program = compiled("lines", { "gcc", "-O2" });
	const std::string capture = temporary("capture.json"), again = temporary("again.json");

	frames_told({ program, out });
	must_run({ "rm", "lines" });
	must_run({ iotrace_path(), "report", capture, "-o", again });
	CHECK(jq(".findings", again) == jq(".findings", capture));
	CHECK(jq(".stacks", again) == jq(".stacks", capture));
}

TEST_CASE("stacks: each workload that has a finding has it in a line of its own source", "[once]")
{
	const std::string capture = temporary("capture.json");

	for (const char *name : { "endl_loop", "fd_write_loop", "logger_reopen", "cerr_lines" }) {
		INFO(name);
		profile({ source_path(std::string("workloads/") + name) }, capture);
		CHECK(jq("[.findings[0].sites[0].frames[0].file | test(\"workloads/[a-z_.]+$\")]",
			 capture) == "[true]");
		CHECK(jq("[.findings[0].sites[0].frames[-1].function]", capture) == "[\"main\"]");
	}
}

TEST_CASE("stacks: with --stacks, calls without a file have their sites, too", "[once]")
{
	const std::string out = temporary("out"), capture = temporary("capture.json");
	const std::string program = compiled("lines", { "gcc", "-O2" });
	const std::string all = "[.stacks.sites[] | select(.syscall == \"sched_yield\")] | "
				"map([.calls, .samples]) | tostring";

	must_run(iotrace_argv({ "-e", "all", "--stacks", "-o", capture }, { program, out, "yield" },
			      nullptr));
	CHECK(jq(all, capture) == "\"[[1,1]]\"");
	must_run(iotrace_argv({ "-e", "all", "-o", capture }, { program, out, "yield" }, nullptr));
	CHECK(jq(all, capture) == "\"[]\"");
	const std::string text = must_run(iotrace_argv(
		{ "-e", "all", "--stacks", "--section", "stacks", "-o", "/dev/stderr" },
		{ program, out, "yield" }, nullptr));
	INFO(text);
	CHECK_THAT(text, ContainsSubstring("sched_yield  1 call  "));
	CHECK_THAT(text,
		   ContainsSubstring("lines.c:" + line_of(stack_sources + "lines.c", "yield") +
				     " yield() ← main() lines.c:"));
	CHECK_THAT(text, ContainsSubstring("out  3,000 calls  "));
}

TEST_CASE("stacks: JavaScript is told by the map that it writes for perf, or how to have one",
	  "[once]")
{
	NEED_PROGRAM("node");
	const std::string out = temporary("out");

	write_file(temporary("lines.js"),
		   "const fs = require('fs'), fd = fs.openSync(process.argv[2], 'w');\n"
		   "function writeLine(i) { fs.writeSync(fd, 'line ' + i + '\\n'); }\n"
		   "function lines() { for (let i = 0; i < 200000; i++) writeLine(i); }\n"
		   "lines();\n");
	std::string text = must_run(
		iotrace_argv({ "-o", "/dev/stderr" }, { "node", "lines.js", out }, nullptr));
	CHECK_THAT(text,
		   ContainsSubstring("  From: node (no map: run it with --perf-basic-prof) "));
	text = must_run(iotrace_argv({ "-o", "/dev/stderr" },
				     { "node", "--perf-basic-prof", "lines.js", out }, nullptr));
	INFO(text);
	CHECK_THAT(text, ContainsSubstring("  From: lines.js:"));
}
