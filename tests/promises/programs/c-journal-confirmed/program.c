// SPDX-License-Identifier: GPL-2.0
// A server overwrites the next slot of a journal laid out beforehand, syncs its data, and only then
// confirms it to its one client, which sends the next order when it has the confirmation: no sync
// can be spared or shared
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ORDERS = 2000 };

static int server(int s)
{
	int journal = open("journal", O_WRONLY);
	char order[4096];
	ssize_t n;
	for (int i = 0; (n = recv(s, order, sizeof order, 0)) > 0; i++) {
		if (pwrite(journal, order, n, (off_t)i * 4096) != n || fdatasync(journal))
			return 1;
		if (send(s, "confirmed", 9, 0) != 9)
			return 1;
	}
	close(journal);
	return 0;
}

int main(void)
{
	int s[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s))
		return 1;
	pid_t pid = fork();
	if (!pid) {
		close(s[0]);
		return server(s[1]);
	}
	close(s[1]);
	char order[4096], answer[16];
	memset(order, 'o', sizeof order);
	for (int i = 0; i < ORDERS; i++) {
		snprintf(order, sizeof order, "order %d", i);
		if (send(s[0], order, sizeof order, 0) != sizeof order ||
		    recv(s[0], answer, sizeof answer, 0) != 9)
			return 1;
	}
	close(s[0]);
	int status;
	waitpid(pid, &status, 0);
	return status != 0;
}
