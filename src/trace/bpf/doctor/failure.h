/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Explains why the probes could not be loaded or attached, and what to do, from the error of the
 * failing call.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/limits.h"
#include "trace/bpf/doctor/kernel_btf.h"
#include "trace/rights.h"

/* The facts that are known after the failure. */
struct bpf_failure {
	int err; /* Negative errno. */
	const char *
		step; /* "program", "map": what libbpf says could not be had; "": it does not say */
	const char *name; /* Name of the program or map. */
	enum kernel_btf btf;
	struct rights rights;
	unsigned major, minor; /* The kernel's release; 0.0: the kernel does not say. */
	struct limits limits;
	const char *said; /* libbpf's first warning, which may be ""; not to be trusted */
};

/* doing: what failed, "cannot load the eBPF probes". */
void bpf_failure_explain(char *why, size_t size, const char *doing, const struct bpf_failure *f);

/*
 * Finds in a warning of libbpf what it is about: "prog 'marked_exit': BPF program load failed: ..."
 * is of the program marked_exit, "map 'cells': failed to create: ..." of the map cells. Sets step
 * to "" if it is about neither.
 */
void bpf_failure_step(const char *said, const char **step, char *name, size_t size);

/*
 * The errno of a warning of libbpf that says that files or memory have run out, negative; otherwise
 * 0. libbpf goes on after some of them, and then fails with another errno.
 */
int bpf_failure_exhausted(const char *said);

/* From now on, libbpf's messages go to stderr if verbose, and what it warns of is kept. */
void bpf_failure_listen(bool verbose);

/* The program that libbpf could not have since then; "": none, or it was something else. */
const char *bpf_failure_program(void);

/* Calls bpf_failure_explain() with the facts of this system and what libbpf has warned of. */
void bpf_failure_examine(char *why, size_t size, const char *doing, int err);
