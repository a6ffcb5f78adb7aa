// SPDX-License-Identifier: GPL-2.0
// --fail-if: what it accepts, what it refuses, and which runs break which budget by how much.
#include "unit/files_test.hpp"
#include "unit/format_test.hpp"

#include <cerrno>

extern "C" {
#include "model/budget.h"
}

namespace
{
// The reason for which an expression is refused.
std::string refusal(const std::string &expression)
{
	const char *text = expression.c_str();
	struct budget b;
	char why[700] = "";

	CAPTURE(text);
	CHECK(budget_parse(&b, text, why, sizeof(why)) == -EINVAL);
	CHECK_THAT(why, ContainsSubstring(std::string("'") + text + "'"));
	return why;
}

// Figures of which every test knows the values.
struct Figures : FileProfile {
	Figures()
	{
		for (iotrace_abi abi : { ABI_64, ABI_32 }) {
			syscall_stats *s = row(abi == ABI_64 ? 1 : 4, "write", true, abi);

			for (int i = 0; i < 100; i++)
				REQUIRE(syscall_stats_add_call(s, 10, true, 1000000) == 0);
			REQUIRE(syscall_stats_add_call(s, -EAGAIN, true, 1000000) == 0);
		}
		elapsed_ns = 2 * 101 * 1000000 * 2; // The run takes twice the time of all calls.
		file_stats *f = file(3, FILE_KIND_REGULAR, "/log");
		file_call *c = add_calls(f, "write", 101, 4, 1000000);
		c->bytes = 1000;
		c->errors = 1;
		c->last_byte_known = c->newlines = 100;
	}
};

// What is said of a budget; "" if it is kept.
std::string checked(const profile &p, const char *text)
{
	struct result result;
	struct budget b;
	char why[400] = "";

	CAPTURE(text);
	INFO(why);
	REQUIRE(budget_parse(&b, text, why, sizeof(why)) == 0);
	REQUIRE(result_make(&result, &p, 0) == 0);
	const budget_result kept = budget_check(&b, &result, why, sizeof(why));
	result_free(&result);
	budget_free(&b);
	CHECK((kept == BUDGET_KEPT) == (!why[0] || strstr(why, " is called ")));
	return why;
}
} // namespace

TEST_CASE("budget: nonsense is refused, with what there is instead", "[budget]")
{
	for (const char *text :
	     { "", "write", "write.calls", "calls>1", ">1", "write>1", "write.calls=1" })
		CHECK_THAT(refusal(text), ContainsSubstring("'write.calls>1000'"));
	CHECK_THAT(refusal("wirte.calls>1"), ContainsSubstring("no syscall or finding 'wirte'"));
	CHECK_THAT(refusal("write@16.calls>1"), ContainsSubstring("'write@16'"));
	CHECK_THAT(refusal("write.call>1"), ContainsSubstring("did you mean 'write.calls'?"));
	CHECK_THAT(refusal("write.p99>1ms"), ContainsSubstring("did you mean 'write.p99_ns'?"));
	CHECK_THAT(refusal("write.p999>1ms"), ContainsSubstring("did you mean 'write.p999_ns'?"));
	CHECK_THAT(refusal("total.timeshare>1%"),
		   ContainsSubstring("did you mean 'total.time-share'?"));
	CHECK_THAT(refusal("write.latency>1"), ContainsSubstring("calls, errors, bytes"));
	CHECK_THAT(refusal("write.latency>1"),
		   Catch::EndsWith("error_of_total_ns, time-share, rate, errors_rate, bytes_rate"));
	CHECK_THAT(refusal("write." + std::string(80, 'x') + ">1"),
		   ContainsSubstring("write has no 'xxx"));
	CHECK_THAT(refusal("write.callsx>1"), ContainsSubstring("no 'callsx'"));
	CHECK_THAT(refusal("total.p99_ns>1"),
		   ContainsSubstring("calls, errors, bytes, total_ns, time-share"));
	CHECK_THAT(refusal("findings.severe>1"), ContainsSubstring("info, low, medium, high"));
	CHECK_THAT(refusal("tiny-writes.bytes>1"), ContainsSubstring("count, calls"));
	CHECK_THAT(refusal("write.calls>"), ContainsSubstring("'' is not a number"));
	CHECK_THAT(refusal("write.calls>many"), ContainsSubstring("'many' is not a number"));
	CHECK_THAT(refusal("write.rate>1ms"), ContainsSubstring("'1ms' is not a number a second"));
	CHECK_THAT(refusal("close.bytes_rate>1"), ContainsSubstring("moves no bytes"));
	CHECK_THAT(refusal("close@32.bytes>1"), ContainsSubstring("moves no bytes"));
	CHECK_THAT(refusal("write.calls>1ms"), ContainsSubstring("'1ms' is not a number"));
	CHECK_THAT(refusal("total.time-share>20"), ContainsSubstring("above 1 it needs a %"));
	CHECK_THAT(refusal("flush-per-line.time-share>1.5"), ContainsSubstring("needs a %"));
	CHECK_THAT(refusal("write.p99_ns>5%"), ContainsSubstring("'5%' is not a time"));
	CHECK_THAT(refusal("write.calls>inf"), ContainsSubstring("'inf'"));
	CHECK_THAT(refusal("write.calls>nan"), ContainsSubstring("'nan'"));
	CHECK_THAT(refusal("close.bytes>1"), ContainsSubstring("moves no bytes"));
	for (const char *text : { "comm.calls>1", "comm.cc1.calls>1", "comm..write.calls>1" })
		CHECK_THAT(refusal(text), ContainsSubstring("'comm.cc1.openat.calls>1000'"));
	CHECK_THAT(refusal("comm.cc1.wirte.calls>1"), ContainsSubstring("'wirte'"));
	CHECK_THAT(refusal("comm.cc1.close.bytes>1"), ContainsSubstring("moves no bytes"));
	CHECK_THAT(refusal("program.cc1.write.calls>1"), ContainsSubstring("'program"));
	for (const char *text : { "comm.cc1.findings.high>1", "user.root.tiny-writes.count>1" })
		CHECK_THAT(refusal(text),
			   ContainsSubstring("groups have the figures of syscalls and of total"));
}

TEST_CASE("budget: a figure at its limit, above it and below it", "[budget]")
{
	Figures p;
	const struct {
		const char *text, *said;
	} cases[] = {
		{ "write.calls>202", "" },
		{ "write.calls>201", "it is 202, 1 above" },
		{ "write.calls >= 202", "it is 202" },
		{ "write.calls>=203", "" },
		{ "write.calls<202", "" },
		{ "write.calls<1k", "it is 202, 798 below" },
		{ "write.calls<=202", "it is 202" },
		{ "write.calls==202", "it is 202" },
		{ "write.calls==201", "" },
		{ "write.calls!=202", "" },
		{ "write.calls!=200", "it is 202, 2 above" },
		{ "write@64.calls>100", "it is 101, 1 above" },
		{ "write@32.calls>101", "" },
		{ "write.errors>1", "it is 2, 1 above" },
		{ "write.bytes>1k", "it is 2000, 1000 above" },
		{ "write.bytes>0.002M", "" },
		{ "write.total_ns>200ms", "it is 202ms, 2ms above" },
		{ "write.max_ns>999us", "it is 1ms, 1us above" },
		{ "write.p99_ns>0.001s", "" },
		{ "write.time-share>49%", "it is 50.00%, 1.00% above" },
		{ "write.time-share>0.5", "" },
		{ "write.rate>500", "" },
		{ "write.rate>0.4k", "it is 500.00/s, 100.00/s above" },
		{ "write@32.rate<251", "it is 250.00/s, 1.00/s below" },
		{ "write.errors_rate>=5", "" },
		{ "write.bytes_rate>4k", "it is 4950.50/s, 950.50/s above" },
		{ "total.rate>400", "it is 500.00/s, 100.00/s above" },
		{ "total.calls>200", "it is 202, 2 above" },
		{ "total.errors>=3", "" },
		{ "total.bytes>1999", "it is 2000, 1 above" },
		{ "total.total_ns>1s", "" },
		{ "total.time-share>=50%", "it is 50.00%" },
		{ "total.time-share<=1", "it is 50.00%, 50.00% below" },
		{ "total.time-share>200%", "" },
		{ "findings.info>0", "it is 1, 1 above" },
		{ "findings.medium>0", "it is 1, 1 above" },
		{ "findings.high>1", "" },
		{ "flush-per-line.count>0", "it is 1, 1 above" },
		{ "flush-per-line.calls>99", "it is 100, 1 above" }, // One of the calls has failed.
		{ "flush-per-line.predicted_calls>1", "" },
		{ "flush-per-line.time-share>20%", "it is 25.00%, 5.00% above" },
		{ "tiny-writes.calls>0", "" },
		{ "tiny-writes.count==0", "it is 0" },
		/* No call of these was made. */
		{ "fsync.calls>0", "" },
		{ "fsync.calls<1", "it is 0, 1 below" },
		{ "fsync.p99_ns<1s", "" },
	};

	for (auto &c : cases) {
		const std::string said =
			*c.said ? std::string("--fail-if '") + c.text + "': " + c.said : "";

		CHECK(checked(p, c.text) == said);
	}
}

TEST_CASE("budget: the calls of a group are those of all with its name", "[budget]")
{
	Case c;
	profile &p = c.profile;

	c.everything();
	c.groups(BY_COMM);
	snprintf(profile_find_group(&p, 3)->comm, sizeof(p.groups->comm), "python3.11");
	CHECK_THAT(checked(p, "comm.python3.11.openat.calls>0"), ContainsSubstring("it is 1, 1"));
	CHECK_THAT(checked(p, "comm.python3.11.total.total_ns>1us"),
		   ContainsSubstring("it is 2.5us"));
	CHECK(checked(p, "comm.python3.11.total.calls>1").empty());
	CHECK(checked(p, "comm.python3.11.write.calls>0").empty());
	CHECK(checked(p, "comm.python3.openat.calls>0") ==
	      "--fail-if 'comm.python3.openat.calls>0': no comm is called 'python3'");
	CHECK_THAT(checked(p, "comm.python3.openat.calls<1"),
		   ContainsSubstring("it is 0, 1 below"));
	CHECK_THAT(checked(p, "process.main.total.calls>0"), ContainsSubstring("did not measure"));
	p.by[0] = BY_PROCESS;
	p.by[1] = BY_COMM;
	CHECK_THAT(checked(p, "comm.python3.11.openat.calls>0"), ContainsSubstring("it is 1, 1"));
	CHECK(checked(p, "process.main.openat.calls>44").empty());
	CHECK_THAT(checked(p, "process.main.openat.calls>=44"), ContainsSubstring("it is 44"));
}

TEST_CASE("budget: the calls of a group without a row are not known", "[budget]")
{
	Case c;
	profile &p = c.profile;

	c.everything();
	c.groups(BY_COMM);
	snprintf(profile_find_group(&p, 3)->comm, sizeof(p.groups->comm), "make");
	REQUIRE(profile_group(&p, GROUP_OTHER));
	CHECK(checked(p, "comm.make.openat.calls>9").empty());
	CHECK_THAT(checked(p, "comm.cc1.openat.calls>9"), ContainsSubstring("those of (other)"));
	p.by[0] = BY_PROCESS;
	CHECK_THAT(checked(p, "process.main.openat.calls>0"),
		   ContainsSubstring("those of (other)"));
}

TEST_CASE("budget: what was not measured is neither kept nor broken", "[budget]")
{
	Figures p;

	p.unknown = UNKNOWN_LATENCY | UNKNOWN_FILES;
	for (const char *text :
	     { "write.p99_ns>1s", "total.time-share>1", "findings.high>0", "tiny-writes.count>0" })
		CHECK_THAT(checked(p, text), ContainsSubstring("did not measure"));
	CHECK(checked(p, "write.calls>1k").empty());
	p.unknown = UNKNOWN_GAINS;
	for (const char *text : { "tiny-writes.saving_ns>1s", "tiny-writes.time-share>1%",
				  "findings.low>0", "findings.high>0" })
		CHECK_THAT(checked(p, text), ContainsSubstring("did not measure"));
	CHECK(checked(p, "findings.info>9").empty());
	CHECK(checked(p, "tiny-writes.calls>9999").empty());
}
