// SPDX-License-Identifier: GPL-2.0
/*
 * Names in every script, and names that are no text at all, of files, programs and sides: each run
 * ends, and every format has them, in every locale.
 */
#include "lib/iotrace.hpp"

#include <cstring>
#include <filesystem>
#include <random>
#include <unistd.h>

namespace fs = std::filesystem;

struct Name {
	const char *raw, *shown;
};

static const Name names[] = {
	{ "Größe des Straßenbahnhäuschens.txt", nullptr },
	{ "한국어 파일.txt", nullptr },
	{ "\u1112\u1161\u11ab\u1100\u116e\u11a8.txt", nullptr },
	{ "ملف.txt", nullptr },
	{ "日本語のログ.log", nullptr },
	{ "\U0001f427\U0001f468\u200d\U0001f4bb.txt", nullptr },
	{ "e\u0301\u0302.txt", nullptr },
	{ "txt.\u202eexe", "txt.\\xe2\\x80\\xaeexe" },
	{ "zero\u200bwidth", "zero\\xe2\\x80\\x8bwidth" },
	{ "\u0378\U000e0041", "\\xcd\\xb8\\xf3\\xa0\\x81\\x81" },
	{ "\xff\xfe\xc3(", "\\xff\\xfe\\xc3(" },
	{ "\x1b[31mred\x07\n", "\\x1b[31mred\\a\\n" },
	{ "\xed\xa0\x80\xf4\x90\x80\x80", "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80" },
};

static std::string shown(const Name &name)
{
	return name.shown ? name.shown : name.raw;
}

static const char *const extensions[] = { "json", "md", "tex", "adoc", "txt" };

static const Words locales[] = { { "LANG=C", "LC_ALL=C" },
				 { "LC_ALL=C.UTF-8" },
				 { "LC_ALL=ko_KR.EUC-KR" },
				 { "LC_ALL=xx_XX.UTF-8" } };

/* Writes many short lines to the file, so that there is a finding about it. */
static Words line_writer(const std::string &path)
{
	return { "bash", "-c", "for i in {1..200}; do echo line; done >\"$1\"", "bash", path };
}

static Words with_outputs(Words options, const std::string &dir)
{
	for (const char *extension : extensions)
		options.insert(options.end(), { "-o", dir + "/run." + extension });
	return options;
}

static std::string folder(const std::string &name)
{
	std::string path = temporary(name);

	fs::create_directory(path);
	return path;
}

/* An escaped name as JSON writes it. */
static std::string in_json(std::string text)
{
	for (size_t at = 0; (at = text.find('\\', at)) != std::string::npos; at += 2)
		text.insert(at, "\\");
	return text;
}

/* LaTeX and AsciiDoc spell some characters in their own way. */
static void check_formats(const std::string &dir, const std::string &name)
{
	CHECK_THAT(read_file(dir + "/run.json"), ContainsSubstring(in_json(name)));
	for (const char *extension : { "md", "txt" })
		CHECK_THAT(read_file(dir + "/run." + extension), ContainsSubstring(name));
	for (const char *format : { "csv", "tsv" }) {
		const Run run = run_plain({ iotrace_path(), "report", dir + "/run.json",
					    "--section=files", "--format", format });

		INFO(run);
		CHECK_THAT(run.out, ContainsSubstring(name));
	}
}

TEST_CASE("names: files in every script and in none, in every format and locale")
{
	const std::string dir = folder("names-of-files");

	for (const Name &name : names) {
		for (const Words &locale : locales) {
			Spawn how;

			how.env = locale;
			const Run run =
				run_plain(iotrace_argv(with_outputs({ "-y", "-e", "%output" }, dir),
						       line_writer(dir + "/" + name.raw), nullptr),
					  how);
			INFO(locale[0]);
			INFO(run);
			REQUIRE(run.end == "exit 0");
			check_formats(dir, shown(name));
			for (const char *extension : extensions) {
				const Run again =
					run_plain({ iotrace_path(), "report", dir + "/run.json",
						    "-y", "-o", dir + "/again." + extension },
						  how);
				INFO(again);
				CHECK(again.end == "exit 0");
				CHECK(read_file(dir + "/again." + extension) ==
				      read_file(dir + "/run." + extension));
			}
		}
	}
}

TEST_CASE("names: programs and sides in every script and in none")
{
	const std::string dir = folder("names-of-programs");

	for (const Name &name : names) {
		const std::string program = dir + "/" + name.raw;

		fs::copy_file("/bin/true", program, fs::copy_options::overwrite_existing);
		const Run run =
			run_plain(iotrace_argv(with_outputs({ "-y" }, dir), { program }, nullptr));
		INFO(run);
		REQUIRE(run.end == "exit 0");
		REQUIRE(run.err == "");
		const Run compared = run_plain({ iotrace_path(), "compare", "-n", name.raw, "-n",
						 "other", dir + "/run.json", dir + "/run.json",
						 "-o", dir + "/run.md", "-o", dir + "/run.txt",
						 "-o", dir + "/run.csv", "-o", dir + "/run.json" });
		INFO(compared);
		REQUIRE(compared.end == "exit 0");
		for (const char *extension : { "md", "txt", "csv" })
			CHECK_THAT(read_file(dir + "/run." + extension),
				   ContainsSubstring(shown(name)));
	}
}

static std::string random_name(std::mt19937_64 &random)
{
	std::string name;

	for (size_t n = 1 + random() % 60; n; n--) {
		const char c = (char)(1 + random() % 255);

		if (c != '/')
			name += random() % 4	     ? std::string(1, c)
				: "ö/"[random() % 2] ? "한"
						     : "\u0301";
	}
	return name == "" || name == "." || name == ".." ? "x" : name;
}

TEST_CASE("names: with random bytes as names of files, programs and sides, every run ends")
{
	const std::string dir = folder("random-names");
	std::mt19937_64 random(67);

	for (int i = 0; i < 20; i++) {
		const std::string name = random_name(random),
				  program = dir + "/" + random_name(random);

		fs::copy_file("/bin/bash", program, fs::copy_options::overwrite_existing);
		Words command = line_writer(dir + "/" + name);
		command[0] = program;
		const Run run = run_plain(iotrace_argv(with_outputs({ "-y", "-e", "%output" }, dir),
						       command, nullptr));
		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(jq("[.files[] | select(.newlines > 0) | .calls] | add", dir + "/run.json") ==
		      "200");
		const Run compared = run_plain({ iotrace_path(), "compare", "-n", name, "-n",
						 program, dir + "/run.json", dir + "/run.json" });
		INFO(compared);
		CHECK(compared.end == "exit 0");
		fs::remove(program);
	}
}
