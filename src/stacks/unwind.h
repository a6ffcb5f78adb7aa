/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From registers and the top of a stack to the addresses that it returns to, by the call frame
 * information of the files, or by frame pointers where a file has none.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stacks/space.h"

#define MAX_FRAMES 64

/* Registers by their number in DWARF (System V ABI: AMD64, figure 3.36; i386, table 2.14). */
#define NR_REGISTERS 17
enum {
	REGISTER_BP_64 = 6,
	REGISTER_SP_64 = 7,
	REGISTER_PC_64 = 16,
	REGISTER_PC_32 = 8,
	REGISTER_CX_32 = 1,
	REGISTER_DX_32 = 2,
	REGISTER_SP_32 = 4,
	REGISTER_BP_32 = 5
};

struct snapshot {
	enum machine machine;
	uint64_t registers[NR_REGISTERS];
	/* The bytes of the stack from an address on. */
	const unsigned char *stack;
	uint64_t start;
	size_t size;
};

/* What says where a frame is. */
enum frame_kind {
	FRAME_OBJECT,  /* An address in the layout of the objects. */
	FRAME_UNKNOWN, /* An address of the process's own, which is in no file. */
	FRAME_PYTHON,  /* An index into struct python_places. */
	FRAME_MADE,    /* An index into struct perf_maps. */
};

/* A frame: the code that the call, or the frame before, was made from. */
struct frame {
	uint64_t kind;	  /* An enum frame_kind; as wide as it is, frames have no gaps. */
	uint64_t address; /* Of a call it is that of the call itself, not of what follows it. */
};

struct chain {
	struct frame frames[MAX_FRAMES]; /* From the call on outwards. */
	size_t nr;
	bool cut; /* There are more frames than could be found. */
};

struct unwinder;

/* NULL without memory. The objects must outlive it. */
struct unwinder *unwinder__new(struct objects *objects);
void unwinder__free(struct unwinder *u);

/* Finds the frames of a snapshot. At least one if the program counter is known. */
void unwinder__walk(struct unwinder *u, const struct space *space, const struct snapshot *snapshot,
		    struct chain *chain);
