/* SPDX-License-Identifier: GPL-2.0 */
/* The backends that there are, of which a run opens one after the other until one can be used. */
#pragma once

#include "trace/collector.h"

/* They end with a NULL. The first that can be used is chosen. */
extern const struct collector_ops *const collectors[];

/*
 * Opens the collector that --backend names; without it the first that can be used, with a note if
 * that is not the first of all. Returns 0, or -errno after a message. c->ops is NULL if there is
 * none.
 */
int collector__open(struct collector *c, const struct trace_options *o);

/*
 * Closes an open collector, which cannot start for the reason in why, and opens the next that can
 * be used, as collector__open() does.
 */
int collector__open_next(struct collector *c, const struct trace_options *o, const char *why);
