// SPDX-License-Identifier: GPL-2.0
#include "lib/catch.hpp"

#include <cerrno>
#include <string>
#include <utility>

extern "C" {
#include "report/sections.h"
}

static std::string refused(const char *arg)
{
	unsigned sections = 12345;
	char err[400] = "";

	CHECK(sections_parse(&sections, report_sections, arg, err, sizeof(err)) == -EINVAL);
	CHECK(sections == 12345);
	return err;
}

TEST_CASE("sections: a list of names is their union", "[sections]")
{
	unsigned sections;
	char err[400];

	REQUIRE(sections_parse(&sections, report_sections, "errors,run,errors", err, sizeof(err)) ==
		0);
	CHECK(sections == (SECTION_RUN | SECTION_ERRORS));
	REQUIRE(sections_parse(&sections, report_sections, "all", err, sizeof(err)) == 0);
	CHECK(sections == SECTION_ALL);
}

TEST_CASE("sections: every bit has a name that is read back as that bit", "[sections]")
{
	const std::pair<const section_name *, unsigned> lists[] = {
		{ report_sections, SECTION_ALL },
		{ comparison_sections, COMPARISON_ALL },
	};

	for (const auto &[names, all] : lists)
		for (unsigned bit = 1; bit & all; bit <<= 1) {
			char name[128], err[400];
			unsigned sections;

			sections_names(name, sizeof(name), names, bit);
			CAPTURE(name);
			REQUIRE(sections_parse(&sections, names, name, err, sizeof(err)) == 0);
			CHECK(sections == bit);
		}
}

TEST_CASE("sections: an unknown word is named with those that there are", "[sections]")
{
	CHECK_THAT(refused("summery"), ContainsSubstring("'summery'"));
	CHECK_THAT(refused("summery"), ContainsSubstring("run, summary, groups, latency"));
	CHECK_THAT(refused("run,\x1b[2J"), ContainsSubstring("'\x1b[2J'"));
	CHECK_THAT(refused(""), ContainsSubstring("''"));
	CHECK_THAT(refused("run,"), ContainsSubstring("''"));
	CHECK_THAT(refused("runs"), ContainsSubstring("'runs'"));
}
