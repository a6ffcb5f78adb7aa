// SPDX-License-Identifier: GPL-2.0
/*
 * The end-to-end tests run in namespaces of their own, so that nothing they do is left behind.
 * Those that need the machine's own pids are tagged [machine], run only if that tag is asked for,
 * and then where they are.
 */
#include "lib/run_tests.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

int main(int argc, char **argv)
{
	static const char isolate[] = "tests/tools/isolate.py";
	bool machine = argc == 2 && !strcmp(argv[1], "[machine]");
	std::vector<char *> words = { const_cast<char *>(isolate) };

	if (machine || getenv("E2E_ISOLATED"))
		return run_tests(argc, argv);
	words.insert(words.end(), argv, argv + argc);
	words.push_back(nullptr);
	execv(isolate, words.data());
	fprintf(stderr, "e2e: %s: %s; run this in the source tree's top directory\n", isolate,
		strerror(errno));
	return 1;
}
