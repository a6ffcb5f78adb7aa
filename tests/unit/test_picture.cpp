// SPDX-License-Identifier: GPL-2.0
// Pictures: what is in them, and that gnuplot draws them, whatever texts are called.
#include "unit/format_test.hpp"

#include <cmath>
#include <memory>

extern "C" {
#include "report/gnuplot.h"
#include "report/gnuplot_script.h"
#include "report/picture.h"
}

namespace
{
struct Picture : picture {
	Picture() : picture()
	{
	}
	~Picture()
	{
		picture_free(this);
	}
	Picture(const Picture &) = delete;

	const panel &titled(const std::string &title) const
	{
		for (size_t i = 0; i < nr_panels; i++)
			if (title == panels[i].title)
				return panels[i];
		FAIL("no panel " << title);
		return panels[0];
	}
	Texts titles() const
	{
		Texts list;

		for (size_t i = 0; i < nr_panels; i++)
			list.push_back(panels[i].title);
		return list;
	}
};

struct PictureOfResult : Picture {
	struct result result;

	PictureOfResult(const profile &p, const std::vector<instant> &instants = {})
	{
		REQUIRE(result_make(&result, &p, 0) == 0);
		REQUIRE(picture_of_result(this, &result, instants.data(), instants.size()) == 0);
	}
	~PictureOfResult()
	{
		result_free(&result);
	}
};

std::string drawn(const picture &p, const char *extension)
{
	char *text = nullptr, why[300] = "";
	size_t len = 0;
	int err = gnuplot_draw(&p, extension, &text, &len, why, sizeof(why));

	INFO(why);
	REQUIRE(err == 0);
	std::string result(text, len);
	free(text);
	return result;
}

// As SVG has it.
std::string xml(std::string text)
{
	const std::pair<char, const char *> entities[] = { { '&', "&amp;" },
							   { '<', "&lt;" },
							   { '>', "&gt;" } };

	for (const auto &[c, by] : entities)
		for (size_t at = 0; (at = text.find(c, at)) != std::string::npos; at++)
			text.replace(at, 1, by);
	return text;
}
} // namespace

TEST_CASE("picture: a run's has distributions, bars, files, and what changed over time",
	  "[picture]")
{
	Case c;

	c.everything();
	c.files();
	PictureOfResult p(c.profile, { { 1, 1, 1000, 500, 9000 }, { 1.5, 0.5, 100, 600, 8000 } });
	CHECK(p.titles() == Texts{ "Latency", "Bytes per call", "Calls", "Time in calls",
				   "Files: share of the time in calls on files", "Calls over time",
				   "Latency over time" });
	const panel &calls = p.titled("Calls"), &latency = p.titled("Latency"),
		    &rate = p.titled("Calls over time");
	CHECK(calls.categories[0] == std::string("write"));
	CHECK(calls.series[0].points[0].x == 1007);
	CHECK(calls.nr_categories == 4); // what has no calls has no bar
	CHECK(latency.nr_series == 3);	 // what has no times has no curve
	double sum = 0;
	for (size_t i = 0; i < latency.series[0].nr_points; i++)
		sum += latency.series[0].points[i].y;
	CHECK(sum == Approx(100));
	CHECK(latency.series[0].marks[0].x == Approx(672));
	CHECK(rate.series[0].points[1].y == 200);

	const std::string svg = drawn(p, "svg");
	for (const std::string &title : p.titles())
		CHECK_THAT(svg, ContainsSubstring(">" + title + "<"));
	for (size_t i = 0; i < p.nr_panels; i++) {
		for (size_t k = 0; k < p.panels[i].nr_categories; k++)
			CHECK_THAT(svg, ContainsSubstring(xml(p.panels[i].categories[k])));
		for (size_t k = 0; p.panels[i].key && k < p.panels[i].nr_series; k++)
			CHECK_THAT(svg, ContainsSubstring(">" + xml(p.panels[i].series[k].name)));
	}
	for (const char *text : { "p50", "p99", "time of a call", "calls [%]", "bytes", "1007" })
		CHECK_THAT(svg, ContainsSubstring(text));
	CHECK(drawn(p, "png").substr(0, 4) == "\x89PNG");
	CHECK(drawn(p, "pdf").substr(0, 5) == "%PDF-");
}

TEST_CASE("picture: what is not known is in none, and nothing is a picture, too", "[picture]")
{
	Case unknown, nothing;

	unknown.unknown();
	PictureOfResult p(unknown.profile), none(nothing.profile);
	CHECK(p.titles() == Texts{ "Calls" });
	drawn(p, "svg");
	CHECK(none.titles().empty());
	CHECK_THAT(drawn(none, "svg"), ContainsSubstring("nothing was measured"));
}

TEST_CASE("picture: one, two, six and more sides are drawn, each with its name", "[picture]")
{
	for (size_t sides : { 1, 2, 6, 9 }) {
		comparison c = {};
		Case runs[9];
		Picture p;

		CAPTURE(sides);
		for (size_t i = 0; i < sides; i++) {
			runs[i].everything();
			runs[i].provenance.status = i == 0 ? W_EXITCODE(3, 0) : 0;
			side *s =
				comparison_add_side(&c, ("./program " + std::to_string(i)).c_str());
			REQUIRE(side_add_run(s, &runs[i].profile) == 0);
			REQUIRE(side_add_bare(s, 1000000 * (i + 1), 0) == 0);
		}
		REQUIRE(comparison_make(&c) == 0);
		REQUIRE(picture_of_comparison(&p, &c) == 0);
		comparison_free(&c);
		const std::string svg = drawn(p, "svg");
		CHECK(p.nr_legend == sides);
		for (size_t i = 0; i < sides; i++)
			CHECK_THAT(svg, ContainsSubstring("./program " + std::to_string(i)));
		CHECK_THAT(svg,
			   ContainsSubstring("./program 0 (failed: exit status 3 in 1 of 1 runs"));
		CHECK_THAT(svg, !ContainsSubstring("./program 1 (failed"));
		for (const std::string &title : p.titles())
			CHECK_THAT(svg, ContainsSubstring(">" + title + "<"));
		CHECK(p.titled("Calls of a run").nr_series == sides);
		CHECK(p.titles().size() >= 4);
	}
}

TEST_CASE("picture: no text is a command", "[picture]")
{
	Folder folder;
	const std::string ran = folder / "ran";
	const Texts commands = { "`touch " + ran + "`",
				 "'; system('touch " + ran + "'); '",
				 "\"; system(\"touch " + ran + "\")",
				 "@x @y ^z _a {/=20 b}",
				 "\nset output '" + ran + "'\n",
				 "EOD\n!touch " + ran + "\n",
				 "$(touch " + ran + ")",
				 "%d %s %n",
				 "\\" };
	Picture p;
	panel *bars = picture_add_panel(&p, "it's `a` title");
	REQUIRE(bars);
	bars->bars = true;
	bars->x = AXIS_COUNT;
	REQUIRE(panel_add_series(bars, "", 0));
	for (const std::string &text : commands) {
		REQUIRE(picture_add_legend(&p, text.c_str()) == 0);
		REQUIRE(panel_add_category(bars, text.c_str()) == 0);
		REQUIRE(series_add(bars->series, { 1, double(bars->nr_categories - 1), 0, 0 }) ==
			0);
	}
	for (const std::string &text : nasty_texts)
		REQUIRE(picture_add_legend(&p, text.c_str()) == 0);
	panel *curves = picture_add_panel(&p, "curves");
	curves->key = true;
	for (const std::string &text : commands) {
		series *s = panel_add_series(curves, text.c_str(), 0);
		REQUIRE(s);
		REQUIRE(series_add(s, { 1, 1, 0, 0 }) == 0);
		REQUIRE(series_add(s, { 2, 2, 0, 0 }) == 0);
	}
	const std::string svg = drawn(p, "svg");
	size_t nr = 0;
	for (size_t at = 0; (at = svg.find("%d %s %n", at)) != std::string::npos; at++)
		nr++;
	CHECK(nr == 3); // once in the legend, once beside a bar, once as a curve's name
	CHECK(!exists(ran));
	CHECK_THAT(svg, ContainsSubstring("it's `a` title"));
	CHECK_THAT(svg, ContainsSubstring("%d %s %n"));
	CHECK_THAT(svg, ContainsSubstring("@x @y ^z _a {/=20 b}"));
}
