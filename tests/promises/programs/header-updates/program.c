#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int fd = open("table", O_RDWR | O_CREAT | O_TRUNC, 0644);
	char block[4096];

	memset(block, 'b', sizeof(block));
	for (int i = 0; i < 20000; i++) {
		lseek(fd, 0, SEEK_SET);
		if (write(fd, &i, sizeof(i)) != sizeof(i))
			return 1;
		lseek(fd, 4096 * (1 + (off_t)i % 1000), SEEK_SET);
		if (write(fd, block, sizeof(block)) != sizeof(block))
			return 1;
	}
	return close(fd);
}
