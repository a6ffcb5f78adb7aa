// SPDX-License-Identifier: GPL-2.0
/*
 * Experiments 6 and 7: the integers 0 to 999,999, ended by endl or a newline. Its writer's claims:
 * to an ofstream (-o), 827 ms against 31 ms, a factor of 26.7; to cout on a terminal (no -o), 5,520
 * ms with endl and 8,012 ms with a newline, because stdout is line-buffered there, so a newline
 * gains nothing.
 *
 * With --threads each thread has a stream of its own on the same output, which is never
 * line-buffered; with --newline, where a buffer ends, lines of several threads mingle.
 */
#include "streams.h"

using std::endl;

static void lines_by_endl(std::ostream &out, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		out << i << endl;
}

static void lines_by_newline(std::ostream &out, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		out << i << '\n';
}

template <stream_loop loop>
static int run(struct workload *w)
{
	return w->output ? run_on_own_streams<loop>(w) : run_on<loop>(w, std::cout, true);
}

int main(int argc, char **argv)
{
	bool with_endl = false, with_newline = false;
	const struct workload_flag flags[] = {
		{ "endl", &with_endl, "end lines by endl (default)" },
		{ "newline", &with_newline, "end lines by a newline only" },
		{},
	};
	struct workload w = workload_start(argc, argv, 1000000, nullptr, flags);

	if (with_endl && with_newline)
		workload_usage("--endl excludes", "--newline");
	workload_open(&w);
	workload_end(&w, with_newline ? run<lines_by_newline>(&w) : run<lines_by_endl>(&w));
}
