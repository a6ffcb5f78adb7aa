// SPDX-License-Identifier: GPL-2.0
// Delivers mails into a maildir. A mail is on disk before it is acknowledged.

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAILS 280

static int send_mails(int fd)
{
	for (int i = 0; i < MAILS; i++) {
		char mail[2048], reply[4];
		int n = snprintf(mail, sizeof(mail), "Subject: mail %d\n\n%01500d\n", i, i);

		if (write(fd, mail, n) != n)
			return 1;
		if (read(fd, reply, sizeof(reply)) != 4 || memcmp(reply, "250\n", 4))
			return 1;
	}
	return 0;
}

static int deliver(int directory, int number, const char *mail, size_t length)
{
	char from[64], to[64];
	int fd;

	snprintf(from, sizeof(from), "tmp/%d.mail", number);
	snprintf(to, sizeof(to), "new/%d.mail", number);
	fd = open(from, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return 1;
	if (write(fd, mail, length) != (ssize_t)length || fsync(fd) || close(fd))
		return 1;
	return rename(from, to) || fsync(directory);
}

int main(void)
{
	int ends[2], directory, status, count = 0;
	char mail[4096];
	pid_t sender;
	ssize_t n;

	if (mkdir("tmp", 0700) || mkdir("new", 0700))
		return 1;
	directory = open("new", O_RDONLY | O_DIRECTORY);
	if (directory < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
		return 1;
	sender = fork();
	if (sender < 0)
		return 1;
	if (sender == 0) {
		close(ends[0]);
		_exit(send_mails(ends[1]));
	}
	close(ends[1]);
	while ((n = read(ends[0], mail, sizeof(mail))) > 0) {
		if (deliver(directory, count++, mail, n))
			return 1;
		if (write(ends[0], "250\n", 4) != 4)
			return 1;
	}
	if (waitpid(sender, &status, 0) != sender)
		return 1;
	return status || count != MAILS;
}
