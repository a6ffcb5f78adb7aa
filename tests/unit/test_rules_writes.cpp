// SPDX-License-Identifier: GPL-2.0
// Small writes, at the rule's edges: once where it just applies, once where it just does not.
#include "unit/found.hpp"

#include <fcntl.h>

TEST_CASE("rules writes: a line at a time is flush-per-line", "[rules]")
{
	FileProfile p;

	add_lines(p, 100000);
	const Found found(p);
	CHECK(found.ids() == "flush-per-line /log");
	CHECK(found.first().calls == 100000);
	CHECK(found.first().predicted_calls == (400000 + 4095) / 4096);
	CHECK(found.first().share == Approx(0.095));
	CHECK(found.first().severity == SEVERITY_MEDIUM);
}

TEST_CASE("rules writes: ninety-nine lines are no habit", "[rules]")
{
	FileProfile few, enough;

	add_lines(few, 99);
	CHECK(Found(few).ids() == "");
	add_lines(enough, 100);
	CHECK(Found(enough).ids() == "flush-per-line /log");
}

TEST_CASE("rules writes: writes that end elsewhere than lines are tiny-writes", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 1000), "write");

	c->newlines = 7; // This is 7 of 10.
	CHECK(Found(p).ids() == "tiny-writes /log");
	c->newlines = 8;
	CHECK(Found(p).ids() == "flush-per-line /log");
}

TEST_CASE("rules writes: a newline may be a write of its own", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 1000), "write");

	c->newlines = 4; // This is 4 of 10.
	c->sizes[size_bucket(1)] = 310;
	c->sizes[size_bucket(4)] = 690;
	CHECK(Found(p).ids() == "tiny-writes /log");
	c->sizes[size_bucket(1)] = 330;
	c->sizes[size_bucket(4)] = 670;
	CHECK(Found(p).ids() == "flush-per-line /log");
	c->newlines = 3;
	CHECK(Found(p).ids() == "tiny-writes /log");
}

TEST_CASE("rules writes: a server that syncs its log writes each record before it answers",
	  "[rules]")
{
	FileProfile p;
	const char comm[16] = "a-server";
	file_stats *f = add_lines(p, 100000), *connection;

	file_stats_add_user(f, 7, comm, 100000);
	add_calls(f, "fdatasync", 2, 0, 1000);
	CHECK(Found(p).first().predicted);
	connection = p.file(4, FILE_KIND_SOCKET, "unix:/run/redis");
	add_calls(connection, "read", 10, 4, 1000);
	CHECK(Found(p).first().predicted);
	add_calls(connection, "write", 10, 4, 1000);
	file_stats_add_user(connection, 8, comm, 20);
	CHECK(Found(p).first().predicted);
	file_stats_add_user(connection, 7, comm, 20);
	const Found found(p);
	CHECK(found.first().severity == SEVERITY_INFO);
	CHECK(!found.first().predicted);
	CHECK_THAT(found.first().advice, ContainsSubstring("before its request is answered"));
	profile_file(&p, 3)->calls[1].calls = 1; // One sync at the end makes no journal.
	CHECK(Found(p).first().predicted);
}

TEST_CASE("rules writes: on a pipe or a socket, each run of writes has to leave at once", "[rules]")
{
	for (file_kind kind : { FILE_KIND_SOCKET, FILE_KIND_PIPE, FILE_KIND_REGULAR }) {
		FileProfile p;
		file_stats *f = p.file(3, kind, "unix:[*]");
		file_call *write = add_calls(f, "write", 1000, 4, 1000);

		p.row(0, "read", true);
		write->runs = 1;
		CHECK(Found(p).predicted() == 1);
		write->runs = 500;
		CHECK(Found(p).ids() == "tiny-writes unix:[*]");
		CHECK(Found(p).predicted() == (kind == FILE_KIND_REGULAR ? 1 : 500));
		write->runs = 501;
		CHECK(Found(p).ids() == (kind == FILE_KIND_REGULAR ? "tiny-writes unix:[*]" : ""));
	}
}

TEST_CASE("rules writes: small writes all over a file are no stream to be buffered", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 1000), "write");

	c->newlines = 0;
	c->sequential = 749;
	CHECK(Found(p).ids() == "");
	c->sequential = 750;
	CHECK(Found(p).ids() == "tiny-writes /log");
}

TEST_CASE("rules writes: a buffer that would save less than half of them is no finding", "[rules]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/log"), "write", 1000, 2048, 1000);

	c->last_byte_known = c->newlines = 10;
	CHECK(Found(p).ids() == "flush-per-line /log");
	CHECK(Found(p).predicted() == 500);
	c->bytes++;
	CHECK(Found(p).ids() == "");
	CHECK(Found(p, 8192).predicted() == 251); // The buffer is that of --buffer-size.
}

TEST_CASE("rules writes: the buffer is that of the program's language", "[rules]")
{
	const struct {
		enum language language;
		bool is_stdout;
		uint64_t calls;
	} cases[] = {
		{ LANGUAGE_UNKNOWN, false, 977 }, { LANGUAGE_C, true, 977 },
		{ LANGUAGE_CPP, true, 977 },	  { LANGUAGE_CPP, false, 489 },
		{ LANGUAGE_PYTHON, true, 489 },	  { LANGUAGE_JAVA, true, 489 },
		{ LANGUAGE_GO, false, 977 },	  { LANGUAGE_RUST, true, 489 },
		{ LANGUAGE_NODE, false, 62 },	  { LANGUAGE_SHELL, true, 977 }, // Buffer of awk.
	};

	for (auto &c : cases) {
		FileProfile p;
		file_stats *f = add_lines(p, 1000000);

		CAPTURE(languages[c.language].name, c.is_stdout);
		f->language = c.language;
		f->written_by = c.is_stdout ? WRITTEN_BY_STDOUT : WRITTEN_BY_OTHER;
		CHECK(Found(p).predicted() == c.calls);
		CHECK(Found(p, 65536).predicted() == 62); // The buffer is that of --buffer-size.
	}
}

TEST_CASE("rules writes: Python buffers bytes otherwise than lines", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 1000000);

	f->language = LANGUAGE_PYTHON;
	CHECK(Found(p).predicted() == 489);
	call_on(f, "write")->newlines = 0;
	CHECK(Found(p).predicted() == 977);
}

TEST_CASE("rules writes: each opening and each process writes at least once", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 1000);
	file_call *opens = add_calls(f, "openat", 20, 0, 1000);

	CHECK(Found(p).predicted() == 20);
	opens->errors = 7;
	CHECK(Found(p).predicted() == 13);
	f->processes = 400;
	CHECK(Found(p).predicted() == 400);
	f->processes = 501; // Half of the calls would stay.
	CHECK(Found(p).ids() == "");
	add_calls(f, "read", 1, 1, 1000); // Now openings may have been for reading.
	CHECK(Found(p).predicted() == 1);
}

TEST_CASE("rules writes: where buffering is not good advice, nothing is predicted", "[rules]")
{
	const struct {
		file_kind kind;
		const char *path, *advice;
	} cases[] = {
		{ FILE_KIND_TTY, "/dev/pts/1", "terminal" },
		{ FILE_KIND_EVENTFD, "eventfd", "signals" },
		{ FILE_KIND_ANON, "timerfd", "signals" },
		{ FILE_KIND_SOCKET, "udp 127.0.0.1:53", "datagrams" },
		{ FILE_KIND_SOCKET, "unix-dgram:/dev/log", "datagrams" },
		{ FILE_KIND_SOCKET, "tcp 127.0.0.1:80", "not known what was read" },
		{ FILE_KIND_DEVICE, "/dev/null", "nothing to win" },
		{ FILE_KIND_DEVICE, "/dev/net/tun", "a message of its own" },
	};

	for (auto &c : cases) {
		FileProfile p;
		file_stats *f = add_lines(p, 900000, c.kind);

		free(f->path);
		f->path = strdup(c.path);
		p.unknown |= UNKNOWN_READS;
		const Found found(p);
		CAPTURE(c.path);
		CHECK(found.first().severity == SEVERITY_INFO);
		CHECK(found.first().minor);
		CHECK_FALSE(found.first().predicted);
		CHECK_THAT(found.first().advice, ContainsSubstring(c.advice));
	}
}

TEST_CASE("rules writes: standard error has advice of its own", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 900000);

	f->written_by = WRITTEN_BY_STDERR;
	f->language = LANGUAGE_CPP;
	CHECK(Found(p).ids() == "flush-per-line /log");
	CHECK(Found(p).first().gain.known);
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("sync_with_stdio(false)"));
	f->language = LANGUAGE_PYTHON;
	CHECK_THAT(Found(p).first().advice, !ContainsSubstring("std::"));
}

TEST_CASE("rules writes: lines on a socket are messages", "[rules]")
{
	FileProfile p;

	add_lines(p, 1000, FILE_KIND_SOCKET);
	p.row(0, "read", true);
	CHECK(Found(p).ids() == "tiny-writes /log");
}

TEST_CASE("rules writes: what is sent is written", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_SOCKET, "tcp 127.0.0.1:80");

	p.row(0, "read", true);
	add_calls(f, "sendto", 500, 10, 1000);
	add_calls(f, "sendmsg", 499, 10, 1000);
	add_calls(f, "write", 1, 10, 1000);
	const Found found(p);
	CHECK(found.ids() == "tiny-writes tcp 127.0.0.1:80");
	CHECK(found.first().calls == 1000);
}

TEST_CASE("rules writes: where another rule says more, they are no finding of their own", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 1000);

	f->flags = 04010000; // This is O_SYNC.
	CHECK(Found(p).ids() == "sync-per-write /log");
}

TEST_CASE("rules writes: time that a pipe's reader takes is not promised", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 100000, FILE_KIND_PIPE), "write"); // 0.1 s of 1 s.

	c->waits = 1000;
	c->wait_ns = 80000000;
	const Found found(p);
	const finding &f = found.first();
	CHECK(f.severity == SEVERITY_INFO);
	CHECK(f.share == Approx(0.095));
	CHECK(f.wait_ns == 80000000);
	CHECK(f.predicted_calls == (400000 + 4095) / 4096);
	CHECK(f.gain.syscall_ns.low == Approx(20000000 * (1 - 98e-5) / RUN_TO_RUN).epsilon(0.01));
	CHECK(f.gain.wall_ns.low == 0);
	CHECK(f.gain.share.low == 0);
	CHECK(f.gain.syscall_ns.high == Approx(RUN_TO_RUN * 20000000 * (1 - 98e-5)));
	CHECK_THAT(f.evidence, ContainsSubstring("; 80 % of their time is waiting for its reader"));
	CHECK_THAT(f.reason, ContainsSubstring("pace"));
}

TEST_CASE("rules writes: calls that only sleep promise no time at all", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 100000, FILE_KIND_PIPE), "write");

	c->waits = c->calls;
	c->wait_ns = c->total_ns;
	const Found found(p);
	CHECK(found.first().severity == SEVERITY_INFO);
	CHECK(found.first().predicted);
	CHECK(found.first().gain.syscall_ns.high == 0);
	CHECK_THAT(found.first().evidence, ContainsSubstring("100 % of their time is waiting"));
}

TEST_CASE("rules writes: up to one percent of waiting is nobody's pace", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 100000, FILE_KIND_PIPE), "write");

	c->waits = 1;
	c->wait_ns = 1000000;
	CHECK(Found(p).first().gain.wall_ns.low > 0);
	CHECK_THAT(Found(p).first().evidence, !ContainsSubstring("waiting for"));
	c->wait_ns++;
	CHECK(Found(p).first().gain.wall_ns.low == 0);
	CHECK_THAT(Found(p).first().evidence,
		   ContainsSubstring("; 1 % of their time is waiting for its reader"));
}

TEST_CASE("rules writes: waiting for a file may go away with the writes", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 100000), "write"); // 0.1 s of 1 s.

	c->waits = 1000;
	c->wait_ns = 80000000;
	const Found found(p);
	const finding &f = found.first();
	CHECK(f.gain.wall_ns.low > 0);
	CHECK(f.gain.wall_ns.low < 20000000);
	CHECK(f.gain.wall_ns.high > 80000000);
	CHECK_THAT(f.reason, ContainsSubstring("not known"));
	CHECK_THAT(f.evidence,
		   ContainsSubstring("; 80 % of their time is waiting for the file system"));
}

TEST_CASE("rules writes: who sets the position before each write is no stream", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 1000);
	file_call *c;

	add_calls(f, "lseek", 499, 0, 100);
	c = call_on(f, "write");
	c->positioned = c->sequential = 0; // Where the writes went is not known.
	CHECK(Found(p).ids() == "flush-per-line /log");
	call_on(f, "lseek")->calls++;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules writes: who seeks to the end before each record is a stream, and the seeks may go",
	  "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 1000);

	const double without = Found(p).first().gain.syscall_ns.high;
	add_calls(f, "lseek", 749, 0, 1000);
	CHECK(Found(p).first().gain.syscall_ns.high == Approx(without));
	add_calls(f, "lseek", 251, 0, 1000);
	const Found found(p);
	CHECK(found.ids() == "flush-per-line /log");
	CHECK(found.first().gain.syscall_ns.high > 1.8 * without);
	CHECK_THAT(found.first().reason, ContainsSubstring("other calls"));
}

TEST_CASE("rules writes: writes that failed are not gathered, and do not count", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 1000, FILE_KIND_PIPE), "write");

	c->calls += 5000;
	c->errors = 5000;
	c->total_ns += 500000;
	c->error_ns = 500000;
	const Found found(p);
	CHECK(found.all().nr == 2);
	for (size_t i = 0; i < found.all().nr; i++)
		CHECK(found.all().list[i].calls ==
		      (std::string(found.all().list[i].id) == "write-errors" ? 5000 : 1000));
}

TEST_CASE("rules writes: a pipe that its only user reads itself carries signals", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_PIPE, "pipe:[1]");

	add_calls(f, "write", 1000, 1, 1000);
	add_calls(f, "read", 1000, 1, 1000);
	f->processes = 1;
	CHECK(Found(p).first().excused);
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("signals"));
	profile_file(&p, 3)->processes = 2;
	CHECK_FALSE(Found(p).first().excused);
}

TEST_CASE("rules writes: a pipe that wakes its process up does not excuse another one", "[rules]")
{
	for (const char *path : { "pipe:[1]", "pipe:[2]", "pipe:[*]" }) {
		FileProfile p;
		const char own[16] = "own";
		file_stats *f = p.file(3, FILE_KIND_PIPE, path);

		CAPTURE(path);
		REQUIRE(file_stats_add_user(f, 7, own, 1000) == 0);
		add_calls(f, "write", 1000, 1, 1000);
		f->processes = 1;
		f = p.file(4, FILE_KIND_PIPE, "pipe:[1]");
		REQUIRE(file_stats_add_user(f, 7, own, 100) == 0);
		add_calls(f, "read", 100, 10, 1000);
		f->processes = 1;
		CHECK(Found(p).first().excused == (std::string(path) != "pipe:[2]"));
		add_calls(profile_file(&p, 4), "pread64", 2000, 1, 1000);
		CHECK(Found(p).first().excused == (std::string(path) == "pipe:[1]"));
	}
}

TEST_CASE("rules writes: whoever passes on what a pipe brings is not to blame", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 1000), "write");

	c->passed_on = 499;
	CHECK_FALSE(Found(p).first().excused);
	c->passed_on = 500;
	CHECK(Found(p).first().excused);
	CHECK(Found(p).first().severity == SEVERITY_INFO);
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("passes on"));
}

TEST_CASE("rules writes: what was not traced is taken to be an excuse", "[rules]")
{
	for (const char *what : { "", "syncs of a file", "syncs of stdout", "a server's reads" }) {
		const std::string missing = what;
		FileProfile p;
		const char comm[16] = "server";
		file_stats *f = add_lines(p, 1000);

		f->written_by = missing == "syncs of stdout" ? WRITTEN_BY_STDOUT : WRITTEN_BY_OTHER;
		if (missing == "a server's reads") {
			add_calls(f, "fsync", 2, 0, 1000);
			REQUIRE(file_stats_add_user(f, 7, comm, 1000) == 0);
			f = p.file(4, FILE_KIND_SOCKET, "tcp:127.0.0.1:80");
			add_calls(f, "write", 10, 5000, 1000);
			REQUIRE(file_stats_add_user(f, 7, comm, 10) == 0);
			CHECK(Found(p).first().predicted);
			p.unknown |= UNKNOWN_READS;
		} else if (!missing.empty()) {
			p.unknown |= UNKNOWN_SYNCS;
		}
		CAPTURE(missing);
		CHECK(Found(p).first().excused ==
		      (missing == "syncs of a file" || missing == "a server's reads"));
	}
}

TEST_CASE("rules writes: direct writes up to 256 KiB are small, and wait for the device each",
	  "[rules]")
{
	for (uint64_t bytes : { 65536, 262144 }) {
		FileProfile p;
		file_stats *f = p.file(3, FILE_KIND_REGULAR, "/log");
		file_call *c = add_calls(f, "write", 1000, bytes, 500000);

		c->waits = 1000;
		c->wait_ns = 400000000;
		CHECK(Found(p).ids() == "");
		f->flags = O_DIRECT;
		CHECK(Found(p).ids() == (bytes == 65536 ? "tiny-writes /log" : ""));
		if (bytes == 65536) {
			CHECK(Found(p).predicted() == 250);
			CHECK(Found(p).first().gain.wall_ns.low > 50e6);
		}
	}
}
