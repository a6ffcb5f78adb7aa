/* SPDX-License-Identifier: GPL-2.0 */
/* A list of the ids of tasks or processes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* All zeroes is an empty list. */
struct ids {
	pid_t *id;
	size_t nr;
};

/* Returns 0 or -ENOMEM. */
int ids_add(struct ids *ids, pid_t id);
bool ids_have(const struct ids *ids, pid_t id);
void ids_free(struct ids *ids);
