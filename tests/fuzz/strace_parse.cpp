// SPDX-License-Identifier: GPL-2.0
// libFuzzer harness of the strace parser. For any bytes: no memory error occurs, the figures do not
// depend on how the bytes are cut into pieces, and every call is accounted for.
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" {
#include "model/profile_files.h"
#include "trace/strace/path_filter.h"
#include "trace/strace/parse.h"
}

static strace_parser *parse(const strace_format &format, const syscall_set &set, const char *data,
			    size_t size, size_t piece)
{
	strace_parser *p = strace_parser__new(&format, &set);

	for (size_t at = 0; at < size; at += piece)
		strace_parser__feed(p, 0, data + at, size - at < piece ? size - at : piece, at);
	return p;
}

static uint64_t check(const profile &p)
{
	uint64_t returned = 0, errors = 0;

	for (size_t i = 0; i < p.nr_syscalls; i++) {
		const syscall_stats &s = p.syscalls[i];
		uint64_t named = 0;

		for (size_t j = 0; j < s.nr_errnos; j++)
			named += s.errnos[j].count;
		if (named > s.errors || s.errors > s.calls || s.timed > s.calls)
			abort();
		returned += s.calls;
		errors += s.errors;
	}
	if (profile_check_files(&p))
		abort();
	for (size_t i = 0; i < p.nr_files; i++)
		for (size_t j = 0; j < p.files[i].nr_calls; j++)
			errors += p.files[i].calls[j].newlines * 3 + p.files[i].calls[j].calls;
	for (size_t i = 0; i < p.nr_files; i++)
		for (size_t j = 0; j < p.files[i].nr_users; j++)
			errors += p.files[i].users[j].calls * p.files[i].users[j].pid;
	if (returned != p.returned || p.entered != p.returned + p.in_flight + p.died)
		abort();
	return returned * 31 + errors * 17 + p.lost * 7 + p.died * 3 + p.in_flight;
}

// Each site has a stack, and each stack frames; no more samples are told than calls.
static uint64_t check_stacks(const profile &p)
{
	uint64_t sum = 0, samples = 0;

	for (size_t i = 0; i < p.stacks.nr_stacks; i++)
		for (size_t k = 0; k < p.stacks.stacks[i].nr; k++)
			sum = sum * 7 + p.stacks.frames[p.stacks.stacks[i].frames[k]].offset;
	for (size_t i = 0; i < p.stacks.nr_sites; i++) {
		if (p.stacks.sites[i].stack >= p.stacks.nr_stacks)
			abort();
		samples += p.stacks.sites[i].samples;
	}
	for (size_t i = 0; i < p.nr_files; i++)
		for (size_t k = 0; k < p.files[i].nr_sites; k++) {
			if (p.files[i].sites[k].stack >= p.stacks.nr_stacks)
				abort();
			samples += p.files[i].sites[k].samples;
		}
	if (samples > p.stacks.samples || p.stacks.samples + p.stacks.lost > p.returned)
		abort();
	return sum + samples;
}

static uint64_t figures(strace_parser *parser)
{
	profile p = {};
	uint64_t sum;

	if (strace_parser__snapshot(parser, &p, 1000000) || strace_parser__put_stacks(parser, &p))
		abort();
	sum = check(p) + check_stacks(p);
	profile_free(&p);
	return sum;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static syscall_set set;
	static bool ready;
	char err[256];

	if (!ready && syscall_set_parse(&set, "trace=all", err, sizeof(err)))
		abort();
	ready = true;
	if (!size)
		return 0;

	const char *data = reinterpret_cast<const char *>(bytes);
	static const char *const paths[] = { "/usr" };
	static const strace_path_filter *const only = strace_path_filter__new(paths, 1);
	const bool files = bytes[0] & 8;
	const strace_format format = { !(bytes[0] & 2),
				       bytes[0] & 4 ? 1 : 0,
				       0,
				       (bytes[0] & 1) != 0,
				       nullptr,
				       files && bytes[0] & 16 ? only : nullptr,
				       files ? 5u : 0,
				       { 32768, 60999 },
				       (bytes[0] & 32) != 0 };
	strace_parser *whole = parse(format, set, data, size, size);
	strace_parser *cut = parse(format, set, data, size, 1 + bytes[0] % 64);

	if (figures(whole) != figures(cut) ||
	    strace_parser__tasks(whole, nullptr, 0) != strace_parser__tasks(cut, nullptr, 0))
		abort();
	strace_parser__free(whole);
	strace_parser__free(cut);
	return 0;
}
