// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/catch.hpp"

// Catch2's own main(): the exit status.
int run_tests(int argc, char **argv);
