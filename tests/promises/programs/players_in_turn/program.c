// SPDX-License-Identifier: GPL-2.0
// Two processes play nim against each other through a pair of pipes; each thinks about its move.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned think(unsigned state)
{
	unsigned best = 0, x = state;
	for (int i = 0; i < 1500000; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		best = x > best ? x : best;
	}
	return best ^ state;
}

static int flush;

static void play(int in, int out, FILE *log, int moves)
{
	unsigned state;
	for (int i = 0; i < moves; i++) {
		if (read(in, &state, sizeof state) != sizeof state)
			_exit(1);
		state = think(state | 1);
		if (log)
			fprintf(log, "move %d: %u\n", i, state);
		if (log && flush)
			fflush(log);
		if (write(out, &state, sizeof state) != sizeof state)
			_exit(1);
	}
}

int main(int argc, char **argv)
{
	flush = argc < 2 || strcmp(argv[1], "good") != 0;
	int there[2], back[2], status;
	unsigned state = 12345;
	if (pipe(there) || pipe(back))
		return 1;
	FILE *log = fopen("game.txt", "w");
	if (!log)
		return 1;
	pid_t pid = fork();
	if (pid < 0)
		return 1;
	if (!pid) {
		play(there[0], back[1], NULL, 60);
		_exit(0);
	}
	if (write(there[1], &state, sizeof state) != sizeof state)
		return 1;
	play(back[0], there[1], log, 59);
	if (read(back[0], &state, sizeof state) != sizeof state)
		return 1;
	waitpid(pid, &status, 0);
	fprintf(log, "end: %u\n", state);
	return fclose(log) != 0 || status != 0;
}
