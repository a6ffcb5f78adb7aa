// SPDX-License-Identifier: GPL-2.0
// Small writes that the kernel holds back, and the reads that wait for that.
#include "unit/found.hpp"

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
	const Found found(p);
	CHECK(found.ids() == "delayed-writes tcp:127.0.0.1:80");
	CHECK(found.predicted() == 40);
	CHECK(found.first().gain.wall_ns.low == Approx(10 * 40e6 / RUN_TO_RUN));
	CHECK(found.first().gain.wall_ns.high == Approx(10 * 48e6 * RUN_TO_RUN));
	CHECK_THAT(found.first().advice, ContainsSubstring("TCP_NODELAY"));
	reads->latency[octave] = 9;
	CHECK(Found(p).ids() == "");
	reads->latency[octave + 1] = 1;
	CHECK(Found(p).ids() == "delayed-writes tcp:127.0.0.1:80");
	call_on(f, "write")->runs = 80; // There is one write before each read.
	CHECK(Found(p).ids() == "");
}
