// SPDX-License-Identifier: GPL-2.0
/*
 * Experiment 5: cerr has unitbuf set, which flushes it after every insertion; nounitbuf turns that
 * off. Its writer gives no figure.
 *
 * One thing is worth knowing: as long as cerr is synchronised with stdio, stderr has no buffer
 * anyway, so with --nounitbuf each insertion is still one write. The difference shows with
 * --unsync.
 *
 * cerr's descriptor, 2, becomes the output: stdout or -o. Error messages and the ledger go to the
 * original stderr.
 *
 * With --threads each thread has a stream of its own on the output, unsynchronised as with
 * --unsync.
 */
#include "streams.h"

using std::nounitbuf;
using std::unitbuf;

static bool no_unitbuf;

static void lines(std::ostream &cerr, uint64_t n)
{
	/* With unitbuf set, a stream may fail inside a destructor, which must not throw. */
	cerr.exceptions(std::ios::goodbit);
	cerr << (no_unitbuf ? nounitbuf : unitbuf);
	for (uint64_t i = 0; i < n && cerr; i++)
		cerr << "123" << '\n';
}

int main(int argc, char **argv)
{
	bool unsync = false;
	const struct workload_flag flags[] = {
		{ "nounitbuf", &no_unitbuf, "do not flush cerr after every insertion" },
		{ "unsync", &unsync, "do not synchronise cerr with stdio: sync_with_stdio(false)" },
		{},
	};
	struct workload w = workload_start(argc, argv, 1000000, nullptr, flags);

	workload_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	workload_redirect(&w, STDERR_FILENO);
	workload_end(&w, run_on<lines>(&w, std::cerr, !unsync));
}
