/* SPDX-License-Identifier: GPL-2.0 */
/* Counts the calls of somebody, who is a number, on rows of files. For users.c and groups.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct strace_uses;

/* There are at most max pairs of a row and a user. NULL: no memory. */
struct strace_uses *strace_uses__new(size_t max);
void strace_uses__free(struct strace_uses *u);

/* Counts a call. Returns 0, -ENOSPC if there is no room for the pair, or -ENOMEM. */
int strace_uses__add(struct strace_uses *u, uint32_t row, uint32_t who);

/* Hands over each pair, until hand() does not return 0. Returns what it returned last. */
int strace_uses__each(const struct strace_uses *u,
		      int (*hand)(void *arg, uint32_t row, uint32_t who, uint64_t calls),
		      void *arg);
