/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where in the programs' code calls come from, by samples of their stacks. Plain data. The calls
 * are counted exactly; which part of them a site makes is estimated from the samples.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/iotrace.h"

/* A function of a program, at a line. All texts are untrusted bytes; NULL: not known. */
struct code_frame {
	char *function;
	char *file;	 /* Path of the source as the compiler saw it. */
	unsigned line;	 /* 0: not known. */
	char *object;	 /* Path of the executable or library. */
	char *build_id;	 /* Of the object, in hexadecimal digits. */
	uint64_t offset; /* Address in the object, by its own addresses. */
	bool inlined;	 /* It is a part of the next frame's function. */
	char *package;	 /* Of the system, with the object's debug information, which is missing. */
};

/* A chain of frames, from the call outwards. */
struct call_stack {
	size_t *frames; /* Indices into the frames of struct stacks. */
	size_t nr;
	bool cut; /* There are more. */
};

/* The samples of one syscall from one stack. */
struct site {
	enum iotrace_abi abi;
	int nr;
	size_t stack; /* Index into the stacks. */
	uint64_t samples;
	double calls;	  /* Calls that the samples stand for. */
	double ns, bytes; /* Time of these calls, and bytes that they moved. */
	/*
	 * As if each sample had been drawn by itself, and the calls that no sample stands for were
	 * one. 0: each call has a sample.
	 */
	double calls_variance, ns_variance;
};

struct stacks {
	struct code_frame *frames;
	size_t nr_frames;
	struct call_stack *stacks;
	size_t nr_stacks;
	struct site *sites; /* Those of calls without a file. */
	size_t nr_sites;
	uint64_t samples; /* Samples that the sites are of. */
	uint64_t lost;	  /* Others that there was no room for, or of processes unknown. */
	bool unnamed;	  /* The frames are still to be named by their files. */
};

void stacks_free(struct stacks *s);

/* Adds a sample to those of the same syscall and stack. Returns 0 or -ENOMEM. */
int sites_add(struct site **list, size_t *nr, const struct site *site);

/*
 * Makes of a site its part of the calls, their time and bytes that were counted; all is the sum of
 * such sites. What no sample has any of is shared as the calls are.
 */
void site_scale(struct site *site, const struct site *all, uint64_t calls, uint64_t ns,
		uint64_t bytes);

/*
 * Makes whole numbers of what sites stand for, and of the errors of these. Captures hold such, and
 * a report on a run is to say what one on its capture says.
 */
void sites_round(struct site *list, size_t nr);

/* What a share of sites, or a number of a stack, is of. */
enum stack_weight { WEIGHT_CALLS, WEIGHT_TIME, WEIGHT_BYTES };

struct interpreter;

/* A place in the program's own code that calls come from, with the functions that led there. */
struct site_group {
	size_t *frames; /* From the nearest frame of own code outwards. */
	size_t nr;
	/* What executes the code, which is not known then. NULL: there are frames. */
	const struct interpreter *interpreter;
	bool cut;
	uint64_t samples;
	double calls, ns, bytes; /* Estimated. */
	double share;		 /* Of what all groups have. */
	double variance;	 /* That of its own samples, in squares of what all groups have. */
	double share_error;	 /* As site_share_error() says. */
};

/* The half width of an interval that holds 95 % of what is distributed normally. */
#define ERRORS_OF_95 1.96

/*
 * Returns the standard error of a share (0 to 1), of which the samples have a variance, as those of
 * all groups together have: in a ratio, what is counted wrong of the others counts, too (Cochran,
 * Sampling Techniques, 2.11). It is at least that of as many samples of equal weight as have the
 * variance of all (Wilson, Probable inference, 1927). 0: each call has a sample.
 */
double site_share_error(double share, double variance, double of_all);

/*
 * Groups sites by what is shown of their stacks: the frames of own code, or with whole all frames.
 * Returns the number of groups, those with the largest share first, in *groups, to be freed by
 * site_groups_free(). SIZE_MAX: no memory. Of WEIGHT_BYTES no variance is known: it is 0.
 */
size_t site_groups_make(struct site_group **groups, const struct stacks *stacks,
			const struct site *sites, size_t nr, bool whole, enum stack_weight weight);
void site_groups_free(struct site_group *groups, size_t nr);
