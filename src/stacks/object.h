/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that programs execute code from. Each has one place in a layout of our own, however
 * many processes have mapped it, and wherever: so one Dwfl for each kind of machine serves the
 * whole run, and the same line of code has the same address in all processes.
 */
#pragma once

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Kinds of code, as far as registers and the size of a pointer go. */
enum machine { MACHINE_X86_64, MACHINE_X86_32, MACHINE_X32, NR_MACHINES };

#define BUILD_ID_SIZE 20

/*
 * Paths of the vDSO of 64-bit processes, and of those whose addresses have 32 bits. That can be
 * read from such a process alone, so it is never opened.
 */
#define VDSO	 "[vdso]"
#define VDSO_LOW "[vdso32]"

/* What the kernel says of a mapped file. */
struct object_id {
	uint8_t build_id[BUILD_ID_SIZE];
	size_t build_id_size; /* 0: it has none, or none that the kernel could read. */
	uint64_t ino;	      /* 0: not known, because the build id is. */
};

/* A part of a file that is mapped in one piece. */
struct segment {
	uint64_t offset, size; /* In the file. */
	uint64_t address;      /* Where it lies by the file's own addresses. */
};

struct object {
	char *path; /* As the process saw it: untrusted bytes. */
	struct object_id id;
	enum machine machine;
	uint64_t base;		  /* Where address 0 of the file is in our layout. */
	uint64_t start, end;	  /* What the file takes, by its own addresses. */
	struct segment *segments; /* Those with code. */
	size_t nr_segments;
	int fd;		     /* -1: it is not open. */
	Dwfl_Module *module; /* NULL: it is not in the layout yet, or cannot be read. */
	struct go_lines *go; /* NULL: it is no Go program, or has not been looked at. */
	bool looked_for_go;
	uint64_t dies;		 /* So many parts of its debug information were looked through. */
	bool opened;		 /* It is a file that code can be looked up in. */
	bool lacks_split;	 /* A .dwo of its debug information could not be read. */
	struct timespec changed; /* When it had been written to last, as it was opened. */
	bool symbols_suffice;	 /* No debug information is wanted of it. */
	unsigned tries;		 /* So often it could not be opened. */
	/* The same file under another path or without a build id. NULL: there is none. */
	struct object *same;
};

struct objects;

/*
 * Of files that symbols_suffice() says so of by their path, no debug information is read, which
 * takes long; NULL: it is read of all. NULL without memory.
 */
struct objects *objects__new(bool (*symbols_suffice)(const char *path));
void objects__free(struct objects *o);

/*
 * Returns the object of a file, which is not opened before it is needed. NULL without memory, or if
 * there are too many.
 */
struct object *objects__get(struct objects *o, const struct object_id *id, const char *path);

/*
 * Returns the object of a file that no process shows, opened: found by its path or, if it has a
 * build id, as debug information stored by that. NULL: it cannot be found, or there is no memory.
 */
struct object *objects__find(struct objects *all, const struct object_id *id, const char *path);

/*
 * Returns the address in our layout of a place in the file that process pid has mapped from start
 * to end. 0: the file has no code there, or cannot be read.
 */
uint64_t objects__address(struct objects *all, struct object *o, uint64_t offset, pid_t pid,
			  uint64_t start, uint64_t end);

/* Returns the object that has an address of our layout. NULL: there is none. */
const struct object *objects__at(const struct objects *o, enum machine machine, uint64_t address);

/*
 * Puts the object into the layout, if it is not there yet. Returns its module; NULL: it cannot be
 * read.
 */
Dwfl_Module *objects__module(struct objects *all, struct object *o);

/*
 * Returns the table of functions of a Go program that is in the layout, which is read when it is
 * first asked for. NULL: it is no Go program, or has none that can be read.
 */
const struct go_lines *object_go(struct object *o);

/* Returns an object that lacks a .dwo. NULL: none is known to. */
const struct object *objects__lacking_split(const struct objects *all);

/* Is the file what was opened? It may have been written over since, in place. */
bool object_is_unchanged(const struct object *o);

/* Returns the object that this one is another name of, or itself. */
const struct object *object_itself(const struct object *o);
/*
 * Returns the value of a symbol of an opened object, by the file's own addresses, and its size. 0:
 * it has none of that name.
 */
uint64_t object_symbol(const struct object *o, const char *name, uint64_t *size);

/* The layout of a kind of machine. NULL: no object of it has been seen. */
Dwfl *objects__dwfl(const struct objects *o, enum machine machine);
