// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SNAPSHOT (4 << 20)

int main(void)
{
	int file = open("snapshots", O_WRONLY | O_DIRECT | O_DSYNC);
	char *snapshot = aligned_alloc(4096, SNAPSHOT);

	memset(snapshot, 'x', SNAPSHOT);
	for (int i = 0; i < 70; i++)
		if (write(file, snapshot, SNAPSHOT) != SNAPSHOT)
			return 1;
	return 0;
}
