// SPDX-License-Identifier: GPL-2.0
// Each rule is tested at its threshold: once where it just applies, once where it just does not.
#include "unit/files_test.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>

extern "C" {
#include "model/result.h"
}

namespace
{
// The findings of a profile, as "id path", the most severe first.
class Found
{
	struct result result = {};

public:
	explicit Found(const profile &p, uint64_t buffer_size = FINDINGS_BUFFER_SIZE)
	{
		REQUIRE(result_make(&result, &p, buffer_size) == 0);
	}
	Found(const Found &) = delete;
	~Found()
	{
		result_free(&result);
	}
	std::string ids() const
	{
		std::string text;

		for (size_t i = 0; i < result.findings.nr; i++)
			text += std::string(text.empty() ? "" : ", ") + result.findings.list[i].id +
				" " + result.findings.list[i].path;
		return text;
	}
	const finding &first() const
	{
		REQUIRE(result.findings.nr);
		return result.findings.list[0];
	}
};

// A file written line by line.
file_stats *add_lines(FileProfile &p, uint64_t lines, file_kind kind = FILE_KIND_REGULAR)
{
	file_stats *f = p.file(3, kind, "/log");
	file_call *c = add_calls(f, "write", lines, 4, 1000);

	c->last_byte_known = c->newlines = 10;
	c->positioned = c->sequential = lines;
	return f;
}
} // namespace

TEST_CASE("findings: a line at a time is flush-per-line", "[findings]")
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

TEST_CASE("findings: ninety-nine lines are no habit", "[findings]")
{
	FileProfile few, enough;

	add_lines(few, 99);
	CHECK(Found(few).ids() == "");
	add_lines(enough, 100);
	CHECK(Found(enough).ids() == "flush-per-line /log");
}

TEST_CASE("findings: writes that end elsewhere than lines are tiny-writes", "[findings]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 1000), "write");

	c->newlines = 7; // of 10
	CHECK(Found(p).ids() == "tiny-writes /log");
	c->newlines = 8;
	CHECK(Found(p).ids() == "flush-per-line /log");
}

TEST_CASE("findings: small writes all over a file are no stream to be buffered", "[findings]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 1000), "write");

	c->newlines = 0;
	c->sequential = 499;
	CHECK(Found(p).ids() == "");
	c->sequential = 500;
	CHECK(Found(p).ids() == "tiny-writes /log");
}

TEST_CASE("findings: large writes are no finding", "[findings]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/log"), "write", 1000, 1024, 1000);

	c->last_byte_known = c->newlines = 10; // a quarter of the buffer each
	CHECK(Found(p).ids() == "");
	c->bytes--;
	CHECK(Found(p).ids() == "flush-per-line /log");
}

TEST_CASE("findings: where buffering is not good advice, nothing is predicted", "[findings]")
{
	for (file_kind kind : { FILE_KIND_TTY, FILE_KIND_SOCKET, FILE_KIND_EVENTFD }) {
		FileProfile p;

		add_lines(p, 900000, kind);
		const Found found(p);
		CAPTURE(file_kind_name(kind));
		CHECK(found.first().severity == SEVERITY_INFO);
		CHECK_FALSE(found.first().predicted);
	}
	FileProfile p;

	add_lines(p, 900000)->is_stderr = true;
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("unitbuf"));
}

TEST_CASE("findings: opening a file for every record is reopen-per-record, and nothing else",
	  "[findings]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 100);

	add_calls(f, "openat", 50, 0, 2000);
	add_calls(f, "close", 50, 0, 500);
	CHECK(Found(p).ids() == "reopen-per-record /log");
	call_on(f, "openat")->calls = 49;
	CHECK(Found(p).ids() == "flush-per-line /log");
}

TEST_CASE("findings: time that a pipe's reader takes is not promised", "[findings]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 100000, FILE_KIND_PIPE), "write"); // 0.1 of 1 s

	c->waits = 1000;
	c->wait_ns = 80000000;
	const Found found(p);
	const finding &f = found.first();
	CHECK(f.severity == SEVERITY_LOW);
	CHECK(f.share == Approx(0.095));
	CHECK(f.wait_ns == 80000000);
	CHECK(f.predicted_calls == (400000 + 4095) / 4096);
	CHECK(f.gain.syscall_ns.low == 0);
	CHECK(f.gain.wall_ns.low == 0);
	CHECK(f.gain.share.low == 0);
	CHECK(f.gain.syscall_ns.high == Approx(1.15 * 20000000 * (1 - 98e-5)));
	CHECK_THAT(f.evidence,
		   ContainsSubstring("; waits for its reader: 80 % of this time stays"));
}

TEST_CASE("findings: calls that only sleep promise no time at all", "[findings]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 100000, FILE_KIND_PIPE), "write");

	c->waits = c->calls;
	c->wait_ns = c->total_ns;
	const Found found(p);
	CHECK(found.first().severity == SEVERITY_INFO);
	CHECK(found.first().predicted);
	CHECK(found.first().gain.syscall_ns.high == 0);
	CHECK_THAT(found.first().evidence, ContainsSubstring("100 % of this time stays"));
}

TEST_CASE("findings: up to one percent of waiting is nobody's pace", "[findings]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 100000), "write");

	c->waits = 1;
	c->wait_ns = 1000000;
	CHECK(Found(p).first().gain.wall_ns.low > 0);
	CHECK_THAT(Found(p).first().evidence, !ContainsSubstring("waits for"));
	c->wait_ns++;
	CHECK(Found(p).first().gain.wall_ns.low == 0);
	CHECK_THAT(Found(p).first().evidence,
		   ContainsSubstring("; waits for the file system or the disk: 1 % of"));
}

TEST_CASE("findings: syncing is waiting, and fewer syncs wait less", "[findings]")
{
	FileProfile p;
	file_call *c = add_calls(add_lines(p, 200), "fsync", 200, 0, 1000000);

	p.calibration = {};
	c->waits = 199;
	c->wait_ns = 198000000;
	CHECK(Found(p).ids() == "sync-per-write /log");
	CHECK(Found(p).first().severity == SEVERITY_HIGH);
	CHECK(Found(p).first().wait_ns == 198000000);
	CHECK_THAT(Found(p).first().evidence,
		   ContainsSubstring("99 % of their time was slept, as syncing is waiting"));
}

TEST_CASE("findings: openings that fail are not openings of a record", "[findings]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 100);

	add_calls(f, "openat", 60, 0, 2000)->errors = 11;
	CHECK(Found(p).ids() == "flush-per-line /log");
}

TEST_CASE("findings: a sync for every write is sync-per-write", "[findings]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 200);

	add_calls(f, "fsync", 50, 0, 100000);
	CHECK(Found(p).ids() == "sync-per-write /log");
	CHECK(Found(p).first().calls == 50);
	add_calls(f, "write", 1, 4, 1000); // now fewer than one in four
	CHECK(Found(p).ids() == "flush-per-line /log");
}

TEST_CASE("findings: a file opened with O_DSYNC syncs at every write", "[findings]")
{
	FileProfile p;

	add_lines(p, 50)->flags = O_DSYNC;
	CHECK(Found(p).ids() == "sync-per-write /log");
	CHECK_THAT(Found(p).first().evidence, ContainsSubstring("dsync"));
}

TEST_CASE("findings: many small reads are tiny-reads", "[findings]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/in"), "read", 100, 511, 1000);

	CHECK(Found(p).ids() == "tiny-reads /in");
	c->waits = 50;
	c->wait_ns = 50000;
	CHECK_THAT(Found(p).first().evidence, ContainsSubstring("waits for the file system"));
	c->bytes = 100 * 512;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("findings: reads at the end of the input are no tiny-reads, and in no mean", "[findings]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_REGULAR, "/in"), "read", 208891, 0, 1000);

	c->sizes[0] = 208891 - 100;
	c->sizes[size_bucket(4096)] = 100;
	c->bytes = 100 * 4096;
	CHECK(Found(p).ids() == "");
	c->bytes = 100 * 256;
	CHECK(Found(p).ids() == "tiny-reads /in");
	CHECK(std::string(Found(p).first().evidence) == "100 reads of 256 B on average");
	c->sizes[0]++;
	c->sizes[size_bucket(4096)]--;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("findings: reads of a socket are what the other side sends", "[findings]")
{
	FileProfile p;

	add_calls(p.file(3, FILE_KIND_SOCKET, "socket"), "read", 1000, 5, 1000);
	CHECK(Found(p).ids() == "");
}

TEST_CASE("findings: writes that fail are write-errors, by the most frequent errno", "[findings]")
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

TEST_CASE("findings: writes that are cut short are short-writes", "[findings]")
{
	FileProfile p;
	file_call *c = add_calls(p.file(3, FILE_KIND_PIPE, "pipe"), "write", 1000, 5000, 10);

	c->measured = 1000;
	c->cut_short = 50;
	CHECK(Found(p).ids() == "short-writes pipe");
	c->cut_short = 49;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("findings: looking for what is not there is failed-open-search, of the whole run",
	  "[findings]")
{
	FileProfile p;

	for (uint32_t id = 3; id < 13; id++) {
		file_stats *f =
			p.file(id, FILE_KIND_FAILED, ("/lib/\x1b" + std::to_string(id)).c_str());

		f->err = ENOENT;
		add_calls(f, "openat", 10, 0, 1000)->errors = 10;
	}
	add_calls(profile_file(&p, 7), "openat", 1, 0, 1000)->errors++;
	const Found found(p);
	CHECK(found.ids() == "failed-open-search /lib/\x1b"
			     "7");
	CHECK(found.first().calls == 101);
	CHECK_THAT(found.first().evidence, ContainsSubstring("10 paths"));
	CHECK_THAT(found.first().evidence, ContainsSubstring("/lib/\\x1b7 alone 11 times"));
	profile_file(&p, 3)->err = EACCES; // leaves 91
	CHECK(Found(p).ids() == "");
}

TEST_CASE("findings: no rule for files applies to (other) and to paths that could not be opened",
	  "[findings]")
{
	FileProfile p;

	add_lines(p, 1000, FILE_KIND_OTHER);
	CHECK(Found(p).ids() == "");
}

TEST_CASE("findings: without times, calls are predicted and time is not", "[findings]")
{
	FileProfile p;

	p.unknown = UNKNOWN_LATENCY;
	call_on(add_lines(p, 100000), "write")->total_ns = 0;
	const Found found(p);
	CHECK(found.first().predicted);
	CHECK_FALSE(found.first().gain.known);
	CHECK(found.first().basis == nullptr);
	CHECK(found.first().severity == SEVERITY_INFO);
}

TEST_CASE("findings: times that are not the calls' own predict no gain", "[findings]")
{
	FileProfile p;

	p.unknown = UNKNOWN_GAINS;
	add_lines(p, 100000);
	const Found found(p);
	CHECK(found.first().predicted);
	CHECK_FALSE(found.first().gain.known);
	CHECK(found.first().basis == nullptr);
	CHECK(found.first().share == 0);
	CHECK(found.first().severity == SEVERITY_INFO);
}

TEST_CASE("findings: the most severe comes first, and the threshold is where it is said to be",
	  "[findings]")
{
	FileProfile p;

	p.calibration = {};
	add_calls(p.file(3, FILE_KIND_REGULAR, "/a"), "read", 1000, 1, 50000);	// 5 %
	add_calls(p.file(4, FILE_KIND_REGULAR, "/b"), "read", 1000, 1, 200000); // 20 %
	add_calls(p.file(5, FILE_KIND_REGULAR, "/c"), "read", 1000, 1, 9999);	// just under 1 %
	const Found found(p);
	CHECK(found.ids() == "tiny-reads /b, tiny-reads /a, tiny-reads /c");
	CHECK((&found.first())[0].severity == SEVERITY_HIGH);
	CHECK((&found.first())[1].severity == SEVERITY_MEDIUM);
	CHECK((&found.first())[2].severity == SEVERITY_INFO);
}

TEST_CASE("findings: unknown files give no finding", "[findings]")
{
	FileProfile p;

	add_lines(p, 1000);
	p.unknown = UNKNOWN_FILES;
	CHECK(Found(p).ids() == "");
}
