/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The iostream workloads share this: a loop runs on cout, or each thread's loop on a stream of its
 * own.
 */
#pragma once

#include "workload.h"

#include <ext/stdio_filebuf.h>
#include <iostream>

/* The loop of a program, as published, on the stream that it is given. */
using stream_loop = void (*)(std::ostream &out, uint64_t lines);

/* Runs loop and flushes. If the stream fails, it throws, which ends a plain loop. */
static int run_loop(struct workload *w, std::ostream &out, stream_loop loop)
{
	errno = 0;
	try {
		out.exceptions(std::ios::badbit | std::ios::failbit);
		loop(out, w->lines);
		if (out)
			out.flush();
	} catch (const std::ios_base::failure &) {
	}
	if (out)
		return EXIT_SUCCESS;

	int err = errno;

	if (w->stdio)
		ledger_stdio_error();
	return workload_output_failed(w, err);
}

/*
 * Runs the loop on the buffer of an ofstream whose file is open already: a duplicate of the output,
 * so that threads share its offset and overwrite nothing of each other.
 */
template <stream_loop loop>
int run_on_own_stream(struct workload *w)
{
	int fd = fcntl(w->fd, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return workload_output_failed(w, errno);

	__gnu_cxx::stdio_filebuf<char> file(fd, std::ios::out);
	std::ostream out(&file);

	int status = run_loop(w, out, loop);
	bool flushed = file.close() != nullptr;
	int err = errno;

	ledger_note(&ledger_mine.close, true);
	return status || flushed ? status : workload_output_failed(w, err);
}

/* Every thread, also if there is only one, has its own stream. */
template <stream_loop loop>
int run_on_own_streams(struct workload *w)
{
	return workload_run(w, run_on_own_stream<loop>);
}

/*
 * Runs the loop on a standard stream, synchronised with stdio or not; with several threads, on
 * their own streams as above.
 */
template <stream_loop loop>
int run_on(struct workload *w, std::ostream &standard, bool synchronised)
{
	if (w->threads > 1)
		return run_on_own_streams<loop>(w);
	w->stdio = synchronised;
	if (!synchronised)
		std::ios::sync_with_stdio(false);
	return run_loop(w, standard, loop);
}
