#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");

	for (int i = 0; i < 300000; i++) {
		if (good && i % 1000)
			continue;
		printf("\r%d of 300000", i);
		fflush(stdout);
	}
	puts("");
	return 0;
}
