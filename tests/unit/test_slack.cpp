// SPDX-License-Identifier: GPL-2.0
// What the users of a file may work less before the run ends any sooner.
#include "unit/files_test.hpp"

namespace
{
const uint64_t ms = 1000000;

struct Run : FileProfile {
	Run()
	{
		file_stats *f = file(3, FILE_KIND_REGULAR, "/log");

		add_calls(f, "write", 1000, 4, 1000);
	}
	// Adds a program that runs from one moment to another, and sleeps and works in between.
	program_stats &program(pid_t pid, uint64_t from, uint64_t to, uint64_t busy,
			       uint64_t slept = 0, pid_t parent = 1)
	{
		program_stats p = {};

		p.pid = pid;
		p.parent = parent;
		snprintf(p.comm, sizeof(p.comm), "p%d", pid);
		p.busy.user_ns = busy * ms;
		p.first_ns = 1 + from * ms;
		p.last_ns = 1 + to * ms;
		p.slept_ns = slept * ms;
		p.sleeps = slept ? 1 : 0;
		REQUIRE(profile_add_program(this, &p) == 0);
		return programs[nr_programs - 1];
	}
	void used_by(pid_t pid)
	{
		char comm[16] = "";

		snprintf(comm, sizeof(comm), "p%d", pid);
		REQUIRE(file_stats_add_user(profile_file(this, 3), pid, comm, 1000) == 0);
	}
	// Returns slack and the longest other program, in ms.
	std::string slack()
	{
		file_stats *list;
		size_t nr;

		profile_sort_programs(this);
		REQUIRE(files_by_path(this, &list, &nr) == 0);
		const struct busy b = list[0].busy;
		files_free(list, nr);
		return std::to_string(b.slack_ns / ms) + " " + std::to_string(b.others_ns / ms);
	}
};
} // namespace

TEST_CASE("slack: a program that works all the time has none", "[slack]")
{
	Run run;

	run.program(7, 0, 1000, 1000);
	run.used_by(7);
	CHECK(run.slack() == "0 0");
}

TEST_CASE("slack: a program that sleeps may work less by as much", "[slack]")
{
	Run run;

	run.program(7, 0, 1000, 400, 600);
	run.used_by(7);
	CHECK(run.slack() == "596 0"); // The scheduler's count is a tick of 4 ms old.
}

TEST_CASE("slack: waiting for the disk is none", "[slack]")
{
	Run run;
	file_call *write = call_on(profile_file(&run, 3), "write");

	run.program(7, 0, 1000, 400, 600);
	run.used_by(7);
	write->calls = write->waits = 100;
	write->total_ns = write->wait_ns = 500 * ms;
	CHECK(run.slack() == "96 0");
}

TEST_CASE("slack: waiting for a child is none, but looking now and then what it does", "[slack]")
{
	Run waits, looks;

	for (Run *run : { &waits, &looks }) {
		run->program(7, 0, 1000, 300, 700).sleeps = run == &waits ? 10 : 11;
		run->program(8, 100, 600, 500, 0, 7);
		run->used_by(7);
	}
	CHECK(waits.slack() == "196 500");
	CHECK(looks.slack() == "696 500");
}

TEST_CASE("slack: the shorter of two jobs may end sooner, and the run does not", "[slack]")
{
	Run run;

	run.program(6, 0, 1000, 1, 999); // The shell waits for both.
	run.program(7, 0, 300, 300, 0, 6);
	run.program(8, 0, 1000, 1000, 0, 6);
	run.used_by(7);
	CHECK(run.slack() == "700 1000");
}

TEST_CASE("slack: who sleeps longer than the users run does not wait for them", "[slack]")
{
	Run sleeps, sorts;

	for (Run *run : { &sleeps, &sorts }) {
		run->program(6, 0, 1000, 1, 999);
		run->program(7, 0, 300, 300, 0, 6);
		run->used_by(7);
	}
	sleeps.program(8, 0, 1000, 0, 1000, 6);
	CHECK(sleeps.slack() == "700 1");
	sorts.program(8, 0, 1000, 700, 300, 6);
	CHECK(sorts.slack() == "0 700");
}

TEST_CASE("slack: what begins after the users have ended waits for them", "[slack]")
{
	Run run;

	run.program(6, 0, 1000, 1, 999);
	run.program(7, 0, 300, 300, 0, 6);
	run.program(8, 300, 1000, 700, 0, 6);
	run.used_by(7);
	CHECK(run.slack() == "0 700");
}

TEST_CASE("slack: the programs of one process follow each other", "[slack]")
{
	Run run;

	run.program(7, 0, 1000, 1000);
	run.program(8, 0, 400, 400);
	snprintf(run.program(8, 400, 900, 500).comm, 16, "later");
	run.used_by(7);
	CHECK(run.slack() == "0 900");
}

TEST_CASE("slack: in a dialogue one works while the other sleeps", "[slack]")
{
	Run run, watched;

	for (Run *r : { &run, &watched }) {
		r->program(7, 0, 1000, 400, 600).sleeps = 1000;
		r->used_by(7);
	}
	run.program(8, 0, 1000, 550, 450).sleeps = 1000;
	CHECK(run.slack() == "46 550");
	CHECK(watched.slack() == "596 0"); // Whom it waits for is not known.
}

TEST_CASE("slack: a thread of Go or Java sleeps while another one works for it", "[slack]")
{
	for (language l : { LANGUAGE_GO, LANGUAGE_JAVA, LANGUAGE_NODE }) {
		Run hands_over, compiles;

		hands_over.program(7, 0, 1000, 950, 600).language = l;
		hands_over.used_by(7);
		CHECK(hands_over.slack() == "46 0");
		compiles.program(7, 0, 1000, 1300, 600).language = l;
		compiles.used_by(7);
		CHECK(compiles.slack() == "0 0");
	}
}

TEST_CASE("slack: it is not known where the programs' times are not", "[slack]")
{
	Run run;
	const char comm[16] = "p7";

	REQUIRE(add_program(run, 7, comm, {}, nullptr) == 0);
	run.used_by(7);
	CHECK(run.slack() == "0 0");
}
