// SPDX-License-Identifier: GPL-2.0
// Catch2 of either major version: one header in 2.x, many in 3.x.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
namespace Catch::Matchers
{
inline auto ContainsSubstring(const std::string &s)
{
	return Contains(s);
}
} // namespace Catch::Matchers
#endif
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
