#include <cstring>
#include <iostream>

int main(int, char **argv)
{
	bool good = !strcmp(argv[1], "good");
	std::ostream &err = good ? std::clog : std::cerr;

	if (good)
		std::ios::sync_with_stdio(false);
	for (int i = 0; i < 100000; i++)
		err << "line " << i << '\n';
}
