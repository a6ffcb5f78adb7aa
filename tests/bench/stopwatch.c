// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a command, and writes its time and memory as JSON. It is a small program, because a
 * command's peak memory is never below that of the process that forked it.
 *
 * Usage: stopwatch RESULT COMMAND [ARG]...
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include "bench.h"

int main(int argc, char **argv)
{
	struct rusage usage;
	uint64_t start;
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3)
		errx(2, "usage: stopwatch RESULT COMMAND [ARG]...");
	f = bench_open_result(argv[1]);
	start = bench_ns(CLOCK_MONOTONIC);
	pid = vfork();
	bench_check(pid >= 0, "vfork");
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	bench_check(wait4(pid, &status, 0, &usage) == pid, "wait4");
	fprintf(f, "{\"ns\": %llu, \"max_rss_kib\": %ld, \"status\": %d}\n",
		(unsigned long long)(bench_ns(CLOCK_MONOTONIC) - start), usage.ru_maxrss, status);
	return fclose(f) ? 1 : 0;
}
