// SPDX-License-Identifier: GPL-2.0
// Lets heat spread in a plate, and keeps a checkpoint now and then: synced, then renamed.
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

static const int SIDE = 500, STEPS = 1200, EVERY = 300;

static bool write_all(int fd, const char *at, std::size_t left)
{
	while (left) {
		ssize_t n = write(fd, at, left);

		if (n <= 0)
			return false;
		at += n;
		left -= static_cast<std::size_t>(n);
	}
	return true;
}

// After this, either the former checkpoint or this one is there, whatever happens.
static bool keep(const std::vector<float> &plate, int folder)
{
	int fd = open("plate.new", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	const char *bytes = reinterpret_cast<const char *>(plate.data());

	return fd >= 0 && write_all(fd, bytes, plate.size() * sizeof(float)) && !fsync(fd) &&
	       !close(fd) && !rename("plate.new", "plate") && !fsync(folder);
}

int main()
{
	std::vector<float> plate(SIDE * SIDE), next;
	int folder = open(".", O_RDONLY | O_DIRECTORY);

	for (int i = 0; i < SIDE; i++)
		plate[i] = 1000;
	next = plate;
	for (int step = 1; step <= STEPS; step++) {
		for (int y = 1; y < SIDE - 1; y++) {
			const float *from = &plate[y * SIDE];
			float *to = &next[y * SIDE];

			for (int x = 1; x < SIDE - 1; x++)
				to[x] = from[x] +
					0.2f * (from[x - 1] + from[x + 1] + from[x - SIDE] +
						from[x + SIDE] - 4 * from[x]);
		}
		plate.swap(next);
		if (step % EVERY == 0 && !keep(plate, folder)) {
			std::perror("plate");
			return 1;
		}
	}
	return 0;
}
