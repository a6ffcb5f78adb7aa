// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>

/* The lines "syscall calls errors bytes" of a workload's --ledger. */
struct LedgerRow {
	uint64_t calls = 0, errors = 0, bytes = 0;

	bool operator==(const LedgerRow &other) const
	{
		return calls == other.calls && errors == other.errors && bytes == other.bytes;
	}
};
using Ledger = std::map<std::string, LedgerRow>;

Ledger parse_ledger(const std::string &text);
std::ostream &operator<<(std::ostream &out, const LedgerRow &row);
