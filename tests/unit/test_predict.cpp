// SPDX-License-Identifier: GPL-2.0
// What a fix is said to gain, from made costs: the arithmetic can be done by hand.
#include "unit/files_test.hpp"

extern "C" {
#include "model/predict.h"
}

namespace
{
file_call made_call(uint64_t calls, uint64_t bytes_each, uint64_t ns_each)
{
	file_call c = {};

	c.calls = calls;
	c.bytes = calls * bytes_each;
	c.total_ns = calls * ns_each;
	return c;
}

moved_bytes moved_on(const FileProfile &p, const file_stats *f, uint64_t buffer_size = 4096)
{
	return predict_moved_bytes(p.files, p.nr_files, f, ACTION_WRITES, buffer_size);
}

range byte_on(const FileProfile &p, const file_stats *f, uint64_t buffer_size = 4096)
{
	const moved_bytes moved = moved_on(p, f, buffer_size);

	return predict_byte_ps(&p.calibration, &moved);
}

const whole whole_run = { { 10e6, 10e6 }, { 10e6, 10e6 }, 1, 0, 0, false, false, false, {} };
} // namespace

TEST_CASE("predict: a call costs without iotrace what two calibrated ones say", "[predict]")
{
	const calibration c = made_calibration();

	CHECK(predict_bare_ps(&c, 200000) == Approx(200000));
	CHECK(predict_bare_ps(&c, 650000) == Approx(600000));
	CHECK(predict_bare_ps(&c, 425000) == Approx(400000));	// It is half way between the two.
	CHECK(predict_bare_ps(&c, 5000000) == Approx(4950000)); // Above both, the difference stays.
	CHECK(predict_bare_ps(&c, 100000) == Approx(100000));	// It is a lighter call than both.
	CHECK(predict_bare_ps(&c, 0) == 0);
}

TEST_CASE("predict: with -P only writes into memory are calibrated", "[predict]")
{
	calibration c = made_calibration();

	c.device = {};
	CHECK(predict_bare_ps(&c, 650000) == Approx(600000));
	CHECK(predict_bare_ps(&c, 65000) == Approx(60000)); // The probes take as large a part.
}

TEST_CASE("predict: calls that slept are not in the cost of a call", "[predict]")
{
	file_call c = made_call(100, 4, 1000);

	CHECK(predict_inside_ps(&c) == Approx(1000000));
	c.waits = 50;
	c.wait_ns = 90000;
	CHECK(predict_inside_ps(&c) == Approx(200000));
	c.waits = 100;
	CHECK(predict_inside_ps(&c) == 0);
}

TEST_CASE("predict: a byte costs what larger writes to the same file system show", "[predict]")
{
	FileProfile p;
	file_stats *small = p.file(3, FILE_KIND_REGULAR, "/small");

	add_calls(small, "write", 1000, 0, 1000);
	add_calls(p.file(4, FILE_KIND_REGULAR, "/large"), "write", 20, 4096, 1000 + 4096);
	small = profile_file(&p, 3);
	REQUIRE(moved_on(p, small).seen_on);
	CHECK(std::string(moved_on(p, small).seen_on) == "/large");
	CHECK(byte_on(p, small).low == Approx(750));
	CHECK(byte_on(p, small).high == Approx(1250));
}

TEST_CASE("predict: too few, too small, too large writes, and those elsewhere, show nothing",
	  "[predict]")
{
	struct {
		const char *what, *fstype;
		file_kind kind;
		uint64_t calls, bytes;
	} cases[] = {
		{ "too few", "ext4", FILE_KIND_REGULAR, 19, 4096 },
		{ "too small", "ext4", FILE_KIND_REGULAR, 100, 2047 },
		{ "too large", "ext4", FILE_KIND_REGULAR, 100, 65537 },
		{ "on another file system", "xfs", FILE_KIND_REGULAR, 100, 4096 },
		{ "to a pipe", "ext4", FILE_KIND_PIPE, 100, 4096 },
	};

	for (const auto &c : cases) {
		FileProfile p;
		file_stats *large;

		add_calls(p.file(3, FILE_KIND_REGULAR, "/small"), "write", 1000, 4, 1000);
		large = p.file(4, c.kind, "/large");
		snprintf(large->fstype, sizeof(large->fstype), "%s", c.fstype);
		add_calls(large, "write", c.calls, c.bytes, 9000);
		CAPTURE(c.what);
		CHECK(byte_on(p, profile_file(&p, 3)).high > 0);
		CHECK(moved_on(p, profile_file(&p, 3)).seen_on == nullptr);
	}
}

TEST_CASE("predict: without larger writes the calibration tells, widened by the file system",
	  "[predict]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/small");

	add_calls(f, "write", 1000, 4, 1000);
	CHECK(byte_on(p, f).low == Approx(300 * 0.6));
	CHECK(byte_on(p, f).high == Approx(300 * 2.0));
	snprintf(f->fstype, sizeof(f->fstype), "tmpfs");
	CHECK(byte_on(p, f).high == Approx(300 * 1.6));
	snprintf(f->fstype, sizeof(f->fstype), "unheard-of");
	CHECK(byte_on(p, f).high == Approx(300 * 3.0));
	f->kind = FILE_KIND_DEVICE; // A device may not even copy.
	CHECK(byte_on(p, f).low == 0);
	CHECK(byte_on(p, f).high == Approx(300));
	p.calibration.copies[1].bare_ps = 600000 + 8192 * 500;
	f->kind = FILE_KIND_REGULAR;
	CHECK(byte_on(p, f, 8191).high == Approx(300 * 3.0)); // The writes of 4096 bytes decide.
	CHECK(byte_on(p, f, 8192).high == Approx(500 * 3.0));
}

TEST_CASE("predict: removed calls gain their time, without that of the bytes that stay",
	  "[predict]")
{
	FileProfile p;
	const file_call c = made_call(1000, 100, 1000);
	removal r = {};
	r.call = predict_call_cost(&c);
	r.nr = { 900, 900 };
	r.around = { 0.1, 0.3 };
	r.moved = { 4096, "/large", { 1000, 2000 }, {} }; // A byte takes 1 to 2 ns.
	const gain g = predict_gain(&p, &r, 1, &whole_run);

	REQUIRE(g.known);
	CHECK(g.syscall_ns.low == Approx(900 * 800 / RUN_TO_RUN));
	CHECK(g.syscall_ns.high == Approx(900 * 900 * RUN_TO_RUN));
	CHECK(g.wall_ns.low ==
	      Approx(900 * (750 + 20) / RUN_TO_RUN)); // There are 20 to 60 ns around each call.
	CHECK(g.wall_ns.high == Approx(900 * (850 + 60) * RUN_TO_RUN));
	CHECK(g.share.low == Approx(900 * 770 * 0.95 / 10e6));
	CHECK(g.share.high == Approx(900 * 910 * 1.05 / 10e6));
	CHECK(g.run_ns.low == Approx(10e6 / RUN_TO_RUN));
	CHECK(g.run_ns.high == Approx(10e6 * RUN_TO_RUN));
}

TEST_CASE("predict: time that was slept is added to each end by itself", "[predict]")
{
	FileProfile p;
	const file_call c = made_call(1000, 0, 1000);
	removal r = {};
	r.call = predict_call_cost(&c);
	r.wait_ns = { 1000, 2000 };
	const gain g = predict_gain(&p, &r, 1, &whole_run);

	CHECK(g.syscall_ns.low == Approx(1000 / RUN_TO_RUN));
	CHECK(g.syscall_ns.high == Approx(2000 * RUN_TO_RUN));
	CHECK(g.wall_ns.low == Approx(1000 / RUN_TO_RUN));
	CHECK(g.wall_ns.high == Approx(2000 * RUN_TO_RUN));
	/* In a run that sleeps for most of its time, the upper end may be slept elsewhere. */
	whole idle = whole_run;
	idle.idle = true;
	CHECK(predict_gain(&p, &r, 1, &idle).wall_ns.high == Approx(1000 * RUN_TO_RUN));
}

TEST_CASE("predict: tasks beside each other gain at least their part", "[predict]")
{
	FileProfile p;
	const file_call c = made_call(1000, 0, 1000);
	removal r = {};
	r.call = predict_call_cost(&c);
	r.nr = { 1000, 1000 };
	whole w = whole_run;
	w.beside = 4;
	const gain g = predict_gain(&p, &r, 1, &w);

	CHECK(g.syscall_ns.low == Approx(1e6 / RUN_TO_RUN)); // This is the time of all tasks.
	CHECK(g.wall_ns.low == Approx(950000 / 4.0 / RUN_TO_RUN));
	CHECK(g.wall_ns.high == Approx(950000 * RUN_TO_RUN));
}

TEST_CASE("predict: no gain exceeds the run, or what its tasks were at work; removals add up",
	  "[predict]")
{
	FileProfile p;
	const file_call c = made_call(1000, 0, 1000);
	removal r[2] = {};
	r[0].call = r[1].call = predict_call_cost(&c);
	r[0].nr = { 500, 500 };
	r[1].nr = { 400, 400 };
	whole w = { { 500000, 500000 }, { 10e6, 10e6 }, 1, 0, 0, false, false, false, {} };
	gain g = predict_gain(&p, r, 2, &w);

	CHECK(g.syscall_ns.low == Approx(900 * 1000 / RUN_TO_RUN));
	CHECK(g.share.low == Approx(0.95));
	CHECK(g.share.high == 1);
	CHECK(g.wall_ns.high == 500000); // Nothing is promised for a longer run.
	w = { { 10e6, 10e6 }, { 200000, 300000 }, 1, 0, 0, false, false, false, {} };
	g = predict_gain(&p, r, 2, &w);
	CHECK(g.wall_ns.high == 300000 * RUN_TO_RUN);
	CHECK(g.wall_ns.low <= g.wall_ns.high);
	w.run_ns.high = 310000;
	CHECK(predict_gain(&p, r, 2, &w).wall_ns.high == 310000);
}

TEST_CASE("predict: without times or a calibration no time is predicted", "[predict]")
{
	const file_call c = made_call(1000, 0, 1000);
	removal r = {};
	r.call = predict_call_cost(&c);
	r.nr = { 500, 500 };
	FileProfile bare, untimed, strange;

	bare.calibration = {};
	CHECK_FALSE(predict_gain(&bare, &r, 1, &whole_run).known);
	untimed.unknown = UNKNOWN_LATENCY;
	CHECK_FALSE(predict_gain(&untimed, &r, 1, &whole_run).known);
	strange.unknown = UNKNOWN_GAINS;
	CHECK_FALSE(predict_gain(&strange, &r, 1, &whole_run).known);
}

TEST_CASE("predict: the whole is the run without what the probes added to it", "[predict]")
{
	FileProfile p;
	const struct busy busy = { 300000, 1100000, 600000, 1000, 0, 0, 0 };
	const double calls = 300000 - 1000 * 0.3 * 200 + 1000 * (200 + 400 * 8.0 / 9);
	// The probes take twice the calibrated 400 ns at most.
	const double least = std::max(calls, 1400000.0 - 2 * 400000);
	whole w;

	p.elapsed_ns = 1400000;
	w = predict_whole(&p, &busy, 0); // The run's busy time is not known.
	CHECK(w.run_ns.low == 1400000);
	CHECK(w.beside == 1);
	p.busy = busy;
	w = predict_whole(&p, &busy, 0);
	CHECK(w.run_ns.low == Approx(least));
	CHECK(w.run_ns.high == Approx(1400000 - 400000)); // The probes took 400 ns a call.
	CHECK(w.beside == 1);
	p.elapsed_ns = 700000; // Two tasks run at a time.
	w = predict_whole(&p, &busy, 0);
	CHECK(w.run_ns.high == Approx(700000 - 200000));
	CHECK(w.beside == Approx(2));
	CHECK(predict_whole(&p, &busy, 700000).beside == Approx(3));
	p.elapsed_ns = 100000000; // The tasks sleep for most of the time.
	w = predict_whole(&p, &busy, 0);
	CHECK(w.run_ns.low == Approx(100000000 - (1400000 - least)));
	CHECK(w.run_ns.high == Approx(100000000 - 400000 * 0.014));
	CHECK(w.idle);
	CHECK_FALSE(predict_whole(&p, &busy, 49000000).idle);
	CHECK(w.beside == 1);
}

TEST_CASE("predict: a short run takes at least what its calls take, however the ticks came",
	  "[predict]")
{
	FileProfile p;

	p.elapsed_ns = 8000000;
	p.busy = { 0, 12000000, 3600000, 10000, 0, 0, 0 }; // There were three ticks of 4 ms.
	CHECK(predict_whole(&p, &p.busy, 0).run_ns.low ==
	      Approx(4000000 * 8 / 12.0)); // Of 12 ms, the probes took up to 8.
	p.busy.system_ns = 4000000;
	p.busy.run_ns = 100000000; // Many tasks run beside each other.
	CHECK(predict_whole(&p, &p.busy, 0).run_ns.low == 8000000);
}

TEST_CASE("predict: programs are busy in user space and in calls, and at most as the ticks say",
	  "[predict]")
{
	FileProfile p;
	struct busy busy = { 300000, 2000000, 1000000, 1000, 0, 0, 0 };
	range r = predict_busy_ns(&p, &busy);

	CHECK(r.low == Approx(300000 + 2000000 - 2 * 1000 * 400));
	CHECK(r.high == Approx(300000 + 2000000 - 1000 * 400));
	busy.system_ns = 0; // No tick has come.
	r = predict_busy_ns(&p, &busy);
	CHECK(r.high == r.low);
	busy.user_ns = 0;
	CHECK(predict_busy_ns(&p, &busy).low == Approx(1000 * 950));
	busy = {};
	// Where it is not known, it is the run's time.
	CHECK(predict_busy_ns(&p, &busy).low == Approx(1e9));
}

TEST_CASE("predict: what the users of a file were busy is added up, by process and name",
	  "[predict]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/log");
	const struct busy one = { 1, 10, 100, 1000, 0, 0, 0 };
	const char sh[16] = "sh", cc[16] = "cc";

	REQUIRE(add_program(p, 7, cc, one, nullptr) == 0);
	REQUIRE(add_program(p, 7, sh, one, nullptr) == 0);
	REQUIRE(add_program(p, 5, sh, one, nullptr) == 0);
	profile_sort_programs(&p);
	CHECK(p.busy.run_calls == 3000);
	REQUIRE(file_stats_add_user(f, 7, sh, 1) == 0);
	REQUIRE(file_stats_add_user(f, 5, sh, 1) == 0);
	REQUIRE(file_stats_add_user(f, 6, sh, 1) == 0);
	const struct busy sum = profile_busy_of_users(&p, f);
	CHECK(sum.user_ns == 2);
	CHECK(sum.system_ns == 20);
	CHECK(sum.run_ns == 200);
	CHECK(sum.run_calls == 2000);
}
