#include <stdio.h>
#include <time.h>

int main(void)
{
	for (int i = 0; i < 150; i++) {
		FILE *f = fopen("conf", "r");
		char line[64];

		if (!f || !fgets(line, sizeof(line), f))
			return 1;
		fclose(f);
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	return 0;
}
