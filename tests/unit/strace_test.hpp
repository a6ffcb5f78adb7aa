// SPDX-License-Identifier: GPL-2.0
// What the tests of the parser of strace's log share: logs that are parsed and checked, and what
// was counted as a line of text.
#pragma once

#include "unit/render_test.hpp"

#include <sstream>
#include <string>

extern "C" {
#include "base/errno_name.h"
#include "trace/strace/parse.h"
}

namespace
{
struct Parser {
	strace_parser *p;
	syscall_set set;

	explicit Parser(const strace_format &format, const char *expr = "trace=all")
	{
		char err[200];

		REQUIRE(syscall_set_parse(&set, expr, err, sizeof(err)) == 0);
		p = strace_parser__new(&format, &set);
		REQUIRE(p);
	}
	~Parser()
	{
		strace_parser__free(p);
	}
	Parser(const Parser &) = delete;

	void feed(const std::string &text, uint64_t now_ns = 1000)
	{
		REQUIRE(strace_parser__feed(p, 0, text.data(), text.size(), now_ns) == 0);
	}
};

struct Log : Profile {
	// Checks what holds for any log.
	void check() const
	{
		uint64_t sum = 0;

		for (size_t i = 0; i < nr_syscalls; i++) {
			uint64_t named = 0;

			for (size_t j = 0; j < syscalls[i].nr_errnos; j++)
				named += syscalls[i].errnos[j].count;
			CHECK(named <= syscalls[i].errors);
			sum += syscalls[i].calls;
		}
		CHECK(returned == sum);
		CHECK(entered == returned + in_flight + died);
		uint64_t before = 0;

		for (size_t i = 0; i < nr_inflight; i++)
			before += inflight[i].before;
		CHECK(in_flight == nr_inflight - before);
	}
};

// The format of a log whose window is open from its first byte, and what a test changes of it.
template <typename Changes>
strace_format format_with(Changes changes)
{
	strace_format format = {};

	format.numbers = true;
	changes(format);
	return format;
}

const strace_format NUMBERED = format_with([](strace_format &) {});
const strace_format NAMED = format_with([](strace_format &f) { f.numbers = false; });
} // namespace

inline void parse(Log &log, const std::string &text, const strace_format &format = NUMBERED,
		  const char *expr = "trace=all")
{
	Parser parser(format, expr);

	parser.feed(text);
	REQUIRE(strace_parser__snapshot(parser.p, &log, 3000) == 0);
	log.check();
}

// Returns "write 3 calls 1 errors 8 bytes 24ns EBADF 1; ...; entered 4 in flight 1 died 0 lost 0".
inline std::string describe(const profile &p)
{
	static const char *const suffixes[] = { "", "@32", "@x32" };
	std::ostringstream out;
	char name[40];

	for (size_t i = 0; i < p.nr_syscalls; i++) {
		const syscall_stats &s = p.syscalls[i];

		out << s.name << suffixes[s.abi] << ' ' << s.calls;
		if (s.errors)
			out << " errors " << s.errors;
		for (size_t j = 0; j < s.nr_errnos; j++)
			out << ' ' << format_errno(name, sizeof(name), s.errnos[j].err) << ' '
			    << s.errnos[j].count;
		if (s.transfers)
			out << " bytes " << s.bytes;
		if (s.timed)
			out << " ns " << s.total_ns;
		out << "; ";
	}
	for (size_t i = 0; i < p.nr_inflight; i++)
		out << "in " << p.inflight[i].name << ' ' << p.inflight[i].tid << " for "
		    << p.inflight[i].since_ns << "; ";
	if (p.died)
		out << "died " << p.died << "; ";
	if (p.lost)
		out << "lost " << p.lost << "; ";
	return out.str();
}

inline std::string parsed(const std::string &text, const strace_format &format = NUMBERED,
			  const char *expr = "trace=all")
{
	Log log;

	parse(log, text, format, expr);
	return describe(log);
}
