// SPDX-License-Identifier: GPL-2.0
#include "lib/catch.hpp"

#include <cerrno>
#include <climits>
#include <cstring>
#include <string>

extern "C" {
#include "base/errno_name.h"
}

static std::string err(int value)
{
	char buf[24];

	return format_errno(buf, sizeof(buf), value);
}

TEST_CASE("errno name: errors have the names that strace gives them", "[errno]")
{
	REQUIRE(err(ENOENT) == "ENOENT");
	REQUIRE(err(EAGAIN) == "EAGAIN");
	REQUIRE(err(EOPNOTSUPP) == "EOPNOTSUPP");
	REQUIRE(err(512) == "ERESTARTSYS");
	REQUIRE(err(513) == "ERESTARTNOINTR");
	REQUIRE(err(514) == "ERESTARTNOHAND");
	REQUIRE(err(515) == "ENOIOCTLCMD");
	REQUIRE(err(516) == "ERESTART_RESTARTBLOCK");
	REQUIRE(err(524) == "ENOTSUPP");
	REQUIRE(err(4095) == "errno 4095");
	REQUIRE(err(520) == "errno 520");
	REQUIRE(err(INT_MIN) == "errno -2147483648");
}

TEST_CASE("errno name: names of errnos are read")
{
	char name[40];

	for (int err = 1; err < 532; err++) {
		format_errno(name, sizeof(name), err);
		if (strncmp(name, "errno ", 6) != 0)
			CHECK(errno_number(name) == err);
	}
	CHECK(errno_number("EWOULDBLOCK") == 11);
	CHECK(errno_number("EOPNOTSUPP") == 95);
	CHECK(errno_number("E") == 0);
	CHECK(errno_number("") == 0);
}
