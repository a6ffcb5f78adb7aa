// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Each order is in the ledger before it is confirmed, and outlives a crash of the server.
static void serve(int listener)
{
	int ledger = open("ledger", O_WRONLY | O_CREAT | O_APPEND, 0644);
	int s = accept(listener, NULL, NULL), nr = 0;
	char order[24], line[64];

	while (read(s, order, sizeof(order)) == sizeof(order)) {
		int len = snprintf(line, sizeof(line), "%d %.24s\n", ++nr, order);

		if (write(ledger, line, len) != len || write(s, &nr, sizeof(nr)) != sizeof(nr))
			break;
	}
	_exit(0);
}

int main(void)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0), s, nr;
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	char order[24] = "three of the red ones";

	if (bind(listener, (struct sockaddr *)&at, sizeof(at)) || listen(listener, 1))
		return 1;
	getsockname(listener, (struct sockaddr *)&at, &len);
	if (!fork())
		serve(listener);
	s = socket(AF_INET, SOCK_STREAM, 0);
	connect(s, (struct sockaddr *)&at, sizeof(at));
	for (int i = 1; i <= 12000; i++)
		if (write(s, order, sizeof(order)) != sizeof(order) ||
		    read(s, &nr, sizeof(nr)) != sizeof(nr) || nr != i)
			return 1;
	close(s);
	wait(NULL);
	return 0;
}
