/* SPDX-License-Identifier: GPL-2.0 */
/* The address spaces of processes: which code is mapped where. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "stacks/object.h"

/* A mapping with code in it. */
struct mapping {
	uint64_t start, end;
	uint64_t offset;       /* Where it begins in the file. */
	struct object *object; /* NULL: it is not of a file. */
};

struct space {
	pid_t pid;
	struct mapping *list; /* The mappings, in ascending order. They do not overlap. */
	size_t nr;
};

struct spaces;

/* NULL without memory. */
struct spaces *spaces__new(void);
void spaces__free(struct spaces *s);

/* Returns the space of a process. NULL: nothing is known of it. */
struct space *spaces__find(const struct spaces *s, pid_t pid);

/* These return 0 or -ENOMEM. */

/* The process executes a program: from now on all that it maps is known. */
int spaces__exec(struct spaces *s, pid_t pid);
/* The process has mapped code, over whatever was there. An unknown process stays unknown. */
int spaces__map(struct spaces *s, pid_t pid, const struct mapping *m);
/* A process begins with all that its parent has mapped, if that is known. */
int spaces__fork(struct spaces *s, pid_t pid, pid_t parent);

/* The process has ended, or something of it was missed. */
void spaces__forget(struct spaces *s, pid_t pid);
void spaces__forget_all(struct spaces *s);

/*
 * Returns the object of what is mapped from an address on, by the path that the kernel tells: a
 * file, or the vDSO. NULL: it is neither, or there is no memory.
 */
struct object *mapped_object(struct objects *objects, const struct object_id *id, const char *path,
			     uint64_t start);

/* Replaces what is known of a process by its /proc/PID/maps. Returns 0 or -errno. */
int spaces__read(struct spaces *s, pid_t pid, struct objects *objects);

/* Returns the mapping that an address is in. NULL: there is none with code. */
const struct mapping *space_mapping(const struct space *s, uint64_t address);

/* Returns where the process has an address of the mapping's opened file. 0: not known. */
uint64_t mapping_address(const struct mapping *m, uint64_t address);

/* Returns an address in the layout of the objects. 0: it is in the code of none. */
uint64_t space_address(const struct space *s, struct objects *objects, uint64_t address);
