// SPDX-License-Identifier: GPL-2.0
// The test program's main(), and a tally of its test cases for whoever adds up several programs.
#define CATCH_CONFIG_MAIN
#include "catch.hpp"
#include "skip.hpp"

#include <cstdlib>
#include <fstream>

int skipped_cases;

#if __has_include(<catch2/catch_all.hpp>)
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

// Writes "passed failed skipped" to the file named by TALLY.
class Tally : public ListenerBase
{
	unsigned passed = 0, failed = 0;

public:
	using ListenerBase::ListenerBase;

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
