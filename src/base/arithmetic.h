/* SPDX-License-Identifier: GPL-2.0 */
/* Arithmetic of counters. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Subtracts, and returns 0 if part is larger, as counters may be that grow while they are read. */
static inline uint64_t sub_saturated(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

/* Returns the number of parts that hold the whole, the last of which may not be full. */
static inline uint64_t div_round_up(uint64_t whole, uint64_t part)
{
	return whole / part + (whole % part != 0);
}

/* Returns the whole number nearest to a value that is not negative. */
static inline uint64_t rounded(double value)
{
	return value < 1.8e19 ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

/* Returns the counter at an offset of a struct. */
static inline uint64_t *counter_at(void *object, size_t offset)
{
	return (uint64_t *)((char *)object + offset);
}
