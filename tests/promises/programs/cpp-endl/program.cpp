#include <cstring>
#include <iostream>

int main(int, char **argv)
{
	bool good = !strcmp(argv[1], "good");

	for (int i = 0; i < 400000; i++) {
		std::cout << "line " << i;
		good ? std::cout << '\n' : std::cout << std::endl;
	}
}
