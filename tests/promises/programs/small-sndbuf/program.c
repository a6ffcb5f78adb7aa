// SPDX-License-Identifier: GPL-2.0
// Sends frames over a stream socket that never blocks, to a viewer that adds up their bytes.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FRAME  (256 * 1024)
#define FRAMES 2400

static int view(int fd)
{
	unsigned char *buffer = malloc(FRAME);
	unsigned long long sum = 0;
	size_t total = 0;
	ssize_t n;

	while ((n = read(fd, buffer, FRAME)) > 0) {
		total += n;
		for (ssize_t i = 0; i < n; i += 16)
			sum += buffer[i];
	}
	free(buffer);
	return total == (size_t)FRAME * FRAMES && sum ? 0 : 1;
}

int main(int argc, char **argv)
{
	int bad = argc > 1 && !strcmp(argv[1], "bad");
	char *frame = malloc(FRAME);
	int size = 4096, ends[2], status;
	pid_t viewer;

	if (!frame || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return 1;
	viewer = fork();
	if (viewer < 0)
		return 1;
	if (viewer == 0) {
		close(ends[0]);
		_exit(view(ends[1]));
	}
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	// A small buffer was to keep the delay short.
	if (bad)
		setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	for (int i = 0; i < FRAMES; i++) {
		size_t sent = 0;

		memset(frame, i + 1, FRAME);
		while (sent < FRAME) {
			ssize_t n = write(ends[0], frame + sent, FRAME - sent);

			if (n > 0)
				sent += n;
			else if (errno == EAGAIN)
				poll(&(struct pollfd){ .fd = ends[0], .events = POLLOUT }, 1, -1);
			else
				return 1;
		}
	}
	close(ends[0]);
	free(frame);
	if (waitpid(viewer, &status, 0) != viewer)
		return 1;
	return status ? 1 : 0;
}
