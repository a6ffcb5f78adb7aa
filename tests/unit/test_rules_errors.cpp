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

TEST_CASE("rules errors: reads that find nothing, a hundred for each message, gain CPU time alone",
	  "[rules]")
{
	const char comm[16] = "radio";
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_PIPE, "pipe:[1]");
	file_call *c = add_calls(f, "read", 100000, 0, 200);
	REQUIRE(syscall_stats_add_errno(p.row(0, "read", true), EAGAIN, 99010) == 0);
	c->errors = 99010;
	c->error_ns = 99010 * 200;
	c->sizes[1] = 990;
	f->busy = { 20000000, 20000000, 20000000, 100000, 0, 0, 0 };
	REQUIRE(file_stats_add_user(f, 7, comm, 100000) == 0);
	REQUIRE(add_program(p, 7, comm, f->busy, nullptr) == 0);
	p.programs[0].sleeps = 494;
	{
		const Found found(p);
		CHECK(found.ids() == "busy-reads pipe:[1]");
		CHECK(found.first().gain.wall_ns.high == 0);
		CHECK(found.first().gain.cpu_ns.high > 0);
		CHECK_THAT(found.first().advice, ContainsSubstring("POLLIN"));
	}
	c->sizes[1] = 991; // It does not wait long.
	CHECK_THAT(Found(p).ids(), !ContainsSubstring("busy-reads"));
	c->sizes[1] = 990;
	p.programs[0].sleeps = 495; // It sleeps until there is something.
	CHECK_THAT(Found(p).ids(), !ContainsSubstring("busy-reads"));
}

TEST_CASE("rules errors: seeks between which nothing is read or written lead nowhere", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/letters");
	file_call *c;

	add_calls(f, "lseek", 2000, 0, 200);
	c = add_calls(f, "read", 200, 8192, 2000);
	c->sizes[14] = 200;
	CHECK(Found(p).ids() == "futile-seeks /letters");
	CHECK(Found(p).predicted() == 200);
	call_on(f, "read")->sizes[14]++;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules errors: whether a file is a terminal is asked once", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/log");
	file_call *c = add_calls(f, "ioctl", 1000, 0, 200);
	syscall_stats *row = profile_syscall(&p, c->abi, c->nr);

	REQUIRE(row);
	snprintf(row->name, sizeof(row->name), "ioctl");
	row->calls = row->errors = c->errors = 1000;
	REQUIRE(syscall_stats_add_errno(row, ENOTTY, 1000) == 0);
	CHECK(Found(p).ids() == "repeated-isatty /log");
	CHECK(Found(p).predicted() == 1);
	c->errors = 999;
	CHECK(Found(p).ids() == "");
	c->errors = 1000;
	f->processes = 200; // Each of them has to ask.
	CHECK(Found(p).ids() == "");
	f->processes = 20;
	CHECK(Found(p).predicted() == 20);
	f->language = LANGUAGE_SHELL; // It asks by itself.
	CHECK(Found(p).ids() == "");
	f->language = LANGUAGE_PERL;
	add_calls(f, "openat", 21, 0, 200); // It asks at each opening.
	CHECK(Found(p).ids() == "");
}
