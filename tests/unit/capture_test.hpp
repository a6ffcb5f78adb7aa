// SPDX-License-Identifier: GPL-2.0
// Captures that are written and read back, for the tests of what they hold.
#pragma once

#include "unit/format_test.hpp"

extern "C" {
#include "report/json_capture.h"
}

namespace
{
struct Capture : capture {
	char err[512] = "";
	int result;

	explicit Capture(const std::string &text) : capture()
	{
		result = capture_parse(this, text.data(), text.size(), err, sizeof(err));
	}
	Capture(const Capture &) = delete;
	~Capture()
	{
		capture_free(this);
	}
};

inline std::string json_of(const profile &p)
{
	return render(render_json, p, Options());
}
} // namespace
