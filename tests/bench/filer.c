// SPDX-License-Identifier: GPL-2.0
/*
 * Opens, writes 4 bytes to and closes each of many files: measures the cost of a call with so many.
 * With -m it makes the files, a thousand in each directory, and does nothing else.
 *
 * Usage: filer -d DIR -n FILES [-m] [-r RESULT]
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "bench.h"

#define SLICE_FILES 50
/* Least number of openings in all, so that a few files are used several times. */
#define MIN_FILES 20000

static const char *directory;

static void file_path(char *path, size_t size, long number)
{
	snprintf(path, size, "%s/%ld/%ld", directory, number / 1000, number);
}

static void make_files(long nr)
{
	char path[4096];

	for (long i = 0; i < nr; i++) {
		int fd;

		if (i % 1000 == 0) {
			snprintf(path, sizeof(path), "%s/%ld", directory, i / 1000);
			bench_check(!mkdir(path, 0755) || errno == EEXIST, path);
		}
		file_path(path, sizeof(path), i);
		fd = open(path, O_WRONLY | O_CREAT, 0644);
		bench_check(fd >= 0 && write(fd, "abc\n", 4) == 4, path);
		close(fd);
	}
}

static void use_file(long number)
{
	char path[4096];
	int fd;

	file_path(path, sizeof(path), number);
	fd = open(path, O_WRONLY);
	bench_check(fd >= 0, path);
	bench_check(write(fd, "abc\n", 4) == 4, path);
	close(fd);
}

static void measure(long nr_files, const char *result_path)
{
	long nr_slices = (nr_files > MIN_FILES ? nr_files : MIN_FILES) / SLICE_FILES, next = 0;
	double *rounds = calloc(nr_slices, sizeof(*rounds)),
	       *round_ns = calloc(nr_slices, sizeof(*round_ns));
	FILE *f = bench_open_result(result_path);

	bench_check(rounds && round_ns, "calloc");
	for (long i = 0; i < nr_slices; i++) {
		double before = bench_reference(), after;
		uint64_t ns = bench_ns(CLOCK_MONOTONIC);

		for (int k = 0; k < SLICE_FILES; k++)
			use_file(next++ % nr_files);
		ns = bench_ns(CLOCK_MONOTONIC) - ns;
		after = bench_reference();
		round_ns[i] = before < after ? before : after;
		rounds[i] = (double)ns / (3 * SLICE_FILES) / round_ns[i];
	}
	fprintf(f, "{\"rounds\": ");
	bench_write_spread(f, rounds, nr_slices);
	fprintf(f, ", \"round_ns\": ");
	bench_write_spread(f, round_ns, nr_slices);
	fprintf(f, ", \"write\": %ld}\n", nr_slices * SLICE_FILES);
	bench_check(fclose(f) == 0, result_path);
}

int main(int argc, char **argv)
{
	const char *result_path = NULL;
	bool only_make = false;
	long nr_files = 0;
	int option;

	while ((option = getopt(argc, argv, "d:mn:r:")) != -1)
		if (option == 'd')
			directory = optarg;
		else if (option == 'm')
			only_make = true;
		else if (option == 'n')
			nr_files = atol(optarg);
		else if (option == 'r')
			result_path = optarg;
	if (nr_files < 1 || !directory)
		errx(2, "usage: filer -d DIR -n FILES [-m] [-r RESULT]");
	if (only_make)
		make_files(nr_files);
	else
		measure(nr_files, result_path);
	return 0;
}
