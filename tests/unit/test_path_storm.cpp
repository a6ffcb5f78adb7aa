// SPDX-License-Identifier: GPL-2.0
// Paths that do not exist, looked at again and again, at the rule's edges.
#include "unit/found.hpp"

#include <cerrno>

namespace
{
file_stats *add_missing(FileProfile &p, uint32_t id, const std::string &path, uint64_t calls)
{
	file_stats *f = p.file(id, FILE_KIND_FAILED, path.c_str());

	f->err = ENOENT;
	add_calls(f, "openat", calls, 0, 1000)->errors = calls;
	return f;
}

// So many directories are tried for each of so many files.
void add_search(FileProfile &p, unsigned directories, unsigned files, const std::string &end,
		const std::string &directory = "")
{
	for (unsigned d = 0; d < directories; d++)
		for (unsigned i = 0; i < files; i++)
			add_missing(p, 3 + d * files + i,
				    "/d" + std::to_string(d) + directory + "/f" +
					    std::to_string(i) + end,
				    1);
}
} // namespace

TEST_CASE("path storm: the same missing path, again and again", "[rules]")
{
	FileProfile p;

	add_missing(p, 3, "/run/\x1bnone", 100);
	add_missing(p, 4, "/other", 5);
	const Found found(p);
	CHECK(found.ids() == "path-storm /run/\x1bnone");
	CHECK(found.first().calls == 100);
	CHECK(found.predicted() == 1);
	CHECK(found.first().gain.syscall_ns.high == Approx(RUN_TO_RUN * 99 * 1000));
	CHECK_THAT(found.first().evidence,
		   ContainsSubstring("100 looks at /run/\\x1bnone, which does not exist"));
	CHECK_THAT(found.first().advice, !ContainsSubstring("PATH"));
}

TEST_CASE("path storm: many missing paths, each again and again, are one storm", "[rules]")
{
	const char comm[16] = "site";
	FileProfile p;

	for (unsigned i = 0; i < 20; i++)
		REQUIRE(file_stats_add_user(
				add_missing(p, 3 + i, "/locale/text" + std::to_string(i), 10 + i),
				7, comm, 10) == 0);
	add_missing(p, 40, "/once", 9); // This is not often.
	const Found found(p);
	CHECK(found.ids() == "path-storm /locale/text19");
	CHECK(found.first().calls == 20 * 10 + 190);
	CHECK(found.predicted() == 20);
	CHECK_THAT(found.first().evidence,
		   ContainsSubstring(
			   "390 looks at 20 paths that do not exist, such as /locale/text19"));
}

TEST_CASE("path storm: a search is work of its own for an interpreter alone", "[rules]")
{
	for (enum language language : { LANGUAGE_C, LANGUAGE_RUBY }) {
		FileProfile p;

		add_search(p, 20, 20, ".rb");
		for (size_t i = 0; i < p.nr_files; i++)
			p.files[i].language = language;
		p.busy = { 50000000, 1000000, 1000000, 400, 0, 0, 0 };
		CAPTURE(language);
		CHECK(Found(p).first().gain.has_own_work == (language == LANGUAGE_RUBY));
	}
}

TEST_CASE("path storm: names that are taken are tried in turn", "[rules]")
{
	const char comm[16] = "scanner";
	FileProfile p;

	for (unsigned i = 0; i < 10; i++) {
		file_stats *f = add_missing(p, 3 + i, "/in/page" + std::to_string(i), 100);

		f->err = EEXIST;
		REQUIRE(file_stats_add_user(f, 7, comm, 100) == 0);
	}
	{
		const Found found(p);
		CHECK(found.ids() == "taken-names /in/page0");
		CHECK(found.predicted() == 10);
		CHECK_THAT(found.first().evidence,
			   ContainsSubstring("1,000 attempts to make a file at 10 paths"));
		CHECK_THAT(found.first().advice, ContainsSubstring("mkstemp()"));
	}
	call_on(profile_file(&p, 12), "openat")->calls = 99;
	CHECK(Found(p).ids() == "");
	for (uint32_t id = 4; id <= 12; id++) // They are a lock, which others hold at times.
		profile_file(&p, id)->err = EACCES;
	call_on(profile_file(&p, 3), "openat")->calls = 10000;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("path storm: looks without a pause until the file is there gain CPU time alone",
	  "[rules]")
{
	const char comm[16] = "waiter";
	FileProfile p;
	file_stats *f = add_missing(p, 3, "/ready", 100000);

	REQUIRE(file_stats_add_user(f, 7, comm, 100000) == 0);
	f->busy = { 500000000, 300000000, 100000000, 100000, 0, 0, 10 };
	p.busy = f->busy;
	add_calls(p.file(4, FILE_KIND_REGULAR, "/ready"), "openat", 1, 0, 1000);
	{
		const Found found(p);
		CHECK(found.ids() == "path-storm /ready");
		CHECK(found.predicted() == 2);
		CHECK(found.first().gain.wall_ns.high == 0);
		CHECK(found.first().gain.cpu_ns.low > 100000000);
		CHECK_THAT(found.first().evidence, ContainsSubstring("until somebody makes it"));
		CHECK_THAT(found.first().advice, ContainsSubstring("inotify"));
	}
	profile_file(&p, 3)->busy.run_calls = 200002; // It has other things to do.
	CHECK(Found(p).ids() == "");
	profile_file(&p, 3)->busy.run_calls = 100000;
	profile_file(&p, 3)->busy.sleeps = 50000; // It pauses.
	CHECK(Found(p).ids() == "");
}

TEST_CASE("path storm: a file that comes and goes is looked for each time", "[rules]")
{
	FileProfile p;

	add_missing(p, 3, "/dir/db-journal", 100);
	add_missing(p, 4, "/other-journal", 100);
	add_missing(p, 5, "/db-journal", 99);
	CHECK(Found(p).ids() == "path-storm /dir/db-journal");
	add_calls(p.file(6, FILE_KIND_DELETED, "/dir/db-journal"), "openat", 1, 0, 1000);
	CHECK(Found(p).ids() == "path-storm /other-journal");
}

TEST_CASE("path storm: a path is one, however it was given, if its directory is known", "[rules]")
{
	FileProfile p;

	add_missing(p, 3, ".git", 5000);
	add_missing(p, 4, "dir/.git", 5000);
	CHECK(Found(p).ids() == "");
	add_missing(p, 5, "/dir/.git", 50);
	add_missing(p, 6, "/dir/.git", 50);
	add_missing(p, 7, "/dir/.git", 99)->err = ENOTDIR;
	CHECK(Found(p).ids() == "path-storm /dir/.git");
	CHECK(Found(p).first().calls == 100);
	p.file(8, FILE_KIND_FAILED, ".../deep/.git")->cut = true;
	add_missing(p, 8, ".../deep/.git", 200);
	CHECK(Found(p).ids() == "path-storm .../deep/.git");
}

TEST_CASE("path storm: ninety-nine looks are no storm", "[rules]")
{
	FileProfile p;

	add_missing(p, 3, "/none", 99);
	CHECK(Found(p).ids() == "");
}

TEST_CASE("path storm: a path that exists, but must not be opened, is another matter", "[rules]")
{
	FileProfile p;

	add_missing(p, 3, "/none", 100)->err = EACCES;
	CHECK(Found(p).ids() == "");
	profile_file(&p, 3)->err = ENOTDIR;
	CHECK(Found(p).ids() == "path-storm /none");
}

TEST_CASE("path storm: directories that are tried in turn", "[rules]")
{
	FileProfile p;

	add_search(p, 3, 34, ".txt");
	const Found found(p);
	CHECK(found.first().calls == 102);
	CHECK(found.predicted() == 0);
	CHECK_THAT(found.first().evidence,
		   ContainsSubstring("up to 3 directories are tried in turn for 34 names"));
	for (const char *word : { "PATH", "-I", "node_modules" })
		CHECK_THAT(found.first().advice, !ContainsSubstring(word));
}

TEST_CASE("path storm: a tree that is walked once is no search path", "[rules]")
{
	FileProfile p;

	add_search(p, 100, 2, "/.gitignore");
	CHECK(Found(p).ids() == "");
}

TEST_CASE("path storm: the loader tries more directories for its first library than for others",
	  "[rules]")
{
	// Below each directory, those for the CPU's own libraries: 17 with AVX-512 and glibc 2.36.
	for (const unsigned own : { 0, 3, 17, 40 })
		for (const unsigned libraries : { 20, 100 }) {
			FileProfile p;

			CAPTURE(own, libraries);
			add_search(p, 5, libraries, ".so", "/lib");
			for (unsigned i = 0; i < 6 * own; i++)
				add_missing(p, 10000 + i,
					    "/d" + std::to_string(i % 6) + "/lib/cpu" +
						    std::to_string(i) + "/f0.so",
					    1);
			const Found found(p);
			CHECK(found.ids() == "path-storm /d0/lib/f0.so");
			CHECK(found.first().calls == 5 * libraries);
			CHECK_THAT(found.first().evidence,
				   ContainsSubstring("up to 5 directories are tried in turn for " +
						     std::to_string(libraries) + " names"));
		}
}

TEST_CASE("path storm: a tree that is walked once is no part of a search beside it", "[rules]")
{
	for (const unsigned names : { 12, 40 }) {
		FileProfile p;

		add_search(p, 1000, 7, "rc", "/package");
		for (unsigned i = 0; i < 3 * names; i++)
			add_missing(p, 10000 + i,
				    "/etc/" + std::to_string(i % 3) + "/" + std::to_string(i / 3),
				    1);
		const Found found(p);
		CAPTURE(names);
		if (names == 12) {
			CHECK(found.ids() == "");
			continue;
		}
		CHECK(found.first().calls == 120);
		CHECK_THAT(found.first().evidence,
			   ContainsSubstring("up to 3 directories are tried in turn for 40 names"));
	}
}

TEST_CASE("path storm: a path that every program has to look at is no storm", "[rules]")
{
	FileProfile p;
	file_stats *f = add_missing(p, 3, "/etc/ld.so.preload", 300);
	const char comm[16] = "sh";

	for (int pid = 1; pid <= 200; pid++)
		file_stats_add_user(f, pid, comm, 1);
	CHECK(Found(p).ids() == "");
	f->calls[0].calls = f->calls[0].errors = 400;
	const Found found(p);
	CHECK(found.first().calls == 400);
	CHECK(found.predicted() == 200);
}

TEST_CASE("path storm: two directories are no search path, and no path is looked at often",
	  "[rules]")
{
	FileProfile p;

	add_search(p, 2, 60, ".txt");
	CHECK(Found(p).ids() == "");
}

TEST_CASE("path storm: the variable is named where what is looked for says which it is", "[rules]")
{
	const struct {
		const char *directory, *end, *word;
	} cases[] = {
		{ "", ".h", "-I" },
		{ "", ".hpp", "-I" },
		{ "", ".so.1", "LD_LIBRARY_PATH" },
		{ "/node_modules", "", "node_modules" },
		{ "/bin", "", "Shorten PATH" },
	};

	for (auto &c : cases) {
		FileProfile p;

		CAPTURE(c.end, c.directory);
		add_search(p, 5, 20, c.end, c.directory);
		CHECK_THAT(Found(p).first().advice, ContainsSubstring(c.word));
	}
}

TEST_CASE("path storm: of several searches, the one that takes most calls is told", "[rules]")
{
	FileProfile p;

	add_search(p, 3, 50, ".h");
	for (unsigned i = 0; i < 3 * 60; i++)
		add_missing(p, 1000 + i,
			    "/l" + std::to_string(i % 3) + "/x" + std::to_string(i / 3) + ".so", 1);
	const Found found(p);
	CHECK(found.ids() == "path-storm /l0/x0.so");
	CHECK(found.first().calls == 180);
}
