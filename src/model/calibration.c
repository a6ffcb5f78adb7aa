// SPDX-License-Identifier: GPL-2.0
#include "model/calibration.h"

bool calibration_measured(const struct calibration *c)
{
	return c->memory.bare_ps && c->memory.inside_ps;
}
