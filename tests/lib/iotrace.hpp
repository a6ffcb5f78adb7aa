// SPDX-License-Identifier: GPL-2.0
/*
 * Runs iotrace, and checks what it reports in itself.
 *
 * IOTRACE names the binary under test, BACKEND the backend that it is told to use. The tests run in
 * the source tree's top directory.
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

/* Path of a program compiled from tests/fixtures/e2e/NAME.c; flags are those of gcc. */
std::string fixture(const std::string &name, const Words &flags = {});
std::string iotrace_path();
std::string backend(); // "bpf" or "strace"

/* A run that is over. Put it into INFO(), so that a failing check shows all of it. */
struct Run : Finished {
	Report report;
};
std::ostream &operator<<(std::ostream &out, const Run &run);

/*
 * The command line of iotrace with these options. If they hold no -o, the report goes to a file,
 * which is returned in *report unless that is NULL: then it goes to stderr.
 */
Words iotrace_argv(const Words &options, const Words &command, std::string *report);

/*
 * Runs iotrace to its end; its report is taken from the file of -o. Checks that a report
 * contradicts nothing. The spawn's argv is not used.
 */
Run run_iotrace(const Words &options, const Words &command, const Spawn &how = {});
/* The same with the report on stderr, with whatever else is there. */
Run run_iotrace_to_stderr(const Words &options, const Words &command, const Spawn &how = {});
/* Without either. */
Run run_plain(const Words &command, const Spawn &how = {});
