/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a start shorter, and changes nothing else: what these functions do beside libbpf, libbpf
 * would do one thing after the other. README.md in this folder says how, why and what it gains.
 * With IOTRACE_PLAIN_START=1 in the environment they do nothing.
 *
 * They are called in this order. All but start_begin() may be left out, for example after an error.
 */
#pragma once

struct bpf_object;

/* Another thread reads the kernel's types meanwhile. */
void start_begin(void);

/*
 * The object is open, and the sizes of its maps are final: another thread makes the large maps, and
 * libbpf is given a subset of the kernel's types.
 */
void start_opened(const struct bpf_object *object);

/* The object is about to be loaded or destroyed: it gets the maps that have been made. */
void start_prepared(void);

/* From here on, libbpf loads large programs beside each other. */
void start_loading(void);

/*
 * Waits until all of them are loaded. 0, or -errno if that failed: libbpf takes them for loaded all
 * the same. Without start_loading() it loads them itself, and says why that fails.
 */
int start_loaded(void);

/* Ends the start: libbpf's functions are the plain ones again. */
void start_end(void);
