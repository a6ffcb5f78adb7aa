/* SPDX-License-Identifier: GPL-2.0 */
/* Intervals as bytes, which have what is not 0 and leave out what the run knows: the names. */
#pragma once

#include "model/interval.h"
#include "model/packing.h"

void interval_pack(struct packing *to, const struct interval *i);
/*
 * Unpacks an interval, with the names that a profile of the whole run has. run NULL: without names.
 * 0 or -ENOMEM; interval_free() it in either case.
 */
int interval_unpack(struct interval *i, struct unpacking *from, const struct profile *run);
