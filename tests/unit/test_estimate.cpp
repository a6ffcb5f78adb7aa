// SPDX-License-Identifier: GPL-2.0
// From timed calls to all: populations whose truth is known, sampled as the probes do.
#include "unit/files_test.hpp"

#include <cmath>
#include <random>
#include <vector>

extern "C" {
#include "model/figures.h"
#include "model/histogram.h"
}

namespace
{
struct Call {
	uint64_t ns;
	bool slept;
};

void count(syscall_stats *s, const Call &call, bool timed)
{
	s->calls++;
	if (!timed) {
		s->estimated++;
		s->estimated_waits += call.slept;
		return;
	}
	s->min_ns = s->timed && s->min_ns < call.ns ? s->min_ns : call.ns;
	s->max_ns = s->max_ns > call.ns ? s->max_ns : call.ns;
	s->timed++;
	s->total_ns += call.ns;
	s->latency[latency_bucket(call.ns)]++;
	if (call.slept) {
		s->waits++;
		s->wait_ns += call.ns;
		s->wait_latency[latency_bucket(call.ns)]++;
	}
}

void count(file_call *c, const Call &call, bool timed)
{
	c->calls++;
	if (!timed) {
		c->estimated++;
		c->estimated_waits += call.slept;
		return;
	}
	c->total_ns += call.ns;
	c->latency[file_latency_bucket(call.ns)]++;
	if (call.slept) {
		c->waits++;
		c->wait_ns += call.ns;
	}
}

// Calls that take 500 ns and more; one in ten sleeps for a millisecond, more or less.
std::vector<Call> population(std::mt19937_64 &random, size_t nr)
{
	std::exponential_distribution<> running(1 / 400.0), waiting(1 / 1e6);
	std::vector<Call> calls;

	for (size_t i = 0; i < nr; i++) {
		const bool slept = random() % 10 == 0;

		calls.push_back(
			{ (uint64_t)(slept ? 5000 + waiting(random) : 500 + running(random)),
			  slept });
	}
	return calls;
}

// Counts all calls, and times one of each group of `every`.
template <typename Stats>
void sample(Stats *s, const std::vector<Call> &calls, uint64_t every, std::mt19937_64 &random)
{
	uint64_t place = 0;

	for (size_t i = 0; i < calls.size(); i++) {
		if (i % every == 0)
			place = random() % every;
		count(s, calls[i], i % every == place);
	}
}

uint64_t total(const std::vector<Call> &calls)
{
	uint64_t ns = 0;

	for (const Call &call : calls)
		ns += call.ns;
	return ns;
}

uint64_t slept(const std::vector<Call> &calls)
{
	uint64_t nr = 0;

	for (const Call &call : calls)
		nr += call.slept;
	return nr;
}

const size_t nr_calls = 19200, rounds = 300;
} // namespace

TEST_CASE("estimate: counts are exact, histograms add up, the error is as large as it says",
	  "[estimate]")
{
	std::mt19937_64 random(7);

	for (uint64_t every : { 2, 16, 64 }) {
		double sum = 0, truth = 0;
		size_t within = 0;

		for (size_t round = 0; round < rounds; round++) {
			const std::vector<Call> calls = population(random, nr_calls);
			FileProfile p;
			syscall_stats *s = p.row(1, "write", true);
			double off;

			p.sample_latency = every;
			sample(s, calls, every, random);
			profile_estimate(&p);
			REQUIRE(s->calls == nr_calls);
			REQUIRE(s->timed == nr_calls);
			REQUIRE(s->estimated == nr_calls - nr_calls / every);
			REQUIRE(s->waits == slept(calls));
			REQUIRE(histogram_total(s->latency, LATENCY_BUCKETS) == s->timed);
			REQUIRE(histogram_total(s->wait_latency, LATENCY_BUCKETS) == s->waits);
			for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
				REQUIRE(s->wait_latency[i] <= s->latency[i]);
			off = (double)s->total_ns - (double)total(calls);
			within += std::fabs(off) <= 2 * (double)s->error_of_total_ns;
			sum += (double)s->total_ns;
			truth += (double)total(calls);
		}
		INFO(every << ": " << within << " of " << rounds << ", " << sum / truth);
		CHECK(within >= rounds * 88 / 100);
		CHECK(within < rounds); // The error is not made large to be right.
		CHECK(sum / truth == Approx(1).epsilon(0.03));
	}
}

TEST_CASE("estimate: a file's calls are estimated as a syscall's are", "[estimate]")
{
	std::mt19937_64 random(11);
	size_t within = 0;

	for (size_t round = 0; round < rounds; round++) {
		const std::vector<Call> calls = population(random, nr_calls);
		FileProfile p;
		file_call *c = file_stats_call(p.file(5, FILE_KIND_REGULAR, "/f"), ABI_64, 1);

		REQUIRE(c);
		p.sample_latency = 16;
		sample(c, calls, 16, random);
		c->error_ns = c->total_ns / 2;
		profile_estimate(&p);
		REQUIRE(c->waits == slept(calls));
		REQUIRE(histogram_total(c->latency, FILE_LATENCY_BUCKETS) == nr_calls);
		REQUIRE(c->wait_ns < c->total_ns);
		REQUIRE((double)c->error_ns == Approx((double)c->total_ns / 2));
		within += std::fabs((double)c->total_ns - (double)total(calls)) <=
			  2 * (double)c->error_of_total_ns;
	}
	INFO(within << " of " << rounds);
	CHECK(within >= rounds * 85 / 100);
}

TEST_CASE("estimate: calls of a kind of which none was timed have no time", "[estimate]")
{
	FileProfile p;
	syscall_stats *s = p.row(1, "write", true);

	p.sample_latency = 64;
	for (int i = 0; i < 3; i++)
		count(s, { 1000, false }, true);
	for (int i = 0; i < 5; i++)
		count(s, { 0, true }, false);
	s->preempted = 8;
	profile_estimate(&p);
	CHECK(s->calls == 8);
	CHECK(s->timed == 3);
	CHECK(s->total_ns == 3000);
	CHECK(s->estimated == 0);
	CHECK(s->waits == 0);
	CHECK(s->preempted == 3);
	CHECK(s->error_of_total_ns == 0);
}

TEST_CASE("estimate: of a single timed call, the error is as large as the time", "[estimate]")
{
	FileProfile p;
	syscall_stats *s = p.row(1, "write", true);

	p.sample_latency = 64;
	count(s, { 1000, false }, true);
	for (int i = 0; i < 63; i++)
		count(s, { 0, false }, false);
	profile_estimate(&p);
	CHECK(s->timed == 64);
	CHECK(s->estimated == 63);
	CHECK(s->total_ns == 64000);
	CHECK((double)s->error_of_total_ns == Approx(64000 * std::sqrt(63.0 / 64)).epsilon(0.001));
	CHECK(figure_value(FIGURE_p50_ns, s) == 1000);
}

TEST_CASE("estimate: where every call was timed, nothing changes", "[estimate]")
{
	FileProfile p;
	syscall_stats *s = p.row(1, "write", true);

	count(s, { 1000, false }, true);
	count(s, { 3000, true }, true);
	for (uint64_t every : { 0, 1 }) {
		const syscall_stats before = *s;

		p.sample_latency = every;
		profile_estimate(&p);
		CHECK(!memcmp(s, &before, sizeof(before)));
	}
}

TEST_CASE("estimate: errors of totals are added as independent ones are", "[estimate]")
{
	FileProfile p;
	syscall_stats *a = p.row(1, "write", true), sum = {};

	a->calls = a->timed = a->total_ns = 3;
	a->error_of_total_ns = 3;
	syscall_stats *b = p.row(2, "open");
	b->calls = b->timed = b->total_ns = 4;
	b->error_of_total_ns = 4;
	profile_sum(&sum, &p);
	CHECK(sum.error_of_total_ns == 5);
}
