// SPDX-License-Identifier: GPL-2.0
// Calls that take much of a run, and are explained by no other finding.
#include "unit/found.hpp"

namespace
{
// A run of a second, with calls that work for so long.
syscall_stats *add_work(FileProfile &p, const char *name, uint64_t calls, uint64_t total_ns)
{
	syscall_stats *row = p.row(syscall_number(ABI_64, name), name);

	row->calls = row->timed = calls;
	row->total_ns = total_ns;
	return row;
}
} // namespace

TEST_CASE("rules costly: a call that works for a fifth of the run is named", "[rules]")
{
	const struct {
		const char *name;
		uint64_t calls, total_ns, wait_ns, bytes;
		const char *found;
	} cases[] = {
		{ "getcwd", 100000, 200000000, 0, 0, "costly-call (all files)" },
		{ "getcwd", 100000, 199999999, 0, 0, "" },
		{ "getcwd", 999, 900000000, 0, 0, "" },
		{ "read", 100000, 900000000, 800000000, 0, "" },
		{ "read", 1000, 900000000, 0, 4096000, "" },
		{ "read", 1000, 900000000, 0, 4095999, "costly-call (all files)" },
	};

	for (auto &c : cases) {
		FileProfile p;
		syscall_stats *row = add_work(p, c.name, c.calls, c.total_ns);

		CAPTURE(c.name, c.calls, c.total_ns, c.wait_ns);
		row->wait_ns = c.wait_ns;
		row->bytes = c.bytes;
		const Found found(p);
		CHECK(found.ids() == c.found);
		if (*c.found) {
			CHECK(found.first().severity == SEVERITY_INFO);
			CHECK_FALSE(found.first().minor);
		}
	}
}

TEST_CASE("rules costly: of several it names the one that works longest", "[rules]")
{
	FileProfile p;

	add_work(p, "getcwd", 100000, 300000000);
	add_work(p, "mkdir", 100000, 400000000);
	const Found found(p);
	REQUIRE(found.ids() == "costly-call (all files)");
	CHECK_THAT(found.first().evidence, ContainsSubstring("mkdir()"));
	CHECK(found.first().calls == 100000);
}

TEST_CASE("rules costly: what another finding is about is not named again", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 100000), "write");

	c->total_ns = 500000000;
	add_work(p, "write", 100000, 600000000);
	CHECK(Found(p).ids() == "flush-per-line /log");
	c->total_ns = 100000000; // Most of the time is elsewhere.
	CHECK_THAT(Found(p).ids(), ContainsSubstring("costly-call"));
}

TEST_CASE("rules costly: without times, or without sleeps apart, nothing is named", "[rules]")
{
	for (unsigned unknown : { UNKNOWN_LATENCY, UNKNOWN_WAITS }) {
		FileProfile p;

		add_work(p, "getcwd", 100000, 900000000);
		p.unknown = unknown;
		CHECK(Found(p).ids() == "");
	}
	FileProfile p;
	add_work(p, "getcwd", 100000, 900000000);
	p.elapsed_ns = 0;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules costly: where several tasks worked at a time, it is a fifth of their work",
	  "[rules]")
{
	FileProfile p;

	add_work(p, "getcwd", 100000, 900000000);
	p.busy = { 3000000000, 1600000000, 900000000, 100000, 0, 0, 0 };
	CHECK(Found(p).ids() == "");
	p.busy.user_ns = 2000000000;
	CHECK(Found(p).ids() == "costly-call (all files)");
}

TEST_CASE("rules costly: a finding about other calls explains nothing", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 100000), "write");

	c->total_ns = 500000000;
	add_work(p, "newfstatat", 100000, 400000000);
	const Found found(p);
	CHECK_THAT(found.ids(), ContainsSubstring("flush-per-line /log"));
	CHECK_THAT(found.ids(), ContainsSubstring("costly-call (all files)"));
}

TEST_CASE("rules costly: a finding without a file explains its own syscall", "[rules]")
{
	FileProfile p;

	add_work(p, "msync", 2000, 400000000);
	CHECK(Found(p).ids() == "msync-per-record (mapped memory)");
	add_work(p, "getcwd", 100000, 300000000);
	CHECK_THAT(Found(p).ids(), ContainsSubstring("costly-call"));
}
