// SPDX-License-Identifier: GPL-2.0
/* System calls that must not fail. */
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

[[noreturn]] inline void fail(const std::string &what)
{
	throw std::runtime_error(what + ": " + strerror(errno));
}

inline int checked(int result, const char *what)
{
	if (result < 0)
		fail(what);
	return result;
}
