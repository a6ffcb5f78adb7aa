// SPDX-License-Identifier: GPL-2.0
// Writes that fail or are cut short, at the rules' edges.
#include "unit/found.hpp"

#include <cerrno>

TEST_CASE("rules errors: writes that fail are write-errors, by the most frequent errno", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_PIPE, "pipe"), "write", 1000, 5000, 10);
	syscall_stats *row = p.row(1, "write", true);

	row->calls = 1000;
	row->errors = c->errors = 10;
	REQUIRE(syscall_stats_add_errno(row, EPIPE, 10) == 0);
	CHECK(Found(p).ids() == "write-errors pipe");
	CHECK(Found(p).first().severity == SEVERITY_INFO);
	CHECK_THAT(Found(p).first().evidence, ContainsSubstring("EPIPE"));
	c->errors = 9;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules errors: writes that are cut short are short-writes", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_PIPE, "pipe"), "write", 1000, 5000, 10);

	c->measured = 1000;
	c->cut_short = 50;
	CHECK(Found(p).ids() == "short-writes pipe");
	c->cut_short = 49;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules errors: a small buffer has both ends wait for each other", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_SOCKET, "unix:[*]");
	file_call *c = add_calls(f, "write", 10000, 4096, 2000);

	c->measured = c->cut_short = 10000;
	add_calls(f, "read", 10000, 4096, 2000)->waits = 4999; // The reader is slow.
	CHECK_FALSE(Found(p).first().predicted);
	call_on(f, "read")->waits++;
	const Found found(p);
	CHECK(found.ids() == "short-writes unix:[*]");
	CHECK(found.predicted() == 2 * 625);
	CHECK_THAT(found.first().advice, ContainsSubstring("SO_SNDBUF"));
	call_on(f, "write")->bytes *= 4; // They are large.
	CHECK_FALSE(Found(p).first().predicted);
}

TEST_CASE("rules errors: more than a thousand closes of what is not open are futile", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(2, FILE_KIND_INVALID, "(not open)"), "close", 1023, 0, 100);

	c->errors = 1023;
	CHECK(Found(p).ids() == "");
	c->calls = c->errors = 4096;
	CHECK(Found(p).ids() == "futile-closes (not open)");
	CHECK(Found(p).predicted() == 4);
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("close_range()"));
}
