// SPDX-License-Identifier: GPL-2.0
// What findings say that a run gains, of random profiles: no part exceeds its whole.
#include "unit/found.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <random>

extern "C" {
#include "model/provenance.h"
#include "report/texts.h"
}

namespace
{
const unsigned nr_profiles = 4000;
const double rounding = 1 + 1e-9;

// A profile that holds together, but is of no program that there is.
class RandomProfile : public FileProfile
{
	std::mt19937_64 random;

	uint64_t upto(uint64_t most)
	{
		return std::uniform_int_distribution<uint64_t>(0, most)(random);
	}
	bool once_in(unsigned times)
	{
		return upto(times - 1) == 0;
	}
	// Returns each order of magnitude as often.
	uint64_t magnitude(double most)
	{
		std::uniform_real_distribution<double> exponent(0, std::log(most));

		return static_cast<uint64_t>(std::exp(exponent(random)));
	}
	void add_call(file_stats *f, const char *name)
	{
		file_call *c = add_calls(f, name, magnitude(1e5), magnitude(1e4), magnitude(1e5));

		if (once_in(3))
			c->waits = upto(c->calls);
		c->wait_ns = c->waits ? upto(c->total_ns) : 0;
		if (once_in(4)) {
			c->errors = upto(c->calls);
			c->error_ns = upto(c->total_ns);
		}
		if (once_in(4))
			c->error_of_total_ns = upto(c->total_ns);
		const uint64_t succeeded = c->calls - c->errors;
		c->last_byte_known = c->positioned = c->measured = succeeded;
		c->newlines = once_in(2) ? succeeded : 0;
		c->sequential = once_in(4) ? 0 : succeeded;
		c->cut_short = once_in(4) ? succeeded : 0;
		c->passed_on = once_in(4) ? succeeded : 0;
		c->anew = once_in(4) ? succeeded : 0;
		c->runs = upto(succeeded);
		busy.run_ns += c->total_ns - c->wait_ns;
		busy.run_calls += c->calls - c->waits;
	}
	std::string random_path(file_kind kind)
	{
		const char *const names[] = { "/f", "/db", "/db-journal", "/db-wal", "tcp:" };
		const std::string number = std::to_string(upto(20));

		if (kind == FILE_KIND_FAILED)
			return "/d" + std::to_string(upto(5)) + "/f" + number + ".h";
		return names[upto(4)] + number;
	}
	void add_file(uint32_t id, bool alike)
	{
		const char *const names[] = { "read",	   "openat", "close",	 "fsync",
					      "fdatasync", "lseek",  "sendfile", "newfstatat" };
		const auto kind = alike ? FILE_KIND_REGULAR
					: static_cast<file_kind>(FILE_KIND_FAILED + upto(12));
		file_stats *f = file(id, kind, random_path(kind).c_str());
		const char comm[16] = "program";

		f->err = kind == FILE_KIND_FAILED ? ENOENT : 0;
		f->flags = once_in(6) ? O_SYNC : 0;
		f->language = static_cast<language>(alike ? 0 : upto(NR_LANGUAGES - 1));
		if (alike || once_in(2))
			add_call(f, "write");
		for (uint64_t i = upto(3); i > 0; i--)
			add_call(f, names[upto(7)]);
		for (uint64_t i = upto(2); i > 0; i--)
			REQUIRE(file_stats_add_user(f, static_cast<pid_t>(upto(3)), comm, 1) == 0);
		if (once_in(2))
			f->busy = busy;
	}

public:
	explicit RandomProfile(unsigned seed) : random(seed)
	{
		const bool alike = once_in(3);
		const uint64_t tick_ns = 4000000;

		for (uint64_t i = 0, nr = 1 + magnitude(40); i < nr; i++)
			add_file(static_cast<uint32_t>(3 + i), alike);
		busy.user_ns = upto(1 + busy.run_ns / tick_ns) * tick_ns;
		busy.system_ns = upto(2 + 2 * busy.run_ns / tick_ns) * tick_ns;
		if (once_in(8))
			busy = {};
		// There may be many tasks beside each other, or one that sleeps most of the time.
		elapsed_ns = std::max<uint64_t>(100000, busy.run_ns / (1 + upto(3)));
		elapsed_ns *= once_in(4) ? magnitude(100) : 1;
		calibration.memory.inside_ps += upto(500000);
		calibration.memory.traced_ps += upto(500000);
		if (once_in(4))
			calibration.device = {};
	}
};

bool holds(const range &r)
{
	return std::isfinite(r.high) && r.low >= 0 && r.low <= r.high;
}

void check_gain(const gain &g, const profile &p)
{
	CHECK(holds(g.syscall_ns));
	CHECK(holds(g.cpu_ns));
	CHECK(holds(g.wall_ns));
	CHECK(holds(g.share));
	CHECK(holds(g.run_ns));
	CHECK(holds(g.time_ns));
	CHECK(holds(g.cpu_share));
	CHECK(g.share.high <= 1);
	CHECK(g.cpu_share.high == Approx(g.cpu_ns.high / static_cast<double>(p.elapsed_ns)));
	CHECK(g.run_ns.high <= static_cast<double>(p.elapsed_ns));
	CHECK(g.wall_ns.low <= g.run_ns.low * rounding);
	CHECK(g.wall_ns.high <= g.run_ns.high * rounding);
}

// A finding that stands for several has the work of one task, but the waiting of all of them.
void check_time(const finding &f)
{
	if (f.files == 1 && !f.joined)
		CHECK(f.gain.time_ns.high <=
		      std::max(f.gain.tasks_ns.high, f.gain.cpu_ns.high) * rounding);
}

severity severity_at(double share)
{
	return share >= 0.2    ? SEVERITY_HIGH
	       : share >= 0.05 ? SEVERITY_MEDIUM
	       : share >= 0.01 ? SEVERITY_LOW
			       : SEVERITY_INFO;
}

// The figure that a range stands for.
double worth(const range &r)
{
	return r.high > 2.5 * r.low ? r.low : range_middle(&r);
}

// CPU time makes a finding one level less severe than the same elapsed time would, or low.
void check_severity(const finding &f)
{
	const severity by_wall =
		f.gain.share.high < 0.02 ? SEVERITY_INFO : severity_at(worth(f.gain.share));
	const double cpu_ns = worth(f.gain.cpu_ns);
	const severity at_most = severity_at(cpu_ns / f.gain.run_ns.high);

	if (f.excused)
		return;
	CHECK(f.severity >= by_wall);
	if (f.severity > by_wall) {
		CHECK((f.severity < at_most || f.severity == SEVERITY_LOW));
		CHECK(cpu_ns >= 0.005 * f.gain.run_ns.high);
		CHECK(cpu_ns >= 0.2 * f.gain.tasks_ns.high);
	}
}
} // namespace

TEST_CASE("gains: no finding gains more than the run takes, nor do all of them", "[findings]")
{
	size_t nr_gains = 0, nr_merged = 0;

	for (unsigned seed = 0; seed < nr_profiles; seed++) {
		const RandomProfile p(seed);
		const Found found(p);
		double low_ns = 0, high_ns = 0, share = 0;
		range run_ns = {};

		CAPTURE(seed);
		for (size_t i = 0; i < found.all().nr; i++) {
			const finding &f = found.all().list[i];

			INFO(f.id << " " << f.path << " " << f.evidence);
			CHECK(f.share >= 0);
			CHECK(f.share <= 1);
			if (!f.gain.known)
				continue;
			check_gain(f.gain, p);
			check_time(f);
			check_severity(f);
			nr_gains++;
			nr_merged += f.files > 1;
			low_ns += f.gain.wall_ns.low;
			high_ns += f.gain.wall_ns.high;
			share += f.gain.share.high;
			run_ns = f.gain.run_ns;
		}
		CHECK(low_ns <= run_ns.low * rounding);
		CHECK(high_ns <= run_ns.high * rounding);
		CHECK(share <= rounding);
	}
	CHECK(nr_gains > nr_profiles);
	CHECK(nr_merged > nr_profiles / 20);
}

namespace
{
// A program that writes lines for 0.2 s of a second, and may have slack.
struct Lines : FileProfile {
	file_stats *log;
	explicit Lines(uint64_t slack_ns = 0, uint64_t others_ns = 0)
	{
		log = add_lines(*this, 200000);
		log->busy = { 20000000, 180000000, 150000000, 200000, slack_ns, others_ns, 0 };
		busy = log->busy;
	}
};
} // namespace

TEST_CASE("gains: slack is taken off the low end, and CPU time is told where nothing is left",
	  "[findings]")
{
	const Lines none, some(30000000), all(500000000);
	const Found without(none), with(some), idle(all);
	const gain &free = without.first().gain, &less = with.first().gain,
		   &nothing = idle.first().gain;

	CHECK(free.pace == PACE_OWN);
	CHECK(free.wall_ns.low > 60e6);
	CHECK(less.pace == PACE_WAITS);
	CHECK(less.wall_ns.low == Approx(free.wall_ns.low - 30e6 / RUN_TO_RUN));
	CHECK(nothing.wall_ns.low == 0);
	CHECK(nothing.cpu_ns.low == Approx(free.cpu_ns.low));
	CHECK(nothing.wall_ns.high == Approx(free.wall_ns.high));
	CHECK_THAT(idle.first().reason, ContainsSubstring("may end no sooner"));
	CHECK(without.first().severity > idle.first().severity);
	CHECK(idle.first().severity > SEVERITY_INFO);
}

TEST_CASE("gains: what no timing shows is information", "[findings]")
{
	unsigned below = 0, above = 0;

	for (uint64_t seconds = 2; seconds < 40; seconds++) {
		Lines p;

		p.elapsed_ns = seconds * 1000000000;
		p.log->busy.user_ns = p.busy.user_ns = 1500000000; // The gain is little of it.
		const Found found(p);
		const finding &f = found.first();
		const range &share = f.gain.share;

		CAPTURE(seconds, share.low, share.high);
		if (share.low < 0.01 || share.high > 2.5 * share.low || share.high > 0.05)
			continue;
		CHECK(f.severity == (share.high < 0.02 ? SEVERITY_INFO : SEVERITY_LOW));
		(share.high < 0.02 ? below : above)++;
	}
	CHECK(below > 0);
	CHECK(above > 0);
}

TEST_CASE("gains: no run is shorter than the longest of its other programs", "[findings]")
{
	const Lines beside(0, 2000000000);
	const Found found(beside);

	CHECK(found.first().gain.pace == PACE_OTHERS);
	CHECK(found.first().gain.wall_ns.low == 0);
	CHECK_THAT(found.first().reason, ContainsSubstring("another program"));
}

TEST_CASE("gains: of running programs, gains are of their busy time, and no run is promised",
	  "[findings]")
{
	size_t nr_gains = 0;
	const provenance v = {};

	for (unsigned seed = 0; seed < nr_profiles; seed++) {
		RandomProfile p(seed);

		p.provenance = &v;
		const Found found(p);
		double share = 0;

		CAPTURE(seed);
		for (size_t i = 0; i < found.all().nr; i++) {
			const finding &f = found.all().list[i];
			char *prediction = f.predicted ? finding_prediction(&f) : nullptr;
			const std::string text = std::string(f.evidence) + f.advice +
						 (f.reason ? f.reason : "") +
						 (prediction ? prediction : "");

			free(prediction);
			INFO(f.id << " " << f.path << " " << text);
			CHECK_THAT(text, !ContainsSubstring("the run"));
			CHECK(finding_each_count(&f) > 0);
			if (!f.gain.known)
				continue;
			check_gain(f.gain, p);
			check_time(f);
			CHECK(f.gain.watched);
			CHECK(f.gain.pace == PACE_OWN);
			CHECK(f.gain.wall_ns.high == 0);
			if (!f.excused && f.severity > SEVERITY_INFO)
				CHECK(f.severity == severity_at(worth(f.gain.share)));
			nr_gains++;
			share += f.gain.share.high;
		}
		CHECK(share <= rounding);
	}
	CHECK(nr_gains > nr_profiles);
}

namespace
{
std::string predicted(const finding &f)
{
	char *text = finding_prediction(&f);
	const std::string copy = text;

	free(text);
	return copy;
}
} // namespace

TEST_CASE("gains: the owner of a server is told the share of a CPU, and what each call gains",
	  "[findings]")
{
	Lines p;
	provenance v = {};
	char name[] = "app", *command[] = { name, nullptr };

	p.provenance = &v;
	{
		const Found found(p);

		CHECK(predicted(found.first()) == "196 calls instead of 200,000; 12 to 15 % of one "
						  "CPU; 592ns to 740ns of each of 200,000 writes.");
		CHECK(found.first().severity == SEVERITY_HIGH);
	}
	/* A server that sleeps does not gain less of its work. */
	p.elapsed_ns *= 10;
	{
		const Found found(p);

		CHECK_THAT(predicted(found.first()), ContainsSubstring(" % of one CPU; 592ns to"));
		CHECK(found.first().severity == SEVERITY_HIGH);
	}
	/* But what no CPU notices is not worth being told. */
	p.elapsed_ns *= 1000;
	CHECK(Found(p).first().severity == SEVERITY_INFO);
	v.command = command;
	const Found found(p);
	CHECK_FALSE(found.first().gain.watched);
	CHECK_THAT(predicted(found.first()), ContainsSubstring("the run takes"));
}

TEST_CASE("gains: what predicts nothing is information", "[findings]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/full"), "write", 100, 0, 4000000);

	c->errors = c->calls; // Writes that fail take 0.4 s of the run.
	c->error_ns = c->total_ns;
	CHECK(Found(p).ids() == "write-errors /full");
	CHECK(Found(p).first().severity == SEVERITY_INFO);
	CHECK_FALSE(Found(p).first().minor); // It is a fault, and told.
}
