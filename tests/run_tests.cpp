// SPDX-License-Identifier: GPL-2.0
// Runs the test cases that are linked in, with a tally of them for whoever adds up several programs.
#define CATCH_CONFIG_RUNNER
#include "run_tests.hpp"
#include "skip.hpp"

#include <cstdlib>
#include <fstream>

int skipped_cases;

#if __has_include(<catch2/catch_all.hpp>)
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

// Writes "passed failed skipped" to the file named by TALLY, and each case's name, as it begins, to that of PROGRESS.
class Tally : public ListenerBase
{
	unsigned passed = 0, failed = 0;

public:
	using ListenerBase::ListenerBase;

	void testCaseStarting(const Catch::TestCaseInfo &info) override
	{
		if (const char *path = std::getenv("PROGRESS"))
			std::ofstream(path, std::ios::app) << info.name << std::endl;
	}

	void testCaseEnded(const Catch::TestCaseStats &stats) override
	{
		if (stats.totals.assertions.failed)
			failed++;
		else
			passed++;
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
