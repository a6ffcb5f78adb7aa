// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *map(size_t *len)
{
	int file = open("table", O_RDONLY);
	struct stat st;
	void *text;

	if (file < 0 || fstat(file, &st))
		return NULL;
	text = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	*len = st.st_size;
	return text == MAP_FAILED ? NULL : text;
}

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	const char *text = NULL;
	unsigned long sum = 0;
	size_t len = 0;

	for (int i = 0; i < 20000; i++) {
		if (!text)
			text = map(&len);
		if (!text)
			return 1;
		sum += (unsigned char)text[i % len];
		if (!good) {
			munmap((void *)text, len);
			text = NULL;
		}
	}
	return sum == 0;
}
