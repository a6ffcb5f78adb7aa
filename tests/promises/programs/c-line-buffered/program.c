#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	FILE *f = fopen("out", "w");

	if (strcmp(argv[argc - 1], "good"))
		setvbuf(f, NULL, _IOLBF, 0);
	for (int i = 0; i < 400000; i++)
		fprintf(f, "line %d\n", i);
	return fclose(f);
}
