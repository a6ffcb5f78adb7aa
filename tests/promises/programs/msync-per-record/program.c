// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RECORDS 800
#define RECORD	4096

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	int file = open("base", O_RDWR | O_CREAT | O_TRUNC, 0644);
	char *base;

	if (ftruncate(file, RECORDS * RECORD))
		return 1;
	base = mmap(NULL, RECORDS * RECORD, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (base == MAP_FAILED)
		return 1;
	for (int i = 0; i < RECORDS; i++) {
		snprintf(base + i * RECORD, RECORD, "record %d", i);
		if (!good && msync(base + i * RECORD, RECORD, MS_SYNC))
			return 1;
	}
	return msync(base, RECORDS * RECORD, MS_SYNC);
}
