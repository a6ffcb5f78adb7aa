// SPDX-License-Identifier: GPL-2.0
/*
 * Experiment 1: cout << "123" << endl, 20,000,000 times, stdout redirected to a file. Its writer's
 * claim: 37 to 39 seconds, because endl flushes; strace shows one write(1, "123\n", 4) for each
 * line, and strace -c 20,000,000 write.
 *
 * With --threads each thread has a stream of its own on the same file, and flushes as often: one
 * write a line, too.
 */
#include "streams.h"

using std::endl;

static void lines(std::ostream &cout, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		cout << "123" << endl;
}

int main(int argc, char **argv)
{
	struct workload w = workload_start(argc, argv, 1000000, nullptr, nullptr);

	workload_redirect(&w, STDOUT_FILENO);
	workload_end(&w, run_on<lines>(&w, std::cout, true));
}
