/* SPDX-License-Identifier: GPL-2.0 */
#ifndef IOTRACE_PARSE_H
#define IOTRACE_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/* A whole number in decimal from low to high, with nothing around it. If it is none, false, and *value is untouched. */
bool parse_number(uint64_t *value, const char *text, uint64_t low, uint64_t high);

#endif
