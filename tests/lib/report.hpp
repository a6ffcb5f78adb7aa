// SPDX-License-Identifier: GPL-2.0
/* What iotrace and strace -c print, read back. */
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

/* What the default report says about one syscall below the table. */
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
	bool accounted = false;	    // there is a line that says so
	bool entered_known = false; // and it knows entered, in flight and died
	uint64_t entered = 0, returned = 0, in_flight = 0, died = 0, lost = 0, lost_tasks = 0;
	Words in_flight_lines;

	uint64_t calls(const std::string &name) const;
	uint64_t errors(const std::string &name) const;
	uint64_t bytes(const std::string &name) const; // of the column
};

/* Reads what iotrace or strace -c has printed. */
Report parse_report(const std::string &text);

/*
 * What is wrong in itself: rows and totals, histograms, errnos, entered and returned. "" if
 * nothing.
 */
std::string contradictions(const Report &report);

/* The syscalls whose calls or errors differ, one a line; "" if none. */
std::string differences(const Report &ours, const Report &theirs);
