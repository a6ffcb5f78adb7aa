// SPDX-License-Identifier: GPL-2.0
// When the files and findings are shown, which of them, and how each format shows them.
#include "unit/files_test.hpp"
#include "unit/format_test.hpp"

#include <cerrno>

extern "C" {
#include "report/interval_report.h"
#include "report/sheet.h"
}

namespace
{
std::string name_of(unsigned i)
{
	return "/log/" + std::string(1, static_cast<char>('a' + i));
}

void add_user(file_stats *f, pid_t pid, const char *name)
{
	char comm[16] = "";

	snprintf(comm, sizeof(comm), "%s", name);
	REQUIRE(file_stats_add_user(f, pid, comm, 1) == 0);
}

// Files that are written line by line, each faster than the one before, and one that is written
// well.
struct Logs : FileProfile {
	explicit Logs(unsigned nr, bool alike = true)
	{
		for (unsigned i = 0; i < nr; i++) {
			file_stats *f = file(3 + i, FILE_KIND_REGULAR, name_of(i).c_str());
			file_call *c = add_calls(f, "write", 1000, 4, 100000 - 1000 * i);

			c->last_byte_known = c->newlines = 1000;
			add_user(f, 12, "logger");
			f->language =
				alike ? LANGUAGE_C : static_cast<enum language>(LANGUAGE_C + i);
		}
		add_calls(file(99, FILE_KIND_REGULAR, "/data"), "write", 10, 65536, 20000000);
	}
};

std::string table(const profile &p, const Options &o = Options())
{
	return render(render_table, p, o);
}

std::string without_colors(const std::string &text)
{
	std::string plain;

	for (size_t i = 0; i < text.size(); i++)
		if (text[i] == '\x1b')
			i = text.find('m', i);
		else
			plain += text[i];
	return plain;
}

bool has(const std::string &text, const std::string &part)
{
	return text.find(part) != std::string::npos;
}
} // namespace

TEST_CASE("files table: without a finding they are shown only if asked for", "[files]")
{
	Logs nothing_wrong(0);
	Options asked;

	CHECK_FALSE(has(table(nothing_wrong), "/data"));
	asked.files = true;
	CHECK(has(table(nothing_wrong, asked), " /data\n"));

	Options by_section;
	by_section.sections = SECTION_FILES;
	CHECK(has(table(nothing_wrong, by_section), " /data\n"));
	CHECK_FALSE(has(render(render_markdown, nothing_wrong, Options()), "/data"));
	CHECK(has(render(render_markdown, nothing_wrong, asked), "`/data`"));
}

TEST_CASE("files table: with findings, those that they are about are shown, five at most",
	  "[files]")
{
	Logs logs(6, false);
	const std::string text = table(logs);

	for (unsigned i = 0; i < 6; i++) {
		CAPTURE(i);
		CHECK(has(text, " ext4 " + name_of(i) + "\n") == (i < 5));
		CHECK(has(text, ": flush-per-line  " + name_of(i) + "\n") == (i < 5));
	}
	CHECK(has(text, "\n1 more finding (see --format=json): 1 flush-per-line\n"));
	CHECK_FALSE(has(text, "/data"));
	CHECK_FALSE(has(text, "more with"));

	Options asked;
	asked.files = true;
	asked.top_files = 2;
	const std::string top = table(logs, asked);
	CHECK(has(top, " /data\n"));
	CHECK(has(top, "and 5 more with 5000 calls\n"));
}

TEST_CASE("files table: findings that are alike are told as one, with how many files it is "
	  "about",
	  "[files]")
{
	Logs logs(7);
	const std::string text = table(logs);

	CHECK(has(text, ": flush-per-line  /log/a and 6 more\n"));
	CHECK_FALSE(has(text, "more finding"));
	CHECK(has(render(render_markdown, logs, Options()), "and 6 more"));
}

TEST_CASE("files table: what is not known is said only if it was asked for", "[files]")
{
	FileProfile p;
	Options asked;

	p.unknown = UNKNOWN_FILES;
	CHECK_FALSE(has(table(p), "not known"));
	asked.files = true;
	CHECK(has(table(p, asked), "Which files the calls were about is not known.\n"));
}

TEST_CASE("files table: an interval shows its own files and findings", "[files]")
{
	Logs before(1), now(1), between(0);
	struct result result;
	char *text = nullptr;
	size_t size = 0;

	file_call *writes = add_calls(profile_file(&now, 3), "write", 400, 4, 100000);
	writes->last_byte_known += 400;
	writes->newlines += 400;
	add_calls(profile_file(&now, 3), "close", 1, 0, 500);
	profile_free(&between);
	REQUIRE(profile_difference(&between, &now, &before) == 0);
	REQUIRE(between.nr_files == 1);
	CHECK(between.files[0].nr_calls == 2);
	CHECK(call_on(&between.files[0], "write")->calls == 400);
	CHECK(call_on(&between.files[0], "write")->bytes == 1600);
	CHECK(call_on(&between.files[0], "write")->newlines == 400);
	CHECK(call_on(&between.files[0], "close")->calls == 1);

	between.elapsed_ns = 1000000000;
	REQUIRE(result_make(&result, &between, 0) == 0);
	struct interval interval = {};
	const interval_report report = { &result, &interval, nullptr, "12:34:56", 0 };

	interval.end_ns = 2500000000;
	for (const renderer *r : { &render_table, &render_strace }) {
		FILE *out = open_memstream(&text, &size);
		Options o;

		o.files = true;
		REQUIRE(render_interval(out, r, &report, &o) == 0);
		fclose(out);
		CHECK(has(text, "12:34:56  elapsed 2.500 s\n"));
		CHECK(has(text, name_of(0)) == (r == &render_table));
		free(text);
	}
	result_free(&result);
}

TEST_CASE("files table: no line of a report for people is longer than 100 columns", "[files]")
{
	Logs p(1);
	std::string path, command;
	Provenance provenance;
	Options o;

	for (unsigned i = 0; i < 40; i++)
		path += "/a folder with a \xc3\xa4\x01 long name " + std::to_string(i);
	for (const std::string &name : { path, path + "x", std::string(500, '\n') }) {
		file_stats *f = p.file(100 + p.nr_files, FILE_KIND_REGULAR, name.c_str());
		file_call *c = add_calls(f, "pwrite64", 1234567890123, 4, 1000);

		f->flags = 02000 | 04010000 | 040000;
		f->written_by = WRITTEN_BY_STDERR;
		c->last_byte_known = c->newlines = 1000;
		c->errors = 1234567;
		add_calls(f, "openat", 1000, 0, 1000);
		add_calls(f, "close", 1000, 0, 1000);
		add_calls(f, "fsync", 1000, 0, 1000);
		for (pid_t pid = 4000000; pid < 4000100; pid++)
			add_user(f, pid,
				 "\x01\x02\x03\x04\x05\x06\x07\x08"
				 "1234567");
	}
	file_stats *failed = p.file(200, FILE_KIND_FAILED, path.c_str());
	failed->err = ENOENT;
	add_calls(failed, "openat", 1000, 0, 1000)->errors = 1000;

	syscall_stats *s = p.row(1, "syscall_0x12345678", true, ABI_X32);
	for (int err = 1; err < 100; err++)
		REQUIRE(syscall_stats_add_call(s, -err, true, 1) == 0);
	s->calls = s->timed = UINT64_MAX / 2;
	p.inflight = static_cast<inflight_call *>(calloc(1, sizeof(inflight_call)));
	p.nr_inflight = 1;
	p.inflight[0] = { 4194304, 4194304 - 1, "\x01\x02\x03\x04\x05\x06\x07",
			  ABI_X32, 1,		"clock_nanosleep_time64",
			  true,	   123 };
	p.in_flight = p.entered = p.died = p.lost = p.lost_tasks = p.lost_errnos = p.under_way =
		p.excluded = 12345678901234;
	p.overhead_ps = 123456;
	p.time_note = "a long note that is about nothing in particular, but which has many words, "
		      "so many that it cannot fit into one line";
	provenance.command = copy(Texts{ path, "with", "many", path, "words" });
	p.provenance = &provenance;

	o.sections = SECTION_ALL;
	for (bool color : { false, true }) {
		o.color = color;
		std::istringstream lines(without_colors(table(p, o)));
		for (std::string line; std::getline(lines, line);) {
			CAPTURE(line);
			CHECK(text_width(line.data(), line.size()) <= 100);
		}
	}
	/* Programs, which read columns, get all of the text. */
	o.sections = SECTION_FINDINGS;
	CHECK(has(render(render_csv, p, o), escaped(path)));
}

TEST_CASE("files table: every format shows files and findings as recorded", "[files]")
{
	const struct {
		const renderer *r;
		const char *name;
		unsigned sections;
	} formats[] = {
		{ &render_table, "files.txt", 0 },
		{ &render_markdown, "files.md", SECTION_FILES | SECTION_FINDINGS },
		{ &render_latex, "files.tex", SECTION_FILES | SECTION_FINDINGS },
		{ &render_asciidoc, "files.adoc", SECTION_FILES | SECTION_FINDINGS },
		{ &render_csv, "files.csv", SECTION_FILES },
		{ &render_csv, "findings.csv", SECTION_FINDINGS },
		{ &render_tsv, "findings.tsv", SECTION_FINDINGS },
	};
	Logs logs(2);
	file_stats *odd = logs.file(50, FILE_KIND_DELETED, "/tmp/a|b \"c\", \x1b[31m<d>\n");

	odd->flags = 02000; // This is O_APPEND.
	add_calls(odd, "pwrite64", 500, 10, 2000);
	add_calls(odd, "openat", 500, 0, 1500);
	add_calls(odd, "close", 500, 0, 300);
	for (auto &format : formats) {
		Options o;

		o.sections = format.sections;
		require_golden(format.name, render(*format.r, logs, o));
	}
}
