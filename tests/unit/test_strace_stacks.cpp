// SPDX-License-Identifier: GPL-2.0
// The stacks that strace -k prints below calls.
#include "unit/strace_test.hpp"

extern "C" {
#include "model/profile_files.h"
}

#define AT    "[00007f0f562d5829] "
#define WRITE "[   1] " AT "write("
#define CLOCK "[ 230] " AT "clock_nanosleep("
#define LIBC  " > /nonexistent/libc.so.6(__write+0x4f) [0xf838f]\n"
#define F     " > /nonexistent/app(f+0x23) [0x1283]\n"
#define MAIN  " > /nonexistent/app(main+0x10) [0x1100]\n"

namespace
{
struct Stacked : Profile {
	explicit Stacked(const std::string &text, size_t piece = 1 << 20)
	{
		const strace_format format = format_with([](strace_format &f) {
			f.max_files = 100;
			f.stacks = true;
		});
		Parser parser(format);

		for (size_t at = 0; at < text.size(); at += piece)
			parser.feed(text.substr(at, piece));
		REQUIRE(strace_parser__snapshot(parser.p, this, 3000) == 0);
		REQUIRE(strace_parser__put_stacks(parser.p, this) == 0);
	}

	std::string chain(const site &s) const
	{
		const call_stack &stack = stacks.stacks[s.stack];
		std::ostringstream out;

		for (size_t i = 0; i < stack.nr; i++) {
			const code_frame &f = stacks.frames[stack.frames[i]];

			out << (i ? " < " : "") << f.object << ":"
			    << (f.function ? f.function : "?") << ":" << std::hex << f.offset
			    << std::dec;
		}
		out << (stack.cut ? " ..." : "") << " " << s.samples << " " << s.calls << " "
		    << s.ns << "\n";
		return out.str();
	}

	// Returns "PATH NR: CHAIN SAMPLES CALLS NS", a line for each site.
	std::string told() const
	{
		std::string list;

		for (size_t i = 0; i < nr_files; i++)
			for (size_t k = 0; k < files[i].nr_sites; k++)
				list += std::string(files[i].path) + " " +
					std::to_string(files[i].sites[k].nr) + ": " +
					chain(files[i].sites[k]);
		for (size_t i = 0; i < stacks.nr_sites; i++)
			list += std::to_string(stacks.sites[i].nr) + ": " + chain(stacks.sites[i]);
		return list;
	}
};

const std::string chains = "/nonexistent/libc.so.6:__write:f838e < /nonexistent/app:f:1282 < "
			   "/nonexistent/app:main:10ff ";
} // namespace

TEST_CASE("strace stacks: calls are counted by the stack below them, and by file")
{
	const std::string log = "7 " WRITE "3</tmp/a>, \"x\", 1) = 1 <0.000001000>\n" LIBC F MAIN
				"7 " WRITE "3</tmp/a>, \"x\", 1) = 1 <0.000002000>\n" LIBC F MAIN
				"7 " WRITE "3</tmp/a>, \"x\", 1) = 1 <0.000004000>\n" LIBC MAIN
				"7 " CLOCK "0x1) = 0 <0.000000500>\n" F MAIN "7 " WRITE
				"4</tmp/b>, \"x\", 1) = 1 <0.000001000>\n" LIBC F MAIN;
	const std::string expected =
		"/tmp/a 1: " + chains +
		"2 2 3000\n/tmp/a 1: /nonexistent/libc."
		"so.6:__write:f838e < /nonexistent/app:main:10ff 1 1 4000\n"
		"/tmp/b 1: " +
		chains +
		"1 1 1000\n"
		"230: /nonexistent/app:f:1282 < /nonexistent/app:main:10ff 1 1 "
		"500\n";

	for (size_t piece : { 1, 3, 64, 1 << 20 }) {
		Stacked p(log, piece);

		CAPTURE(piece);
		CHECK(p.told() == expected);
		CHECK(p.stacks.samples == 5);
		CHECK(p.stacks.lost == 0);
		CHECK(p.stacks.nr_frames == 3);
		CHECK(p.stacks.unnamed);
	}
}

TEST_CASE("strace stacks: the stack of a resumed call is that below its end")
{
	Stacked p("7 " WRITE "3</tmp/a>, \"x\", 1 <unfinished ...>\n"
		  "8 " WRITE "4</tmp/b>, \"x\", 1) = 1 <0.000001000>\n" LIBC MAIN "7 [   1] " AT
		  "<... write resumed>) = 1 <0.000002000>\n" LIBC F MAIN
		  "8 [????????????????] +++ exited with 0 +++\n");

	CHECK(p.told() == "/tmp/a 1: " + chains +
				  "1 1 2000\n/tmp/b 1: /nonexistent/libc.so.6:"
				  "__write:f838e < /nonexistent/app:main:10ff 1 1 1000\n");
}

TEST_CASE("strace stacks: calls without a stack, and stacks without a call, are no samples")
{
	Stacked p(F MAIN "7 " WRITE "3</tmp/a>, \"x\", 1) = 1 <0.000001000>\n"
			 "7 --- SIGUSR1 {si_signo=SIGUSR1} ---\n" F "7 " WRITE
			 "3</tmp/a>, \"x\", 1) = 1 <0.000001000>\n"
			 " > unexpected_backtracing_error [0x0]\n"
			 "7 " WRITE "3</tmp/a>, \"x\", 1) = 1 <0.000001000>\n" F);

	CHECK(p.stacks.samples == 1);
	CHECK(p.stacks.lost == 2);
	CHECK(p.told() == "/tmp/a 1: /nonexistent/app:f:1282 1 1 1000\n");
}

TEST_CASE("strace stacks: names with parentheses, deleted files and missing symbols are read")
{
	const auto frame = [](const std::string &line) {
		Stacked p("7 " CLOCK "0) = 0 <0.000001000>\n " + line + "\n");
		std::string told = p.told();

		return told.substr(0, told.find(" 1 1 1000"));
	};

	CHECK(frame("> /nonexistent/a(std::f(int, char)::g+0x2) [0x12]") ==
	      "230: /nonexistent/a:std::f(int, char)::g:11");
	CHECK(frame("> /nonexistent/a (deleted)(main+0x2) [0x12]") ==
	      "230: /nonexistent/a:main:11");
	CHECK(frame("> /nonexistent/a() [0x12]") == "230: /nonexistent/a:?:11");
	CHECK(frame("> [vdso](clock_gettime+0x2) [0x12]") == "230: [vdso]:clock_gettime:11");
	CHECK(frame("> /nonexistent/a(operator+(A, A)+0x2) [0x12]") ==
	      "230: /nonexistent/a:operator+(A, A):11");
	for (const char *none : { "", ">", "> ", "> a [0x12]", "> (a) [0x0]", "> /a(b+0x1) [0x12",
				  "> /a(b+0x1) [0x]", "> /a b) [0x12]", "/a(b+0x1) [0x12]" }) {
		CAPTURE(none);
		CHECK(frame(none) == "");
	}
}

TEST_CASE("strace stacks: an address is that of the file, with its build id")
{
	// This test program is mapped at other places of its file than its addresses.
	Stacked p("7 " CLOCK "0) = 0 <0.000001000>\n > /proc/self/exe(main+0x1) [0x1000]\n");

	REQUIRE(p.stacks.nr_frames == 1);
	REQUIRE(p.stacks.frames[0].build_id);
	CHECK(std::string(p.stacks.frames[0].build_id).size() == 40);
}

TEST_CASE("strace stacks: more frames than strace unwinds, or too long ones, cut the chain")
{
	std::string log = "7 " CLOCK "0) = 0 <0.000001000>\n";

	for (int i = 0; i < 300; i++)
		log += F;
	Stacked deep(log);
	REQUIRE(deep.stacks.nr_stacks == 1);
	CHECK(deep.stacks.stacks[0].nr == 256);
	CHECK(deep.stacks.stacks[0].cut);

	Stacked broad("7 " CLOCK "0) = 0 <0.000001000>\n" F " > /nonexistent/a(" +
		      std::string(10000, 'f') + "+0x1) [0x12]\n" MAIN);
	CHECK(broad.told() == "230: /nonexistent/app:f:1282 ... 1 1 1000\n");
}
