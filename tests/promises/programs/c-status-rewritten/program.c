#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");
	int fd = good ? open("status", O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;

	for (int i = 0; i < 5000; i++) {
		char text[64];
		int len = snprintf(text, sizeof(text), "state = %d\n", i);

		if (good) {
			if (pwrite(fd, text, len, 0) != len || ftruncate(fd, len))
				return 1;
		} else {
			FILE *f = fopen("status", "w");

			fputs(text, f);
			fclose(f);
		}
	}
	return 0;
}
