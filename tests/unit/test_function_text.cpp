// SPDX-License-Identifier: GPL-2.0
#include "lib/catch.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" {
#include "report/texts.h"
}

static std::string shown(const std::string &name, size_t columns = 20)
{
	char *text = function_text(name.c_str(), columns);
	std::string copy = text ? text : "";

	free(text);
	return copy;
}

TEST_CASE("function text: a short name is shown as it is, as a call", "[function_text]")
{
	CHECK(shown("main") == "main()");
	CHECK(shown("std::vector<int>::at") == "std::vector<int>::at()");
	CHECK(shown("main.(*W).Put") == "main.(*W).Put()");
	CHECK(shown("info<char (&) [3]>") == "info<char (&) [3]>()");
	CHECK(shown("lambda::operator()") == "lambda::operator()");
	CHECK(shown("<module>") == "<module>()");
	CHECK(shown("") == "()");
}

TEST_CASE("function text: arguments of types are left out of a long name first", "[function_text]")
{
	CHECK(shown("put<std::map<int, long>, int>::end") == "put<...>::end()");
	CHECK(shown("<alloc::vec::Vec<T> as Clone>::clone") == "<...>::clone()");
	CHECK(shown("f<(a->b), cccccccccccccc>") == "f<...>()");
	CHECK(shown("operator<< <char, std::traits<char>>") == "operator...its<...>>()");
	CHECK(shown("Outer.method.<locals>.<lambda>").find("<...>") == std::string::npos);
	// It never ends.
	CHECK(shown("aaaaaaaaaaaaaaaaaaaaaaa<bbbb").size() == 22);
}

TEST_CASE("function text: then scopes are, and then the middle", "[function_text]")
{
	CHECK(shown("company::product::Box<int>::save") == "...::Box<int>::save()");
	CHECK(shown("company::product::persistNow") == "...::persistNow()");
	CHECK(shown("github.com/org/repo/log.Write") == ".../repo/log.Write()");
	CHECK(shown("a_name_that_has_no_scope_at_all") == "a_name_t...pe_at_all()");
	CHECK(shown("a::name_that_is_too_long_to_be_shown") == "a::name_..._be_shown()");
}

TEST_CASE("function text: what a terminal would take for a command is escaped", "[function_text]")
{
	CHECK(shown("a\x1b[31m\n") == "a\\x1b[31m\\n()");
}

TEST_CASE("function text: no name makes it longer than asked for, or go on for ever",
	  "[function_text]")
{
	static const std::string letters = "<>:/-a(o";

	srand(1);
	for (int i = 0; i < 20000; i++) {
		std::string name;

		for (int n = rand() % 60; n > 0; n--)
			name += letters[(size_t)rand() % letters.size()];
		CAPTURE(name);
		CHECK(shown(name, 8).size() <= 10);
	}
	for (const char *part : { "<", "::", "<>", "a::b<" }) {
		std::string name;

		while (name.size() < 4000000)
			name += part;
		CHECK(shown(name).size() <= 22);
		CHECK(shown(name, SIZE_MAX).size() < 2000);
	}
}
