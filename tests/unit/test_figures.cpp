// SPDX-License-Identifier: GPL-2.0
#include "unit/render_test.hpp"

#include <jansson.h>
#include <set>

extern "C" {
#include "model/figures.h"
#include "report/schema.h"
}

TEST_CASE("figures: each has a key and a heading of its own", "[figures]")
{
	std::set<std::string> keys, headings;

	for (const figure &f : figures) {
		REQUIRE(f.key);
		CHECK(keys.insert(f.key).second);
		CHECK(headings.insert(f.heading).second);
		CHECK((f.share > 0) == (f.get == nullptr));
		CHECK((f.unit == UNIT_NS) == (std::string(f.key).find("_ns") != std::string::npos));
	}
}

TEST_CASE("figures: the schema has them all, and requires them with the calls", "[figures]")
{
	json_t *schema = json_loads(capture_schema, 0, nullptr), *syscall, *required;
	std::set<std::string> listed = { "calls", "transfers" }, wanted = { "transfers" };
	size_t i;
	json_t *word;

	REQUIRE(schema);
	syscall = json_object_get(json_object_get(schema, "$defs"), "syscall");
	required = json_object_get(json_object_get(syscall, "dependentRequired"), "calls");
	json_array_foreach(required, i, word) listed.insert(json_string_value(word));
	for (const figure &f : figures) {
		CHECK(json_object_get(json_object_get(syscall, "properties"), f.key));
		wanted.insert(f.key);
	}
	CHECK(listed == wanted);
	json_decref(schema);
}

TEST_CASE("figures: a figure is unknown without what it needs", "[figures]")
{
	Profile p;
	syscall_stats *close = p.row(3, "close"), *write = p.row(1, "write", true);

	REQUIRE(syscall_stats_add_call(write, 10, true, 500) == 0);
	close = p.row(3, "close");
	write = p.row(1, "write");
	write->transfers = true;
	close->calls = 1; // a seccomp filter answered: there is no latency
	CHECK(figure_known(FIGURE_BYTES, write, 0));
	CHECK_FALSE(figure_known(FIGURE_BYTES, write, UNKNOWN_BYTES));
	CHECK_FALSE(figure_known(FIGURE_BYTES, close, 0));
	CHECK(figure_known(FIGURE_P99, write, 0));
	CHECK_FALSE(figure_known(FIGURE_P99, write, UNKNOWN_LATENCY));
	CHECK_FALSE(figure_known(FIGURE_P99, close, 0));
	CHECK(figure_known(FIGURE_CALLS, close, UNKNOWN_LATENCY | UNKNOWN_BYTES));
	CHECK(figure_value(FIGURE_P50, write) == 500);
	CHECK(figure_value(FIGURE_BYTES, write) == 10);
}

TEST_CASE("figures: running and waiting calls are shown apart from 1 % of each up", "[figures]")
{
	Profile p;
	syscall_stats *write = p.row(1, "write", true);

	write->calls = write->timed = 1000;
	for (auto [waits, split] : { std::pair<uint64_t, bool>{ 0, false },
				     { 10, false },
				     { 11, true },
				     { 989, true },
				     { 990, false },
				     { 1000, false } }) {
		write->waits = waits;
		CAPTURE(waits);
		CHECK(figures_split(write, 0) == split);
		CHECK_FALSE(figures_split(write, UNKNOWN_WAITS));
		CHECK_FALSE(figures_split(write, UNKNOWN_LATENCY));
	}
}

TEST_CASE("figures: what was not slept was run", "[figures]")
{
	Profile p;
	syscall_stats *read = p.row(0, "read", true);

	for (uint64_t ns : { 100, 200, 4000 })
		REQUIRE(syscall_stats_add_call(read, 1, true, ns) == 0);
	p.slept(read, 1, 4000, 2);
	read->cpu_ns = 1000;
	CHECK(figure_value(FIGURE_WAITS, read) == 1);
	CHECK(figure_value(FIGURE_WAIT_TIME, read) == 4000);
	CHECK(figure_value(FIGURE_RUN_TIME, read) == 300);
	CHECK(figure_value(FIGURE_PREEMPTED, read) == 2);
	CHECK(figure_value(FIGURE_CPU_TIME, read) == 1000);
	CHECK(figure_value(FIGURE_CPU_MEAN, read) == 333);
	CHECK_FALSE(figure_known(FIGURE_RUN_TIME, read, UNKNOWN_WAITS));
	CHECK_FALSE(figure_known(FIGURE_CPU_TIME, read, UNKNOWN_CPU));
	CHECK(figure_known(FIGURE_TOTAL, read, UNKNOWN_WAITS | UNKNOWN_CPU));
}
