// SPDX-License-Identifier: GPL-2.0
// Draws the frames of a game from an atlas of tiles of 4 KiB, which are mapped into memory.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TILE = 4096, TILES = 6000, FRAMES = 120, VISIBLE = 500 };

int main(int argc, char **argv)
{
	int bad = argc > 1 && !strcmp(argv[1], "bad");
	int fd = open("atlas", O_RDONLY);
	const uint8_t *atlas = NULL;
	uint64_t sum = 0;

	if (fd < 0)
		return 1;
	if (!bad) {
		atlas = mmap(NULL, (size_t)TILE * TILES, PROT_READ, MAP_SHARED, fd, 0);
		if (atlas == MAP_FAILED)
			return 1;
	}
	for (int frame = 0; frame < FRAMES; frame++)
		for (int i = 0; i < VISIBLE; i++) {
			off_t at = (off_t)((frame * 11 + i * 7) % TILES) * TILE;
			const uint8_t *tile = atlas ? atlas + at : NULL;

			if (bad)
				tile = mmap(NULL, TILE, PROT_READ, MAP_SHARED, fd, at);
			for (int k = 0; k < TILE; k += 4)
				sum = sum * 3 + tile[k];
			if (bad)
				munmap((void *)tile, TILE);
		}
	printf("%llx\n", (unsigned long long)sum);
	return 0;
}
