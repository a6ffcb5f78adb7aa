// SPDX-License-Identifier: GPL-2.0
// Small reads, at the rule's edges.
#include "unit/found.hpp"

TEST_CASE("small reads: many that a buffer would at least halve are tiny-reads", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/in"), "read", 100, 2048, 1000);

	CHECK(Found(p).ids() == "tiny-reads /in");
	CHECK(Found(p).predicted() == 50);
	c->waits = 50;
	c->wait_ns = 50000;
	CHECK_THAT(Found(p).first().evidence, ContainsSubstring("waits for the file system"));
	c->bytes++;
	CHECK(Found(p).ids() == "");
	profile_file(&p, 3)->language = LANGUAGE_CPP;
	CHECK(Found(p).predicted() == 26);
	c->calls = 99;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("small reads: who jumps about in a file reads nothing that a buffer could give",
	  "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/in");

	add_calls(f, "read", 1000, 20, 1000);
	file_call *seeks = add_calls(f, "lseek", 499, 0, 100);
	CHECK(Found(p).ids() == "tiny-reads /in");
	seeks->calls++;
	CHECK(Found(p).ids() == "");
	seeks->calls = 0;
	add_calls(f, "pread64", 1000, 20, 1000);
	CHECK(Found(p).ids() == "");
}

TEST_CASE("small reads: reads at the end of the input stay, and are in no mean", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/in"), "read", 202, 0, 1000);

	c->sizes[0] = 102;
	c->sizes[size_bucket(1)] = 100;
	c->bytes = 100;
	CHECK(Found(p).ids() == ""); // 103 of 202 would stay
	c->sizes[0]--;
	c->calls--;
	CHECK(Found(p).ids() == ""); // 102 of 201
	c->sizes[0] = 98;
	c->calls = 198;
	CHECK(Found(p).predicted() == 99);
	CHECK(std::string(Found(p).first().evidence) == "100 reads of 1 B on average");
}

TEST_CASE("small reads: reads of a socket are what the other side sends", "[rules]")
{
	FileProfile p;

	add_calls(p.file(3, FILE_KIND_SOCKET, "socket"), "read", 1000, 5, 1000);
	CHECK(Found(p).ids() == "");
}

TEST_CASE("small reads: a read that slept has taken all that was in the pipe", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_PIPE, "pipe"), "read", 1000, 5, 1000);

	CHECK(Found(p).ids() == "tiny-reads pipe");
	c->waits = 500;
	CHECK(Found(p).predicted() == 500);
	c->waits++;
	CHECK(Found(p).ids() == "");
}
