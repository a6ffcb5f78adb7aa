// SPDX-License-Identifier: GPL-2.0
// Small reads, at the rule's edges.
#include "unit/found.hpp"

TEST_CASE("rules reads: many that a buffer would at least halve are tiny-reads", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/in"), "read", 100, 2048, 1000);

	CHECK(Found(p).ids() == "tiny-reads /in");
	CHECK(Found(p).predicted() == 50);
	c->waits = 50;
	c->wait_ns = 50000;
	CHECK_THAT(Found(p).first().evidence, ContainsSubstring("waiting for the file system"));
	c->bytes++;
	CHECK(Found(p).ids() == "");
	profile_file(&p, 3)->language = LANGUAGE_CPP;
	CHECK(Found(p).predicted() == 26);
	c->calls = 99;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules reads: who jumps about in a file reads nothing that a buffer could give",
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

TEST_CASE("rules reads: where a pool of threads reads, the event loop's work may go away",
	  "[rules]")
{
	FileProfile p;
	const char comm[16] = "node";
	const struct busy busy = { 400000000, 100000000, 1000000, 30000, 0, 0, 0 };
	p.file(3, FILE_KIND_REGULAR, "/in");
	file_stats *wakes = p.file(4, FILE_KIND_EVENTFD, "anon_inode:[eventfd]"),
		   *in = profile_file(&p, 3);
	file_call *woken = add_calls(wakes, "write", 10000, 8, 1000);

	add_calls(in, "read", 10000, 64, 1000);
	REQUIRE(add_program(p, 7, comm, busy, "/usr/bin/node") == 0);
	for (file_stats *f : { in, wakes })
		REQUIRE(file_stats_add_user(f, 7, comm, 10000) == 0);
	const auto gained = [&]() -> struct gain {
		const Found found(p);

		for (size_t i = 0; i < found.all().nr; i++)
			if (found.all().list[i].path == std::string("/in"))
				return found.all().list[i].gain;
		FAIL(found.ids());
		return (struct gain){};
	};
	CHECK(gained().has_own_work);
	const double low = gained().wall_ns.low;
	woken->calls = 4999;
	CHECK_FALSE(gained().has_own_work);
	CHECK(gained().wall_ns.low < low * 0.6);
	woken->calls = 20001;
	CHECK_FALSE(gained().has_own_work);
	woken->calls = 10000;
	wakes->kind = FILE_KIND_REGULAR;
	CHECK_FALSE(gained().has_own_work);
}

TEST_CASE("rules reads: reads at the end of the input stay, and are in no mean", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/in"), "read", 202, 0, 1000);

	c->sizes[0] = 102;
	c->sizes[size_bucket(1)] = 100;
	c->bytes = 100;
	CHECK(Found(p).ids() == ""); // 103 of 202 would stay.
	c->sizes[0]--;
	c->calls--;
	CHECK(Found(p).ids() == ""); // 102 of 201 would stay.
	c->sizes[0] = 98;
	c->calls = 198;
	CHECK(Found(p).predicted() == 99);
	CHECK_THAT(Found(p).first().evidence, Catch::StartsWith("100 reads of 1 B: "));
}

TEST_CASE("rules reads: reads of a socket are what the other side sends", "[rules]")
{
	FileProfile p;

	add_calls(p.file(3, FILE_KIND_SOCKET, "socket"), "read", 1000, 32, 1000);
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules reads: a read that slept has taken all that was in the pipe", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_PIPE, "pipe"), "read", 1000, 5, 1000);

	CHECK(Found(p).ids() == "tiny-reads pipe");
	c->waits = 50;
	CHECK(Found(p).predicted() == 50);
	c->waits++; // Now the writer sets the pace.
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules reads: who waits for messages, byte by byte, is in a dialogue", "[rules]")
{
	FileProfile p;

	add_calls(p.file(3, FILE_KIND_PIPE, "pipe"), "write", 200, 511, 1000)->runs = 200;
	add_calls(p.file(4, FILE_KIND_PIPE, "pipe"), "read", 102200, 1, 1000)->waits = 10;
	CHECK(Found(p).ids() == "tiny-reads pipe");
	call_on(profile_file(&p, 4), "read")->waits++;
	CHECK(Found(p).ids() == "");
	call_on(profile_file(&p, 3), "write")->bytes += 200; // These are no messages.
	CHECK(Found(p).ids() == "tiny-reads pipe");
}

TEST_CASE("rules reads: who asks for more than a pipe brings reads well", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_PIPE, "pipe"), "read", 1000, 5, 1000);

	c->measured = 1000;
	c->cut_short = 499;
	CHECK(Found(p).ids() == "tiny-reads pipe");
	c->cut_short = 500;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules reads: a page at a time is not small", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/in");

	f->language = LANGUAGE_NODE; // Its buffer has 64 KiB.
	file_call *c = add_calls(f, "read", 1000, 4096, 1000);
	CHECK(Found(p).ids() == "");
	c->bytes--;
	CHECK(Found(p).ids() == "tiny-reads /in");
}

TEST_CASE("rules reads: small copies: sendfile() and the like in small pieces are tiny-copies",
	  "[rules]")
{
	for (const char *name : { "sendfile", "splice", "copy_file_range" }) {
		FileProfile p;
		file_call *c =
			add_calls(p.file(3, FILE_KIND_REGULAR, "/out"), name, 100, 4000, 1000);

		CAPTURE(name);
		CHECK(Found(p).ids() == "tiny-copies /out");
		CHECK(Found(p).predicted() == 7);	      // Each call can copy 64 KiB.
		profile_file(&p, 3)->kind = FILE_KIND_SOCKET; // Small files may be sent.
		CHECK(Found(p).ids() == "");
		profile_file(&p, 3)->kind = FILE_KIND_REGULAR;
		c->bytes = 100 * 4096;
		CHECK(Found(p).ids() == "");
		c->bytes = 400000;
		c->calls = c->sizes[size_bucket(4000)] = 99;
		CHECK(Found(p).ids() == "");
	}
}

TEST_CASE("rules reads: reads at a position of their own that follow each other are a stream",
	  "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/in"), "pread64", 1000, 10, 1000);

	CHECK(Found(p).ids() == "");
	c->positioned = 1000;
	c->sequential = 500;
	CHECK(Found(p).ids() == "");
	c->sequential = 501;
	CHECK(Found(p).ids() == "tiny-reads /in");
}

TEST_CASE("rules reads: of devices, only sources of bytes have more to give", "[rules]")
{
	for (const char *path : { "/dev/urandom", "/dev/random", "/dev/zero", "/dev/net/tun" }) {
		FileProfile p;

		add_calls(p.file(3, FILE_KIND_DEVICE, path), "read", 1000, 10, 1000);
		CHECK((Found(p).ids() == "") == (std::string(path) == "/dev/net/tun"));
	}
}

TEST_CASE("rules reads: a few bytes of a socket at a time are small, unless they are waited for",
	  "[rules]")
{
	FileProfile p;
	file_call *c =
		add_calls(p.file(3, FILE_KIND_SOCKET, "tcp:127.0.0.1:80"), "read", 1000, 31, 1000);

	CHECK(Found(p).ids() == "tiny-reads tcp:127.0.0.1:80");
	c->waits = 51;
	CHECK(Found(p).ids() == "");
}
