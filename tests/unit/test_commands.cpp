// SPDX-License-Identifier: GPL-2.0
extern "C" {
#include "cli/commands.h"
}
#include "lib/catch.hpp"

#include <string>

static std::string suggested(const char *word)
{
	const char *meant = command_suggest(word);

	return meant ? meant : "";
}

TEST_CASE("commands: a word with two typing errors is recognised", "[commands]")
{
	CHECK(suggested("reprot") == "report");
	CHECK(suggested("compair") == "compare");
	CHECK(suggested("repor") == "report");
	CHECK(suggested("reports") == "report");
	CHECK(suggested("doktor") == "doctor");
	CHECK(suggested("dcotro") == "doctor");
	CHECK(suggested("shcema") == "schema");
}

TEST_CASE("commands: words of other programs get the name that they have here", "[commands]")
{
	CHECK(suggested("help") == "--help");
	CHECK(suggested("version") == "--version");
	CHECK(suggested("usage") == "--usage");
}

TEST_CASE("commands: other words get no suggestion", "[commands]")
{
	for (const char *word :
	     { "", "ls", "nginx", "./report", "rrrrrt", "a-very-long-word-that-is-none" })
		CHECK(suggested(word) == "");
}
