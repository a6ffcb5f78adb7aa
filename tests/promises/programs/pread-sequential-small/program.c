// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define RECORD 64
#define BLOCK  65536

static unsigned long sum;

static void take(const char *record)
{
	for (int i = 0; i < RECORD; i++)
		sum += record[i];
}

int main(int argc, char **argv)
{
	int size = strcmp(argv[argc - 1], "good") ? RECORD : BLOCK;
	int file = open("data", O_RDONLY);
	static char block[BLOCK];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(file, block, size, at)) > 0) {
		for (ssize_t i = 0; i + RECORD <= n; i += RECORD)
			take(block + i);
		at += n;
	}
	return sum != 0;
}
