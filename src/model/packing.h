/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers and texts as few bytes: a number is its groups of 7 bits, the lowest first, each but the
 * last with the top bit set (LEB128). They stay in the program that packs them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed one is empty. */
struct packing {
	unsigned char *bytes; /* Owned. */
	size_t len, room;
	bool failed; /* Something is missing, as there was no memory. */
};

void pack_number(struct packing *p, uint64_t value);
/* Packs a text of any bytes, or NULL. */
void pack_text(struct packing *p, const char *text);
/* Packs the values that are not 0, with their distances. */
void pack_sparse(struct packing *p, const uint64_t *values, size_t nr);
void packing_free(struct packing *p);

/* What is left to be unpacked, in the order in which it was packed. */
struct unpacking {
	const unsigned char *at, *end;
};

/* Unpacks a number, which is 0 after the end. */
uint64_t unpack_number(struct unpacking *u);
/* Unpacks a text into *text, to be freed. 0 or -ENOMEM. */
int unpack_text(struct unpacking *u, char **text);
/* Unpacks values into an array that is zeroed. */
void unpack_sparse(struct unpacking *u, uint64_t *values, size_t nr);
