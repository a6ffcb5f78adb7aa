// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	FILE *f = fopen("list", "w");

	if (strcmp(argv[argc - 1], "good"))
		setvbuf(f, NULL, _IOLBF, 0);
	for (int i = 0; i < 60000; i++)
		fprintf(f, "item %d\n", i);
	return fclose(f);
}
