// SPDX-License-Identifier: GPL-2.0
// What the tests of the renderers share: a profile that frees itself, reports as strings, golden
// files.
#pragma once

#include "lib/catch.hpp"
#include "lib/files.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

extern "C" {
#include "report/render.h"
}

namespace
{
struct Profile : profile {
	Profile() : profile()
	{
	}
	~Profile()
	{
		profile_free(this);
	}
	Profile(const Profile &) = delete;
	Profile &operator=(const Profile &) = delete;

	syscall_stats *row(int nr, const char *name, bool transfers = false,
			   iotrace_abi abi = ABI_64)
	{
		syscall_stats *s = profile_syscall(this, abi, nr);

		REQUIRE(s);
		snprintf(s->name, sizeof(s->name), "%s", name);
		s->transfers = transfers;
		return s;
	}

	// Adds calls of ns in which the task has slept, and calls in which it was preempted.
	void slept(syscall_stats *s, uint64_t waits, uint64_t ns, uint64_t preempted)
	{
		s->waits += waits;
		s->wait_ns += waits * ns;
		s->preempted += preempted;
		s->wait_latency[latency_bucket(ns)] += waits;
	}

	// Figures without a histogram, for tables with wide columns.
	void figures(int nr, const char *name, uint64_t calls, uint64_t errors, uint64_t total_ns,
		     iotrace_abi abi = ABI_64)
	{
		syscall_stats *s = row(nr, name, false, abi);

		s->calls = s->timed = calls;
		s->errors = errors;
		s->total_ns = total_ns;
		s->min_ns = s->max_ns = total_ns / calls;
	}
};

// Options as the command line sets them, with -S and -U.
struct Options : render_options {
	Options(const char *sort = "time", const char *columns_arg = nullptr) : render_options()
	{
		char err[200];

		REQUIRE(column_parse_sort(&this->sort, sort, err, sizeof(err)) == 0);
		if (columns_arg)
			REQUIRE(column_parse_list(columns, &nr_columns, columns_arg, err,
						  sizeof(err)) == 0);
	}
};
} // namespace

inline int render_profile(const renderer &r, FILE *out, const profile &p, const render_options &o)
{
	struct result result;
	int err;

	REQUIRE(result_make(&result, &p, 0) == 0);
	err = render_result(out, &r, &result, &o);
	result_free(&result);
	return err;
}

inline std::string render(const renderer &r, const comparison &c, unsigned sections = 0)
{
	Options o;
	char *text = nullptr;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	o.sections = sections;
	REQUIRE(render_comparison(out, &r, &c, &o) == 0);
	fclose(out);
	std::string rendered(text, size);
	free(text);
	return rendered;
}

inline std::string render(const renderer &r, const profile &p, const render_options &o)
{
	char *text = nullptr;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	REQUIRE(out);
	REQUIRE(render_profile(r, out, p, o) == 0);
	fclose(out);
	std::string rendered(text, size);
	free(text);
	return rendered;
}

// Returns a path below tests/.
inline std::string test_path(const std::string &name)
{
	return source_path("tests/" + name);
}

// UPDATE_GOLDEN=1 writes the files anew: look at the difference before committing it.
inline void require_golden(const std::string &name, const std::string &text)
{
	std::string path = test_path("golden/" + name);

	if (getenv("UPDATE_GOLDEN"))
		std::ofstream(path, std::ios::binary) << text;
	REQUIRE(read_file(path) == text);
}
