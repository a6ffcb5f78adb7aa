#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"),
	    fd = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	char record[128];

	for (int i = 0; i < 300; i++) {
		memset(record, 'a' + i % 26, sizeof(record));
		if (write(fd, record, sizeof(record)) != sizeof(record))
			return 1;
		if (!good || i % 100 == 99)
			fdatasync(fd);
	}
	return close(fd);
}
