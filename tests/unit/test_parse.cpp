// SPDX-License-Identifier: GPL-2.0
#include "lib/catch.hpp"

extern "C" {
#include "base/parse.h"
}

TEST_CASE("parse: numbers are decimal, whole, and within their range", "[parse]")
{
	uint64_t n = 7;

	REQUIRE(parse_number(&n, "0", 0, 10));
	CHECK(n == 0);
	REQUIRE(parse_number(&n, "18446744073709551615", 0, UINT64_MAX));
	CHECK(n == UINT64_MAX);
	n = 7;
	for (const char *bad : { "", " 1", "1 ", "+1", "-1", "0x1", "1e3", "1.0", "11",
				 "18446744073709551616", "one" }) {
		CAPTURE(bad);
		CHECK_FALSE(parse_number(&n, bad, 0, 10));
	}
	CHECK_FALSE(parse_number(&n, "1", 2, 10));
	CHECK(n == 7);
}
