#include <cstring>
#include <fstream>

int main(int, char **argv)
{
	std::ofstream out("out");

	if (strcmp(argv[1], "good"))
		out << std::unitbuf;
	for (int i = 0; i < 150000; i++)
		out << "line " << i << '\n';
}
