/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fixes of findings gain, by the calibration: time, severity, order, and what is said of
 * it.
 */
#pragma once

#include "model/findings.h"

/* Does any finding predict a gain? Then the machine has to be calibrated. */
bool findings_predict_time(const struct findings *f, const struct profile *p);
/*
 * Computes the gains by the profile's calibration, and from these severity and order; one finding
 * then stands for many that are alike. Call it once.
 */
void findings_price(struct findings *f, const struct profile *p);
