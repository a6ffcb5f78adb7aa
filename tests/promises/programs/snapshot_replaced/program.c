// SPDX-License-Identifier: GPL-2.0
// Writes a snapshot of its state beside the old one, syncs it, and renames it over the old one.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const size_t size = argc > 1 && !strcmp(argv[1], "good") ? 2 << 20 : 256 << 10,
		     total = 96 << 20;
	uint64_t *block = malloc(size), x = 88172645463325252u;
	int fd = open("state.new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	int folder = open(".", O_RDONLY | O_DIRECTORY);
	if (!block || fd < 0 || folder < 0)
		return 1;
	for (size_t at = 0; at < total; at += size) {
		for (size_t i = 0; i < size / 8; i++)
			block[i] = x = x * 6364136223846793005u + 1442695040888963407u;
		if (write(fd, block, size) != (ssize_t)size)
			return 1;
	}
	if (fsync(fd) || close(fd) || rename("state.new", "state") || fsync(folder))
		return 1;
	return 0;
}
