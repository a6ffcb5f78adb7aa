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
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

// Writes "passed failed skipped" to the file named by TALLY, and the name of each case to that of
// PROGRESS as it begins, to that of FAILURES if it fails, and, after the seconds that it took, to
// that of DURATIONS.
class Tally : public ListenerBase
{
	unsigned passed = 0, failed = 0;
	std::string name;
	std::chrono::steady_clock::time_point begin;

	static void add_line(const char *variable, const std::string &line)
	{
		if (const char *path = std::getenv(variable))
			std::ofstream(path, std::ios::app) << line << std::endl;
	}

public:
	using ListenerBase::ListenerBase;

	void testCaseStarting(const Catch::TestCaseInfo &info) override
	{
		name = info.name;
		begin = std::chrono::steady_clock::now();
		add_line("PROGRESS", name);
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
		add_line("FAILURES", name);
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
