// SPDX-License-Identifier: GPL-2.0
// Which site's calls differ between the sides of a comparison.
#include "unit/compared_test.hpp"
#include "unit/sites_test.hpp"

extern "C" {
#include "report/json_comparison.h"
}

namespace
{
// A run whose main() calls some functions, each of which writes so often, in a line.
struct Site {
	const char *function;
	unsigned line;
	double calls;
};

struct Compared : ComparisonOf<Sampled> {
	Sampled &run(side *to, const std::vector<Site> &sites)
	{
		Sampled &p = add_run(to);

		for (const Site &s : sites)
			p.sample({ p.frame(s.function, "/src/app.c", s.line),
				   p.frame("main", "/src/main.c", 10 + s.line) },
				 s.calls);
		return p;
	}

	std::string told() const
	{
		std::string list;

		for (size_t i = 0; i < nr_sites; i++) {
			char *text = compared_site_text(&sites[i]);

			REQUIRE(text);
			list += std::string(text) + ":";
			free(text);
			for (size_t side = 0; side < nr_sides; side++)
				list += " " + std::to_string((int)sites[i].cells[side].spread.mean);
			list += "\n";
		}
		return list;
	}
};
} // namespace

TEST_CASE("compared sites: those that changed most come first, whatever their lines are now")
{
	Compared c;
	side *a = c.add("before");
	c.run(a, { { "kept", 7, 50 }, { "fewer", 20, 40 }, { "gone", 30, 10 } });
	side *b = c.add("after");
	c.run(b, { { "kept", 7, 50 }, { "fewer", 22, 5 }, { "come", 40, 45 } });
	REQUIRE(comparison_make(&c) == 0);
	CHECK(c.told() == "come() app.c:40 ← main(): 0 45\n"
			  "fewer() app.c ← main(): 40 5\n"
			  "gone() app.c:30 ← main(): 10 0\n"
			  "kept() app.c:7 ← main(): 50 50\n");
	CHECK(std::isinf(c.sites[0].cells[1].difference.ratio));
	CHECK(c.sites[1].cells[1].difference.ratio == Approx(0.125));
	CHECK(c.sites[1].cells[1].difference.kind == WITHIN_NOISE); // One sample each.
}

TEST_CASE("compared sites: the noise of several runs is told, and a site without calls has none")
{
	Compared c;
	side *a = c.add("before");
	c.run(a, { { "f", 7, 50 }, { "g", 9, 50 } });
	c.run(a, { { "f", 7, 100 } });
	side *b = c.add("after");
	c.run(b, { { "f", 7, 60 }, { "g", 9, 40 } });
	c.run(b, { { "f", 7, 60 }, { "g", 9, 40 } });
	REQUIRE(comparison_make(&c) == 0);
	REQUIRE(c.nr_sites == 2);
	for (size_t i = 0; i < 2; i++) {
		CHECK(c.sites[i].cells[0].spread.nr == 2);
		CHECK(c.sites[i].cells[0].spread.deviation > 0);
		CHECK(c.sites[i].cells[1].difference.kind == WITHIN_NOISE);
	}
}

TEST_CASE("compared sites: of single runs, what few samples may be wrong by is noise")
{
	const auto kind = [](double before, double after, uint64_t samples) {
		Compared c;
		Sampled &a =
			c.run(c.add("before"), { { "f", 7, before }, { "g", 9, 10000 - before } });
		Sampled &b =
			c.run(c.add("after"), { { "f", 7, after }, { "g", 9, 10000 - after } });

		for (Sampled *run : { &a, &b })
			for (size_t i = 0; i < run->file->nr_sites; i++) {
				site &s = run->file->sites[i];
				const double each = 10000 / (double)samples;

				s.samples = (uint64_t)(s.calls / each);
				s.calls_variance = s.calls * (each - 1);
			}
		REQUIRE(comparison_make(&c) == 0);
		for (size_t i = 0; i < c.nr_sites; i++)
			if (!strcmp(c.sites[i].stacks->frames[c.sites[i].group.frames[0]].function,
				    "f"))
				return c.sites[i].cells[1].difference.kind;
		return NR_DIFFERENCES;
	};

	CHECK(kind(5000, 5600, 50) == WITHIN_NOISE);
	CHECK(kind(5000, 9000, 100) == DIFFERENCE_UNTESTED);
	CHECK(kind(5000, 5600, 10000) == DIFFERENCE_UNTESTED); // Each call has a sample.
}

TEST_CASE("compared sites: where samples are missing, no difference is said to be beyond noise")
{
	for (uint64_t lost : { 0, 3 }) {
		Compared c;
		side *a = c.add("before");
		for (int i = 0; i < 2; i++)
			c.run(a, { { "f", 7, 50 }, { "g", 9, 50 } });
		side *b = c.add("after");
		for (unsigned i = 0; i < 2; i++)
			c.run(b, { { "f", 7, 100 } }).stacks.lost = i * lost;
		REQUIRE(comparison_make(&c) == 0);
		REQUIRE(c.nr_sites == 2);
		for (size_t i = 0; i < 2; i++)
			CHECK(c.sites[i].cells[1].difference.kind ==
			      (lost ? DIFFERENCE_UNTESTED : EXACTLY_DIFFERENT));
	}
}

TEST_CASE("compared sites: functions of the same name in other files are other sites")
{
	Compared c;
	Sampled &a = c.run(c.add("a"), { { "f", 7, 50 } });
	Sampled &b = c.run(c.add("b"), { { "f", 7, 50 } });

	free(a.stacks.frames[0].file);
	a.stacks.frames[0].file = strdup("/elsewhere/app.c");
	free(b.stacks.frames[0].file);
	b.stacks.frames[0].file = strdup("/src/other.c");
	REQUIRE(comparison_make(&c) == 0);
	CHECK(c.nr_sites == 2);

	Compared same;
	Sampled &old = same.run(same.add("old"), { { "f", 7, 50 } });
	same.run(same.add("new"), { { "f", 7, 50 } });
	free(old.stacks.frames[0].file);
	old.stacks.frames[0].file = strdup("/elsewhere/app.c");
	REQUIRE(comparison_make(&same) == 0);
	CHECK(same.nr_sites == 1);
}

TEST_CASE("compared sites: without samples of a run there are none, as its sites are not known")
{
	Compared c;
	side *a = c.add("a");
	c.run(a, { { "f", 7, 50 } });
	side *b = c.add("b");
	c.run(b, { { "f", 7, 50 } });
	c.run(b, {}).stacks.samples = 0;
	REQUIRE(comparison_make(&c) == 0);
	CHECK(c.nr_sites == 0);
}

TEST_CASE("compared sites: tables have those that matter, JSON and CSV all of them")
{
	Compared c;
	side *a = c.add("before"), *b;
	c.run(a, { { "big", 7, 99 }, { "small\033", 9, 1 } });
	b = c.add("after");
	REQUIRE(side_add_bare(b, 1000, 3 << 8) == 0);
	c.run(b, { { "big", 7, 50 }, { "other", 8, 49 }, { "small\033", 9, 1 } });
	REQUIRE(comparison_make(&c) == 0);
	const std::string markdown = render(render_markdown, c, COMPARISON_STACKS);
	CHECK_THAT(markdown, !ContainsSubstring("small"));
	CHECK_THAT(markdown, ContainsSubstring("big() app.c:7 ← main()` | B | 50 | 0.505 |"));
	const std::string csv = render(render_csv, c, COMPARISON_STACKS);
	CHECK(std::count(csv.begin(), csv.end(), '\n') == 7);
	CHECK_THAT(csv, ContainsSubstring("write,64,small\\x1b() app.c:9 ← main(),B,after,1,1,"));
	CHECK_THAT(csv, ContainsSubstring(",exit status 3 in 1 of 1 runs without iotrace\n"));
	CHECK_THAT(render(render_json, c), ContainsSubstring("\"function\": \"small\\\\x1b\""));
}
