#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"),
	    fd = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	FILE *f = fdopen(fd, "w");
	char line[64];

	for (int i = 0; i < 400000; i++) {
		int len = snprintf(line, sizeof(line), "%d\n", i);

		if (good)
			fwrite(line, 1, len, f);
		else if (write(fd, line, len) != len)
			return 1;
	}
	return fclose(f);
}
