// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINES 30000

// Sends all lines in large pieces.
static void send_all(int s)
{
	FILE *f = fdopen(s, "w");

	setvbuf(f, NULL, _IOFBF, 65536);
	for (int i = 0; i < LINES; i++)
		fprintf(f, "header-%d: value\n", i);
	fclose(f);
	_exit(0);
}

int main(int argc, char **argv)
{
	int s[2], lines = 0, c;
	FILE *f;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s))
		return 1;
	if (!fork()) {
		close(s[0]);
		send_all(s[1]);
	}
	close(s[1]);
	f = fdopen(s[0], "r");
	if (strcmp(argv[argc - 1], "good"))
		setvbuf(f, NULL, _IONBF, 0);
	while ((c = getc(f)) != EOF)
		lines += c == '\n';
	wait(NULL);
	return lines != LINES;
}
