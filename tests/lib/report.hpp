// SPDX-License-Identifier: GPL-2.0
/* Reads what iotrace and strace -c print. */
#pragma once

#include "lib/files.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>

struct Row {
	uint64_t calls = 0, errors = 0;
	std::map<std::string, std::string> cells; // by heading
};

/* The part of the default report below the table that is about one syscall. */
struct Figures {
	uint64_t calls = 0, timed = 0;
	std::string bytes; // "80.1 kB"
	std::map<std::string, std::string> latency;
	std::map<std::string, uint64_t> latencies, sizes; // histograms, by label
	std::map<std::string, uint64_t> errors;
};

/* Syscalls are named as iotrace does: "write", "write@32", "write@x32". */
struct Report {
	std::string text; // without colors
	Words headings, order;
	std::map<std::string, Row> rows, totals; // totals by "", "@32", "@x32"
	std::map<std::string, Figures> figures;
	bool accounted = false;	    // some line says so
	bool entered_known = false; // and it has entered, in flight and died
	uint64_t entered = 0, returned = 0, in_flight = 0, died = 0, lost = 0, lost_tasks = 0;
	Words in_flight_lines;

	uint64_t calls(const std::string &name) const;
	uint64_t errors(const std::string &name) const;
	uint64_t bytes(const std::string &name) const; // the sum of the column
};

/* Reads the output of iotrace or of strace -c. */
Report parse_report(const std::string &text);

/*
 * Finds contradictions in a report: rows and totals, histograms, errnos, entered and returned. ""
 * if there are none.
 */
std::string contradictions(const Report &report);

/* The syscalls whose calls or errors differ, one a line; "" if there are none. */
std::string differences(const Report &ours, const Report &theirs);
