#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 10000; i++) {
		int fd = open("lock", O_WRONLY | O_CREAT | O_EXCL, 0644);

		if (fd < 0)
			return 1;
		dprintf(fd, "%d\n", getpid());
		close(fd);
		unlink("lock");
	}
	return 0;
}
