// SPDX-License-Identifier: GPL-2.0
#include "trace/strace/names.h"

#include <stdlib.h>
#include <string.h>

#include "model/syscalls.h"

int strace_names_number(struct strace_names *n, enum iotrace_abi abi, const char *name)
{
	struct strace_name *entry;
	unsigned hash = abi;

	if (!strncmp(name, "syscall_0x", 10))
		return (int)(strtoul(name + 10, NULL, 16) & (STRACE_X32_BIT - 1));
	for (const char *c = name; *c; c++)
		hash = hash * 31 + (unsigned char)*c;
	entry = &n->entries[hash % STRACE_NR_NAMES];
	if (entry->abi != abi || strcmp(entry->name, name) != 0) {
		strcpy(entry->name, name);
		entry->abi = abi;
		entry->nr = syscall_number(abi, name);
	}
	return entry->nr;
}
