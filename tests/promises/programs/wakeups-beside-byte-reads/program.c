// SPDX-License-Identifier: GPL-2.0
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Reads words from a pipe, and wakes itself up through another one after each thousand bytes.
int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"), wake[2], words = 0, c;
	long bytes = 0;
	FILE *out;

	if (pipe(wake))
		return 1;
	if (!good)
		setvbuf(stdin, NULL, _IONBF, 0);
	while ((c = getchar()) != EOF) {
		char byte = 0;

		words += c == ' ' || c == '\n';
		if (++bytes % 1000)
			continue;
		if (write(wake[1], &byte, 1) != 1 || read(wake[0], &byte, 1) != 1)
			return 1;
	}
	out = fopen("words", "w");
	fprintf(out, "%d\n", words);
	return fclose(out);
}
