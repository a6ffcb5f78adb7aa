/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

/*
 * Returns the name of a function as its language has it (C++, Rust, D), without its parameters and
 * hashes; any other name as it is. To be freed; NULL without memory.
 */
char *demangled(const char *symbol);
