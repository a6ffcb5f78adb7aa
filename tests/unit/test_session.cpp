// SPDX-License-Identifier: GPL-2.0
// A real command, and a collector that counts its own snapshots.
#include "lib/catch.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "trace/session.h"
}

namespace
{
// It is active a given number of times, and each snapshot shows one more returned call.
struct Counting {
	int active_for = 0, stopped = 0, snapshots = 0, error = 0;
};

Counting *of(struct collector *c)
{
	return static_cast<Counting *>(c->state);
}

int no_wakeup(const struct collector *)
{
	return -1;
}

bool is_active(struct collector *c)
{
	return of(c)->active_for-- > 0;
}

size_t no_tasks(struct collector *, pid_t *, size_t)
{
	return 0;
}

int stop(struct collector *c)
{
	of(c)->stopped++;
	return 0;
}

int snapshot(struct collector *c, struct profile *p, bool)
{
	memset(p, 0, sizeof(*p));
	p->returned = p->entered = ++of(c)->snapshots;
	return of(c)->error;
}

collector_ops make_counting()
{
	collector_ops ops = {};

	ops.name = "counting";
	ops.wakeup_fd = no_wakeup;
	ops.active = is_active;
	ops.tasks = no_tasks;
	ops.stop = stop;
	ops.snapshot = snapshot;
	return ops;
}

const collector_ops counting = make_counting();

struct Fixture {
	Counting state;
	collector c = { &counting, &state, {} };
	trace_options options = {};
	struct target *target = nullptr;
	session s = {};
	std::vector<uint64_t> intervals; // Number of calls that returned in each interval.

	Fixture()
	{
		options.quiet = true;
		s.options = &options;
		s.collector = &c;
		s.interval = [](void *arg, const struct profile *p, uint64_t) {
			static_cast<Fixture *>(arg)->intervals.push_back(p->returned);
			return 0;
		};
		s.arg = this;
	}
	~Fixture()
	{
		target__free(target, false);
	}
	void run_command(const char *path)
	{
		char *argv[] = { const_cast<char *>(path), nullptr };

		REQUIRE(target__fork(&target, path, argv, nullptr) == 0);
		s.target = target;
		REQUIRE(target__go(target) == 0);
	}
	void watch()
	{
		options.scope = SCOPE_ALL;
		REQUIRE(target__watch(&target) == 0);
		s.target = target;
	}
};
} // namespace

TEST_CASE("session: a command's run ends with the command when nothing is left", "[session]")
{
	Fixture f;

	f.run_command("/bin/true");
	REQUIRE(session_run(&f.s) == 0);
	CHECK(target__status(f.target) == 0);
	CHECK(f.state.stopped == 0); // Stopping it is left to the callback.
	CHECK(f.intervals.empty());
}

TEST_CASE("session: --duration ends what would go on", "[session]")
{
	Fixture f;

	f.options.duration_ns = 1000000;
	f.state.active_for = 1 << 30;
	f.watch();
	REQUIRE(session_run(&f.s) == 0);
}

TEST_CASE("session: intervals are disjoint, and the last one is what is left", "[session]")
{
	Fixture f;
	uint64_t sum = 0;

	f.options.duration_ns = 20000000;
	f.options.interval_ns = 1000000;
	f.state.active_for = 1 << 30;
	f.watch();
	REQUIRE(session_run(&f.s) == 0);
	CHECK(f.state.stopped == 1); // It is stopped before the last interval is read.
	REQUIRE(f.intervals.size() >= 1);
	for (uint64_t returned : f.intervals)
		sum += returned;
	CHECK(sum == (uint64_t)f.state.snapshots);
}

TEST_CASE("session: without an interval none is reported", "[session]")
{
	Fixture f;

	f.options.duration_ns = 1;
	f.state.active_for = 1 << 30;
	f.watch();
	REQUIRE(session_run(&f.s) == 0);
	CHECK(f.intervals.empty());
	CHECK(f.state.snapshots == 0);
}

TEST_CASE("session: figures that cannot be read end it with that error", "[session]")
{
	Fixture f;

	f.options.interval_ns = 1000000;
	f.state.active_for = 1 << 30;
	f.state.error = -EIO;
	f.watch();
	CHECK(session_run(&f.s) == -EIO);
}
