/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

#include <stdint.h>

/* whole - part, or 0 where part is larger: counters that are read while they grow may be so. */
static inline uint64_t sub_saturated(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}
