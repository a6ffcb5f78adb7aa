// SPDX-License-Identifier: GPL-2.0
/*
 * The program that the benchmark measures: makes calls of 4 bytes and times them by its own clock,
 * in slices of a hundred microseconds, so that a slice during which another task had the CPU stands
 * out and is not averaged in.
 *
 * A CPU's speed changes all the time. So each slice stands between two runs of a reference loop,
 * and a call's time is also given in rounds of that loop, which does not depend on the clock
 * frequency. Where another CPU of the same core slows the loop, and not the calls, such a time is
 * too short: the slices beside a slow loop are left out of those.
 *
 * Usage: caller [-b MS] [-d DIR] [-w] -r RESULT PHASE... A phase is TARGET:THREADS:CALL: null or
 * file (one of its own for each thread, in DIR), and write, pwrite64 or switch: a context switch to
 * a process on the same CPU, or back, through pipes. It runs for MS in all, in turns with the other
 * phases. All threads exist before the first phase. With -w it says "ready" on stdout and waits for
 * a byte on stdin, so that tools can attach to it meanwhile. RESULT gets a line of JSON.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

#define MAX_PHASES  16
#define MAX_THREADS 64
#define MAX_SLICES  4096
#define SLICE_NS    100000 /* Intended length of a slice. */
#define MIN_CALLS   20
#define MAX_CALLS   2000
#define PASSES	    4
#define CALM	    1.03 /* Factor by which a loop may be slower than the fastest one. */

struct phase {
	const char *text;
	bool file, positioned, switches;
	int threads;
};

struct samples {
	size_t nr;
	double ns[MAX_SLICES];		 /* Time of a call, by slice. */
	double rounds[MAX_SLICES];	 /* The same in rounds of the reference loop. */
	double instructions[MAX_SLICES]; /* Number for each call, if the CPU counts them. */
	double round_ns[MAX_SLICES];	 /* Duration of such a round. */
};

struct worker {
	pthread_t thread;
	int number, null_fd, file_fd;
	int counter; /* Descriptor of the thread's instruction counter. -1: there is none. */
	uint64_t nr_calls[2]; /* Calls made so far, of write and of pwrite64. */
	struct samples samples[MAX_PHASES];
};

static struct phase phases[MAX_PHASES];
static int nr_phases, nr_workers;
static uint64_t budget_ns = 100000000;
static const char *directory = "/tmp";
static struct worker *workers;
static pthread_barrier_t barrier;

/* Pipes to and from the process that is switched to. -1: not there. */
static int partner_fds[2] = { -1, -1 };

/* Half of the switches are to the partner, and half are back. */
static void make_switches(int nr)
{
	char byte = 0;

	for (; nr > 0; nr -= 2)
		bench_check(write(partner_fds[0], &byte, 1) == 1 &&
				    read(partner_fds[1], &byte, 1) == 1,
			    "partner");
}

/*
 * Starts a process that answers each byte, on the CPU that this one then stays on. It ends with
 * this one.
 */
static void start_partner(void)
{
	int to[2], from[2];
	cpu_set_t cpu;
	char byte;
	pid_t pid;

	CPU_ZERO(&cpu);
	CPU_SET(sched_getcpu(), &cpu);
	bench_check(!sched_setaffinity(0, sizeof(cpu), &cpu), "sched_setaffinity");
	bench_check(!pipe(to) && !pipe(from), "pipe");
	pid = fork();
	bench_check(pid >= 0, "fork");
	if (pid == 0) {
		close(to[1]);
		while (read(to[0], &byte, 1) == 1)
			bench_check(write(from[1], &byte, 1) == 1, "write");
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	partner_fds[0] = to[1];
	partner_fds[1] = from[0];
}

static void make_calls(struct worker *w, const struct phase *phase, int nr)
{
	int fd = phase->file ? w->file_fd : w->null_fd;

	if (phase->switches) {
		make_switches(nr);
		return;
	}
	w->nr_calls[phase->positioned] += nr;
	if (phase->positioned)
		while (nr--)
			bench_check(pwrite(fd, "abc\n", 4, 0) == 4, "pwrite64");
	else
		while (nr--)
			bench_check(write(fd, "abc\n", 4) == 4, "write");
}

/* Opens a counter of the instructions of the calling thread, those in the kernel included. */
static int open_counter(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t read_counter(const struct worker *w)
{
	uint64_t count = 0;

	if (w->counter >= 0)
		bench_check(read(w->counter, &count, sizeof(count)) == sizeof(count), "counter");
	return count;
}

/*
 * Returns what one slice took, in ns. The file stays small: in a growing one, the allocation of
 * blocks would be measured.
 */
static uint64_t slice(struct worker *w, const struct phase *phase, int nr, double *round_ns,
		      uint64_t *instructions)
{
	double before, after;
	uint64_t ns, count;

	if (phase->file)
		bench_check(lseek(w->file_fd, 0, SEEK_SET) == 0, "lseek");
	before = bench_reference();
	count = read_counter(w);
	ns = bench_ns(CLOCK_MONOTONIC);
	make_calls(w, phase, nr);
	ns = bench_ns(CLOCK_MONOTONIC) - ns;
	*instructions = read_counter(w) - count;
	after = bench_reference();
	/* If one of the two loops was interrupted, it is the slower one. */
	*round_ns = before < after ? before : after;
	return ns;
}

static void run_phase(struct worker *w, const struct phase *phase)
{
	uint64_t end = bench_ns(CLOCK_MONOTONIC) + budget_ns / PASSES, ns, instructions;
	struct samples *s = &w->samples[phase - phases];
	int nr = MIN_CALLS;
	double round_ns;

	/*
	 * Warms up, and finds how many calls fit in a slice here: under strace a hundred times
	 * fewer.
	 */
	for (int i = 0; i < 4; i++) {
		ns = slice(w, phase, nr, &round_ns, &instructions);
		nr = ns ? (double)nr * SLICE_NS / ns : MAX_CALLS;
		nr = nr < MIN_CALLS ? MIN_CALLS : nr > MAX_CALLS ? MAX_CALLS : nr;
	}
	do {
		ns = slice(w, phase, nr, &round_ns, &instructions);
		s->instructions[s->nr] = (double)instructions / nr;
		s->ns[s->nr] = (double)ns / nr;
		s->rounds[s->nr] = (double)ns / nr / round_ns;
		s->round_ns[s->nr++] = round_ns;
	} while (s->nr < MAX_SLICES - PASSES && bench_ns(CLOCK_MONOTONIC) < end);
}

/* The first worker is the main thread. */
static void *work(void *arg)
{
	struct worker *w = arg;

	w->counter = open_counter();
	for (int i = 0; i < PASSES * nr_phases; i++) {
		const struct phase *phase = &phases[i % nr_phases];

		pthread_barrier_wait(&barrier);
		if (w->number < phase->threads)
			run_phase(w, phase);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static double fastest_round(int number)
{
	double fastest = INFINITY;

	for (int t = 0; t < phases[number].threads; t++) {
		const struct samples *s = &workers[t].samples[number];

		for (size_t i = 0; i < s->nr; i++)
			if (s->round_ns[i] < fastest)
				fastest = s->round_ns[i];
	}
	return fastest;
}

/*
 * Writes the distribution of one of the samples' arrays over all threads, of the slices whose loop
 * took no longer than this.
 */
static void write_spread(FILE *result, const char *name, int number, size_t array, double round_ns)
{
	double *values = calloc((size_t)nr_workers * MAX_SLICES, sizeof(*values));
	size_t nr = 0;

	bench_check(values, "calloc");
	for (int t = 0; t < phases[number].threads; t++) {
		const struct samples *s = &workers[t].samples[number];
		const double *all = (const double *)((const char *)s + array);

		for (size_t i = 0; i < s->nr; i++)
			if (s->round_ns[i] <= round_ns)
				values[nr++] = all[i];
	}
	fprintf(result, "\"slices\": %zu, \"%s\": ", nr, name);
	bench_write_spread(result, values, nr);
	free(values);
}

static void write_phase(FILE *result, int number)
{
	fprintf(result, "%s\"%s\": {", number ? ", " : "", phases[number].text);
	write_spread(result, "ns", number, offsetof(struct samples, ns), INFINITY);
	fprintf(result, ", ");
	write_spread(result, "rounds", number, offsetof(struct samples, rounds),
		     CALM * fastest_round(number));
	if (workers[0].counter >= 0) {
		fprintf(result, ", ");
		write_spread(result, "instructions", number, offsetof(struct samples, instructions),
			     INFINITY);
	}
	fprintf(result, ", ");
	write_spread(result, "round_ns", number, offsetof(struct samples, round_ns), INFINITY);
	fprintf(result, "}");
}

static void parse_phase(const char *text)
{
	struct phase *phase = &phases[nr_phases++];
	char target[8], call[16];

	phase->text = text;
	bench_check(nr_phases <= MAX_PHASES, "too many phases");
	errno = EINVAL;
	bench_check(sscanf(text, "%7[^:]:%d:%15s", target, &phase->threads, call) == 3, text);
	bench_check(phase->threads > 0 && phase->threads <= MAX_THREADS, text);
	phase->file = !strcmp(target, "file");
	phase->positioned = !strcmp(call, "pwrite64");
	phase->switches = !strcmp(call, "switch");
	if (phase->switches && partner_fds[0] < 0)
		start_partner();
	if (phase->threads > nr_workers)
		nr_workers = phase->threads;
}

/* Opens an unlinked file of the worker's own. */
static int open_file(void)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/bench-XXXXXX", directory);
	fd = mkstemp(path);
	bench_check(fd >= 0, path);
	unlink(path);
	return fd;
}

static void start_workers(void)
{
	workers = calloc(nr_workers, sizeof(*workers));
	bench_check(workers, "calloc");
	pthread_barrier_init(&barrier, NULL, nr_workers);
	for (int i = 0; i < nr_workers; i++) {
		workers[i].number = i;
		workers[i].null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
		bench_check(workers[i].null_fd >= 0, "/dev/null");
		workers[i].file_fd = open_file();
		if (i > 0)
			bench_check(!pthread_create(&workers[i].thread, NULL, work, &workers[i]),
				    "pthread_create");
	}
}

static void write_results(const char *path)
{
	FILE *result = bench_open_result(path);
	uint64_t nr_calls[2] = { 0 };

	fprintf(result, "{\"phases\": {");
	for (int i = 0; i < nr_phases; i++)
		write_phase(result, i);
	for (int t = 0; t < nr_workers; t++)
		for (int i = 0; i < 2; i++)
			nr_calls[i] += workers[t].nr_calls[i];
	fprintf(result, "}, \"write\": %llu, \"pwrite64\": %llu}\n",
		(unsigned long long)nr_calls[0], (unsigned long long)nr_calls[1]);
	bench_check(fclose(result) == 0, path);
}

int main(int argc, char **argv)
{
	const char *result_path = NULL;
	bool wait = false;
	int option;

	while ((option = getopt(argc, argv, "b:d:r:w")) != -1)
		switch (option) {
		case 'b':
			budget_ns = strtoull(optarg, NULL, 10) * 1000000;
			break;
		case 'd':
			directory = optarg;
			break;
		case 'r':
			result_path = optarg;
			break;
		case 'w':
			wait = true;
			break;
		default:
			return 2;
		}
	for (int i = optind; i < argc; i++)
		parse_phase(argv[i]);
	if (nr_phases)
		start_workers();
	if (wait)
		bench_wait_for_go();
	if (nr_phases) {
		work(&workers[0]);
		for (int i = 1; i < nr_workers; i++)
			pthread_join(workers[i].thread, NULL);
		write_results(result_path);
	}
	return 0;
}
