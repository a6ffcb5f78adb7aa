// SPDX-License-Identifier: GPL-2.0
// Skipping a test case, with its reason in one line, in either Catch2: 2.x has no way of its own.
#pragma once

#include <iostream>
#include <string>

extern int skipped_cases;

// Called once in a test case, outside sections, before any check.
#define SKIP_CASE(reason)                                                                          \
	do {                                                                                       \
		skipped_cases++;                                                                   \
		std::cout << "skipped: " << Catch::getResultCapture().getCurrentTestName() << ": " \
			  << (reason) << std::endl;                                                \
		SUCCEED("skipped");                                                                \
		return;                                                                            \
	} while (0)
