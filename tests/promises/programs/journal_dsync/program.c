// SPDX-License-Identifier: GPL-2.0
// Converts a series of measurements into a binary file, which nobody needs before it is complete.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	int fd = open("series.bin",
		      O_WRONLY | O_CREAT | O_TRUNC | (strcmp(argv[1], "bad") ? 0 : O_DSYNC), 0644);
	static char block[4096];
	unsigned seed = 1;
	for (int i = 0; i < 2500; i++) {
		for (unsigned j = 0; j < sizeof block; j++)
			block[j] = (char)((seed = seed * 1103515245 + 12345) >> 16);
		if (write(fd, block, sizeof block) != sizeof block)
			return 1;
	}
	if (fdatasync(fd))
		return 1;
	return close(fd) != 0;
}
