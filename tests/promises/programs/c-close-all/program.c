#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good");

	for (int child = 0; child < 5; child++) {
		if (good)
			close_range(3, 65535, 0);
		else
			for (int fd = 3; fd < 65536; fd++)
				close(fd);
	}
	return 0;
}
