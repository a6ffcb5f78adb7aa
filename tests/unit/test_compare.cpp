// SPDX-License-Identifier: GPL-2.0
// Comparisons: spreads, Welch's test, what is compared with what, budgets, tables, reading back.
#include "unit/compared_test.hpp"

#include <cmath>
#include <sys/wait.h>

extern "C" {
#include "model/budget.h"
#include "report/json_comparison.h"
}

namespace
{
using Samples = std::vector<double>;

struct difference between(const Samples &a, const Samples &b)
{
	struct spread first = spread_of(a.data(), a.size()), other = spread_of(b.data(), b.size());

	return difference_of(&first, &other);
}

struct Comparison : Sides {
	const comparison_row &row(const std::string &name) const
	{
		for (size_t i = 0; i < nr_rows; i++)
			if (name == rows[i].name)
				return rows[i];
		FAIL("no row " << name);
		return rows[0];
	}
};

// Runs of a program that writes so many times, and in its last run opens a file.
struct Runs {
	std::vector<std::unique_ptr<Case>> list;

	Runs(std::initializer_list<uint64_t> writes, uint64_t ns)
	{
		for (uint64_t nr : writes) {
			Case &c = *list.emplace_back(new Case);

			c.provenance.version = copy("0.1.0");
			c.provenance.stdout_path = copy("/dev/null");
			c.provenance.stdout_kind = copy("device");
			c.provenance.wall_ns = ns * nr + 1000 * list.size();
			c.profile.backend = "bpf";
			c.profile.elapsed_ns = 5 * ns * nr;
			c.add(c.profile.row(1, "write", true), 4, ns, nr);
			if (list.size() == writes.size())
				c.add(c.profile.row(257, "openat"), -ENOENT, 5000, 1);
		}
	}

	void give(side *s)
	{
		for (auto &c : list)
			REQUIRE(side_add_run(s, &c->profile) == 0);
	}
};

struct Everything : Comparison {
	Runs before{ { 1000, 1000, 1000 }, 700 }, after{ { 10, 12, 14 }, 800 };

	Everything()
	{
		side *a = add("./before =a|b"), *b;

		before.give(a);
		for (uint64_t ns : { 700000, 720000, 710000 })
			REQUIRE(side_add_bare(a, ns, 0) == 0);
		b = add("./after \x1b[2J \xff");
		after.give(b);
		// There are two ways to fail, one of which only a run without iotrace has.
		after.list[1]->provenance.command = copy(Texts{ "./after", "\x1b[2J", "a b" });
		after.list[0]->provenance.command = copy(Texts{ "./after", "\x1b[2J", "a b" });
		after.list[1]->provenance.status = W_EXITCODE(3, 0);
		for (auto [ns, status] :
		     { std::pair(30000, W_EXITCODE(3, 0)), { 31000, 9 }, { 29000, -1 } })
			REQUIRE(side_add_bare(b, ns, status) == 0);
		REQUIRE(comparison_make(this) == 0);
	}
};

std::string checked(const comparison &c, const char *text)
{
	budget b;
	char why[400] = "";

	CAPTURE(text);
	REQUIRE(budget_parse(&b, text, why, sizeof(why)) == 0);
	const budget_result kept = ratio_budget_check(&b, &c, why, sizeof(why));
	CHECK((kept == BUDGET_KEPT) == !why[0]);
	return why;
}
} // namespace

TEST_CASE("compare: a spread is that of the sample", "[compare]")
{
	const Samples samples = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct spread s = spread_of(samples.data(), samples.size());

	CHECK(s.nr == 8);
	CHECK(s.mean == 5);
	CHECK(s.min == 2);
	CHECK(s.max == 9);
	CHECK(s.deviation == Approx(std::sqrt(32.0 / 7)));
	// What does not vary has no deviation, not even of rounding.
	const Samples same(10, 0.1);
	s = spread_of(same.data(), same.size());
	CHECK(s.mean == 0.1);
	CHECK(s.deviation == 0);
	CHECK(spread_of(nullptr, 0).nr == 0);
}

// The three examples of https://en.wikipedia.org/wiki/Welch%27s_t-test, whose p are 0.021, 0.149
// and 0.042 there.
TEST_CASE("compare: Welch's test gives published values", "[compare]")
{
	const Samples a1 = { 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
			     21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4 };
	const Samples b1 = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
			     24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4 };
	const Samples a2 = { 17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8 };
	const Samples b2 = { 21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8,
			     20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8 };

	CHECK(between(a1, b1).p == Approx(0.021).margin(0.0005));
	CHECK(between(b1, a1).p == Approx(between(a1, b1).p));
	CHECK(between(a2, b2).p == Approx(0.149).margin(0.0005));
	CHECK(between(a1, b1).kind == WITHIN_NOISE);
	CHECK(between(a1, b1).ratio == Approx(345.0 / 15 / (312.3 / 15)).epsilon(0.01));
}

TEST_CASE("compare: a difference is of one kind", "[compare]")
{
	const struct {
		Samples a, b;
		difference_kind kind;
		double ratio;
	} cases[] = {
		{ { 5, 5 }, { 5, 5, 5 }, EXACTLY_EQUAL, 1 },
		{ { 5, 5 }, { 10, 10 }, EXACTLY_DIFFERENT, 2 },
		{ { 0, 0 }, { 0, 0 }, EXACTLY_EQUAL, NAN },
		{ { 0, 0 }, { 7, 7 }, EXACTLY_DIFFERENT, INFINITY },
		{ { 7, 7 }, { 0, 0 }, EXACTLY_DIFFERENT, 0 },
		{ { 5 }, { 5 }, DIFFERENCE_UNTESTED, 1 },
		{ { 5, 5 }, { 6 }, DIFFERENCE_UNTESTED, 1.2 },
		{ {}, { 6, 6 }, DIFFERENCE_UNTESTED, NAN },
		{ { 1, 2, 3 }, { 1, 2, 3 }, WITHIN_NOISE, 1 },
		{ { 1, 2, 3 }, { 101, 102, 103 }, BEYOND_NOISE, 51 },
		{ { 5, 5, 5, 5 }, { 7, 7.1, 7, 7.1 }, BEYOND_NOISE, 1.41 },
	};

	for (const auto &c : cases) {
		const struct difference d = between(c.a, c.b);

		CAPTURE(c.a, c.b);
		CHECK(d.kind == c.kind);
		if (std::isnan(c.ratio))
			CHECK(std::isnan(d.ratio));
		else if (std::isinf(c.ratio))
			CHECK(std::isinf(d.ratio));
		else
			CHECK(d.ratio == Approx(c.ratio));
		CHECK(std::isnan(d.p) == (d.kind != WITHIN_NOISE && d.kind != BEYOND_NOISE));
	}
}

TEST_CASE("compare: rows are those of any run, the longest first, and the total", "[compare]")
{
	Everything c;

	REQUIRE(c.nr_rows == 3);
	CHECK(std::string(c.rows[0].name) == "write");
	CHECK(std::string(c.rows[1].name) == "openat");
	CHECK(row_is_total(&c.rows[2]));
	const comparison_row &write = c.row("write"), &openat = c.row("openat"),
			     &total = c.row("total");
	CHECK(write.cells[COMPARED_CALLS][0].spread.mean == 1000);
	CHECK(write.cells[COMPARED_CALLS][1].spread.mean == 12);
	CHECK(write.cells[COMPARED_CALLS][1].spread.deviation == 2);
	CHECK(write.cells[COMPARED_CALLS][1].difference.kind == BEYOND_NOISE);
	CHECK(write.cells[COMPARED_BYTES][1].spread.max == 4 * 14);
	CHECK(write.cells[COMPARED_TIME][0].spread.mean == 700000);
	// A run without the call has no calls, no time, but no latency of them either.
	CHECK(openat.cells[COMPARED_CALLS][0].spread.mean == Approx(1.0 / 3));
	CHECK(openat.cells[COMPARED_ERRORS][0].spread.max == 1);
	CHECK(openat.cells[COMPARED_TIME][0].spread.min == 0);
	CHECK(openat.cells[COMPARED_P50][0].spread.nr == 1);
	CHECK(openat.cells[COMPARED_P50][1].difference.kind == DIFFERENCE_UNTESTED);
	CHECK(openat.cells[COMPARED_BYTES][1].spread.nr == 0);
	CHECK(total.cells[COMPARED_CALLS][0].spread.max == 1001);
	CHECK(total.cells[COMPARED_BYTES][0].spread.mean == 4000);
	CHECK(total.cells[COMPARED_P99][0].spread.nr == 3);
	CHECK(comparison_has_bare(&c));
	CHECK(c.bare[1].spread.mean == 30000);
	CHECK(c.traced[0].spread.mean == 702000);
	CHECK(c.traced[0].difference.kind == DIFFERENCE_NONE);
}

TEST_CASE("compare: where a capture has no wall time, windows are compared", "[compare]")
{
	Comparison c;
	Runs a({ 10, 10 }, 100), b({ 20, 20 }, 100);

	b.list[1]->provenance.wall_ns = 0;
	a.give(c.add("a"));
	b.give(c.add("b"));
	REQUIRE(comparison_make(&c) == 0);
	CHECK(!comparison_has_bare(&c));
	CHECK(c.traced[0].spread.mean == 5000);
	CHECK(c.traced[1].difference.ratio == 2);
}

TEST_CASE("compare: what a run did not measure is not known of its side", "[compare]")
{
	Comparison c;
	Runs a({ 10, 10 }, 100), b({ 20, 20 }, 100);

	b.list[1]->profile.unknown |= UNKNOWN_LATENCY;
	a.give(c.add("a"));
	b.give(c.add("b"));
	REQUIRE(comparison_make(&c) == 0);
	CHECK(c.row("write").cells[COMPARED_TIME][1].spread.nr == 0);
	CHECK(c.row("write").cells[COMPARED_CALLS][1].spread.nr == 2);
	CHECK_THAT(checked(c, "ratio.write.total_ns>1"), ContainsSubstring("did not measure"));
}

TEST_CASE("compare: there are 26 sides, and no more", "[compare]")
{
	Comparison c;

	for (int i = 0; i < MAX_SIDES; i++)
		c.add("x");
	CHECK(side_letter(c.nr_sides - 1) == 'Z');
	CHECK(!comparison_add_side(&c, "x"));
	CHECK(c.nr_sides == MAX_SIDES);
}

TEST_CASE("compare: budgets are about the ratios of all sides", "[compare]")
{
	Everything c;

	CHECK(checked(c, "ratio.write.calls>1") == "");
	CHECK(checked(c, "ratio.write.calls < 0.02") ==
	      "--fail-if 'ratio.write.calls < 0.02': it is 0.0120 for B (beyond noise)");
	CHECK(checked(c, "ratio.write@64.bytes<1") != "");
	CHECK(checked(c, "ratio.write@32.bytes<1") == "");
	CHECK(checked(c, "ratio.total.calls<1") != "");
	CHECK(checked(c, "ratio.wall<0.05") != "");
	CHECK(checked(c, "ratio.wall<0.04") == "");
	CHECK(checked(c, "ratio.openat.p99_ns>0") != "");
	CHECK(checked(c, "ratio.openat.errors==1") != "");
	CHECK(checked(c, "ratio.total.errors==1") != "");
	CHECK(checked(c, "ratio.close.calls>0") == "");

	Comparison grown;
	Runs none({}, 1), one({ 3 }, 100);
	Case empty;
	REQUIRE(side_add_run(grown.add("a"), &empty.profile) == 0);
	one.give(grown.add("b"));
	REQUIRE(comparison_make(&grown) == 0);
	CHECK_THAT(checked(grown, "ratio.write.calls>1"),
		   ContainsSubstring("it is infinite for B"));
	CHECK_THAT(checked(grown, "ratio.write.p99_ns>1"),
		   ContainsSubstring("A has made no such call"));
	CHECK_THAT(checked(grown, "ratio.write.total_ns>1"),
		   ContainsSubstring("it is infinite for B"));
	CHECK_THAT(render(render_csv, grown), ContainsSubstring("write,64,calls,B,b,1,3,,,,inf,"));
	CHECK_THAT(render(render_json, grown), ContainsSubstring("\"ratio\": null"));
}

TEST_CASE("compare: nonsense for a budget is refused with its words", "[compare]")
{
	const struct {
		const char *text, *why;
	} cases[] = {
		{ "ratio.write", "one of > >=" },
		{ "ratio.write>1", "ratio.SYSCALL.FIGURE" },
		{ "ratio.>1", "ratio.SYSCALL.FIGURE" },
		{ "ratio.wrote.calls>1", "no syscall 'wrote'" },
		{ "ratio.write.cals>1", "no ratio of 'cals': did you mean 'ratio.write.calls'?" },
		{ "ratio.write.p99>1", "did you mean 'ratio.write.p99_ns'?" },
		{ "ratio.write.latency>1", "no ratio of 'latency', but of calls, bytes" },
		{ "ratio.wall.calls>1", "ratio.wall" },
		{ "ratio.wall>x", "number such as 1.1" },
		{ "ratio.wall>1x", "number such as 1.1" },
		{ "ratio.wall>-1", "number such as 1.1" },
		{ "ratio.wall>nan", "number such as 1.1" },
		{ "ratio.wall>inf", "number such as 1.1" },
	};

	for (const auto &c : cases) {
		budget b;
		char why[400] = "";

		CAPTURE(c.text);
		CHECK(is_ratio_budget(c.text));
		CHECK(budget_parse(&b, c.text, why, sizeof(why)) == -EINVAL);
		CHECK_THAT(why, ContainsSubstring(c.why));
		CHECK_THAT(why, ContainsSubstring(c.text));
	}
	CHECK(!is_ratio_budget("write.calls>1"));
}

// ---- reports ----

TEST_CASE("compare: every format that has comparisons shows the same one", "[compare]")
{
	Everything c;

	for (size_t i = 0; renderers[i]; i++) {
		const renderer &r = *renderers[i];
		const char *extension = r.extensions[0] ? r.extensions[0] : "txt";

		CAPTURE(r.name);
		CHECK(render_compares(&r) ==
		      (&r != &render_strace && &r != &render_folded && &r != &render_jsonl));
		if (render_compares(&r))
			require_golden(std::string("comparison.") + extension, render(r, c));
	}
}

TEST_CASE("compare: a single section is a table without a title", "[compare]")
{
	Comparison c;
	Runs a({ 10 }, 100);

	a.give(c.add("./before"));
	REQUIRE(comparison_make(&c) == 0);
	CHECK_THAT(render(render_markdown, c), ContainsSubstring("### Summary"));
	CHECK_THAT(render(render_markdown, c, COMPARISON_SUMMARY), !ContainsSubstring("#"));
	CHECK(render(render_csv, c) == render(render_csv, c, COMPARISON_FIGURES));
	CHECK_THAT(render(render_csv, c, COMPARISON_SIDES), ContainsSubstring("./before"));
}

TEST_CASE("compare: a side that fails is told in every section of every format", "[compare]")
{
	Everything c;

	for (size_t i = 0; renderers[i]; i++)
		for (unsigned section = 1; section < COMPARISON_ALL; section <<= 1) {
			const renderer &r = *renderers[i];

			// Without samples or --by there are no such lines, and no table then.
			const unsigned empty = COMPARISON_STACKS | COMPARISON_GROUPS;
			if (!render_compares(&r) || (section & empty && r.one_section))
				continue;
			CAPTURE(r.name, section);
			const std::string told = render(r, c, section);
			const bool json = std::string(r.name) == "json";
			CHECK_THAT(told,
				   ContainsSubstring(json ? "\"status\": 3" : "exit status 3"));
			CHECK_THAT(told, ContainsSubstring(json ? "\"signal\": 9" : "signal 9"));
			CHECK_THAT(told, json ? ContainsSubstring("\"runs\": 1, \"bare_runs\": 1")
					      : ContainsSubstring("1 of 3"));
		}
}

TEST_CASE("compare: nothing is said of failures where there are none, or where they are not known",
	  "[compare]")
{
	Comparison c;
	Runs a({ 10, 10 }, 100), b({ 20, 20 }, 100);

	a.give(c.add("a"));
	b.give(c.add("b"));
	a.list[0]->provenance.status = 0;
	REQUIRE(side_add_bare(&c.sides[0], 10, 0) == 0);
	REQUIRE(side_add_bare(&c.sides[1], 10, -1) == 0);
	REQUIRE(comparison_make(&c) == 0);
	for (const side *s : { &c.sides[0], &c.sides[1] })
		CHECK(s->nr_failures == 0);
	CHECK_THAT(render(render_table, c), !ContainsSubstring("fail"));
}

TEST_CASE("compare: a command is told where the name of its side is another", "[compare]")
{
	Comparison c;
	Runs a({ 10 }, 100), b({ 20 }, 100);

	for (Runs *runs : { &a, &b })
		runs->list[0]->provenance.command = copy(Texts{ "./app", "-n", "5" });
	a.give(c.add("./app -n 5"));
	b.give(c.add("./app -n 5"));
	REQUIRE(comparison_make(&c) == 0);
	CHECK_THAT(render(render_table, c, COMPARISON_SIDES), !ContainsSubstring("command"));
	REQUIRE(side_rename(&c.sides[1], "b.json") == 0);
	CHECK_THAT(render(render_table, c, COMPARISON_SIDES),
		   ContainsSubstring("B b.json ") && ContainsSubstring("0 ./app -n 5"));
	CHECK_THAT(render(render_csv, c, COMPARISON_SIDES),
		   ContainsSubstring("A,./app -n 5,1,0,./app -n 5,"));
}

TEST_CASE("compare: a comparison from before runs without iotrace had an end is still read",
	  "[compare]")
{
	compared_captures read = {};
	char err[512] = "";

	REQUIRE(compared_captures_read(&read, "tests/fixtures/comparisons/two.json", err,
				       sizeof(err)) == 0);
	REQUIRE(read.comparison.sides[0].nr_bare == 3);
	CHECK(read.comparison.sides[0].bare[2].status == -1);
	compared_captures_free(&read);
}

TEST_CASE("compare: circumstances are told where they differ", "[compare]")
{
	Everything c;
	const std::string title = "standard output";

	CHECK_THAT(render(render_table, c, COMPARISON_SIDES), !ContainsSubstring("backend"));
	for (auto &run : c.after.list) {
		run->profile.backend = "strace";
		run->provenance.options = copy(Texts{ "-e", "write" });
	}
	const std::string told = render(render_table, c, COMPARISON_SIDES);
	CHECK_THAT(told, ContainsSubstring("backend"));
	CHECK_THAT(told, ContainsSubstring("-e write"));
	CHECK_THAT(told, !ContainsSubstring("kernel"));
}

TEST_CASE("compare: JSON is read back as the same comparison", "[compare]")
{
	Everything c;
	Folder folder;
	compared_captures again = {};
	char err[512] = "";
	const std::string json = render(render_json, c);
	const std::string path = folder.write("all.json", json);

	REQUIRE(compared_captures_read(&again, path.c_str(), err, sizeof(err)) == 0);
	REQUIRE(comparison_make(&again.comparison) == 0);
	CHECK(render(render_json, again.comparison) == json);
	CHECK(render(render_csv, again.comparison) == render(render_csv, c));
	compared_captures_free(&again);

	folder.write("schema.json", capture_schema);
	folder.write("check.py", "import json, jsonschema\n"
				 "jsonschema.validate(json.load(open('all.json')), "
				 "json.load(open('schema.json')),\n"
				 "                    cls=jsonschema.Draft202012Validator)\n");
	folder.run("/usr/bin/python3 check.py");
}

TEST_CASE("compare: captures and comparisons that are wrong are refused, with the place",
	  "[compare]")
{
	Everything c;
	Folder folder;
	const std::string good = render(render_json, c);
	const struct {
		std::string text;
		const char *what;
	} wrong[] = {
		{ "", "line 1" },
		{ "{}", "no capture" },
		{ good.substr(0, good.size() / 2), "ends too early" },
		{ replaced(good, "\"comparison\": 1", "\"comparison\": 2"),
		  "version 2 of the format, written by iotrace 0.1.0" },
		{ replaced(good, "\"comparison\": 1", "\"comparison\": \"1\""), "whole number" },
		{ replaced(good, "\"name\":", "\"nome\":"), "sides[0].name" },
		{ replaced(good, "700000, 720000", "700000, -1"), "sides[0].bare_ns[1]" },
		{ replaced(good, "\"bare_exits\": [", "\"bare_exits\": [null, "),
		  "sides[0].bare_exits: must be as many as bare_ns" },
		{ replaced(good, "\"signal\": 9}, null]", "\"signal\": 900}, null]"),
		  "sides[1].bare_exits[1].signal" },
		{ replaced(good, "\"calls\": 1000", "\"calls\": 1"), "sides[0].runs[0]" },
		{ "{\"comparison\": 1, \"sides\": [{\"name\": \"x\", \"bare_ns\": [], \"runs\": "
		  "[]}]}",
		  "there is no run" },
		{ "{\"comparison\": 1, \"sides\": 3}", "must be a list" },
		{ "{\"comparison\": 1, \"sides\": []}", "there is none" },
		{ "{\"comparison\": 1}", "sides: is missing" },
		{ "{\"comparison\": 1, \"sides\": [{\"name\": null, \"bare_ns\": [], \"runs\": "
		  "[]}]}",
		  "has no name" },
	};

	for (const auto &w : wrong) {
		compared_captures read = {};
		char err[512] = "";
		const std::string path = folder.write("wrong.json", w.text);

		CAPTURE(w.text.substr(0, 200));
		CHECK(compared_captures_read(&read, path.c_str(), err, sizeof(err)) < 0);
		CHECK_THAT(err, ContainsSubstring(w.what));
		compared_captures_free(&read);
	}
}
