// SPDX-License-Identifier: GPL-2.0
// The findings of made profiles, for the tests of the rules.
#pragma once

#include "unit/files_test.hpp"

extern "C" {
#include "model/result.h"
}

namespace
{
// The findings of a profile, as "id path", the most severe first.
class Found
{
	struct result result = {};

public:
	explicit Found(const profile &p, uint64_t buffer_size = 0)
	{
		REQUIRE(result_make(&result, &p, buffer_size) == 0);
	}
	Found(const Found &) = delete;
	~Found()
	{
		result_free(&result);
	}
	std::string ids() const
	{
		std::string text;

		for (size_t i = 0; i < result.findings.nr; i++)
			text += std::string(text.empty() ? "" : ", ") + result.findings.list[i].id +
				" " + result.findings.list[i].path;
		return text;
	}
	const findings &all() const
	{
		return result.findings;
	}
	const finding &first() const
	{
		REQUIRE(result.findings.nr);
		return result.findings.list[0];
	}
	// The number of calls that the first finding predicts.
	uint64_t predicted() const
	{
		REQUIRE(first().predicted);
		return first().predicted_calls;
	}
};

// A file written line by line, by a C program as far as it is known.
inline file_stats *add_lines(FileProfile &p, uint64_t lines, file_kind kind = FILE_KIND_REGULAR)
{
	file_stats *f = p.file(3, kind, "/log");
	file_call *c = add_calls(f, "write", lines, 4, 1000);

	c->last_byte_known = c->newlines = 10;
	c->positioned = c->sequential = lines;
	return f;
}
} // namespace
