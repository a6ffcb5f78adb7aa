// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Each payment is on the disk before it is confirmed.
static void serve(int s)
{
	int file = open("payments", O_WRONLY | O_CREAT | O_APPEND, 0644);
	char payment[64];

	while (read(s, payment, sizeof(payment)) == sizeof(payment))
		if (write(file, payment, sizeof(payment)) != sizeof(payment) || fdatasync(file) ||
		    write(s, "ok", 2) != 2)
			break;
	_exit(0);
}

int main(void)
{
	char payment[64] = "pay 100 to 4711\n", answer[2];
	int s[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		return 1;
	if (!fork()) {
		close(s[0]);
		serve(s[1]);
	}
	close(s[1]);
	for (int i = 0; i < 1000; i++)
		if (write(s[0], payment, sizeof(payment)) != sizeof(payment) ||
		    read(s[0], answer, sizeof(answer)) != sizeof(answer))
			return 1;
	close(s[0]);
	wait(NULL);
	return 0;
}
