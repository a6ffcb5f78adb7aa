#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	static char buffer[1 << 16];

	if (!strcmp(argv[argc - 1], "good"))
		setvbuf(stderr, buffer, _IOFBF, sizeof(buffer));
	for (int i = 0; i < 300000; i++)
		fprintf(stderr, "line %d\n", i);
	return 0;
}
