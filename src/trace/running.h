/* SPDX-License-Identifier: GPL-2.0 */
/* Finds running processes: those of a name, and those that others have made. */
#pragma once

#include <stdio.h>

#include "base/ids.h"
#include "trace/trace_options.h"

/*
 * Adds the processes of a name, as the kernel has it: of a longer one, the first 15 bytes count.
 * iotrace itself is left out, and so is who is in the list already. Returns how many have the name,
 * or -errno.
 */
int running_add_named(struct ids *ids, const char *name);

/*
 * Adds the processes that those of the list, or their descendants, have made, and that run. Those
 * whose parent has ended are not known to descend from it. Returns how many it has added, or
 * -errno.
 */
int running_add_descendants(struct ids *ids);

/*
 * Writes what is traced, if it is no command: "nginx[812], nginx[813]", "cgroup system.slice", "the
 * whole system". Names are untrusted bytes.
 */
void running_describe(FILE *out, const struct trace_options *o);

/*
 * A run has counted nothing: writes why, if that can be known: "process 812 has 2 children, which
 * are not traced: --with-children traces them". Names are untrusted bytes.
 */
void running_explain_nothing(FILE *out, const struct trace_options *o);
