// SPDX-License-Identifier: GPL-2.0
// Which language a program is written in, by its name and its executable.
#include "unit/files_test.hpp"

#include "lib/files.hpp"

extern "C" {
#include "model/language.h"
#include "trace/language_detect.h"
}

namespace
{
enum language language_of(const char *path, const char *comm = "")
{
	enum logger logger;

	return language_of_executable(path, comm, &logger);
}
} // namespace

TEST_CASE("language: interpreters and their libraries are known by name, with any version",
	  "[language]")
{
	const struct {
		const char *name;
		enum language language;
	} cases[] = {
		{ "python3.11", LANGUAGE_PYTHON },
		{ "python", LANGUAGE_PYTHON },
		{ "libpython3.11.so.1.0", LANGUAGE_PYTHON },
		{ "java", LANGUAGE_JAVA },
		{ "libjvm.so", LANGUAGE_JAVA },
		{ "node", LANGUAGE_NODE },
		{ "libnode.so.108", LANGUAGE_NODE },
		{ "bash", LANGUAGE_SHELL },
		{ "dash", LANGUAGE_SHELL },
		{ "libstdc++.so.6", LANGUAGE_CPP },
		{ "php8.2", LANGUAGE_PHP },
		{ "php-fpm8.2", LANGUAGE_PHP },
		{ "lua5.4", LANGUAGE_LUA },
		{ "luajit", LANGUAGE_LUA },
		{ "luajit-2.1.0-beta3", LANGUAGE_LUA },
		{ "liblua5.4.so.0", LANGUAGE_LUA },
		{ "ocamlrun", LANGUAGE_OCAML },
		{ "libgfortran.so.5", LANGUAGE_UNKNOWN },
		{ "dotnet", LANGUAGE_UNKNOWN },
		{ "pythonista", NR_LANGUAGES },
		{ "sha", NR_LANGUAGES },
		{ "libc.so.6", NR_LANGUAGES },
		{ "3.11", NR_LANGUAGES },
		{ "", NR_LANGUAGES },
	};

	for (auto &c : cases) {
		CAPTURE(c.name);
		CHECK(language_of_interpreter(c.name) == c.language);
	}
}

TEST_CASE("language: each has a name, which is read back", "[language]")
{
	for (int l = LANGUAGE_C; l < NR_LANGUAGES; l++) {
		const enum language language = static_cast<enum language>(l);

		CHECK(*languages[language].name);
		CHECK(language_parse(languages[language].name) == language);
	}
	CHECK(language_parse("Cobol") == NR_LANGUAGES);
}

TEST_CASE("language: executables say what they were written in", "[language]")
{
	CHECK(language_of("/proc/self/exe") == LANGUAGE_CPP);
	CHECK(language_of("/bin/sh") == LANGUAGE_SHELL);
	CHECK(language_of("/bin/cat") == LANGUAGE_C);
	// One executable with many programs in it, each with a name of its own.
	CHECK(language_of("/bin/busybox", "ash") == LANGUAGE_SHELL);
	CHECK(language_of("/bin/busybox", "awk") == LANGUAGE_AWK);
	CHECK(language_of("/bin/busybox", "dd") == LANGUAGE_UNKNOWN);
	CHECK(language_of("/bin/busybox", "busybox") == LANGUAGE_UNKNOWN);
	CHECK(language_of("/nonexistent/program") == LANGUAGE_UNKNOWN);
	CHECK(language_of("/") == LANGUAGE_UNKNOWN);
	CHECK(language_of("/dev/null") == LANGUAGE_UNKNOWN);
}

TEST_CASE("language: a file that is no executable, or a part of one, says nothing", "[language]")
{
	Folder folder;
	const std::string path = folder / "program", whole = read_file("/bin/cat");

	for (size_t size : { size_t(0), size_t(4), size_t(64), size_t(1000), whole.size() / 2 }) {
		CAPTURE(size);
		write_file(path, whole.substr(0, size));
		CHECK(language_of(path.c_str()) == LANGUAGE_UNKNOWN);
	}
}

TEST_CASE("language: a file is written in the language of the program that uses it most",
	  "[language]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/log");
	const struct busy busy = {};
	const char cat[16] = "cat", python[16] = "python3";

	add_calls(f, "write", 10, 1, 1);
	REQUIRE(add_program(p, 7, cat, busy, "/bin/cat") == 0);
	REQUIRE(add_program(p, 8, python, busy, nullptr) == 0);
	profile_sort_programs(&p);
	detect_languages(&p);
	REQUIRE(file_stats_add_user(f, 7, cat, 5) == 0);
	REQUIRE(file_stats_add_user(f, 8, python, 4) == 0);

	file_stats *files;
	size_t nr;
	REQUIRE(files_by_path(&p, &files, &nr) == 0);
	REQUIRE(nr == 1);
	CHECK(files[0].language == LANGUAGE_C);
	CHECK(files[0].processes == 2);
	files_free(files, nr);

	REQUIRE(file_stats_add_user(f, 8, python, 2) == 0);
	REQUIRE(files_by_path(&p, &files, &nr) == 0);
	CHECK(files[0].language == LANGUAGE_PYTHON); // Its name tells.
	files_free(files, nr);
}
