#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int good, fd;

static void *lines(void *arg)
{
	char buffer[8192];
	size_t filled = 0;

	for (int i = 0; i < 30000; i++) {
		filled += snprintf(buffer + filled, 64, "%ld: line %d\n", (long)arg, i);
		if (good && filled < sizeof(buffer) - 64)
			continue;
		if (write(fd, buffer, filled) != (ssize_t)filled)
			_exit(1);
		filled = 0;
	}
	if (filled && write(fd, buffer, filled) != (ssize_t)filled)
		_exit(1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[8];

	good = !strcmp(argv[argc - 1], "good");
	fd = open("out", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
	for (long i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, lines, (void *)i);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
