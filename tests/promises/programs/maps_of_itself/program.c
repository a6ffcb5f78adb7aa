// SPDX-License-Identifier: GPL-2.0
/* Maps many regions, and adds up what /proc tells of each, by reads as big as may be. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REGIONS = 28000, ROOM = 1 << 20 };

int main(void)
{
	static char text[ROOM + 1];
	long counts[64] = { 0 }, page = sysconf(_SC_PAGESIZE);
	size_t used = 0;
	ssize_t n;
	int fd;

	for (long i = 0; i < REGIONS; i++) {
		/* Neighbours differ in what may be done with them, so that they stay apart. */
		char *at = mmap(NULL, page * (1 + i % 3), PROT_READ | (i % 2 ? PROT_WRITE : 0),
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (at == MAP_FAILED) {
			perror("mmap");
			return 1;
		}
		if (i % 2)
			at[0] = 1;
	}
	fd = open("/proc/self/smaps", O_RDONLY);
	while ((n = read(fd, text + used, ROOM - used)) > 0) {
		char *line = text, *end;

		used += n;
		text[used] = '\0';
		for (; (end = strchr(line, '\n')); line = end + 1)
			if (!strncmp(line, "Rss:", 4))
				counts[strtoul(line + 4, NULL, 10) / 4 % 64]++;
		used -= line - text;
		memmove(text, line, used);
	}
	close(fd);
	for (int i = 0; i < 64; i++)
		if (counts[i])
			printf("%d KiB: %ld\n", i * 4, counts[i]);
	return 0;
}
