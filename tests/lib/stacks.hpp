// SPDX-License-Identifier: GPL-2.0
/* The programs of tests/fixtures/stacks, whose lines are marked by comments, and what is told. */
#pragma once

#include "lib/iotrace.hpp"

#include <string>

/* The folder of their sources. */
extern const std::string stack_sources;

/* Returns the number of the line that ends in this comment. */
std::string line_of(const std::string &source, const std::string &comment);

/* Frames as these tests show them: "function:line", from the call outwards. */
std::string frames(const Words &functions, const std::string &source = stack_sources + "lines.c");

/* Runs a command in the tests' folder, which must succeed. Returns what it printed on stderr. */
std::string must_run(const Words &command);

/* Profiles a command into a capture. */
void profile(const Words &command, const std::string &capture);

/* The frames in a capture of the site with most of the calls of the finding about a file "out". */
std::string frames_in(const std::string &capture);
/* Profiles a command into capture.json in the tests' folder, and returns these frames. */
std::string frames_told(const Words &command);

/* Compiles a source with debug information into the tests' folder; returns "./NAME". */
std::string compiled(const std::string &name, const Words &compiler,
		     const std::string &source = "lines.c");

/* Builds "./NAME", with debug information, which has a function write 1500 lines to "./out". */
void build_writer(const std::string &name, const std::string &function);
