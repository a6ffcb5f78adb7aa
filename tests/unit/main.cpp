// SPDX-License-Identifier: GPL-2.0
// The unit tests need no privileges.
#include "lib/run_tests.hpp"

int main(int argc, char **argv)
{
	return run_tests(argc, argv);
}
