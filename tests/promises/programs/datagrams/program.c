#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int s[2];
	char message[100] = "status";

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, s))
		return 1;
	if (!fork()) {
		while (read(s[1], message, 100) == 100 && message[0])
			;
		_exit(0);
	}
	for (int i = 0; i < 50000; i++)
		if (send(s[0], message, 100, 0) != 100)
			return 1;
	memset(message, 0, 100);
	send(s[0], message, 100, 0);
	wait(NULL);
	return 0;
}
