/* SPDX-License-Identifier: GPL-2.0 */
/* Traced processes that outlive the command, such as a daemon. */
#pragma once

#include <stddef.h>

#include "trace/collector.h"

/*
 * The processes of tasks that are still traced, in words: "3 processes (nginx 812, nginx 813, nginx
 * 814)"; "" if none.
 */
void remaining_tasks_describe(struct collector *c, char *text, size_t size);
