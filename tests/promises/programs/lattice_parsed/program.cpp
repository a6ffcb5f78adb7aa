// SPDX-License-Identifier: GPL-2.0
// Reads the points of a lattice as text, and finds the box around them and their centre.
#include <algorithm>
#include <array>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>

int main()
{
	std::ifstream in("lattice.xyz");
	std::array<double, 3> low, high, sum{}, point;
	std::string atom;
	long points = 0;

	low.fill(std::numeric_limits<double>::max());
	high.fill(std::numeric_limits<double>::lowest());
	while (in >> atom >> point[0] >> point[1] >> point[2]) {
		for (int i = 0; i < 3; i++) {
			low[i] = std::min(low[i], point[i]);
			high[i] = std::max(high[i], point[i]);
			sum[i] += point[i];
		}
		points++;
	}
	std::cout << std::fixed << std::setprecision(4) << points << " points\n";
	for (int i = 0; i < 3; i++)
		std::cout << low[i] << ' ' << high[i] << ' ' << sum[i] / points << '\n';
}
