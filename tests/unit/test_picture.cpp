// SPDX-License-Identifier: GPL-2.0
// Pictures: what is in them, and that gnuplot draws them, whatever texts are called.
#include "unit/intervals_test.hpp"

#include <map>
#include <sstream>

extern "C" {
#include "report/picture.h"
}

namespace
{
// What gnuplot is told of a panel.
struct Point {
	double x, y;
};
struct Series {
	std::vector<Point> points;
	std::map<int, Point> marks;
};
struct Panel {
	std::string title, kind;
	std::map<int, std::string> names;
	std::map<int, Series> series; // Series by number; with bars, one for each side.
};

// A value as gnuplot reads it: a number, or a text in which characters are written as numbers.
std::string unquoted(const std::string &value)
{
	std::string text;

	if (value[0] != '"')
		return value;
	for (size_t i = 1; i + 1 < value.size(); i++)
		if (value[i] == '\\') {
			text += char(std::stoi(value.substr(i + 1, 3), nullptr, 8));
			i += 3;
		} else {
			text += value[i];
		}
	return text;
}

struct Picture : picture {
	Picture() : picture()
	{
	}
	~Picture()
	{
		picture_free(this);
	}
	Picture(const Picture &) = delete;

	std::map<std::string, std::string> values() const
	{
		std::map<std::string, std::string> values;
		std::istringstream lines(values_text);

		for (std::string line; std::getline(lines, line);) {
			const size_t at = line.find(" = ");

			REQUIRE(at != std::string::npos);
			values[line.substr(0, at)] = unquoted(line.substr(at + 3));
		}
		return values;
	}
	std::vector<Panel> panels() const
	{
		std::vector<Panel> panels;
		std::istringstream lines(data_text);
		int before = -1;

		for (std::string line; std::getline(lines, line);) {
			int series, what;
			double x, y;

			if (line.empty())
				continue;
			REQUIRE(sscanf(line.c_str(), "%d %d %lf %lf", &series, &what, &x, &y) == 4);
			if (series < 0)
				panels.push_back(panel(panels.size()));
			else if (what == 50 || what == 99)
				panels.back().series[series].marks[what] = { x, y };
			else
				panels.back().series[series].points.push_back({ x, y });
			// gnuplot connects only points that stand together.
			if (series >= 0 && series != before && panels.back().kind != "bars")
				CHECK(panels.back().series[series].points.size() == 1);
			before = series;
		}
		CHECK(values()["panels"] == std::to_string(panels.size()));
		return panels;
	}
	const Panel titled(const std::string &title) const
	{
		for (const Panel &panel : panels())
			if (title == panel.title)
				return panel;
		FAIL("no panel " << title);
		return {};
	}
	Texts titles() const
	{
		Texts list;

		for (const Panel &panel : panels())
			list.push_back(panel.title);
		return list;
	}

private:
	Panel panel(size_t nr) const
	{
		Panel panel;
		const std::string number = std::to_string(nr), name = "name" + number + "_";

		for (const auto &[key, value] : values())
			if (key == "title" + number)
				panel.title = value;
			else if (key == "kind" + number)
				panel.kind = value;
			else if (key.compare(0, name.size(), name) == 0)
				panel.names[std::stoi(key.substr(name.size()))] = value;
		return panel;
	}
};

struct PictureOfResult : Picture {
	struct result result;

	PictureOfResult(const profile &p, const intervals *over_time = nullptr)
	{
		REQUIRE(result_make(&result, &p, 0) == 0);
		result.intervals = over_time;
		REQUIRE(picture_of_result(this, &result) == 0);
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

// Escapes a text as SVG needs it.
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
	Intervals over_time;

	for (unsigned calls : { 1000u, 100u }) {
		Case part;

		part.profile.elapsed_ns = calls * 1000000 / 2 + 500000;
		part.add(part.profile.row(1, "write", true), 10, 9000, calls);
		add_interval(over_time, part.profile, calls == 1000 ? 1000000000 : 1500000000);
	}
	PictureOfResult p(c.profile, &over_time);
	CHECK(p.titles() == Texts{ "Latency", "Bytes per call", "Calls", "Busy time in calls",
				   "Files: share of the time in calls on files", "Calls over time",
				   "Busy time over time", "Latency over time: p99" });
	const Panel calls = p.titled("Calls"), latency = p.titled("Latency"),
		    rate = p.titled("Calls over time");
	CHECK(calls.names.at(0) == "write");
	CHECK(calls.series.at(0).points[0].x == 1007);
	CHECK(calls.names.size() == 4);	   // A syscall without calls has no bar.
	CHECK(latency.series.size() == 3); // A syscall without times has no curve.
	double sum = 0;
	for (const Point &point : latency.series.at(0).points)
		sum += point.y;
	CHECK(sum == Approx(100));
	CHECK(latency.series.at(0).marks.at(50).x == Approx(672));
	CHECK(rate.names.at(0) == "write");
	CHECK(rate.series.at(0).points[0].y == Approx(1000 / 0.5005));
	CHECK(rate.series.at(0).points[1].y == Approx(100 / 0.0505));

	const std::string svg = drawn(p, "svg");
	for (const Panel &panel : p.panels()) {
		CHECK_THAT(svg, ContainsSubstring(">" + panel.title + "<"));
		for (const auto &[i, name] : panel.names)
			CHECK_THAT(svg, ContainsSubstring(">" + xml(name)));
	}
	for (const char *text : { ">write<", ">p50<", ">p99<" })
		CHECK_THAT(svg, ContainsSubstring(text));
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

TEST_CASE("picture: there is a bar for each group, by the first key, the longest first",
	  "[picture]")
{
	Case c, tree, untimed;

	c.everything();
	c.groups(BY_THREAD);
	PictureOfResult p(c.profile);
	const Panel threads = p.titled("Busy time in calls by thread");
	CHECK(threads.kind == "bars");
	CHECK(threads.names.at(0) == "=a\\n\"b\" \\xff[812]");
	CHECK(threads.names.at(1) == "cat[813]");
	CHECK(threads.series.at(0).points[1].x == 2500);
	CHECK_THAT(drawn(p, "svg"), ContainsSubstring(">cat[813]"));

	tree.everything();
	tree.groups(BY_PROCESS, BY_THREAD);
	CHECK(PictureOfResult(tree.profile).titled("Busy time in calls by process").names ==
	      std::map<int, std::string>{ { 0, "main[812]" } });

	untimed.everything();
	untimed.groups(BY_COMM);
	untimed.profile.unknown |= UNKNOWN_LATENCY;
	CHECK(PictureOfResult(untimed.profile).titled("Calls by comm").series.at(0).points[1].x ==
	      1);
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
		CHECK(p.values()["sides"] == std::to_string(sides));
		for (size_t i = 0; i < sides; i++)
			CHECK_THAT(svg, ContainsSubstring("./program " + std::to_string(i)));
		CHECK_THAT(svg,
			   ContainsSubstring("./program 0 (failed: exit status 3 in 1 of 1 runs"));
		CHECK_THAT(svg, !ContainsSubstring("./program 1 (failed"));
		for (const std::string &title : p.titles())
			CHECK_THAT(svg, ContainsSubstring(">" + title + "<"));
		CHECK(p.titled("Calls of a run").series.size() == sides);
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
	struct panel bars = {}, curves = {};
	picture_begin(&p);
	bars.title = "it's `a` title";
	bars.kind = "bars";
	bars.x = "count";
	picture_add_panel(&p, &bars);
	for (size_t i = 0; i < commands.size(); i++) {
		picture_add_side(&p, commands[i].c_str());
		picture_add_name(&p, i, commands[i].c_str());
		picture_add_bar(&p, i, 0, 1, 0);
	}
	for (const std::string &text : nasty_texts)
		picture_add_side(&p, text.c_str());
	curves.title = "curves";
	curves.kind = "lines";
	curves.x = curves.y = "ns";
	picture_add_panel(&p, &curves);
	for (size_t i = 0; i < commands.size(); i++) {
		picture_add_name(&p, i, commands[i].c_str());
		picture_add_point(&p, i, 1, 1);
		picture_add_point(&p, i, 2, 2);
	}
	REQUIRE(picture_end(&p) == 0);
	const std::string svg = drawn(p, "svg");
	size_t nr = 0;
	for (size_t at = 0; (at = svg.find("%d %s %n", at)) != std::string::npos; at++)
		nr++;
	CHECK(nr == 3); // It stands in the legend, beside a bar, and as a curve's name.
	CHECK(!exists(ran));
	CHECK_THAT(svg, ContainsSubstring("it's `a` title"));
	CHECK_THAT(svg, ContainsSubstring("%d %s %n"));
	CHECK_THAT(svg, ContainsSubstring("@x @y ^z _a {/=20 b}"));
}
