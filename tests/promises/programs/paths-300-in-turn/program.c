// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SOURCES 300

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	struct stat st[SOURCES];
	unsigned long sum = 0;
	char path[64];

	for (int target = 0; target < 600; target++)
		for (int i = 0; i < SOURCES; i++) {
			if (!good || !target) {
				snprintf(path, sizeof(path), "src/module%d.c", i);
				if (stat(path, &st[i]))
					return 1;
			}
			sum += st[i].st_mtime;
		}
	return sum == 0;
}
