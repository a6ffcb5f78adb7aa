// SPDX-License-Identifier: GPL-2.0
// Who makes the calls on each side of a comparison, by name.
#include "unit/compared_test.hpp"

extern "C" {
#include "model/profile_groups.h"
#include "report/json_comparison.h"
}

namespace
{
// So many writes of 10 bytes, each of so many microseconds, by a process of a name.
struct Writes {
	const char *name;
	pid_t pid;
	uint64_t calls, us;
};

struct Compared : ComparisonOf<Profile> {
	Profile &run(side *to, const std::vector<Writes> &groups, unsigned by = BY_COMM,
		     unsigned and_by = 0)
	{
		Profile &p = add_run(to);
		uint32_t id = GROUP_FIRST;

		p.by[0] = by;
		p.by[1] = and_by;
		p.row(1, "write", true);
		for (const Writes &w : groups) {
			group_stats *g = profile_group(&p, id++);
			REQUIRE(g);
			snprintf(g->comm, sizeof(g->comm), "%s", w.name);
			snprintf(g->process, sizeof(g->process), "of %.10s", w.name);
			g->pid = w.pid;
			group_call *c = group_stats_call(g, ABI_64, 1);
			REQUIRE(c);
			strcpy(c->name, "write");
			c->transfers = true;
			c->calls = c->timed = w.calls;
			c->bytes = 10 * w.calls;
			c->total_ns = 1000 * w.calls * w.us;
			c->min_ns = c->max_ns = 1000 * w.us;
			c->latency[file_latency_bucket(1000 * w.us)] = w.calls;
		}
		return p;
	}

	// The calls and times of each group, as "cc1 100 5; 200 7\n".
	std::string told() const
	{
		std::ostringstream out;

		for (size_t i = 0; i < nr_groups; i++) {
			out << groups[i].names[0];
			if (groups[i].names[1])
				out << "/" << groups[i].names[1];
			for (size_t side = 0; side < nr_sides; side++) {
				const auto mean = [&](compared_figure f) {
					return compared_group_cells(this, &groups[i], f)[side]
						.spread.mean;
				};
				out << (side ? "; " : " ") << mean(COMPARED_CALLS) << " "
				    << mean(COMPARED_TIME) / 1000;
			}
			out << "\n";
		}
		return out.str();
	}
};
} // namespace

TEST_CASE("compared groups: those of a name are one, whatever their ids, the longest first")
{
	Compared c;
	side *a = c.add("before"), *b;
	c.run(a, { { "as", 7, 10, 1 }, { "cc1", 8, 100, 2 }, { "cc1", 9, 50, 2 } });
	c.run(a, { { "cc1", 17, 150, 4 }, { "as", 18, 10, 1 } });
	b = c.add("after");
	c.run(b, { { "cc1", 27, 30, 1 }, { "ld", 28, 1, 7 } });
	REQUIRE(comparison_make(&c) == 0);
	CHECK(c.told() == "cc1 150 450; 30 30\nas 10 10; 0 0\nld 0 0; 1 7\n");
	const compared *calls = compared_group_cells(&c, &c.groups[0], COMPARED_CALLS);
	CHECK(calls[0].spread.nr == 2);
	CHECK(calls[1].difference.ratio == Approx(0.2));
	// Who has made no call has no percentile, and not one of 0.
	CHECK(compared_group_cells(&c, &c.groups[1], COMPARED_P99)[0].spread.nr == 2);
	CHECK(compared_group_cells(&c, &c.groups[1], COMPARED_P99)[1].spread.nr == 0);
}

TEST_CASE("compared groups: a run without room for all does not know what those without a row made")
{
	Compared c;
	side *a = c.add("before"), *b;
	c.run(a, { { "x", 7, 10, 2 }, { "(other)", 8, 5, 1 } });
	b = c.add("after");
	Profile &full = c.run(b, { { "x", 7, 3, 2 }, { "y", 8, 5, 1 } });
	full.groups[0].id = GROUP_OTHER;
	REQUIRE(comparison_make(&c) == 0);
	// Those of x, of (other) and of y, on each side. A program may be called (other).
	CHECK(c.told() == "x 10 20; 0 0\n(other) 0 0; 3 6\n(other) 5 5; 0 0\ny 0 0; 5 5\n");
	const auto known = [&](size_t group, size_t side) {
		return compared_group_cells(&c, &c.groups[group], COMPARED_CALLS)[side].spread.nr;
	};
	CHECK(known(0, 1) == 0);
	CHECK(known(1, 0) == 1);
	CHECK(known(2, 1) == 0);
	CHECK(known(3, 0) == 1);
}

TEST_CASE("compared groups: with two keys both names count")
{
	Compared c;
	side *a = c.add("before"), *b;
	c.run(a, { { "x", 7, 10, 2 }, { "y", 7, 5, 1 } }, BY_COMM, BY_PROCESS);
	b = c.add("after");
	c.run(b, { { "y", 8, 5, 1 } }, BY_COMM, BY_PROCESS);
	REQUIRE(comparison_make(&c) == 0);
	CHECK(c.told() == "x/of x 10 20; 0 0\ny/of y 5 5; 5 5\n");
}

TEST_CASE("compared groups: there are none where a run does not say so, or by another key")
{
	for (const unsigned other : { 0U, unsigned(BY_PROCESS) }) {
		Compared c;
		side *a = c.add("before"), *b;
		c.run(a, { { "x", 7, 10, 2 } });
		b = c.add("after");
		c.run(b, { { "x", 7, 10, 2 } }, other);
		REQUIRE(comparison_make(&c) == 0);
		CHECK(c.nr_groups == 0);
		CHECK(c.keys_differ);
		CHECK_THAT(render(render_json, c), ContainsSubstring("\"groups\": null"));
	}
}

TEST_CASE("compared groups: what a run did not measure is not known of its side")
{
	Compared c;
	side *a = c.add("before"), *b;
	c.run(a, { { "x", 7, 10, 2 } });
	b = c.add("after");
	c.run(b, { { "x", 7, 10, 0 } }).unknown |= UNKNOWN_LATENCY;
	REQUIRE(comparison_make(&c) == 0);
	CHECK(compared_group_cells(&c, &c.groups[0], COMPARED_TIME)[0].spread.nr == 1);
	CHECK(compared_group_cells(&c, &c.groups[0], COMPARED_TIME)[1].spread.nr == 0);
	CHECK(compared_group_cells(&c, &c.groups[0], COMPARED_CALLS)[1].spread.nr == 1);
}

TEST_CASE("compared groups: tables have the first ones, JSON and CSV all of them")
{
	Compared c;
	side *a = c.add("before"), *b = nullptr;
	std::vector<Writes> many = { { "\x1b|x", 7, 1000, 9 } };
	std::vector<std::string> names;

	for (int i = 0; i < 20; i++)
		names.push_back("other" + std::to_string(i));
	for (const std::string &name : names)
		many.push_back({ name.c_str(), 8, 100, 1 });
	c.run(a, many);
	b = c.add("after");
	c.run(b, many);
	REQUIRE(comparison_make(&c) == 0);
	const std::string markdown = render(render_markdown, c, COMPARISON_GROUPS);
	CHECK_THAT(markdown, ContainsSubstring("| comm "));
	CHECK_THAT(markdown, ContainsSubstring("`\\x1b\\|x`"));
	CHECK(std::count(markdown.begin(), markdown.end(), '\n') == 2 + 2 * 10 + 1);
	const std::string csv = render(render_csv, c, COMPARISON_GROUPS);
	CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 21 * 6 * 2);
	CHECK_THAT(csv, ContainsSubstring("\\x1b|x,calls,B,after,1,1000,"));
	CHECK_THAT(render(render_json, c), ContainsSubstring("\"comm\": \"\\\\x1b|x\""));
}
