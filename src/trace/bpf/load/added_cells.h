/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adds arrays of cells of groups while the probes use up those that there are: so many groups are
 * not known before, and a call finds its cell by a number in half the time that a look-up in a hash
 * takes. A thread does it, because the main thread has dropped the rights for it, and may be busy
 * with a report. Where it fails or is too slow, the probes count in a hash
 * (bpf/groups/cells.bpf.h).
 */
#pragma once

#include <stddef.h>

struct added_cells;
struct iotrace_bpf;

/* Starts the thread, unless no cell may be added: *added is NULL then. 0 or -errno. */
int added_cells__start(struct added_cells **added, struct iotrace_bpf *skel);

/* Ends the thread. The cells remain. */
void added_cells__stop(struct added_cells *added);

/* The i-th array, and its number of cells. NULL: there are not so many. */
const char *added_cells__array(const struct added_cells *added, size_t i, size_t *nr);

void added_cells__free(struct added_cells *added);
