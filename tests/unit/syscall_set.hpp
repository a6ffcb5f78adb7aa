// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <algorithm>
#include <iterator>

extern "C" {
#include "model/syscalls.h"
}

/* Counts the calls of an ABI that the set holds. */
inline size_t nr_wanted(const syscall_set &set, iotrace_abi abi)
{
	return static_cast<size_t>(
		std::count(std::begin(set.wanted[abi]), std::end(set.wanted[abi]), true));
}
