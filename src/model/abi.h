/* SPDX-License-Identifier: GPL-2.0 */
/* Names of ABIs: "64", "32", "x32", as after the @ of -e. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "bpf/iotrace.h"

const char *abi_name(enum iotrace_abi abi);
/* Returns the ABI of a name. NR_ABIS: there is none. */
enum iotrace_abi abi_parse(const char *name);
/*
 * Returns the ABI of "write@32", with the length of the name before the @ in *len. NR_ABIS: there
 * is no such ABI, or no @, and *len is all of the word.
 */
enum iotrace_abi abi_of_word(const char *word, size_t *len);
/* Does "write" or "write@32" name this syscall? */
bool abi_word_names(const char *word, enum iotrace_abi abi, const char *name);
