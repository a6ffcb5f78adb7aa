// SPDX-License-Identifier: GPL-2.0
/*
 * Many processes that exist at the same time and make calls in turns: measures the cost of a call
 * among so many. A turn is one slice of calls, without a warm-up.
 *
 * Usage: crowd -n PROCESSES -r RESULT
 */
#include <linux/futex.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "bench.h"

#define SLICE_CALLS 200
#define MIN_TURNS   2000 /* Least number of turns of all processes together. */

struct turn {
	double rounds, round_ns;
};

struct shared {
	uint32_t gone;	 /* Futex. Not 0: all may exit. */
	uint32_t next[]; /* Futex of each process: the number of turns that it may have had. */
};

static struct shared *shared;
static struct turn *turns;
static int nr_processes, nr_laps;

static void futex_wait(uint32_t *word, uint32_t value)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
		syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void futex_set(uint32_t *word, uint32_t value, int nr)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
	syscall(SYS_futex, word, FUTEX_WAKE, nr, NULL, NULL, 0);
}

static void take_turn(struct turn *turn, int fd)
{
	double before = bench_reference(), after;
	uint64_t ns = bench_ns(CLOCK_MONOTONIC);

	for (int i = 0; i < SLICE_CALLS; i++)
		bench_check(write(fd, "abc\n", 4) == 4, "write");
	ns = bench_ns(CLOCK_MONOTONIC) - ns;
	after = bench_reference();
	turn->round_ns = before < after ? before : after;
	turn->rounds = (double)ns / SLICE_CALLS / turn->round_ns;
}

static void be_one(int number)
{
	int fd = open("/dev/null", O_WRONLY);

	for (int lap = 0; lap < nr_laps; lap++) {
		futex_wait(&shared->next[number], lap);
		take_turn(&turns[(size_t)lap * nr_processes + number], fd);
		/* The last process of a lap gives the next lap to the first. */
		if (number + 1 < nr_processes)
			futex_set(&shared->next[number + 1], lap + 1, 1);
		else if (lap + 1 < nr_laps)
			futex_set(&shared->next[0], lap + 2, 1);
		else
			futex_set(&shared->gone, 1, 1 << 30);
	}
	futex_wait(&shared->gone, 0);
	_exit(0);
}

static void *share(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	bench_check(memory != MAP_FAILED, "mmap");
	return memory;
}

static void write_result(const char *path, size_t nr)
{
	double *rounds = calloc(nr, sizeof(*rounds)), *round_ns = calloc(nr, sizeof(*round_ns));
	FILE *f = bench_open_result(path);

	bench_check(rounds && round_ns, "calloc");
	for (size_t i = 0; i < nr; i++) {
		rounds[i] = turns[i].rounds;
		round_ns[i] = turns[i].round_ns;
	}
	fprintf(f, "{\"rounds\": ");
	bench_write_spread(f, rounds, nr);
	fprintf(f, ", \"round_ns\": ");
	bench_write_spread(f, round_ns, nr);
	fprintf(f, ", \"write\": %zu}\n", nr * SLICE_CALLS);
	bench_check(fclose(f) == 0, path);
}

int main(int argc, char **argv)
{
	const char *result_path = NULL;
	int option, status;

	while ((option = getopt(argc, argv, "n:r:")) != -1)
		if (option == 'n')
			nr_processes = atoi(optarg);
		else if (option == 'r')
			result_path = optarg;
	if (nr_processes < 1)
		errx(2, "usage: crowd -n PROCESSES -r RESULT");
	nr_laps = nr_processes < MIN_TURNS ? MIN_TURNS / nr_processes : 1;
	shared = share(sizeof(*shared) + nr_processes * sizeof(*shared->next));
	turns = share((size_t)nr_processes * nr_laps * sizeof(*turns));
	for (int i = 0; i < nr_processes; i++) {
		pid_t pid = fork();

		bench_check(pid >= 0, "fork");
		if (pid == 0)
			be_one(i);
	}
	futex_set(&shared->next[0], 1, 1);
	for (int i = 0; i < nr_processes; i++) {
		bench_check(wait(&status) > 0, "wait");
		bench_check(status == 0, "a process failed");
	}
	write_result(result_path, (size_t)nr_processes * nr_laps);
	return 0;
}
