// SPDX-License-Identifier: GPL-2.0
/*
 * Experiment 3: cout << "123" << '\n', 20,000,000 times, stdout redirected to a file. Its writer's
 * claim: strace -c shows 9,765 writev. That needs --unsync, sync_with_stdio(false): then libstdc++
 * uses its own buffer of 8 KiB, and writev writes the buffer and what did not fit into it. Without
 * it, stdio's buffer is used: about 19,532 writes of 4,096 bytes.
 *
 * With --threads each thread has a stream of its own on the same file, unsynchronised as with
 * --unsync; where a buffer ends, lines of several threads mingle.
 */
#include "streams.h"

static void lines(std::ostream &cout, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		cout << "123" << '\n';
}

int main(int argc, char **argv)
{
	bool unsync = false;
	const struct workload_flag flags[] = {
		{ "unsync", &unsync, "do not synchronise cout with stdio: sync_with_stdio(false)" },
		{},
	};
	struct workload w = workload_start(argc, argv, 1000000, nullptr, flags);

	workload_redirect(&w, STDOUT_FILENO);
	workload_end(&w, run_on<lines>(&w, std::cout, !unsync));
}
