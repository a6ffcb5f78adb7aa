// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 16384

// The kernel sends the header together with the page's first bytes.
static void serve(int listener, int page)
{
	int s = accept(listener, NULL, NULL);
	char header[64], request;
	int len = snprintf(header, sizeof(header), "Content-Length: %d\r\n\r\n", PAGE);

	while (read(s, &request, 1) == 1) {
		off_t at = 0;

		setsockopt(s, IPPROTO_TCP, TCP_CORK, &(int){ 1 }, sizeof(int));
		if (write(s, header, len) != len || sendfile(s, page, &at, PAGE) != PAGE)
			break;
		setsockopt(s, IPPROTO_TCP, TCP_CORK, &(int){ 0 }, sizeof(int));
	}
	_exit(0);
}

int main(void)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0), s;
	int page = open("page", O_RDWR | O_CREAT | O_TRUNC, 0644);
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	static char answer[PAGE + 64];

	if (ftruncate(page, PAGE) || bind(listener, (struct sockaddr *)&at, sizeof(at)) ||
	    listen(listener, 1))
		return 1;
	getsockname(listener, (struct sockaddr *)&at, &len);
	if (!fork())
		serve(listener, page);
	s = socket(AF_INET, SOCK_STREAM, 0);
	connect(s, (struct sockaddr *)&at, sizeof(at));
	for (int i = 0; i < 8000; i++) {
		size_t whole = sizeof("Content-Length: 16384\r\n\r\n") - 1 + PAGE;

		if (write(s, "?", 1) != 1 || recv(s, answer, whole, MSG_WAITALL) != (ssize_t)whole)
			return 1;
	}
	close(s);
	wait(NULL);
	return 0;
}
