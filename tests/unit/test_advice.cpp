// SPDX-License-Identifier: GPL-2.0
// Which advice and which caveats a finding gets, by the program, its logger and its language.
#include "unit/found.hpp"

#include <fcntl.h>

extern "C" {
#include "model/advice.h"
}

namespace
{
void add_user(file_stats *f, pid_t pid, const char *comm, uint64_t calls)
{
	char name[16] = {};

	strncpy(name, comm, sizeof(name) - 1);
	REQUIRE(file_stats_add_user(f, pid, name, calls) == 0);
}
} // namespace

TEST_CASE("advice: a program with settings is told of them, and of nothing in its sources",
	  "[rules]")
{
	const struct {
		const char *comm, *words;
	} cases[] = {
		{ "nginx", "access_log" },
		{ "grep", "--line-buffered" },
		{ "tar", "knows no setting" },
		{ "nginx2", "fflush()" },
		{ "", "fflush()" },
	};

	for (auto &c : cases) {
		FileProfile p;
		file_stats *f = add_lines(p, 1000);

		CAPTURE(c.comm);
		f->language = LANGUAGE_C;
		if (*c.comm)
			add_user(f, 7, c.comm, 1000);
		CHECK_THAT(Found(p).first().advice, ContainsSubstring(c.words));
	}
}

TEST_CASE("advice: a logger is named at its own files, and not at standard output", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 1000);

	f->language = LANGUAGE_JAVA;
	for (int l = LOGGER_NONE + 1; l < NR_LOGGERS; l++) {
		f->logger = static_cast<logger>(l);
		CHECK(logger_parse(loggers[l].name) == f->logger);
		CHECK(Found(p).first().advice == std::string(loggers[l].lines_advice));
	}
	CHECK(logger_parse("a logger") == NR_LOGGERS);
	f->written_by = WRITTEN_BY_STDOUT;
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("System.out"));
}

TEST_CASE("advice: a logger is known by the file that its users open", "[rules]")
{
	const struct {
		const char *path;
		enum logger logger;
	} cases[] = {
		{ "/usr/share/java/logback-core-1.2.11.jar", LOGGER_LOGBACK },
		{ "/app/lib/log4j-core-2.19.0.jar", LOGGER_LOG4J },
		{ "/usr/lib/x86_64-linux-gnu/libspdlog.so.1.10.0", LOGGER_SPDLOG },
		{ "/usr/share/java/log4j-api-2.19.0.jar", LOGGER_NONE },
		{ "/logback-core-of-mine/out", LOGGER_NONE },
		{ "log4j-core.jar", LOGGER_LOG4J },
		{ "", LOGGER_NONE },
	};

	for (auto &c : cases) {
		CAPTURE(c.path);
		CHECK(logger_of_path(c.path) == c.logger);
	}
}

TEST_CASE("advice: a setting that names a size is predicted with that size", "[rules]")
{
	FileProfile p;
	file_stats *out = p.file(3, FILE_KIND_REGULAR, "/out");

	add_calls(out, "write", 8192, 512, 1000);
	CHECK(Found(p).predicted() == 8192 * 512 / 4096);
	add_user(out, 7, "dd", 8192);
	CHECK(Found(p).predicted() == 8192 * 512 / 65536);
	strcpy(out->users[0].comm, "tar");
	CHECK(Found(p).predicted() == 4);
}

TEST_CASE("advice: one setting that mends two habits is told once, also of two processes",
	  "[rules]")
{
	for (const char *other : { "tar", "sort" }) {
		FileProfile p;
		file_stats *out = p.file(3, FILE_KIND_REGULAR, "/out");

		add_calls(out, "write", 5000, 512, 1000);
		add_user(out, 7, "tar", 5000);
		file_stats *in = p.file(4, FILE_KIND_REGULAR, "/in");
		add_calls(in, "read", 9000, 256, 1000);
		add_user(in, 8, other, 9000);
		const Found found(p);
		CAPTURE(other);
		CHECK(found.all().nr == (!strcmp(other, "tar") ? 1 : 2));
	}
}

TEST_CASE("advice: caveats follow from who writes where", "[rules]")
{
	const auto caveats_of = [](auto set_up) {
		FileProfile p;
		file_stats *f = add_lines(p, 1000);

		f->language = LANGUAGE_C;
		add_user(f, 7, "logger", 1000);
		set_up(f);
		const Found found(p);
		return found.first().caveats;
	};

	CHECK(caveats_of([](file_stats *) {}) == CAVEAT_CRASH);
	CHECK(caveats_of([](file_stats *f) { add_user(f, 8, "logger", 1); }) ==
	      (CAVEAT_CRASH | CAVEAT_PROCESSES));
	CHECK(caveats_of([](file_stats *f) { f->by_threads = true; }) ==
	      (CAVEAT_CRASH | CAVEAT_THREADS));
	CHECK(caveats_of([](file_stats *f) {
		      f->written_by = WRITTEN_BY_STDOUT | WRITTEN_BY_STDERR;
	      }) == (CAVEAT_CRASH | CAVEAT_ORDER));
	CHECK(caveats_of([](file_stats *f) { f->written_by = WRITTEN_BY_STDERR; }) == 0);
	CHECK(caveats_of([](file_stats *f) {
		      f->kind = FILE_KIND_PIPE;
		      call_on(f, "write")->runs = 1;
	      }) == 0);
	CHECK(caveats_of([](file_stats *f) {
		      f->kind = FILE_KIND_PIPE;
		      call_on(f, "write")->runs = 2;
	      }) == CAVEAT_AWAITED);
	CHECK(caveats_of([](file_stats *f) { strcpy(f->users[0].comm, "grep"); }) == 0);
	CHECK(caveats_of([](file_stats *f) {
		      file_call *c = call_on(f, "write");
		      c->newlines =
			      0; // Pieces of a file, which is worth nothing before it is whole.
	      }) == 0);
	CHECK(caveats_of([](file_stats *f) {
		      file_call *c = call_on(f, "write");
		      c->newlines = 0;
		      f->flags = O_APPEND;
	      }) == CAVEAT_CRASH);
	for (unsigned bit = 0; bit < NR_CAVEATS; bit++)
		CHECK(strlen(caveat_text(bit)) > 20);
}

TEST_CASE("advice: several threads are known by calls that no thread can have made alone",
	  "[rules]")
{
	const struct {
		uint64_t most_calls, waits;
		bool by_threads;
	} cases[] = {
		{ 0, 0, false },  { 1000, 0, false }, { 950, 0, false },
		{ 900, 0, true }, { 500, 0, true },   { 500, 600, false },
	};

	for (auto &c : cases) {
		FileProfile p;
		file_stats *f = add_lines(p, 1000), *files;
		program_stats program = {};
		size_t nr;

		CAPTURE(c.most_calls, c.waits);
		call_on(f, "write")->waits = c.waits;
		add_user(f, 7, "logger", 1000);
		program.pid = 7;
		strcpy(program.comm, "logger");
		program.most_calls = c.most_calls;
		REQUIRE(profile_add_program(&p, &program) == 0);
		profile_sort_programs(&p);
		REQUIRE(files_by_path(&p, &files, &nr) == 0);
		CHECK(files[0].by_threads == c.by_threads);
		files_free(files, nr);
	}
}

TEST_CASE("advice: what no setting mends is no more than information", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 1000);

	add_user(f, 7, "redis-cli", 1000);
	const Found found(p);
	CHECK(found.first().excused);
	CHECK_FALSE(found.first().predicted);
	CHECK(found.first().severity == SEVERITY_INFO);
}
