// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	FILE *random = fopen("/dev/urandom", "r");
	unsigned long counts[256] = { 0 };

	if (strcmp(argv[argc - 1], "good"))
		setvbuf(random, NULL, _IONBF, 0);
	for (int i = 0; i < 500000; i++)
		counts[getc(random)]++;
	fclose(random);
	return counts[0] == 500000;
}
