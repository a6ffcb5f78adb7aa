// SPDX-License-Identifier: GPL-2.0
// The intervals of a run (--interval): how they are kept, added up, written and read.
#include "unit/intervals_test.hpp"

extern "C" {
#include "report/interval_cells.h"
#include "report/json_intervals.h"
}

using Catch::Matchers::ContainsSubstring;

namespace
{
// The sum of all intervals that are visited.
struct Sum {
	size_t nr = 0;
	uint64_t calls = 0, file_calls = 0, group_calls = 0, last_ns = 0, most_files = 0,
		 most_groups = 0;

	static int add(void *arg, const interval *i)
	{
		Sum *sum = static_cast<Sum *>(arg);

		sum->nr++;
		sum->last_ns = i->end_ns;
		sum->calls += Server::calls_of(i->profile);
		sum->most_files = std::max<uint64_t>(sum->most_files, i->profile.nr_files);
		sum->most_groups = std::max<uint64_t>(sum->most_groups, i->profile.nr_groups);
		for (size_t f = 0; f < i->profile.nr_files; f++)
			for (size_t k = 0; k < i->profile.files[f].nr_calls; k++)
				sum->file_calls += i->profile.files[f].calls[k].calls;
		for (size_t g = 0; g < i->profile.nr_groups; g++)
			for (size_t k = 0; k < i->profile.groups[g].nr_calls; k++)
				sum->group_calls += i->profile.groups[g].calls[k].calls;
		return 0;
	}
};
} // namespace

TEST_CASE("intervals: they add up to the run, in blocks and outside of them", "[intervals]")
{
	Server server(12, 11);
	Sum sum, sums;
	Interval whole;

	for (unsigned i = 0; i < 150; i++)
		server.pass();
	REQUIRE(server.intervals.nr_blocks == 2);
	REQUIRE(intervals_each(&server.intervals, &server.c.profile, Sum::add, &sum) == 0);
	const uint64_t calls = Server::calls_of(server.c.profile);
	CHECK(sum.nr == 150);
	CHECK(sum.calls == calls);
	CHECK(sum.file_calls == calls);
	CHECK(sum.group_calls == calls);
	/* The rest is (other)'s. */
	CHECK(sum.most_files == INTERVAL_FILES + 1);
	CHECK(sum.most_groups == INTERVAL_GROUPS + 1);

	REQUIRE(intervals_each_sum(&server.intervals, &server.c.profile, 40, Sum::add, &sums) == 0);
	CHECK(sums.nr == 4);
	CHECK(sums.calls == calls);
	CHECK(sums.last_ns == 150000000000);

	REQUIRE(intervals_each_sum(
			&server.intervals, &server.c.profile, SIZE_MAX,
			[](void *to, const interval *i) {
				return interval_copy(static_cast<interval *>(to), i);
			},
			&whole) == 0);
	for (size_t i = 0; i < whole.profile.nr_syscalls; i++) {
		const syscall_stats &s = whole.profile.syscalls[i],
				    &run = server.c.profile.syscalls[i];

		CHECK(std::string(s.name) == run.name);
		for (int id = 0; id < NR_SYSCALL_FIGURES; id++)
			CHECK(figure_value(figure_id(id), &s) == figure_value(figure_id(id), &run));
		REQUIRE(s.nr_errnos == run.nr_errnos);
		for (size_t e = 0; e < s.nr_errnos; e++)
			CHECK(s.errnos[e].count == run.errnos[e].count);
	}
	CHECK(whole.profile.returned == calls);
	CHECK(whole.profile.busy.user_ns == server.c.profile.busy.user_ns);
	CHECK(whole.profile.busy.run_calls == server.c.profile.busy.run_calls);
}

TEST_CASE("intervals: a capture has them, and is read back as it was", "[intervals]")
{
	Server server(3, 2);

	for (unsigned i = 0; i < 70; i++)
		server.pass();
	const std::string json = server.json();
	Capture read(json);
	REQUIRE(std::string(read.err).empty());
	CHECK(read.intervals.nr == 70);

	struct result result;
	char *text = nullptr;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	REQUIRE(result_make(&result, &read.profile, 0) == 0);
	result.intervals = &read.intervals;
	REQUIRE(json_print_result(out, &result, SECTION_ALL) == 0);
	fclose(out);
	result_free(&result);
	CHECK(json == std::string(text, size));
	free(text);
}

TEST_CASE("intervals: a capture whose intervals are wrong is refused", "[intervals]")
{
	Server server(2, 1);

	server.pass();
	const std::string json = server.json();
	const size_t at = json.find("\"intervals\": [");
	REQUIRE(at != std::string::npos);
	const std::string before = json.substr(0, at), intervals = json.substr(at);
	REQUIRE(std::string(Capture(json).err).empty());
	const struct {
		const char *what, *by, *why;
	} cases[] = {
		{ "\"end_ns\":1000000000", "\"end_ns\":-1", "intervals[0].end_ns" },
		{ "\"abi\":\"64\",\"nr\":0,", "\"abi\":\"64\",\"nr\":333,",
		  "intervals[0].syscalls[0]: is a syscall that the run does not have" },
		{ "\"nr\":0,\"calls\":", "\"nr\":0,\"calls\":9",
		  "intervals[0].syscalls[0]: has more calls than the run" },
		{ "\"latency\":[[", "\"latency\":[[1", "must be the lower edge of a bucket" },
		{ "\"file\":1000", "\"file\":77", "is a file that the run does not have" },
		{ "\"id\":3", "\"id\":77", "is a group that the run does not have" },
		{ "\"syscalls\":[", "\"syscalls\":[7,", "intervals[0].syscalls[0]" },
	};
	for (const auto &c : cases) {
		CAPTURE(c.what);
		Capture bad(before + replaced(intervals, c.what, c.by));
		CHECK(bad.result == -EINVAL);
		CHECK_THAT(bad.err, ContainsSubstring(c.why));
	}
}

TEST_CASE("intervals: for lack of room, the oldest become one for each two", "[intervals]")
{
	Server server(12, 0);
	Sum sum;

	server.intervals.most = 500000;
	for (unsigned i = 0; i < 1500; i++)
		server.pass();
	CHECK(server.intervals.packed <= server.intervals.most);
	CHECK(server.intervals.merged);
	REQUIRE(intervals_each(&server.intervals, &server.c.profile, Sum::add, &sum) == 0);
	CHECK(sum.nr == server.intervals.nr);
	CHECK(sum.nr < 500);
	CHECK(sum.calls == Server::calls_of(server.c.profile));
	CHECK(sum.file_calls == sum.calls);
	CHECK(sum.most_files == INTERVAL_FILES + 1);
}

TEST_CASE("intervals: a part of a run is that of whole intervals", "[intervals]")
{
	Server server(3, 2);
	interval_span span = {};
	Sum sum;

	for (unsigned i = 0; i < 100; i++)
		server.pass();
	CHECK(intervals_cut(&server.intervals, &server.c.profile, 200000000000, 0, &span) ==
	      -ENOENT);
	CHECK(span.end_ns == 100000000000);
	CHECK(server.c.profile.elapsed_ns == 100000000000);

	REQUIRE(intervals_cut(&server.intervals, &server.c.profile, 9600000000, 20400000000,
			      &span) == 0);
	/* The middle of a second decides: the 11th to the 20th. */
	CHECK(span.nr == 10);
	CHECK(span.begin_ns == 10000000000);
	CHECK(span.end_ns == 20000000000);
	CHECK(server.c.profile.elapsed_ns == 10000000000);
	REQUIRE(intervals_each(&server.intervals, &server.c.profile, Sum::add, &sum) == 0);
	CHECK(sum.nr == 10);
	CHECK(sum.calls == Server::calls_of(server.c.profile));
	CHECK(profile_check_groups(&server.c.profile) == 0);
	CHECK(profile_check_files(&server.c.profile) == 0);
}

TEST_CASE("intervals: what is read of a call before it is counted is the next one's", "[intervals]")
{
	Case now, later, none;
	Profile first, second;

	/* Of a read there is its error, and not yet the call. */
	now.add(now.profile.row(1, "write", true), 10, 1000, 4);
	now.profile.row(0, "read", true)->errors = 1;
	now.profile.elapsed_ns = 1000;
	now.profile.busy = { 8000, 4000, 3000, 4, 0, 0, 0 };
	REQUIRE(profile_difference(&first, &now.profile, &none.profile) == 0);
	REQUIRE(first.nr_syscalls == 1);
	CHECK(first.syscalls[0].calls == 4);

	later.add(later.profile.row(1, "write", true), 10, 1000, 4);
	later.add(later.profile.row(0, "read", true), -EAGAIN, 500);
	later.profile.elapsed_ns = 2000;
	later.profile.busy = { 12000, 3999, 3500, 5, 0, 0, 0 };
	REQUIRE(profile_difference(&second, &later.profile, &now.profile) == 0);
	REQUIRE(second.nr_syscalls == 1);
	CHECK(second.syscalls[0].calls == 1);
	CHECK(second.syscalls[0].errors == 1);
	CHECK(second.busy.user_ns == 4000);
	CHECK(second.busy.system_ns == 0);
	CHECK(second.busy.run_calls == 1);
	CHECK(second.from_ns == 1000);
	CHECK(second.to_ns == 2000);
}

TEST_CASE("intervals: figures that were read a call apart are no damage", "[intervals]")
{
	Server server(2, 1);

	server.pass();
	const std::string json = server.json();
	const size_t at = json.find("\"intervals\": [");
	/* One latency more than calls were timed. */
	const std::string apart =
		json.substr(0, at) +
		replaced(json.substr(at), "\"latency\":[[256,", "\"latency\":[[256,9");
	Capture read(apart);

	CHECK(std::string(read.err).empty());
	Capture whole(replaced(json,
			       "\"latency\": [{\"low_ns\": 192, \"high_ns\": 208, \"count\": ",
			       "\"latency\": [{\"low_ns\": 192, \"high_ns\": 208, \"count\": 9"));
	CHECK(whole.result == -EINVAL);
}

TEST_CASE("intervals: calls in flight from one to the next are entered once", "[intervals]")
{
	Intervals intervals;
	Interval sum;
	Case first, second;

	/* Two calls have not returned at the end of the first; one of them does in the second. */
	for (Case *c : { &first, &second }) {
		c->profile.elapsed_ns = 1000000000;
		c->add(c->profile.row(1, "write", true), 1, 100, 5);
		c->profile.returned = 5;
	}
	first.profile.entered = 7;
	first.profile.in_flight = 2;
	second.profile.entered = 6;
	second.profile.in_flight = 1;
	add_interval(intervals, first.profile, 1000000000);
	add_interval(intervals, second.profile, 2000000000);
	REQUIRE(intervals_each_sum(
			&intervals, &first.profile, 2,
			[](void *to, const interval *i) {
				return interval_copy(static_cast<interval *>(to), i);
			},
			&sum) == 0);
	CHECK(sum.profile.entered == 11);
	CHECK(sum.profile.returned == 10);
	CHECK(sum.profile.in_flight == 1);
}

TEST_CASE("intervals: the row of one says what is new, once", "[intervals]")
{
	Intervals intervals;
	Interval i;
	seen_findings seen = {};
	interval_cells cells;
	Case c;

	c.everything();
	c.files();
	c.profile.elapsed_ns = 2000000000;
	struct result result;
	REQUIRE(result_judge(&result, &c.profile, 0) == 0);
	REQUIRE(interval_of_result(&i, &result, 2000000000) == 0);
	result_free(&result);
	while (i.nr_findings)
		free(i.findings[--i.nr_findings].path);
	for (const char *id : { "flush-per-line", "tiny-writes", "path-storm" })
		for (const char *path : { "/a", "/b" }) {
			const interval_finding f = { id, SEVERITY_LOW, const_cast<char *>(path),
						     7 };

			if (id[0] != 't' || path[1] == 'a')
				REQUIRE(interval_add_finding(&i, &f) == 0);
		}
	REQUIRE(interval_cells_make(&cells, &i, &seen) == 0);
	CHECK(std::string(cells.texts[INTERVAL_TIME]) == "2.000");
	CHECK(std::string(cells.texts[INTERVAL_NEWS]) ==
	      "flush-per-line (2), tiny-writes and 1 more");
	interval_cells_free(&cells);
	REQUIRE(interval_cells_make(&cells, &i, &seen) == 0);
	CHECK(cells.texts[INTERVAL_NEWS] == nullptr);
	interval_cells_free(&cells);
	seen_findings_free(&seen);
}

TEST_CASE("intervals: a finding matters by what the programs worked in the interval", "[intervals]")
{
	for (const uint64_t worked_ms : { 0, 12, 900 }) {
		Case c;
		Interval kept;
		struct result result;
		profile &p = c.profile;
		file_stats *f = profile_file(&p, 3);

		/* 3 ms of a second: it is a good part of 12 ms of work, and nothing of 900 ms. */
		p.unknown = 0;
		p.elapsed_ns = p.to_ns = 1000000000;
		p.busy.user_ns = worked_ms * 1000000;
		f->kind = FILE_KIND_REGULAR;
		f->path = copy("/log");
		file_call *write = add_calls(f, "write", 3000, 10, 1000);
		write->last_byte_known = write->newlines = write->positioned = write->sequential =
			3000;
		write->sizes[size_bucket(10)] = 3000;
		c.add(c.profile.row(1, "write", true), 10, 1000, 3000);
		REQUIRE(result_make(&result, &p, 0) == 0);
		REQUIRE(interval_of_result(&kept, &result, p.to_ns) == 0);
		result_free(&result);
		CAPTURE(worked_ms);
		CHECK(kept.nr_findings == (worked_ms == 12 ? 1 : 0));
		if (kept.nr_findings) {
			CHECK(std::string(kept.findings[0].id) == "flush-per-line");
			CHECK(kept.findings[0].severity == SEVERITY_HIGH);
		}
	}
}

TEST_CASE("intervals: a day of seconds takes little memory and a capture of its size",
	  "[intervals]")
{
	const unsigned seconds = 256;
	const double day = 86400.0 / seconds;
	Server server(12, 0);

	for (unsigned i = 0; i < seconds; i++)
		server.pass();
	CHECK(double(server.intervals.compressed) * day < double(256 << 20));
	CHECK(double(server.json().size()) * day < double(1 << 30));
}

TEST_CASE("intervals: as JSON they are so much longer that the limit holds for a capture, too",
	  "[intervals]")
{
	Server server(100, 100);

	for (unsigned i = 0; i < 256; i++)
		server.pass();
	const std::string json = server.json();
	CHECK(double(json.size() - json.find("\"intervals\"")) / double(server.intervals.packed) <
	      double(1 << 30) / double(INTERVALS_MOST));
}
