// SPDX-License-Identifier: GPL-2.0
#include "unit/render_test.hpp"

#include <cerrno>
#include <cstring>
#include <map>
#include <random>
#include <vector>

extern "C" {
#include "model/figures.h"
#include "model/histogram.h"
#include "model/profile.h"
}

static syscall_stats *row(profile &p, int nr, bool transfers, iotrace_abi abi = ABI_64)
{
	syscall_stats *s = profile_syscall(&p, abi, nr);

	REQUIRE(s);
	s->transfers = transfers;
	return s;
}

// Everything is equal except the name.
static void require_equal(const syscall_stats &a, const syscall_stats &b)
{
	CAPTURE(a.abi, a.nr);
	REQUIRE(a.abi == b.abi);
	REQUIRE(a.nr == b.nr);
	REQUIRE(a.transfers == b.transfers);
	REQUIRE(a.calls == b.calls);
	REQUIRE(a.errors == b.errors);
	REQUIRE(a.timed == b.timed);
	REQUIRE(a.total_ns == b.total_ns);
	REQUIRE(a.waits == b.waits);
	REQUIRE(a.wait_ns == b.wait_ns);
	REQUIRE(a.preempted == b.preempted);
	REQUIRE(a.cpu_ns == b.cpu_ns);
	REQUIRE(a.bytes == b.bytes);
	REQUIRE(!memcmp(a.wait_latency, b.wait_latency, sizeof(a.wait_latency)));
	REQUIRE(!memcmp(a.latency, b.latency, sizeof(a.latency)));
	REQUIRE(!memcmp(a.sizes, b.sizes, sizeof(a.sizes)));
	REQUIRE(a.nr_errnos == b.nr_errnos);
	for (size_t i = 0; i < a.nr_errnos; i++) {
		REQUIRE(a.errnos[i].err == b.errnos[i].err);
		REQUIRE(a.errnos[i].count == b.errnos[i].count);
	}
}

TEST_CASE("profile: rows are kept in order, and found again", "[profile]")
{
	std::mt19937_64 random(4);
	Profile p;
	std::map<std::pair<int, int>, uint64_t> expected;

	for (int i = 0; i < 5000; i++) {
		int abi = (int)(random() % NR_ABIS), nr = (int)(random() % 400);

		row(p, nr, false, (iotrace_abi)abi)->calls++;
		expected[{ abi, nr }]++;
	}
	REQUIRE(p.nr_syscalls == expected.size());
	size_t i = 0;
	for (const auto &[key, calls] : expected) {
		REQUIRE(p.syscalls[i].abi == key.first);
		REQUIRE(p.syscalls[i].nr == key.second);
		REQUIRE(p.syscalls[i].calls == calls);
		i++;
	}
}

TEST_CASE("profile: a new row is all zeroes", "[profile]")
{
	static const syscall_stats zero = {};
	Profile p;

	row(p, 5, true)->calls = 7;
	syscall_stats *s = profile_syscall(&p, ABI_64, 3);
	REQUIRE(s->nr == 3);
	REQUIRE(s->errnos == nullptr);
	REQUIRE(s->name[0] == '\0');
	s->nr = 0;
	require_equal(*s, zero);
	REQUIRE(p.syscalls[1].calls == 7);
}

TEST_CASE("profile: a call adds to what it is part of", "[profile]")
{
	Profile p;
	syscall_stats *s = row(p, 1, true);

	REQUIRE(syscall_stats_add_call(s, 4096, true, 700) == 0);
	REQUIRE(syscall_stats_add_call(s, 0, true, 300) == 0);
	REQUIRE(syscall_stats_add_call(s, -EAGAIN, true, 0) == 0);
	REQUIRE(syscall_stats_add_call(s, -4095, false, 999) == 0);
	REQUIRE(syscall_stats_add_call(s, -4096, true, 100) == 0); // An address, not an error.
	REQUIRE(s->calls == 5);
	REQUIRE(s->errors == 2);
	REQUIRE(s->timed == 4);
	REQUIRE(s->total_ns == 1100);
	REQUIRE(s->min_ns == 0);
	REQUIRE(s->max_ns == 700);
	REQUIRE(s->bytes == 4096);
	REQUIRE(s->sizes[13] == 1);
	REQUIRE(s->sizes[0] == 1);
	REQUIRE(histogram_total(s->sizes, SIZE_BUCKETS) == 2);
	REQUIRE(histogram_total(s->latency, LATENCY_BUCKETS) == 4);
	REQUIRE(s->latency[latency_bucket(700)] == 1);
	REQUIRE(s->nr_errnos == 2);
	REQUIRE(s->errnos[0].err == EAGAIN);
	REQUIRE(s->errnos[1].err == 4095);
}

TEST_CASE("profile: a result that is no number of bytes adds none", "[profile]")
{
	Profile p;
	syscall_stats *s = row(p, 2, false);

	syscall_stats_add_call(s, 3, true, 10);
	REQUIRE(s->bytes == 0);
	REQUIRE(histogram_total(s->sizes, SIZE_BUCKETS) == 0);
	REQUIRE(s->calls == 1);
}

TEST_CASE("profile: the first latency sets the minimum, whatever came before it untimed",
	  "[profile]")
{
	Profile p;
	syscall_stats *s = row(p, 2, false);

	syscall_stats_add_call(s, 0, false, 1);
	REQUIRE(s->min_ns == 0);
	REQUIRE(s->max_ns == 0);
	syscall_stats_add_call(s, 0, true, 50);
	REQUIRE(s->min_ns == 50);
	REQUIRE(s->max_ns == 50);
}

TEST_CASE("profile: errnos are sorted, and add up", "[profile]")
{
	std::mt19937_64 random(5);
	Profile p;
	syscall_stats *s = row(p, 1, false);
	std::map<int, uint64_t> expected;

	for (int i = 0; i < 20000; i++) {
		int err = 1 + (int)(random() % 4095);

		REQUIRE(syscall_stats_add_call(s, -err, true, 1) == 0);
		expected[err]++;
	}
	REQUIRE(s->nr_errnos == expected.size());
	size_t i = 0;
	for (const auto &[err, count] : expected) {
		REQUIRE(s->errnos[i].err == err);
		REQUIRE(s->errnos[i].count == count);
		i++;
	}
	REQUIRE(s->errors == 20000);
}

TEST_CASE("profile: the mean is rounded to the nearest ns, half up", "[profile]")
{
	syscall_stats s = {};

	REQUIRE(figure_value(FIGURE_mean_ns, &s) == 0);
	for (uint64_t n = 1; n < 60; n++) {
		for (uint64_t total = 0; total < 300; total++) {
			s.timed = n;
			s.total_ns = total;
			REQUIRE(figure_value(FIGURE_mean_ns, &s) == (total + n / 2) / n);
		}
	}
	s.timed = 2;
	s.total_ns = UINT64_MAX;
	REQUIRE(figure_value(FIGURE_mean_ns, &s) == 1ULL << 63);
}

namespace
{
struct Call {
	iotrace_abi abi;
	int nr;
	int64_t result;
	bool timed;
	uint64_t ns;
	bool waits, preempted;
};
} // namespace

static std::vector<Call> random_calls(std::mt19937_64 &random, size_t nr)
{
	std::vector<Call> calls;

	for (size_t i = 0; i < nr; i++) {
		Call c = { random() % 3 ? ABI_64 : ABI_32,
			   (int)(random() % 6),
			   0,
			   random() % 20 != 0,
			   random() >> (24 + random() % 40),
			   random() % 4 == 0,
			   random() % 5 == 0 };

		c.result = random() % 5 ? (int64_t)(random() >> (33 + random() % 31))
					: -(int64_t)(1 + random() % 40);
		calls.push_back(c);
	}
	return calls;
}

static void add_calls(profile &p, const std::vector<Call> &calls)
{
	for (const Call &c : calls) {
		syscall_stats *s = row(p, c.nr, c.nr < 3, c.abi);

		REQUIRE(syscall_stats_add_call(s, c.result, c.timed, c.ns) == 0);
		if (c.timed) {
			s->waits += c.waits;
			s->wait_ns += c.waits * c.ns;
			s->wait_latency[latency_bucket(c.ns)] += c.waits;
			s->preempted += c.preempted;
			s->cpu_ns += c.ns / 2;
		}
		p.entered++;
		p.returned++;
	}
}

TEST_CASE("profile: merging two rows is the same as adding all calls to one", "[profile]")
{
	std::mt19937_64 random(6);

	for (int round = 0; round < 50; round++) {
		Profile a, b, both;
		auto first = random_calls(random, random() % 200);
		auto second = random_calls(random, random() % 200);

		add_calls(a, first);
		add_calls(b, second);
		add_calls(both, first);
		add_calls(both, second);
		for (size_t i = 0; i < b.nr_syscalls; i++) {
			const syscall_stats &s = b.syscalls[i];
			syscall_stats *sum = row(a, s.nr, s.transfers, s.abi);

			figures_add(SCOPE_SYSCALL, sum, &s);
			for (size_t e = 0; e < s.nr_errnos; e++)
				REQUIRE(syscall_stats_add_errno(sum, s.errnos[e].err,
								s.errnos[e].count) == 0);
		}
		REQUIRE(a.nr_syscalls == both.nr_syscalls);
		for (size_t i = 0; i < a.nr_syscalls; i++) {
			require_equal(a.syscalls[i], both.syscalls[i]);
			REQUIRE(a.syscalls[i].min_ns == both.syscalls[i].min_ns);
			REQUIRE(a.syscalls[i].max_ns == both.syscalls[i].max_ns);
		}
	}
}

TEST_CASE("profile: the calls that slept and those that ran are the whole", "[profile]")
{
	std::mt19937_64 random(9);

	for (int round = 0; round < 50; round++) {
		Profile p;

		add_calls(p, random_calls(random, 1 + random() % 200));
		for (size_t i = 0; i < p.nr_syscalls; i++) {
			const syscall_stats &s = p.syscalls[i];
			syscall_stats ran, slept;

			syscall_stats_part(&ran, &s, false);
			syscall_stats_part(&slept, &s, true);
			REQUIRE(slept.calls == s.waits);
			REQUIRE(slept.total_ns == s.wait_ns);
			REQUIRE(histogram_total(slept.latency, LATENCY_BUCKETS) == slept.timed);
			REQUIRE(histogram_total(ran.latency, LATENCY_BUCKETS) == ran.timed);
			REQUIRE(ran.min_ns >= s.min_ns * (ran.timed != 0));
			REQUIRE(ran.max_ns <= s.max_ns);
			figures_add(SCOPE_SYSCALL, &ran, &slept);
			REQUIRE(ran.timed == s.timed);
			REQUIRE(ran.total_ns == s.total_ns);
			REQUIRE(!memcmp(ran.latency, s.latency, sizeof(s.latency)));
		}
	}
}

TEST_CASE("profile: a copy is deep", "[profile]")
{
	std::mt19937_64 random(7);
	Profile p, copy;

	add_calls(p, random_calls(random, 500));
	p.backend = "test";
	p.in_flight = 2;
	p.nr_inflight = 2;
	p.inflight = (inflight_call *)calloc(2, sizeof(*p.inflight));
	p.inflight[1].pid = 77;
	REQUIRE(profile_copy(&copy, &p) == 0);
	REQUIRE(copy.nr_syscalls == p.nr_syscalls);
	REQUIRE(copy.syscalls != p.syscalls);
	REQUIRE(copy.inflight != p.inflight);
	REQUIRE(copy.inflight[1].pid == 77);
	REQUIRE(copy.entered == 500);
	REQUIRE(std::string(copy.backend) == "test");
	for (size_t i = 0; i < p.nr_syscalls; i++) {
		require_equal(copy.syscalls[i], p.syscalls[i]);
		if (p.syscalls[i].nr_errnos)
			REQUIRE(copy.syscalls[i].errnos != p.syscalls[i].errnos);
	}
}

TEST_CASE("profile: an empty profile can be copied, subtracted and freed", "[profile]")
{
	Profile p, copy, difference;

	REQUIRE(profile_copy(&copy, &p) == 0);
	REQUIRE(profile_difference(&difference, &copy, &p) == 0);
	REQUIRE(difference.nr_syscalls == 0);
	profile_free(&copy);
	REQUIRE(copy.syscalls == nullptr);
}

TEST_CASE("profile: the difference of two snapshots is what happened between them", "[profile]")
{
	std::mt19937_64 random(8);

	for (int round = 0; round < 50; round++) {
		Profile now, before, difference, between;
		auto first = random_calls(random, random() % 100);
		auto second = random_calls(random, random() % 100);

		add_calls(now, first);
		REQUIRE(profile_copy(&before, &now) == 0);
		add_calls(now, second);
		add_calls(between, second);
		REQUIRE(profile_difference(&difference, &now, &before) == 0);

		REQUIRE(difference.nr_syscalls == between.nr_syscalls);
		REQUIRE(difference.entered == second.size());
		REQUIRE(difference.returned == second.size());
		for (size_t i = 0; i < between.nr_syscalls; i++) {
			const syscall_stats &d = difference.syscalls[i], &b = between.syscalls[i];

			require_equal(d, b);
			REQUIRE(d.min_ns <= b.min_ns);
			REQUIRE(d.max_ns >= b.max_ns);
			REQUIRE(latency_bucket(d.min_ns) == latency_bucket(b.min_ns));
			REQUIRE(latency_bucket(d.max_ns) == latency_bucket(b.max_ns));
		}
	}
}

TEST_CASE("profile: the extremes of a difference are exact where they can be", "[profile]")
{
	Profile now, before, difference;

	syscall_stats_add_call(row(before, 1, false), 0, true, 1000);
	syscall_stats_add_call(row(now, 1, false), 0, true, 1000);
	syscall_stats_add_call(row(now, 1, false), 0, true, 1010); // This is in the same bucket.
	syscall_stats_add_call(row(now, 2, false), 0, true, 12345);
	REQUIRE(profile_difference(&difference, &now, &before) == 0);
	REQUIRE(difference.nr_syscalls == 2);
	REQUIRE(difference.syscalls[0].min_ns == 1000); // It stays within the extremes of now.
	REQUIRE(difference.syscalls[0].max_ns == 1010);
	REQUIRE(difference.syscalls[1].min_ns == 12345); // The snapshot before has no such call.
	REQUIRE(difference.syscalls[1].max_ns == 12345);
}

TEST_CASE("profile: a difference accounts for what was in flight at its beginning", "[profile]")
{
	Profile now, before, difference;

	before.entered = 100;
	before.returned = 97;
	before.in_flight = 3;
	before.elapsed_ns = 1000;
	before.unknown = UNKNOWN_BYTES;
	now.entered = 150;
	now.returned = 147;
	now.in_flight = 1;
	now.died = 2;
	now.lost = 4;
	before.under_way = 1;
	now.under_way = 3;
	now.elapsed_ns = 3000;
	REQUIRE(profile_difference(&difference, &now, &before) == 0);
	REQUIRE(difference.entered == 53);
	REQUIRE(difference.entered == difference.returned + difference.in_flight + difference.died);
	REQUIRE(difference.lost == 4);
	REQUIRE(difference.under_way == 2);
	REQUIRE(difference.elapsed_ns == 2000);
	REQUIRE(difference.unknown == UNKNOWN_BYTES);
}
