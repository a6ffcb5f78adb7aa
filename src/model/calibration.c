// SPDX-License-Identifier: GPL-2.0
#include "model/calibration.h"

#include <stddef.h>

bool calibration_measured(const struct calibration *c)
{
	return c->memory.bare_ps && c->memory.inside_ps;
}

uint64_t calibration_overhead_ps(const struct calibration *c)
{
	const struct calibrated_call *call = c->device.bare_ps ? &c->device : &c->memory;

	if (!call->bare_ps)
		return 0;
	return call->traced_ps > call->bare_ps ? call->traced_ps - call->bare_ps : 1;
}
