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

TEST_CASE("commands: what was meant is found in spite of two slips", "[commands]")
{
	CHECK(suggested("reprot") == "report");
	CHECK(suggested("repor") == "report");
	CHECK(suggested("reports") == "report");
	CHECK(suggested("doktor") == "doctor");
	CHECK(suggested("dcotro") == "doctor");
	CHECK(suggested("shcema") == "schema");
}

TEST_CASE("commands: what people type elsewhere is told as it is called here", "[commands]")
{
	CHECK(suggested("help") == "--help");
	CHECK(suggested("version") == "--version");
	CHECK(suggested("usage") == "--usage");
}

TEST_CASE("commands: other words are left alone", "[commands]")
{
	for (const char *word :
	     { "", "ls", "nginx", "./report", "rrrrrt", "a-very-long-word-that-is-none" })
		CHECK(suggested(word) == "");
}
