#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"), fd = open("in", O_RDONLY), lines = 0;
	FILE *f = fdopen(fd, "r");
	char byte;

	if (good)
		for (int c; (c = getc(f)) != EOF;)
			lines += c == '\n';
	else
		while (read(fd, &byte, 1) == 1)
			lines += byte == '\n';
	printf("%d\n", lines);
	return 0;
}
