// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILES 400

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	char path[32], text[2000];

	memset(text, 'x', sizeof(text));
	for (int i = 0; i < FILES; i++) {
		int file;

		snprintf(path, sizeof(path), "unpacked%d", i);
		file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
		if (write(file, text, sizeof(text)) != sizeof(text) || (!good && fsync(file)))
			return 1;
		close(file);
	}
	return good ? syncfs(open(".", O_RDONLY | O_DIRECTORY)) : 0;
}
