// SPDX-License-Identifier: GPL-2.0
#include "lib/ledger.hpp"

#include <sstream>

Ledger parse_ledger(const std::string &text)
{
	std::istringstream lines(text);
	Ledger ledger;

	for (std::string line; std::getline(lines, line);) {
		std::istringstream words(line);
		std::string name, more;
		LedgerRow row;

		if (words >> name >> row.calls >> row.errors >> row.bytes && !(words >> more))
			ledger[name] = row;
	}
	return ledger;
}

std::ostream &operator<<(std::ostream &out, const LedgerRow &row)
{
	return out << row.calls << " calls " << row.errors << " errors " << row.bytes << " bytes";
}
