// SPDX-License-Identifier: GPL-2.0
// Syncs for each record, at the rule's edges.
#include "unit/found.hpp"

#include <fcntl.h>

TEST_CASE("rules sync: syncing is waiting, and fewer syncs wait less", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(add_lines(p, 200), "fsync", 200, 0, 1000000);

	p.calibration = {};
	c->waits = 199;
	c->wait_ns = 198000000;
	CHECK(Found(p).ids() == "sync-per-write /log");
	CHECK(Found(p).first().severity == SEVERITY_HIGH);
	CHECK(Found(p).first().wait_ns == 198000000);
	CHECK_THAT(Found(p).first().evidence,
		   ContainsSubstring("99 % of their time was slept, as syncing is waiting"));
}

TEST_CASE("rules sync: a sync for every write is sync-per-write", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 200);

	add_calls(f, "fsync", 50, 0, 100000);
	CHECK(Found(p).ids() == "sync-per-write /log");
	CHECK(Found(p).first().calls == 50);
	add_calls(f, "write", 1, 4, 1000); // Now there is a sync for fewer than one write in four.
	CHECK(Found(p).ids() == "flush-per-line /log");
}

TEST_CASE("rules sync: a file opened with O_DSYNC syncs at every write", "[rules]")
{
	FileProfile p;

	add_lines(p, 50)->flags = O_DSYNC;
	CHECK(Found(p).ids() == "sync-per-write /log");
	CHECK_THAT(Found(p).first().evidence, ContainsSubstring("dsync"));
}

TEST_CASE("rules sync: a commit of a hundred records is predicted, which may take three times as "
	  "long",
	  "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(add_lines(p, 10000), "fdatasync", 10000, 0, 10000);

	c->waits = c->calls;
	c->wait_ns = c->total_ns;
	const Found found(p);
	const finding &f = found.first();
	CHECK(f.calls == 10000);
	CHECK(found.predicted() == 100);
	CHECK(f.gain.syscall_ns.low == Approx(1 / RUN_TO_RUN * (10000 - 300) * 10000.0));
	/* The writes, of 1 us each, may go with the syncs, or stay. */
	CHECK(f.gain.syscall_ns.high == Approx(RUN_TO_RUN * (10000 - 100) * 11000.0));
	CHECK(f.reason == nullptr);
	CHECK_THAT(f.basis, ContainsSubstring("100 records to a commit"));
}

TEST_CASE("rules sync: a directory that is synced with a file in it is a part of the commit",
	  "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/srv/db");

	add_calls(f, "write", 100, 4, 1000);
	add_calls(f, "fsync", 100, 0, 100000);
	f = p.file(4, FILE_KIND_DIRECTORY, "/srv");
	add_calls(f, "fsync", 60, 0, 50000);
	const Found found(p);
	CHECK(found.ids() == "sync-per-write /srv/db");
	CHECK(found.first().calls == 160);
	CHECK(found.predicted() == 2);
	CHECK_THAT(found.first().evidence, ContainsSubstring("; with /srv, 160 calls in all"));

	profile_file(&p, 4)->path[3] = 'x'; // Now it is the directory of no file here.
	CHECK(Found(p).first().calls == 100);
}

TEST_CASE("rules sync: where most of the work is not syncing, the interval says why it is wide",
	  "[rules]")
{
	FileProfile p;

	add_calls(add_lines(p, 10000), "fdatasync", 10000, 0, 2000);
	CHECK_THAT(Found(p).first().reason, ContainsSubstring("goes with the syncs"));
}

TEST_CASE("rules sync: a record that somebody is told of cannot wait for the next one", "[rules]")
{
	for (uint64_t answers : { 99, 100 }) {
		for (file_kind kind : { FILE_KIND_SOCKET, FILE_KIND_PIPE, FILE_KIND_REGULAR }) {
			FileProfile p;
			const char comm[16] = "ledger";
			file_stats *f = add_lines(p, 200);

			add_calls(f, "fsync", 200, 0, 1000000);
			REQUIRE(file_stats_add_user(f, 7, comm, 400) == 0);
			f = p.file(4, kind, "told");
			add_calls(f, "write", answers, 5000, 1000)->runs = answers;
			REQUIRE(file_stats_add_user(f, 7, comm, answers) == 0);
			const Found found(p);
			CAPTURE(answers, kind);
			CHECK(found.first().excused ==
			      (answers == 100 && kind != FILE_KIND_REGULAR));
			CHECK(found.first().predicted == !found.first().excused);
		}
	}
}

TEST_CASE("rules sync: the bytes of large records take their time, however often they are synced",
	  "[rules]")
{
	const auto high_of = [](uint64_t bytes) {
		FileProfile p;
		file_stats *f = p.file(3, FILE_KIND_REGULAR, "/log");

		add_calls(f, "write", 100, bytes, 1000);
		add_calls(f, "fdatasync", 100, 0, 5000000);
		CHECK(std::string(Found(p).first().condition) == "if records may be lost");
		return Found(p).first().gain.syscall_ns;
	};
	const range small = high_of(65535), large = high_of(4 << 20);

	CHECK(small.low > 300e6);
	CHECK(large.low < 10e6); // At 200 MB a second, a record takes longer than its sync.
	CHECK(large.high < small.high);
	CHECK(large.high > 300e6);
}

TEST_CASE("rules sync: one sync for each of many files is a habit", "[rules]")
{
	for (unsigned files : { 49, 50 }) {
		FileProfile p;
		const char comm[16] = "queue";

		for (unsigned i = 0; i < files; i++) {
			const std::string path = "/q/" + std::to_string(i);
			file_stats *f = p.file(3 + i, FILE_KIND_REGULAR, path.c_str());

			add_calls(f, "write", 1, 100, 1000);
			add_calls(f, "fsync", 1, 0, 5000000);
			REQUIRE(file_stats_add_user(f, 7, comm, 2) == 0);
		}
		const Found found(p);
		CAPTURE(files);
		REQUIRE(found.all().nr == (files == 50));
		if (files == 50) {
			CHECK(found.first().files == 50);
			CHECK(found.first().calls == 50);
			CHECK(found.predicted() == 1);
		}
	}
}

TEST_CASE("rules sync: syncs that take much of the run are a habit, however many writes there are",
	  "[rules]")
{
	for (uint64_t ns : { 999999, 1000001 }) { // The run takes 1 s.
		FileProfile p;

		add_calls(add_lines(p, 10000), "fsync", 50, 0, ns);
		CHECK(Found(p).ids() ==
		      (ns > 1000000 ? "sync-per-write /log" : "flush-per-line /log"));
	}
}

TEST_CASE("rules sync: mapped memory is synced per record", "[rules]")
{
	const auto add_msync = [](FileProfile &p, uint64_t calls, uint64_t total_ns) {
		syscall_stats *row = p.row(syscall_number(ABI_64, "msync"), "msync");

		row->calls = row->timed = calls;
		row->total_ns = row->wait_ns = total_ns;
	};

	{
		FileProfile p;

		add_msync(p, 300, 100000000);
		const Found found(p);
		REQUIRE(found.ids() == "msync-per-record (mapped memory)");
		CHECK(found.predicted() == 3);
		CHECK(std::string(found.first().condition) == "if records may be lost");
	}
	{
		FileProfile p;

		add_msync(p, 300, 50000000); // It takes no more than a twentieth of the run.
		CHECK(Found(p).ids() == "");
	}
	{
		FileProfile p;

		add_msync(p, 49, 100000000);
		CHECK(Found(p).ids() == "");
	}
	{
		FileProfile p;
		file_stats *socket = p.file(4, FILE_KIND_SOCKET, "tcp:127.0.0.1:80");
		const char comm[16] = "server";

		add_msync(p, 300, 100000000);
		add_calls(socket, "write", 200, 4, 1000)->runs = 200;
		REQUIRE(file_stats_add_user(socket, 7, comm, 200) == 0);
		const Found found(p);
		REQUIRE(found.ids() == "msync-per-record (mapped memory)");
		CHECK(found.first().excused);
	}
}

TEST_CASE("rules sync: threads that share each sync have grouped what they can", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/journal");

	add_calls(f, "write", 800, 100, 1000);
	add_calls(f, "fdatasync", 401, 0, 1000000);
	f->by_threads = true;
	CHECK_FALSE(Found(p).first().excused);
	call_on(f, "fdatasync")->calls--;
	const Found found(p);
	CHECK(found.ids() == "sync-per-write /journal");
	CHECK(found.first().excused);
	CHECK_THAT(found.first().advice, ContainsSubstring("share it"));
	CHECK_THAT(found.first().evidence, !ContainsSubstring("each record"));
	profile_file(&p, 3)->by_threads = false; // One task writes twice before each sync.
	CHECK_FALSE(Found(p).first().excused);
}
