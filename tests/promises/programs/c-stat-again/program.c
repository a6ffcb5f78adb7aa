#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"), seen = 0;
	struct stat st;

	for (int i = 0; i < 300000; i++)
		if (!good || !i)
			seen += !stat("conf", &st);
	printf("%d\n", seen);
	return 0;
}
