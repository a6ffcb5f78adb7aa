// SPDX-License-Identifier: GPL-2.0
/* The loggers among the workloads: the lines and files that they write, and how they time calls. */
#include "unit/workloads_test.hpp"

#include <fstream>
#include <map>

TEST_CASE("loggers: they write well-formed lines into the files they name", "[workloads]")
{
	const string date = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
	const string time = "[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{9}";
	auto threads = GENERATE(1, 8);

	for (const string &name : loggers) {
		Folder folder;
		const Pattern row("^" + date + " " + time + " INFO [^ ]*" + name +
				  "\\.c:[0-9]+ lines \\[([0-9]+)\\] something happened$");
		Finished r = run(name + " -n 100 --threads " + std::to_string(threads) + " -o " +
				 folder / "log");
		std::map<string, size_t> lines_of;

		INFO(name << ": " << r.err);
		CHECK(r.end == "exit 0");
		CHECK(r.out == "");
		CHECK(r.err == "");
		for (const auto &entry : fs::directory_iterator(folder.path)) {
			std::ifstream in(entry.path());
			const string file = entry.path().filename().string();

			for (string line; std::getline(in, line);) {
				vector<string> m = row.find(line);

				INFO(file << ": " << line);
				REQUIRE(m.size() == 2);
				lines_of[m[1]]++;
				if (name == "logger_keep_open")
					CHECK(file == "log");
				else
					CHECK(Pattern("^log-[0-9]{8}-(INFO-)?" + m[1] + "$")
						      .find(file)
						      .size());
			}
		}
		CHECK(lines_of.size() == size_t(threads));
		for (const auto &thread : lines_of)
			CHECK(thread.second == 100);
	}
}

TEST_CASE("loggers: without -o they leave nothing behind", "[workloads]")
{
	Folder folder;
	setting s;

	s.tmpdir = folder.path.c_str();
	for (const string &name : loggers)
		for (const char *threads : { "1", "8" }) {
			Finished r = run(name + " -n 100 --threads " + threads, s);

			INFO(name << ": " << r.err);
			CHECK(r.end == "exit 0");
			CHECK(r.out == "");
			CHECK(r.err == "");
			CHECK(folder.names().size() == 0);
		}
}

TEST_CASE("loggers: they time their calls", "[workloads]")
{
	const string seconds = "([0-9]+\\.[0-9]{9})";

	for (const string &name : loggers) {
		const Pattern row("^" + name + ": seconds per call: average " + seconds +
				  " maximum " + seconds + " minimum " + seconds +
				  " calls ([0-9]+)$");
		Finished r = run(name + " --timing -n 100 --threads 3");
		vector<string> m = row.find(r.err);

		INFO(r.err);
		CHECK(r.end == "exit 0");
		REQUIRE(m.size() == 5);
		CHECK(r.err == m[0] + "\n");
		CHECK(std::stod(m[1]) <= std::stod(m[2]));
		CHECK(std::stod(m[1]) >= std::stod(m[3]));
		CHECK(m[4] == "300");

		m = row.find(run(name + " --timing -n 0").err);
		REQUIRE(m.size() == 5);
		CHECK(m[4] == "0");

		check_ledger(trace(name + " --timing -n 100 --threads 3"));
	}
}
