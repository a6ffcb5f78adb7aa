// SPDX-License-Identifier: GPL-2.0
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int above_stdio(int fd)
{
	int moved;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return moved;
}

int pipe_above_stdio(int fds[2])
{
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	for (int i = 0; i < 2; i++) {
		fds[i] = above_stdio(fds[i]);
		if (fds[i] < 0)
			return -errno;
	}
	return 0;
}
