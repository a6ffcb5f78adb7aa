#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int good = !strcmp(argv[argc - 1], "good"), missing = 0;

	for (int i = 0; i < 200000; i++)
		if (!good || !i)
			missing += access("/etc/no-such-override.conf", R_OK) != 0;
	printf("%d\n", missing);
	return 0;
}
