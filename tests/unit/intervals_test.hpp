// SPDX-License-Identifier: GPL-2.0
// Intervals of made runs, for the tests of what shows a run over time.
#pragma once

#include "unit/capture_test.hpp"
#include "unit/files_test.hpp"

#include <cerrno>
#include <random>

extern "C" {
#include "model/intervals.h"
}

namespace
{
struct Interval : interval {
	Interval() : interval()
	{
	}
	~Interval()
	{
		interval_free(this);
	}
	Interval(const Interval &) = delete;
	Interval &operator=(const Interval &) = delete;
};

struct Intervals : intervals {
	Intervals() : intervals()
	{
	}
	~Intervals()
	{
		intervals_free(this);
	}
	Intervals(const Intervals &) = delete;
	Intervals &operator=(const Intervals &) = delete;
};

// Keeps what happened in a profile as the next interval of a run.
inline void add_interval(intervals &to, const profile &p, uint64_t end_ns)
{
	struct result result;
	Interval kept;

	REQUIRE(result_judge(&result, &p, 0) == 0);
	REQUIRE(interval_of_result(&kept, &result, end_ns) == 0);
	REQUIRE(intervals_add(&to, &kept) == 0);
	result_free(&result);
}

// A server that runs for some seconds: it makes calls on files, for groups, more of some than of
// others, and never the same in two seconds.
class Server
{
public:
	Case c;
	Intervals intervals;

	Server(unsigned files, unsigned groups) : nr_files(files), nr_groups(groups)
	{
		profile &run = c.profile;

		run.unknown = 0;
		run.by[0] = groups ? BY_COMM : 0;
		for (const char *name :
		     { "read", "write", "openat", "close", "fsync", "epoll_wait", "accept4",
		       "sendto", "recvfrom", "futex", "newfstatat", "writev" })
			add_syscall(run, name);
		for (unsigned f = 0; f < files; f++)
			add_file(run, f);
		for (unsigned g = 0; g < groups; g++)
			add_group(run, g);
	}

	// Lets a second pass.
	void pass()
	{
		Profile second;

		second.backend = "bpf";
		second.unknown = c.profile.unknown;
		memcpy(second.by, c.profile.by, sizeof(second.by));
		second.elapsed_ns = 1000000000;
		second.busy = { 4000000, 8000000, 5000000, 100, 0, 0, 0 };
		busy_add(&c.profile.busy, &second.busy);
		for (size_t i = 0; i < c.profile.nr_syscalls; i++)
			make_calls(second, i);
		second.returned = second.entered = calls_of(second);
		c.profile.elapsed_ns += second.elapsed_ns;
		add_to_run(second);
		add_interval(intervals, second, c.profile.elapsed_ns);
	}

	static uint64_t calls_of(const profile &p)
	{
		syscall_stats sum;

		profile_sum(&sum, &p);
		return sum.calls;
	}

	std::string json()
	{
		struct result result;
		char *text = nullptr;
		size_t size = 0;
		FILE *out = open_memstream(&text, &size);

		REQUIRE(result_make(&result, &c.profile, 0) == 0);
		result.intervals = &intervals;
		REQUIRE(json_print_result(out, &result, SECTION_ALL) == 0);
		fclose(out);
		result_free(&result);
		std::string json(text, size);
		free(text);
		return json;
	}

private:
	unsigned nr_files, nr_groups;
	std::mt19937 random{ 1 };

	static void add_syscall(profile &p, const char *name)
	{
		const int nr = syscall_number(ABI_64, name);
		syscall_stats *s = profile_syscall(&p, ABI_64, nr);

		REQUIRE(s);
		syscall_name(ABI_64, nr, s->name, sizeof(s->name));
		s->transfers = syscall_traits(ABI_64, nr).transfers;
	}

	static void add_file(profile &p, unsigned f)
	{
		file_stats *file = profile_file(&p, 1000 + f);

		file->kind = FILE_KIND_REGULAR;
		file->path = copy("/var/lib/some server/\xe6\x97\xa5\n" + std::to_string(f));
	}

	static void add_group(profile &p, unsigned g)
	{
		group_stats *group = profile_group(&p, 3 + g);

		snprintf(group->comm, sizeof(group->comm), "worker %u", g);
		group->uid = -1;
	}

	void make_calls(profile &second, size_t index)
	{
		const syscall_stats &known = c.profile.syscalls[index];
		syscall_stats *s = profile_syscall(&second, known.abi, known.nr);

		memcpy(s->name, known.name, sizeof(s->name));
		s->transfers = known.transfers;
		for (unsigned i = 0, calls = 20 + random() % 100; i < calls; i++) {
			const uint64_t ns = 200u << random() % 12;
			const int64_t result = random() % 10 ? int64_t(random() % 5000) : -ENOENT;

			REQUIRE(syscall_stats_add_call(s, result, true, ns) == 0);
			if (nr_files)
				on_file(second, index, *s, result, ns);
			if (nr_groups)
				of_group(second, *s, result, ns);
		}
	}

	// A syscall is about two files, or, where there are many, about any of them.
	void on_file(profile &second, size_t index, const syscall_stats &s, int64_t result,
		     uint64_t ns)
	{
		const unsigned number = nr_files > 12 ? random() % nr_files
						      : (unsigned(index) + random() % 2) % nr_files;
		file_stats *f = profile_file(&second, 1000 + number);

		if (!f->path) {
			const file_stats *known = profile_find_file(&c.profile, f->id);

			f->kind = known->kind;
			f->path = strdup(known->path);
		}
		file_call *call = file_stats_call(f, s.abi, s.nr);

		memcpy(call->name, s.name, sizeof(call->name));
		call->transfers = s.transfers;
		call->calls++;
		call->total_ns += ns;
		call->latency[file_latency_bucket(ns)]++;
		call->errors += result < 0;
		if (s.transfers && result >= 0) {
			call->bytes += uint64_t(result);
			call->sizes[size_bucket(uint64_t(result))]++;
		}
	}

	void of_group(profile &second, const syscall_stats &s, int64_t result, uint64_t ns)
	{
		group_stats *g = profile_group(&second, 3 + random() % nr_groups);
		group_call *call = group_stats_call(g, s.abi, s.nr);
		syscall_stats one = {};

		memcpy(one.name, s.name, sizeof(one.name));
		one.transfers = s.transfers;
		REQUIRE(syscall_stats_add_call(&one, result, true, ns) == 0);
		g->uid = -1;
		memcpy(call->name, s.name, sizeof(call->name));
		call->transfers = s.transfers;
		if (!call->calls || ns < call->min_ns)
			call->min_ns = ns;
		call->max_ns = std::max(call->max_ns, ns);
		call->calls++;
		call->timed++;
		call->total_ns += ns;
		call->errors += one.errors;
		call->bytes += one.bytes;
		call->latency[file_latency_bucket(ns)]++;
		if (s.transfers && result >= 0)
			call->sizes[size_bucket(uint64_t(result))]++;
		if (result < 0)
			REQUIRE(errno_counts_add(&call->errnos, &call->nr_errnos, int(-result),
						 1) == 0);
		free(one.errnos);
	}

	void add_to_run(const profile &second)
	{
		profile &run = c.profile;

		for (size_t i = 0; i < second.nr_syscalls; i++) {
			const syscall_stats &s = second.syscalls[i];
			syscall_stats *row = profile_find_syscall(&run, s.abi, s.nr);

			figures_add(SCOPE_SYSCALL, row, &s);
			for (size_t e = 0; e < s.nr_errnos; e++)
				REQUIRE(syscall_stats_add_errno(row, s.errnos[e].err,
								s.errnos[e].count) == 0);
		}
		for (size_t i = 0; i < second.nr_files; i++)
			for (size_t k = 0; k < second.files[i].nr_calls; k++) {
				const file_call &from = second.files[i].calls[k];
				file_call *to = file_stats_call(
					profile_file(&run, second.files[i].id), from.abi, from.nr);

				memcpy(to->name, from.name, sizeof(to->name));
				to->transfers = from.transfers;
				file_call_merge(to, &from);
			}
		for (size_t i = 0; i < second.nr_groups; i++)
			for (size_t k = 0; k < second.groups[i].nr_calls; k++) {
				const group_call &from = second.groups[i].calls[k];
				group_call *to =
					group_stats_call(profile_group(&run, second.groups[i].id),
							 from.abi, from.nr);

				memcpy(to->name, from.name, sizeof(to->name));
				REQUIRE(group_call_merge(to, &from) == 0);
			}
		run.returned = run.entered = calls_of(run);
	}
};

} // namespace
