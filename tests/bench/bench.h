/* SPDX-License-Identifier: GPL-2.0 */
/* What the benchmark's programs have in common. */
#pragma once

#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline void bench_check(bool fine, const char *what)
{
	if (!fine)
		err(1, "%s", what);
}

static inline uint64_t bench_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#define BENCH_REFERENCE_ROUNDS 2000

/*
 * The reference loop: ns per round. Times given in its rounds are the same at any clock frequency,
 * which changes from one moment to the next.
 */
static inline double bench_reference(void)
{
	uint64_t start = bench_ns(CLOCK_MONOTONIC), x = start | 1;

	for (int i = 0; i < BENCH_REFERENCE_ROUNDS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	/* The compiler has to assume that the result is used. */
	__asm__ volatile("" ::"r"(x));
	return (double)(bench_ns(CLOCK_MONOTONIC) - start) / BENCH_REFERENCE_ROUNDS;
}

static inline int bench_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts the values, and writes their spread as JSON, in which low is the 5 % quantile. */
static inline void bench_write_spread(FILE *f, double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), bench_compare);
	fprintf(f, "{\"low\": %.4f, \"q1\": %.4f, \"median\": %.4f, \"q3\": %.4f}", values[nr / 20],
		values[nr / 4], values[nr / 2], values[nr - 1 - nr / 4]);
}

/* Says that all is set up, and waits until whoever drives the program lets it begin. */
static inline void bench_wait_for_go(void)
{
	char byte;

	bench_check(dprintf(STDOUT_FILENO, "ready\n") > 0, "stdout");
	bench_check(read(STDIN_FILENO, &byte, 1) >= 0, "stdin");
}

/*
 * Opens the result as a stdio stream that stays in memory until it is closed, so that writing it is
 * not measured.
 */
static inline FILE *bench_open_result(const char *path)
{
	FILE *f;

	bench_check(path != NULL, "no -r RESULT");
	f = fopen(path, "we");
	bench_check(f != NULL, path);
	bench_check(!setvbuf(f, NULL, _IOFBF, 1 << 16), "setvbuf");
	return f;
}
