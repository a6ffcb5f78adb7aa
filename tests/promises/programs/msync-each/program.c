// SPDX-License-Identifier: GPL-2.0
// Imports rows into a mapped table.
// Who is interrupted begins anew, so one sync at the end is enough.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROWS   480
#define ROUNDS 16

struct row {
	unsigned int key, signature;
	char text[8184];
};

static unsigned int sign(const struct row *row)
{
	unsigned int hash = row->key;

	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < sizeof(row->text); i++)
			hash = (hash ^ (unsigned char)row->text[i]) * 16777619u;
	return hash;
}

int main(int argc, char **argv)
{
	int bad = argc > 1 && !strcmp(argv[1], "bad");
	size_t size = ROWS * sizeof(struct row);
	int fd = open("table", O_RDWR | O_CREAT | O_TRUNC, 0644);
	struct row *rows;

	if (fd < 0 || ftruncate(fd, size))
		return 1;
	rows = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (rows == MAP_FAILED)
		return 1;
	for (unsigned int i = 0; i < ROWS; i++) {
		rows[i].key = i * 2654435761u;
		snprintf(rows[i].text, sizeof(rows[i].text), "row %u of the import", i);
		rows[i].signature = sign(&rows[i]);
		if (bad && msync(&rows[i], sizeof(struct row), MS_SYNC))
			return 1;
	}
	if (msync(rows, size, MS_SYNC))
		return 1;
	return close(fd) ? 1 : 0;
}
