/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replaces a function of libbpf's, which libbpf calls by its name, by one of ours that can call it.
 *
 * With a shared libbpf the dynamic linker finds ours first (ld.so(8)); a libbpf that is linked with
 * -Bsymbolic takes its own. With a static one the linker is told by --wrap=NAME (ld(1)), and then
 * has libbpf's as __real_NAME; our weak definition gives way to libbpf's there.
 */
#pragma once

#include <dlfcn.h>

/* Ours is defined as own_NAME. find_NAME() returns libbpf's; NULL: it cannot be found. */
#define INTERPOSE(name, type)                                                            \
	type own_##name __asm__("__wrap_" #name);                                        \
	type shared_##name __asm__(#name) __attribute__((weak, alias("__wrap_" #name))); \
	extern type real_##name __asm__("__real_" #name) __attribute__((weak));          \
	static type *find_##name(void)                                                   \
	{                                                                                \
		static type *found;                                                      \
                                                                                         \
		if (!found && real_##name)                                               \
			found = real_##name;                                             \
		if (!found)                                                              \
			*(void **)&found = dlsym(RTLD_NEXT, #name);                      \
		return found;                                                            \
	}
