// SPDX-License-Identifier: GPL-2.0
/* Delivers letters as a mail server does, by tmp/ and new/; another process takes them. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LETTERS = 800, ROOM = 65536 };

static int deliver(void)
{
	static char text[ROOM];
	char at[64], to[64];

	for (int i = 0; i < LETTERS; i++) {
		int n = snprintf(text, sizeof(text), "Subject: letter %d\n\n", i), fd;

		while (n < 40000 + i % 9 * 3000)
			n += snprintf(text + n, sizeof(text) - n, "line %d of letter %d\n", n, i);
		snprintf(at, sizeof(at), "tmp/%d.letter", i);
		snprintf(to, sizeof(to), "new/%d.letter", i);
		fd = open(at, O_WRONLY | O_CREAT | O_EXCL, 0600);
		if (fd < 0 || write(fd, text, n) != n || close(fd) || rename(at, to))
			return 1;
	}
	return 0;
}

/* Takes what is in new/ now. */
static int take(long *words)
{
	static char text[ROOM];
	struct dirent *entry;
	DIR *folder = opendir("new");
	int taken = 0;

	while (folder && (entry = readdir(folder))) {
		char at[300], to[300];
		int fd, n;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(at, sizeof(at), "new/%s", entry->d_name);
		snprintf(to, sizeof(to), "cur/%s", entry->d_name);
		fd = open(at, O_RDONLY);
		n = fd < 0 ? -1 : read(fd, text, sizeof(text));
		if (n < 0 || close(fd) || rename(at, to))
			return -1;
		for (int i = 0; i < n; i++)
			*words += text[i] == ' ' || text[i] == '\n';
		taken++;
	}
	if (folder)
		closedir(folder);
	return taken;
}

int main(void)
{
	long words = 0;
	int status, done, bell[2];
	char ring;
	pid_t server;

	if (mkdir("tmp", 0700) || mkdir("new", 0700) || mkdir("cur", 0700) || pipe(bell))
		return 1;
	server = fork();
	if (server < 0)
		return 1;
	if (!server)
		_exit(deliver());
	close(bell[1]);
	if (waitpid(server, &status, 0) != server || status || read(bell[0], &ring, 1))
		return 1;
	done = take(&words);
	printf("%d letters, %ld words\n", done, words);
	return done != LETTERS;
}
