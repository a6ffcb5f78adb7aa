#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	int in = open("in", O_RDONLY), out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	while (sendfile(out, in, NULL, good ? 1 << 20 : 64) > 0)
		;
	return close(out);
}
