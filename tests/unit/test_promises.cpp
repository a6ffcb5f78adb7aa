// SPDX-License-Identifier: GPL-2.0
// Whatever was measured, what is promised is possible: of thousands of random profiles.
#include "unit/found.hpp"

#include <cerrno>
#include <cmath>
#include <random>

extern "C" {
#include "model/figures.h"
}

namespace
{
const char program[16] = "program";

class Dice
{
	std::mt19937_64 engine;

public:
	explicit Dice(uint64_t seed) : engine(seed)
	{
	}
	bool one_in(unsigned n)
	{
		return engine() % n == 0;
	}
	// Returns a number of any magnitude, up to the largest.
	uint64_t upto(uint64_t largest)
	{
		const uint64_t value = engine() >> engine() % 64;

		return largest == UINT64_MAX ? value : value % (largest + 1);
	}
	template <typename T, size_t N>
	T one_of(const T (&list)[N])
	{
		return list[engine() % N];
	}
};

const char *const names[] = { "write",	"pwrite64", "writev",	  "read",	    "pread64",
			      "openat", "open",	    "close",	  "fsync",	    "fdatasync",
			      "lseek",	"sendfile", "newfstatat", "readlink",	    "sendto",
			      "statx",	"access",   "ftruncate",  "sendmsg",	    "recvfrom",
			      "creat",	"openat2",  "splice",	  "sync_file_range" };

// Fills in a call's figures, none of which exceeds what it is a part of.
void fill(Dice &dice, file_call *c, uint64_t longest_ns)
{
	for (size_t id = 0; id < NR_FIGURES; id++) {
		const figure &f = figures[id];
		uint64_t most = 1000000;

		const figure_id whole = figure_whole(f.part_of, SCOPE_FILE);

		if (!(f.scope & SCOPE_FILE) || f.combine == COMBINE_NOT)
			continue;
		if (f.unit == UNIT_NS)
			most = longest_ns;
		if (f.unit == UNIT_BYTES)
			most = 1ULL << 40;
		if (whole != FIGURE_none)
			most = figure_whole_value(whole, SCOPE_FILE, c);
		*figure_counter(&f, SCOPE_FILE, c) = dice.upto(most);
	}
	for (uint64_t &count : c->sizes)
		count = dice.one_in(4) ? dice.upto(c->calls) : 0;
	for (uint64_t &count : c->latency)
		count = dice.one_in(4) ? dice.upto(c->calls) : 0;
}

calibrated_call any_call(Dice &dice)
{
	return { dice.upto(10000000), dice.upto(10000000), dice.upto(10000000) };
}

busy any_busy(Dice &dice, uint64_t longest_ns)
{
	return { dice.upto(longest_ns),
		 dice.upto(longest_ns),
		 dice.upto(longest_ns),
		 dice.upto(10000000),
		 0,
		 0,
		 0 };
}

void fill(Dice &dice, FileProfile &p)
{
	static const char *const paths[] = {
		"/a",	     "/b",	 "/db",	    "/db-journal", "tcp:127.0.0.1:80",
		"/dev/null", "pipe:[*]", "conf/x.h"
	};
	static const file_kind kinds[] = {
		FILE_KIND_REGULAR, FILE_KIND_REGULAR, FILE_KIND_PIPE,
		FILE_KIND_SOCKET,  FILE_KIND_DEVICE,  FILE_KIND_TTY,
		FILE_KIND_FAILED,  FILE_KIND_FOUND,   FILE_KIND_INVALID
	};
	const uint64_t nr_files = 1 + dice.upto(6);

	p.elapsed_ns = dice.upto(1ULL << 44);
	p.busy = any_busy(dice, 1ULL << 44);
	if (dice.one_in(5))
		p.calibration = {};
	else
		p.calibration.device = any_call(dice);
	if (!dice.one_in(5))
		p.calibration.memory = any_call(dice);
	for (uint32_t id = 3; id < 3 + nr_files; id++) {
		file_stats *f = p.file(id, dice.one_of(kinds), dice.one_of(paths));
		const uint64_t nr_calls = 1 + dice.upto(6);

		f->err = f->kind == FILE_KIND_FAILED ? ENOENT : 0;
		f->flags = dice.one_in(3) ? FILE_O_APPEND : 0;
		f->processes = dice.upto(10);
		f->language = (enum language)(dice.upto(NR_LANGUAGES - 1));
		for (uint64_t i = 0; i < nr_calls; i++)
			fill(dice, call_on(f, dice.one_of(names)), 1ULL << 44);
		for (uint64_t i = dice.upto(3); i > 0; i--)
			REQUIRE(file_stats_add_user(f, (pid_t)i, program, i) == 0);
	}
	for (int pid = 1; pid <= 3; pid++) {
		program_stats own = {};

		own.pid = pid;
		memcpy(own.comm, program, sizeof(own.comm));
		own.busy = any_busy(dice, 1ULL << 44);
		own.parent = (pid_t)dice.upto(4);
		own.first_ns = 1 + dice.upto(1ULL << 44);
		own.last_ns = own.first_ns + dice.upto(1ULL << 44);
		own.slept_ns = dice.upto(1ULL << 44);
		REQUIRE(profile_add_program(&p, &own) == 0);
	}
	profile_sort_programs(&p);
}

bool ordered(const range &r)
{
	return std::isfinite(r.low) && std::isfinite(r.high) && r.low >= 0 && r.low <= r.high;
}

// Says what is wrong with the findings. "": nothing.
std::string wrong(const findings &all, const profile &p)
{
	double shares = 0;

	for (size_t i = 0; i < all.nr; i++) {
		const finding &f = all.list[i];
		const std::string name = f.id;

		if (!std::isfinite(f.share) || f.share < 0 || f.share > 1)
			return name + ": its share is " + std::to_string(f.share);
		if (f.predicted && f.predicted_calls > f.calls)
			return name + ": more calls remain than there are";
		if (f.evidence == nullptr)
			return name + ": it has no evidence";
		if (!f.gain.known)
			continue;
		if (!ordered(f.gain.syscall_ns) || !ordered(f.gain.wall_ns) ||
		    !ordered(f.gain.share))
			return name + ": an interval is out of order";
		if (f.gain.wall_ns.high > (double)p.elapsed_ns * 1.0000001 ||
		    f.gain.wall_ns.high > f.gain.run_ns.high * 1.0000001)
			return name + ": it gains more than the run takes";
		shares += f.gain.share.high;
	}
	return shares > 1.0000001 ? "the shares add up to " + std::to_string(shares) : "";
}
} // namespace

TEST_CASE("promises: no random profile brings one that is impossible", "[findings]")
{
	uint64_t found = 0, gains = 0;

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		Dice dice(seed);
		FileProfile p;

		fill(dice, p);
		const Found result(p);
		INFO("seed " << seed);
		REQUIRE(wrong(result.all(), p) == "");
		for (size_t i = 0; i < result.all().nr; i++) {
			found++;
			gains += result.all().list[i].gain.known;
		}
	}
	// The dice must bring what the rules look at.
	CHECK(found > 200);
	CHECK(gains > 100);
}
