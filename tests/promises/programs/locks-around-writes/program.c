// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static void lock(FILE *f, short type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET };

	fcntl(fileno(f), F_SETLKW, &l);
}

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	FILE *f = fopen("ledger", "w");

	if (good)
		lock(f, F_WRLCK);
	for (int i = 0; i < 100000; i++) {
		if (!good)
			lock(f, F_WRLCK);
		fprintf(f, "entry %d\n", i);
		if (!good) {
			fflush(f);
			lock(f, F_UNLCK);
		}
	}
	return fclose(f);
}
