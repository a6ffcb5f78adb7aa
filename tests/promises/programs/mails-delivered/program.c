// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Delivers each mail into a file of its own, and confirms it when it is safe.
static void serve(int s)
{
	char mail[1024], temporary[32], path[32];

	for (int nr = 0; read(s, mail, sizeof(mail)) == sizeof(mail); nr++) {
		int file;

		snprintf(temporary, sizeof(temporary), "tmp.%d", nr);
		snprintf(path, sizeof(path), "mail.%d", nr);
		file = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0644);
		if (write(file, mail, sizeof(mail)) != sizeof(mail) || fsync(file))
			break;
		close(file);
		if (rename(temporary, path) || write(s, "250", 3) != 3)
			break;
	}
	_exit(0);
}

int main(void)
{
	char mail[1024], answer[3];
	int s[2];

	memset(mail, 'm', sizeof(mail));
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		return 1;
	if (!fork()) {
		close(s[0]);
		serve(s[1]);
	}
	close(s[1]);
	for (int i = 0; i < 500; i++)
		if (write(s[0], mail, sizeof(mail)) != sizeof(mail) ||
		    read(s[0], answer, sizeof(answer)) != sizeof(answer))
			return 1;
	close(s[0]);
	wait(NULL);
	return 0;
}
