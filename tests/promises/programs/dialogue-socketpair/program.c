#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int s[2];
	char message[64] = "question";

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		return 1;
	if (!fork()) {
		close(s[0]);
		while (read(s[1], message, 64) == 64)
			if (write(s[1], message, 64) != 64)
				break;
		_exit(0);
	}
	close(s[1]);
	for (int i = 0; i < 8000; i++)
		if (write(s[0], message, 64) != 64 || read(s[0], message, 64) != 64)
			return 1;
	close(s[0]);
	wait(NULL);
	return 0;
}
