// SPDX-License-Identifier: GPL-2.0
// An application sends each count to a statistics daemon as a datagram of its own, over a Unix
// socket; mended, as many as fit into 1,400 bytes, as the protocol allows
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { METRICS = 160000, PACKET = 1400 };

static struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "statsd.sock" };

static void daemon_loop(int s)
{
	char packet[PACKET + 1];
	long counts[64] = { 0 }, total = 0;
	for (;;) {
		ssize_t n = recv(s, packet, PACKET, 0);
		if (n <= 0)
			break;
		packet[n] = 0;
		if (!strcmp(packet, "end"))
			break;
		for (char *save, *line = strtok_r(packet, "\n", &save); line;
		     line = strtok_r(NULL, "\n", &save)) {
			int metric, by;
			if (sscanf(line, "shop.page%d.hits:%d|c", &metric, &by) == 2) {
				counts[metric & 63] += by;
				total += by;
			}
		}
	}
	printf("%ld counted, page 7: %ld\n", total, counts[7]);
}

int main(int argc, char **argv)
{
	int packed = argc > 1 && !strcmp(argv[1], "good");
	int s = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (bind(s, (struct sockaddr *)&address, sizeof address)) {
		perror("bind");
		return 1;
	}
	pid_t pid = fork();
	if (!pid) {
		daemon_loop(s);
		return 0;
	}
	close(s);
	int c = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (connect(c, (struct sockaddr *)&address, sizeof address)) {
		perror("connect");
		return 1;
	}
	char packet[PACKET];
	size_t used = 0;
	unsigned long x = 88172645463325252UL;
	for (int i = 0; i < METRICS; i++) {
		for (int k = 0; k < 600; k++) { /* the page itself */
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
		}
		char line[64];
		int n = snprintf(line, sizeof line, "shop.page%d.hits:1|c", (int)(x % 64));
		if (!packed) {
			if (send(c, line, n, 0) != n) {
				perror("send");
				return 1;
			}
			continue;
		}
		if (used + n + 1 > sizeof packet) {
			if (send(c, packet, used, 0) != (ssize_t)used) {
				perror("send");
				return 1;
			}
			used = 0;
		}
		memcpy(packet + used, line, n);
		used += n;
		packet[used++] = '\n';
	}
	if (used)
		send(c, packet, used, 0);
	send(c, "end", 3, 0);
	waitpid(pid, NULL, 0);
	unlink(address.sun_path);
	return 0;
}
