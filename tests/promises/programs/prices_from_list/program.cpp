// SPDX-License-Identifier: GPL-2.0
// Adds up orders by a price list. The list is text, a product and its price a line.
#include <fstream>
#include <iostream>
#include <string>
#include <unordered_map>

static int scan(const std::string &product)
{
	std::ifstream list("prices.txt");
	std::string name;
	int price;
	while (list >> name >> price)
		if (name == product)
			return price;
	return 0;
}

int main(int, char **argv)
{
	const bool bad = std::string(argv[1]) == "bad";
	std::unordered_map<std::string, int> prices;
	if (!bad) {
		std::ifstream list("prices.txt");
		std::string name;
		int price;
		while (list >> name >> price)
			prices.emplace(name, price);
	}
	long long sum = 0;
	for (int i = 0; i < 250; i++) {
		const std::string product = "product" + std::to_string(i * 7919 % 60000);
		sum += bad ? scan(product) : prices[product];
	}
	std::ofstream("sum.txt") << sum << '\n';
}
