// SPDX-License-Identifier: GPL-2.0
// Comparisons of made profiles.
#pragma once

#include "unit/format_test.hpp"

extern "C" {
#include "model/compare.h"
}

#include <memory>

namespace
{
struct Sides : comparison {
	Sides() : comparison()
	{
	}
	Sides(const Sides &) = delete;
	~Sides()
	{
		comparison_free(this);
	}

	side *add(const char *name)
	{
		side *s = comparison_add_side(this, name);

		REQUIRE(s);
		return s;
	}
};

// It owns the runs of its sides, which are of this kind.
template <class Run>
struct ComparisonOf : Sides {
	std::vector<std::unique_ptr<Run>> runs;

	// Adds an empty run to a side.
	Run &add_run(side *to)
	{
		Run &run = *runs.emplace_back(new Run);

		run.backend = "bpf";
		REQUIRE(side_add_run(to, &run) == 0);
		return run;
	}
};
} // namespace
