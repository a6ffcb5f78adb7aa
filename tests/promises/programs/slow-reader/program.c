#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(void)
{
	int ends[2];

	if (pipe(ends))
		return 1;
	if (!fork()) {
		FILE *in = fdopen(ends[0], "r");
		char line[64];

		close(ends[1]);
		while (fgets(line, sizeof(line), in))
			for (double until = now() + 20e-6; now() < until;)
				;
		_exit(0);
	}
	close(ends[0]);
	for (int i = 0; i < 20000; i++)
		dprintf(ends[1], "line %d\n", i);
	close(ends[1]);
	wait(NULL);
	return 0;
}
