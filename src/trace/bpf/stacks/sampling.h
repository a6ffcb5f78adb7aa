/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples of stacks, from the probes to the sites of files. They are unwound as they come, by a
 * thread, because a stack may hold secrets, and a process may end.
 */
#pragma once

#include "trace/bpf/load/load.h"

struct sampling;

/* Says why there can be no samples. NULL: there can. */
const char *sampling__is_missing(void);

/*
 * Begins to listen, before the target runs. Returns 0, or -errno. Call sampling__close() in either
 * case.
 */
int sampling__open(struct sampling **sampling, struct bpf_state *s);

/* Learns what a process has mapped that runs already. */
void sampling__learn(struct sampling *sampling, pid_t pid);

/* Starts the thread. Returns 0 or -errno. */
int sampling__start(struct sampling *sampling);

/* Ends the thread, after it has read all that the probes have sent. */
void sampling__stop(struct sampling *sampling);

/*
 * Adds the sites to the files of the profile, and the stacks to it. Call it after sampling__stop(),
 * once. Returns 0 or -ENOMEM.
 */
int sampling__read(struct sampling *sampling, struct profile *p);

void sampling__close(struct sampling *sampling);
