// SPDX-License-Identifier: GPL-2.0
/* Profiles with samples of stacks. */
#pragma once

#include "unit/files_test.hpp"

extern "C" {
#include "model/sites.h"
#include "report/texts.h"
}

#include <algorithm>
#include <vector>

namespace
{
inline char *copy_of(const char *text)
{
	return text ? strdup(text) : nullptr;
}

// A profile with a file, its writes and their stacks, which tests add.
struct Sampled : Profile {
	file_stats *file;
	file_call *write;

	Sampled()
	{
		file = profile_file(this, 1);
		REQUIRE(file);
		file->path = strdup("/srv/out");
		write = add_calls(file, "write", 100, 10, 1000);
		syscall_stats *s = row(1, "write", true);
		s->calls = s->timed = s->latency[latency_bucket(1000)] = 100;
		s->min_ns = s->max_ns = 1000;
		s->bytes = 1000;
		s->total_ns = 100000;
		stacks.samples = 10;
	}

	size_t frame(const char *function, const char *source, unsigned line,
		     const char *object = "/srv/app")
	{
		auto *list = (code_frame *)realloc(stacks.frames,
						   (stacks.nr_frames + 1) * sizeof(*stacks.frames));

		REQUIRE(list);
		stacks.frames = list;
		list[stacks.nr_frames] = {
			copy_of(function), copy_of(source), line,  copy_of(object),
			copy_of("0123"),   0x1234,	    false, nullptr
		};
		return stacks.nr_frames++;
	}

	// Adds samples of the writes, from the call outwards.
	void sample(const std::vector<size_t> &frames, double calls, bool cut = false)
	{
		add_stack(frames, cut);
		const double variance = calls * (calls - 1);
		site s = { ABI_64,     write->nr, stacks.nr_stacks - 1, 1, calls, calls * 1000,
			   calls * 10, variance,  variance * 1e6 };
		REQUIRE(sites_add(&file->sites, &file->nr_sites, &s) == 0);
	}

	void add_stack(const std::vector<size_t> &frames, bool cut)
	{
		auto *list = (call_stack *)realloc(stacks.stacks,
						   (stacks.nr_stacks + 1) * sizeof(*stacks.stacks));

		REQUIRE(list);
		stacks.stacks = list;
		call_stack s = { (size_t *)calloc(frames.size() + 1, sizeof(size_t)), frames.size(),
				 cut };
		std::copy(frames.begin(), frames.end(), s.frames);
		list[stacks.nr_stacks++] = s;
	}

	std::string text(bool whole = false, stack_weight weight = WEIGHT_CALLS)
	{
		char *printed = nullptr;
		size_t size = 0;
		FILE *out = open_memstream(&printed, &size);

		REQUIRE(print_sites(out, &stacks, file->sites, file->nr_sites, whole, weight) == 0);
		fclose(out);
		std::string all(printed, size);
		free(printed);
		return all;
	}
};
} // namespace
