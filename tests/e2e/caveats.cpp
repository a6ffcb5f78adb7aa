// SPDX-License-Identifier: GPL-2.0
/*
 * Caveats are tried as the advice is: a program that has the habit and is told of the caveat, the
 * same as advised but careless, which breaks what the caveat says, and the same with care, which
 * does not.
 */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"

#include <algorithm>
#include <sstream>

namespace
{
std::vector<std::string> lines_of(const std::string &path)
{
	std::istringstream text(read_file(path));
	std::vector<std::string> lines;

	for (std::string line; std::getline(text, line);)
		lines.push_back(line);
	return lines;
}

/* Is each line whole? Those of each writer are of one letter, and all are of the same length. */
bool are_whole(const std::string &path, size_t expected)
{
	const auto lines = lines_of(path);

	return lines.size() == expected &&
	       std::all_of(lines.begin(), lines.end(), [](const std::string &line) {
		       return line == std::string(59, line[0]);
	       });
}

bool are_in_order(const std::string &path, size_t expected)
{
	const auto lines = lines_of(path);
	size_t i = 0;

	return lines.size() == expected &&
	       std::all_of(lines.begin(), lines.end(),
			   [&i](const std::string &line) { return line == std::to_string(i++); });
}

struct Caveat {
	const char *name, *words;
	size_t number, lines; // The lines of each writer, and of all.
	bool (*holds)(const std::string &path, size_t expected);
};
} // namespace

TEST_CASE("caveats: what advice may break is said, and holds if it is heeded", "[once]")
{
	const std::string out = temporary("lines"), capture = temporary("capture.json");
	const Caveat caveats[] = {
		{ "processes", "Several processes write", 5000, 20000, are_whole },
		{ "threads", "Several threads write", 5000, 20000, are_whole },
		{ "crash", "A crash loses", 20001, 20001, are_whole },
		{ "order", "Standard output and standard error", 20000, 20000, are_in_order },
		{ "awaited", "Somebody may wait", 1001, 0, nullptr },
	};

	REQUIRE(run_plain({ "cc", "-O2", "-Wall", "-pthread", "-D_GNU_SOURCE", "-o",
			    temporary("caveats"), source_path("tests/fixtures/advice/caveats.c") })
			.end == "exit 0");
	for (const Caveat &c : caveats) {
		const auto run = [&](const char *way) {
			write_file(out, "");
			const Run ran = run_plain(iotrace_argv(
				{ "--format=json", "-o", capture },
				{ "sh", "-c",
				  "exec \"$0\" \"$@\" " +
					  std::string(c.holds == are_in_order ? ">>$4 2>&1" : ""),
				  temporary("caveats"), c.name, way, std::to_string(c.number),
				  out },
				nullptr));
			return c.holds ? ran.end == "exit 0" && c.holds(out, c.lines)
				       : ran.end == "exit 0";
		};

		INFO(c.name);
		CHECK(run("bad"));
		CHECK_THAT(
			jq("[.findings[] | select(.id == \"flush-per-line\") | .caveat]", capture),
			ContainsSubstring(c.words));
		CHECK_FALSE(run("careless"));
		CHECK(run("advised"));
	}
}
