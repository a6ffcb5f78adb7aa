#include <fstream>

int main()
{
	std::ofstream out("out");

	for (int i = 0; i < 2000000; i++)
		out << "line " << i << '\n';
}
