#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 2000; i++) {
		int fd = open("state.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0644);

		if (fd < 0)
			return 1;
		dprintf(fd, "state = %d\n", i);
		close(fd);
		if (rename("state.tmp", "state"))
			return 1;
	}
	return 0;
}
