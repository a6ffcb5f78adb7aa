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
