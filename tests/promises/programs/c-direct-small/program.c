#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"),
	    fd = open("out", O_WRONLY | O_CREAT | O_TRUNC | O_DIRECT, 0644);
	size_t size = good ? 65536 : 512;
	char *buffer;

	if (fd < 0 || posix_memalign((void **)&buffer, 4096, size))
		return 1;
	memset(buffer, 'x', size);
	for (size_t done = 0; done < (2 << 20); done += size)
		if (write(fd, buffer, size) != (ssize_t)size)
			return 1;
	return close(fd);
}
