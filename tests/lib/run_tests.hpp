// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/catch.hpp"

// Runs Catch2's main(). Returns its exit status.
int run_tests(int argc, char **argv);
