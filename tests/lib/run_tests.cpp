// SPDX-License-Identifier: GPL-2.0
// Runs the linked test cases, and writes a tally for a caller that adds up several programs.
#define CATCH_CONFIG_RUNNER
#include "lib/run_tests.hpp"
#include "lib/skip.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

int skipped_cases;

#if __has_include(<catch2/catch_all.hpp>)
using ListenerBase = Catch::EventListenerBase;
using Goes = void;
#else
using ListenerBase = Catch::TestEventListenerBase;
using Goes = bool;
#endif

// Writes "passed failed skipped" to the file named by TALLY, and the name of each case to that of
// PROGRESS as it begins, to that of FAILURES if it fails, with the first assertion that failed,
// and, after the seconds that it took, to that of DURATIONS.
class Tally : public ListenerBase
{
	unsigned passed = 0, failed = 0;
	std::string name, why;
	std::chrono::steady_clock::time_point begin;

	static void add_line(const char *variable, const std::string &line)
	{
		if (const char *path = std::getenv(variable))
			std::ofstream(path, std::ios::app) << line << std::endl;
	}

	static std::string in_one_line(const Catch::AssertionResult &result)
	{
		const std::string file = result.getSourceInfo().file;
		std::string text = " (" + file.substr(file.rfind('/') + 1) + ":" +
				   std::to_string(result.getSourceInfo().line) + ": " +
				   result.getExpandedExpression();

		for (char &c : text)
			if (c == '\n')
				c = ' ';
		return (text.size() > 200 ? text.substr(0, 200) + "..." : text) + ")";
	}

public:
	using ListenerBase::ListenerBase;

	void testCaseStarting(const Catch::TestCaseInfo &info) override
	{
		name = info.name;
		why.clear();
		begin = std::chrono::steady_clock::now();
		add_line("PROGRESS", name);
	}

	Goes assertionEnded(const Catch::AssertionStats &stats) override
	{
		const Catch::AssertionResult &result = stats.assertionResult;

		if (!result.isOk() && why.empty())
			why = in_one_line(result);
		return Goes(true);
	}

	void testCaseEnded(const Catch::TestCaseStats &stats) override
	{
		const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
		char seconds[32];

		snprintf(seconds, sizeof(seconds), "%8.2f  ", took.count());
		add_line("DURATIONS", seconds + name);
		if (!stats.totals.assertions.failed) {
			passed++;
			return;
		}
		failed++;
		add_line("FAILURES", name + why);
	}

	void testRunEnded(const Catch::TestRunStats &) override
	{
		if (const char *path = std::getenv("TALLY"))
			std::ofstream(path) << passed - skipped_cases << ' ' << failed << ' '
					    << skipped_cases << '\n';
	}
};

CATCH_REGISTER_LISTENER(Tally)

int run_tests(int argc, char **argv)
{
	return Catch::Session().run(argc, argv);
}
