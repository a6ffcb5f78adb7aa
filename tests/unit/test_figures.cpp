// SPDX-License-Identifier: GPL-2.0
#include "unit/render_test.hpp"

#include <jansson.h>
#include <set>

extern "C" {
#include "model/figures.h"
#include "model/rates.h"
#include "report/json_capture.h"
}

TEST_CASE("figures: each has a key and a heading of its own", "[figures]")
{
	std::set<std::string> keys, headings;

	for (const figure &f : figures) {
		REQUIRE(f.key);
		CAPTURE(f.key);
		CHECK(keys.insert(f.key).second);
		CHECK(headings.insert(f.heading).second);
		if (f.combine == COMBINE_NOT)
			CHECK((f.share > 0) == (f.get == nullptr));
		CHECK((f.unit == UNIT_NS) == (std::string(f.key).find("_ns") != std::string::npos));
	}
}

TEST_CASE("figures: those that files alone have come last", "[figures]")
{
	for (int id = 0; id < NR_FIGURES; id++)
		CHECK((figures[id].scope == SCOPE_FILE) == (id >= NR_SYSCALL_FIGURES));
}

TEST_CASE("figures: what a figure is a part of stands before it, or is the maximum", "[figures]")
{
	for (int id = 0; id < NR_FIGURES; id++)
		if (figures[id].part_of < NR_FIGURES && figures[id].combine != COMBINE_MIN)
			CHECK(figures[id].part_of < id);
}

using Keys = std::set<std::string>;

static Keys keys_of(json_t *object)
{
	Keys keys;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) keys.insert(key);
	return keys;
}

static Keys words_of(json_t *list)
{
	Keys words;
	size_t i;
	json_t *word;

	json_array_foreach(list, i, word) words.insert(json_string_value(word));
	return words;
}

// Adds the keys that the rows of the figures have in this scope; required: those that every capture
// has.
static void add_figures(Keys &keys, figure_scope scope, bool required)
{
	for (const figure &f : figures)
		if (f.scope & scope && !(required && f.absent == ABSENT_SUCCEEDED))
			keys.insert(f.key);
}

static void add_histograms(Keys &keys, figure_scope scope)
{
	for (const figure_histogram &h : figure_histograms)
		if (h.scope & scope)
			keys.insert(h.key);
}

// Adding a figure and forgetting the schema, or the other way round, fails here.
TEST_CASE("figures: the schema lists them, and no others", "[figures]")
{
	json_t *schema = json_loads(capture_schema, 0, nullptr), *defs, *syscall, *file;
	Keys syscalls = { "name", "abi", "nr", "transfers", "errnos" },
	     of_summary = { "transfers" };
	Keys files = { "file",	       "path",	   "cut",     "kind",	    "fstype",
		       "flags",	       "stderr",   "stdout",  "errno",	    "code",
		       "opens",	       "users",	   "syscall", "more_users", "busy",
		       "processes",    "language", "abi",     "logger",	    "by_threads",
		       "both_outputs", "inodes",   "nr",      "transfers",  "newline_share",
		       "size",	       "sites",	   "groups" };

	REQUIRE(schema);
	defs = json_object_get(schema, "$defs");
	syscall = json_object_get(defs, "syscall");
	file = json_object_get(defs, "file");

	add_figures(syscalls, SCOPE_SYSCALL, false);
	add_histograms(syscalls, SCOPE_SYSCALL);
	for (const rate &r : rates)
		syscalls.insert(r.key);
	CHECK(keys_of(json_object_get(syscall, "properties")) == syscalls);
	add_figures(of_summary, SCOPE_SYSCALL, true);
	of_summary.erase("calls");
	for (const char *later :
	     { "idle_ns", "busy_ns", "estimated", "estimated_waits", "error_of_total_ns" })
		of_summary.erase(later);
	CHECK(words_of(json_object_get(json_object_get(syscall, "dependentRequired"), "calls")) ==
	      of_summary);

	Keys required = files;
	add_figures(files, SCOPE_FILE, false);
	add_histograms(files, SCOPE_FILE);
	CHECK(keys_of(json_object_get(file, "properties")) == files);
	for (const char *later : { "stdout", "processes", "inodes", "busy", "language", "logger",
				   "by_threads", "both_outputs", "size", "sites", "groups" })
		required.erase(later);
	add_figures(required, SCOPE_FILE, true);
	add_histograms(required, SCOPE_FILE);
	for (const char *later :
	     { "passed_on", "anew", "error_ns", "idle_ns", "estimated", "estimated_waits",
	       "error_of_total_ns", "nagle_delays", "nagle_ns" })
		required.erase(later);
	CHECK(words_of(json_object_get(file, "required")) == required);
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
	close->calls = 1; // A seccomp filter has answered, so there is no latency.
	CHECK(figure_known(FIGURE_bytes, write, 0));
	CHECK_FALSE(figure_known(FIGURE_bytes, write, UNKNOWN_BYTES));
	CHECK_FALSE(figure_known(FIGURE_bytes, close, 0));
	CHECK(figure_known(FIGURE_p99_ns, write, 0));
	CHECK_FALSE(figure_known(FIGURE_p99_ns, write, UNKNOWN_LATENCY));
	CHECK_FALSE(figure_known(FIGURE_p99_ns, close, 0));
	CHECK(figure_known(FIGURE_calls, close, UNKNOWN_LATENCY | UNKNOWN_BYTES));
	CHECK(figure_value(FIGURE_p50_ns, write) == 500);
	CHECK(figure_value(FIGURE_bytes, write) == 10);
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
	CHECK(figure_value(FIGURE_waits, read) == 1);
	CHECK(figure_value(FIGURE_wait_ns, read) == 4000);
	CHECK(figure_value(FIGURE_run_ns, read) == 300);
	CHECK(figure_value(FIGURE_preempted, read) == 2);
	CHECK(figure_value(FIGURE_cpu_ns, read) == 1000);
	CHECK(figure_value(FIGURE_cpu_mean_ns, read) == 333);
	CHECK_FALSE(figure_known(FIGURE_run_ns, read, UNKNOWN_WAITS));
	CHECK_FALSE(figure_known(FIGURE_cpu_ns, read, UNKNOWN_CPU));
	CHECK(figure_known(FIGURE_total_ns, read, UNKNOWN_WAITS | UNKNOWN_CPU));
}
