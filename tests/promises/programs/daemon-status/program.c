#include <stdio.h>
#include <time.h>

int main(void)
{
	for (int i = 0; i < 30; i++) {
		FILE *f = fopen("status", "w");

		fprintf(f, "state = %d\n", i);
		fclose(f);
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	}
	return 0;
}
