// SPDX-License-Identifier: GPL-2.0
// Small writes that the kernel holds back, and the answers that come late for that.
#include "unit/found.hpp"

static const std::string late = "delayed-writes tcp:127.0.0.1:80";

TEST_CASE("rules delays: two small writes and a read that waits for 40 ms are delayed-writes",
	  "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_SOCKET, "tcp:127.0.0.1:80");
	const unsigned octave = file_latency_bucket(40000000);

	add_calls(f, "write", 80, 12, 10000)->runs = 40;
	file_call *reads = add_calls(f, "read", 40, 2, 44000000);
	reads->latency[octave] = 10;
	p.elapsed_ns = 2000000000;
	p.unknown |= UNKNOWN_NAGLE;
	const Found found(p);
	CHECK(found.ids() == late);
	CHECK(found.predicted() == 40);
	CHECK(found.first().gain.wall_ns.low == Approx(10 * 40e6 / RUN_TO_RUN));
	CHECK(found.first().gain.wall_ns.high == Approx(10 * 48e6 * RUN_TO_RUN));
	CHECK_THAT(found.first().advice, ContainsSubstring("TCP_NODELAY"));
	reads->latency[octave] = 9;
	CHECK(Found(p).ids() == "");
	reads->latency[octave + 1] = 1;
	CHECK(Found(p).ids() == late);
	call_on(f, "write")->runs = 80; // There is one write before each read.
	CHECK(Found(p).ids() == "");
}

// A connection of which the probes have measured that 20 of 40 answers were late.
struct Measured : FileProfile {
	file_stats *f = file(3, FILE_KIND_SOCKET, "tcp:127.0.0.1:80");
	file_call *reads;

	Measured()
	{
		add_calls(f, "write", 80, 12, 10000)->runs = 40;
		reads = add_calls(f, "read", 40, 2, 5000);
		reads->nagle_delays = 20;
		reads->nagle_ns = 20 * 43000000ULL;
		elapsed_ns = 2000000000;
	}
	// The reads wait for it.
	void block()
	{
		reads->waits = 40;
		reads->wait_ns = reads->total_ns = 900000000;
	}
};

TEST_CASE("rules delays: an event loop's late answers are a gain of latency, not of the run",
	  "[rules]")
{
	Measured p;
	const Found found(p);
	const finding &f = found.first();

	CHECK(found.ids() == late);
	CHECK(f.severity == SEVERITY_HIGH);
	CHECK(finding_is_latency(&f));
	CHECK(f.late.nr == 20);
	CHECK(f.late.of == 40);
	CHECK(f.late.ns / f.late.nr == 43000000);
	CHECK(f.gain.wall_ns.high < 2000000);
	CHECK_THAT(f.evidence, ContainsSubstring("20 of 40 were held back for 43ms on average"));
	CHECK(std::string(finding_each(&f)) == "request");
	CHECK(finding_each_count(&f) == 20);
	p.reads->nagle_delays = 9;
	CHECK_THAT(Found(p).ids(), !ContainsSubstring("delayed-writes"));
}

TEST_CASE("rules delays: the severity of late answers is by their share", "[rules]")
{
	const struct {
		uint64_t answers;
		severity expected;
	} cases[] = { { 100, SEVERITY_HIGH },
		      { 101, SEVERITY_MEDIUM },
		      { 400, SEVERITY_MEDIUM },
		      { 401, SEVERITY_LOW },
		      { 2001, SEVERITY_INFO } };

	for (const auto &c : cases) {
		Measured p;

		CAPTURE(c.answers);
		call_on(p.f, "write")->calls = call_on(p.f, "write")->runs = c.answers;
		const Found found(p);
		for (size_t i = 0; i < found.all().nr; i++)
			if (found.all().list[i].late.nr)
				CHECK(found.all().list[i].severity == c.expected);
		CHECK_THAT(found.ids(), ContainsSubstring(late));
	}
}

TEST_CASE("rules delays: who waits for late answers in reads has a shorter run", "[rules]")
{
	Measured p;

	p.block();
	const Found found(p);
	CHECK(found.ids() == late);
	CHECK(found.first().late.nr == 20);
	CHECK_FALSE(finding_is_latency(&found.first()));
	CHECK(found.first().gain.wall_ns.low == Approx(20 * 43e6 / RUN_TO_RUN));
	CHECK(found.first().gain.wall_ns.high == Approx(20 * 43e6 * RUN_TO_RUN));
}

TEST_CASE("rules delays: what is held of an earlier connection is not of this one", "[rules]")
{
	const struct {
		uint32_t number, sent, end;
		bool expected;
	} cases[] = {
		{ 1005, 1000, 1010, true },	      { 1010, 1000, 1010, true },
		{ 1001, 1000, 1010, true },	      { 1000, 1000, 1010, false },
		{ 1011, 1000, 1010, false }, // It lies ahead, but nothing has been written there.
		{ 999, 1000, 1010, false },	      { 500000, 1000, 1010, false },
		{ 2, 0xfffffff0, 5, true }, // Numbers wrap around.
		{ 0xfffffff5, 0xfffffff0, 5, true },  { 6, 0xfffffff0, 5, false },
		{ 0xffffffef, 0xfffffff0, 5, false },
	};

	for (const auto &c : cases) {
		CAPTURE(c.number, c.sent, c.end);
		CHECK(!!ends_unsent(c.number, c.sent, c.end) == c.expected);
	}
}

TEST_CASE("rules delays: a Unix socket has no late answers, however long its reads wait", "[rules]")
{
	Measured p;
	const unsigned octave = file_latency_bucket(40000000);

	p.reads->nagle_delays = p.reads->nagle_ns = 0;
	p.reads->latency[octave] = 40;
	CHECK_THAT(Found(p).ids(), !ContainsSubstring("delayed-writes"));
	p.reads->nagle_delays = 20;
	free(p.f->path);
	p.f->path = strdup("unix:/socket");
	CHECK_THAT(Found(p).ids(), !ContainsSubstring("delayed-writes"));
}
