/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Parses a whole decimal number from low to high, without anything around it. Returns false, and
 * leaves *value alone, if the text is anything else.
 */
bool parse_number(uint64_t *value, const char *text, uint64_t low, uint64_t high);
