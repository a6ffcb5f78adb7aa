// SPDX-License-Identifier: GPL-2.0
/*
 * Experiment 4: lines of 80 characters to an ofstream, 1,000,000 times, ended by endl or by a
 * manipulator that only inserts a newline. Its writer's claim: a bit over 3 seconds against about
 * 0.5, a factor of about 6.
 *
 * With --threads each thread has a stream of its own on the same file; with --newline, where a
 * buffer ends, lines of several threads mingle.
 */
#include "streams.h"

static std::ostream &newline(std::ostream &out)
{
	return out.put(out.widen('\n'));
}

static std::ostream &(*end_of_line)(std::ostream &) = std::endl;

static void lines(std::ostream &out, uint64_t n)
{
	const char line[] =
		"12345678901234567890123456789012345678901234567890123456789012345678901234567890";

	for (uint64_t i = 0; i < n; i++)
		out << line << end_of_line;
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
	if (with_newline)
		end_of_line = newline;
	workload_open(&w);
	workload_end(&w, run_on_own_streams<lines>(&w));
}
