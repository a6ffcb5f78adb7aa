// SPDX-License-Identifier: GPL-2.0
/*
 * Experiment 2: write(fd, "123\n", 4) on the descriptor of an opened file, 20,000,000 times. Its
 * writer's claim: about 38 seconds, as long as with endl, so it is the calls that cost; strace -c
 * says 73.374592 seconds in write. (As published the loop returns in its first turn; the figures
 * are those of the loop without that.)
 *
 * With --threads all threads write to the one descriptor.
 */
#include "workload.h"

static int lines(struct workload *w)
{
	int fd = w->fd;
	ssize_t ret;

	for (uint64_t i = 0; i < w->lines; i++) {
		ret = write(fd, "123\n", 4);
		if (ret < 0)
			return workload_output_failed(w, errno);
		if (ret != 4)
			return workload_fail("short write",
					     w->output ? w->output : "standard output");
	}
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct workload w = workload_start(argc, argv, 1000000, NULL, NULL);

	workload_open(&w);
	workload_end(&w, workload_run(&w, lines));
}
