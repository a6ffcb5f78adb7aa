// SPDX-License-Identifier: GPL-2.0
// A process for each record, and what one process for all would gain.
#include <cstring>

#include "unit/capture_test.hpp"
#include "unit/found.hpp"

using Catch::Matchers::ContainsSubstring;

namespace
{
const uint64_t ms = 1000000;

// A shell of pid 10 that starts programs one after the other, from pid 100 up.
struct Script : FileProfile {
	uint64_t now_ns = ms;
	pid_t next = 100;

	Script()
	{
		calibration.memory = calibration.device = { 200000, 300000, 250000 };
		calibration.process_ps = 500 * ms; // 0.5 ms
	}
	program_stats &add(pid_t pid, pid_t parent, const char *comm, const char *exe,
			   uint64_t from_ns, uint64_t to_ns, uint64_t busy_ns)
	{
		program_stats p = {};

		p.pid = pid;
		p.parent = parent;
		snprintf(p.comm, sizeof(p.comm), "%s", comm);
		p.exe = const_cast<char *>(exe);
		p.first_ns = from_ns;
		p.last_ns = to_ns;
		p.busy = { busy_ns, 0, 1000, 1, 0, 0, 0 };
		p.language = LANGUAGE_C;
		REQUIRE(profile_add_program(this, &p) == 0);
		return programs[nr_programs - 1];
	}
	// Starts so many, each of which lives for a time after its shell has forked for 0.1 ms.
	void start(int nr, uint64_t life_ns, const char *exe = "/usr/bin/sed", pid_t parent = 10)
	{
		for (int i = 0; i < nr; i++, next++) {
			add(next, parent, "sh", "/usr/bin/dash", now_ns, now_ns + ms / 10, ms / 10);
			add(next, parent, "sed", exe, now_ns + ms / 10, now_ns + life_ns,
			    life_ns - ms / 10);
			now_ns += life_ns;
		}
	}
	// Ends the run, of which the shell itself works for a part.
	void end(uint64_t own_ns, uint64_t slept_ns)
	{
		program_stats &shell =
			add(10, 1, "sh", "/usr/bin/dash", ms, now_ns + own_ns, own_ns);

		shell.slept_ns = slept_ns;
		shell.sleeps = 1;
		elapsed_ns = now_ns + own_ns;
		profile_sort_programs(this);
		REQUIRE(profile_group_processes(this) == 0);
	}
};
} // namespace

TEST_CASE("processes: a short-lived process for each record is a habit", "[rules]")
{
	Script s;

	s.start(200, 2 * ms);
	s.end(100 * ms, 400 * ms);
	REQUIRE(s.nr_process_groups == 1);
	CHECK(s.process_groups[0].nr == 200);
	CHECK(s.process_groups[0].lives_ns == 400 * ms);
	CHECK(s.process_groups[0].spans_ns == 400 * ms);
	CHECK(s.process_groups[0].least_ns == 2 * ms);
	CHECK(s.process_groups[0].parent == std::string("sh"));

	const Found found(s);
	CHECK(found.ids() == "process-per-record /usr/bin/sed");
	const finding &f = found.first();
	CHECK(f.calls == 200);
	CHECK(found.predicted() == 1);
	CHECK(f.severity == SEVERITY_MEDIUM);
	// Their starts go away at least, 199 of 0.5 ms, as far as another run is like this one.
	CHECK(f.gain.wall_ns.low == Approx(199 * 0.5 * ms / RUN_TO_RUN));
	CHECK(f.gain.wall_ns.high >= 400 * ms);
	CHECK_THAT(f.reason, ContainsSubstring("remains is not known"));
	CHECK_THAT(f.evidence,
		   ContainsSubstring("200 processes for this executable, started by sh; "
				     "each lives for 2ms"));
}

TEST_CASE("processes: those that live for their work are no habit", "[rules]")
{
	Script s;

	s.start(60, 30 * ms);
	s.end(100 * ms, 1800 * ms);
	const Found found(s);
	CHECK(found.first().severity == SEVERITY_INFO);
	CHECK(found.first().minor);
	CHECK_FALSE(found.first().predicted);
}

TEST_CASE("processes: an interpreter takes longer to start than a shell", "[rules]")
{
	Script s;

	s.start(60, 12 * ms, "/usr/bin/python3");
	s.end(100 * ms, 720 * ms);
	CHECK(Found(s).first().severity == SEVERITY_INFO);
	s.process_groups[0].language = LANGUAGE_PYTHON;
	const Found found(s);
	CHECK(found.first().severity == SEVERITY_HIGH);
	CHECK(found.first().gain.wall_ns.low ==
	      Approx(59 * 0.5 * ms * language_starts[LANGUAGE_PYTHON] / RUN_TO_RUN));
}

TEST_CASE("processes: a start takes no longer than the shortest of their lives", "[rules]")
{
	Script s;

	s.start(100, ms / 5);
	s.end(10 * ms, 20 * ms);
	CHECK(predict_start_ns(&s, &s.process_groups[0]) == ms / 5);
}

TEST_CASE("processes: few of them, and those that were only forked, are not looked at", "[rules]")
{
	Script s;

	s.start(MIN_PROCESSES - 1, 2 * ms);
	for (int i = 0; i < 200; i++, s.next++, s.now_ns += ms)
		s.add(s.next, 10, "sh", "/usr/bin/dash", s.now_ns, s.now_ns + ms, ms);
	s.end(10 * ms, 300 * ms);
	CHECK(s.nr_process_groups == 0);
	CHECK(Found(s).ids() == "");
}

TEST_CASE("processes: what a subshell starts, its shell does", "[rules]")
{
	Script s;

	for (int i = 0; i < 60; i++) {
		const pid_t subshell = s.next++;

		s.add(subshell, 10, "sh", "/usr/bin/dash", s.now_ns, s.now_ns + 2 * ms, ms / 10);
		s.start(1, 2 * ms, "/usr/bin/sed", subshell);
	}
	s.end(10 * ms, 120 * ms);
	REQUIRE(s.nr_process_groups == 1);
	CHECK(s.process_groups[0].nr == 60);
}

TEST_CASE("processes: those that run beside each other share the time", "[rules]")
{
	Script s;

	for (int i = 0; i < 60; i++) {
		s.now_ns = ms + ms * (i / 2) * 2;
		s.start(1, 2 * ms);
	}
	s.end(0, 60 * ms);
	REQUIRE(s.nr_process_groups == 1);
	CHECK(s.process_groups[0].lives_ns == 120 * ms);
	CHECK(s.process_groups[0].spans_ns == 60 * ms);
	const Found found(s);
	const finding &f = found.first();
	CHECK(f.gain.wall_ns.low < 59 * 0.5 * ms / RUN_TO_RUN / 1.9);
}

TEST_CASE("processes: a shell that waits for the clock between them ends no sooner", "[rules]")
{
	Script s;

	for (int i = 0; i < 60; i++) {
		s.start(1, 2 * ms);
		s.now_ns += 20 * ms;
	}
	s.end(0, 60 * 22 * ms);
	CHECK(s.process_groups[0].busy.slack_ns > 60 * 19 * ms);
	CHECK(Found(s).first().gain.wall_ns.low == 0);
}

TEST_CASE("processes: without a calibration of processes nothing is promised", "[rules]")
{
	Script s;

	s.calibration.process_ps = 0;
	s.start(200, 2 * ms);
	s.end(10 * ms, 400 * ms);
	CHECK(Found(s).first().severity == SEVERITY_INFO);
	CHECK_FALSE(Found(s).first().predicted);
}

TEST_CASE("processes: what each of them does is told with them alone", "[rules]")
{
	Script s;
	file_stats *f = s.file(3, FILE_KIND_FAILED, "/etc/none");

	s.start(200, 2 * ms);
	s.end(100 * ms, 400 * ms);
	f->err = ENOENT;
	for (pid_t pid = 100; pid < 300; pid++)
		REQUIRE(file_stats_add_user(f, pid, (const char[16]){ "sed" }, 50) == 0);
	file_call *c = add_calls(f, "openat", 10000, 0, 1000);

	c->errors = 10000;
	const Found found(s);
	REQUIRE(found.all().nr == 2);
	CHECK(found.ids() == "process-per-record /usr/bin/sed, path-storm /etc/none");
	CHECK(found.all().list[1].severity == SEVERITY_INFO);
	CHECK_THAT(found.all().list[1].evidence, ContainsSubstring("goes away with the processes"));
}

TEST_CASE("processes: what their starter does for each is told with them, if it is less", "[rules]")
{
	Script s;

	s.start(200, 2 * ms);
	s.end(100 * ms, 400 * ms);
	for (uint64_t calls : { 2000, 2001 }) {
		add_lines(s, calls)->nr_calls = 1;
		const Found found(s);

		REQUIRE(found.ids() == "process-per-record /usr/bin/sed, flush-per-line /log");
		CHECK(found.all().list[1].excused == (calls == 2000));
		call_on(profile_file(&s, 3), "write")->calls = 0;
	}
}

TEST_CASE("processes: a capture has them", "[capture]")
{
	Case c;

	c.everything();
	c.files();
	c.profile.process_groups = (process_group *)calloc(1, sizeof(process_group));
	REQUIRE(c.profile.process_groups);
	c.profile.nr_process_groups = 1;
	process_group &was = c.profile.process_groups[0];
	was = { strdup("/usr/bin/a\n\xff"), "b\"", LANGUAGE_PERL, 77, 900, 800, 5, {} };
	was.busy = { 1, 2, 3, 4, 5, 6, 7 };
	c.profile.calibration.memory = { 200000, 300000, 250000 };
	c.profile.calibration.process_ps = 500000000;
	const std::string good = json_of(c.profile);
	Capture back(good);
	INFO(back.err);
	REQUIRE(back.result == 0);
	REQUIRE(back.profile.nr_process_groups == 1);
	const process_group &is = back.profile.process_groups[0];
	CHECK(std::string(is.exe) == was.exe);
	CHECK(std::string(is.parent) == was.parent);
	CHECK(is.language == was.language);
	CHECK(memcmp(&is.nr, &was.nr, sizeof(was) - offsetof(process_group, nr)) == 0);
	CHECK(json_of(back.profile) == good);
	for (const char *wrong : { "\"processes\": 49", "\"processes\": -1" }) {
		Capture bad(replaced(good, "\"processes\": 77", wrong));

		CHECK(bad.result == -EINVAL);
		CHECK_THAT(std::string(bad.err),
			   ContainsSubstring("repeated_processes[0].processes"));
	}
}
