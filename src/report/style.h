/* SPDX-License-Identifier: GPL-2.0 */
#pragma once

/* Used with render_options.color. */
#define STYLE_BOLD "\033[1m"
#define STYLE_BAR  "\033[36m"
#define STYLE_RED  "\033[31m"
#define STYLE_OFF  "\033[0m"
