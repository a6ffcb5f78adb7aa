// SPDX-License-Identifier: GPL-2.0
// Makes an index of a table: for each key, where its row begins.
#include <fstream>
#include <iostream>
#include <string>
#include <cstring>

int main(int argc, char **argv)
{
	bool bad = argc > 1 && !strcmp(argv[1], "bad");
	std::ifstream in("rows.csv", std::ios::binary);
	std::ofstream out("rows.index", std::ios::binary);
	std::string row;
	std::streamoff start = 0;
	long rows = 0;

	while (std::getline(in, row)) {
		out << row.substr(0, row.find(',')) << ' ' << start << '\n';
		if (bad)
			start = in.tellg();
		else
			start += row.size() + 1;
		rows++;
	}
	std::cout << rows << " rows\n";
}
