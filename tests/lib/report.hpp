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
	std::map<std::string, std::string> cells; // Cells by heading.
};

/* The part of the default report below the table that is about one syscall. */
struct Figures {
	uint64_t calls = 0, timed = 0;
	std::string bytes; // Text of the bytes: "80.1 kB".
	std::map<std::string, std::string> latency;
	std::map<std::string, uint64_t> latencies, sizes; // Histograms by label.
	std::map<std::string, uint64_t> errors;
};

/* Syscalls are named as iotrace does: "write", "write@32", "write@x32". */
struct Report {
	std::string text; // The whole text without colors.
	Words headings, order;
	std::map<std::string, Row> rows, totals; // Rows by syscall, totals by "", "@32" and "@x32".
	std::map<std::string, Figures> figures;
	// Whether a line says how many calls have returned and were lost.
	bool accounted = false;
	// Whether that line also says how many were entered, are in flight and died.
	bool entered_known = false;
	uint64_t entered = 0, returned = 0, in_flight = 0, died = 0, lost = 0, lost_tasks = 0;
	Words in_flight_lines;

	uint64_t calls(const std::string &name) const;
	uint64_t errors(const std::string &name) const;
	uint64_t bytes(const std::string &name) const; // Returns the number in the column of bytes.
};

/* Reads the output of iotrace or of strace -c. */
Report parse_report(const std::string &text);

/*
 * Finds contradictions in a report: rows and totals, histograms, errnos, entered and returned.
 * Returns "" if there are none.
 */
std::string contradictions(const Report &report);

/* Returns the syscalls whose calls or errors differ, one a line; "" if there are none. */
std::string differences(const Report &ours, const Report &theirs);
