// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LARGE 65536

int main(int argc, char **argv)
{
	size_t size = strcmp(argv[argc - 1], "good") ? 32 : LARGE;
	static char block[LARGE];
	ssize_t n;

	while ((n = read(0, block, size)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			block[i] = toupper((unsigned char)block[i]);
		if (write(1, block, n) != n)
			return 1;
	}
	return 0;
}
