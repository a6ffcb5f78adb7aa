#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	char page[4096] = { 0 };
	int ends[2];

	if (pipe(ends))
		return 1;
	if (!fork()) {
		close(ends[1]);
		while (read(ends[0], page, sizeof(page)) > 0)
			nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
		_exit(0);
	}
	close(ends[0]);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	for (int done = 0; done < 1000;) {
		if (write(ends[1], page, sizeof(page)) > 0)
			done++;
		else if (errno == EAGAIN)
			poll(&(struct pollfd){ ends[1], POLLOUT, 0 }, 1, -1);
	}
	close(ends[1]);
	wait(NULL);
	return 0;
}
