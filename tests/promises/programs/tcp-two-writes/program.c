#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUESTS = 40 };

static void serve(int listener)
{
	int s = accept(listener, NULL, NULL);
	char request[64];

	for (int i = 0; i < REQUESTS; i++) {
		size_t got = 0;

		while (got < 24)
			got += read(s, request + got, 24 - got);
		if (write(s, "ok", 2) != 2)
			_exit(1);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"), listener = socket(AF_INET, SOCK_STREAM, 0), s;
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	char answer[2];

	bind(listener, (struct sockaddr *)&at, sizeof(at));
	listen(listener, 1);
	getsockname(listener, (struct sockaddr *)&at, &len);
	if (!fork())
		serve(listener);
	s = socket(AF_INET, SOCK_STREAM, 0);
	connect(s, (struct sockaddr *)&at, sizeof(at));
	for (int i = 0; i < REQUESTS; i++) {
		struct iovec parts[] = { { "header: 1234", 12 }, { "body of twel", 12 } };

		if (good)
			writev(s, parts, 2);
		else
			for (int part = 0; part < 2; part++)
				if (write(s, parts[part].iov_base, 12) != 12)
					return 1;
		if (read(s, answer, 2) != 2)
			return 1;
	}
	wait(NULL);
	return 0;
}
