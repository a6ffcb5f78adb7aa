// SPDX-License-Identifier: GPL-2.0
/*
 * Runs iotrace, and checks that its reports do not contradict themselves.
 *
 * IOTRACE names the binary under test, BACKEND the backend that it is told to use. The tests run in
 * the top directory of the source tree.
 */
#pragma once

#include "lib/catch.hpp"
#include "lib/ledger.hpp"
#include "lib/pipes.hpp"
#include "lib/process.hpp"
#include "lib/report.hpp"
#include "lib/skip.hpp"

#include <functional>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

/* Path of the program compiled from tests/fixtures/e2e/NAME.c with these flags of gcc. */
std::string fixture(const std::string &name, const Words &flags = {});
std::string iotrace_path();
std::string backend(); // Returns "bpf" or "strace".

/* A run that has ended. Put it into INFO(), so that a failing check shows all of it. */
struct Run : Finished {
	Report report;
};
std::ostream &operator<<(std::ostream &out, const Run &run);

/*
 * The command line of iotrace with these options. If they hold no -o, the report goes to a file,
 * whose path is returned in *report; if report is NULL, it goes to stderr.
 */
Words iotrace_argv(const Words &options, const Words &command, std::string *report);

/*
 * Runs iotrace to its end, and reads its report from the file of -o. Checks that the report does
 * not contradict itself. The spawn's argv is not used.
 */
Run run_iotrace(const Words &options, const Words &command, const Spawn &how = {});
/* Runs iotrace with the report on stderr, among everything else that is printed there. */
Run run_iotrace_to_stderr(const Words &options, const Words &command, const Spawn &how = {});
/* Runs a command without a report. */
Run run_plain(const Words &command, const Spawn &how = {});

/* Runs jq on a file. Returns compact JSON. */
std::string jq(const std::string &filter, const std::string &path);

// Is a program installed?
inline bool there_is(const std::string &program)
{
	return run_plain({ "sh", "-c", "command -v " + program }).end == "exit 0";
}

#define NEED_PROGRAM(program)                            \
	do {                                             \
		if (!there_is(program))                  \
			SKIP_CASE(program " is needed"); \
	} while (0)
