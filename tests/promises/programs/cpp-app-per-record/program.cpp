#include <cstring>
#include <fstream>

int main(int, char **argv)
{
	bool good = !strcmp(argv[1], "good");
	std::ofstream kept;

	if (good)
		kept.open("log", std::ios::app);
	for (int i = 0; i < 30000; i++) {
		std::ofstream own;

		if (!good)
			own.open("log", std::ios::app);
		(good ? kept : own) << "record " << i << '\n';
	}
}
