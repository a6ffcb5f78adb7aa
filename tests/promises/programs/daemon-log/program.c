#include <stdio.h>
#include <time.h>

int main(void)
{
	FILE *f = fopen("log", "a");

	for (int i = 0; i < 150; i++) {
		fprintf(f, "tick %d\n", i);
		fflush(f);
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	return fclose(f);
}
