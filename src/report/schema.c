// SPDX-License-Identifier: GPL-2.0
#include "report/schema.h"

/* Compiled in the top directory. */
__asm__(".section .rodata\n"
	".global capture_schema\n"
	"capture_schema:\n"
	".incbin \"src/report/schema.json\"\n"
	".byte 0\n"
	".previous\n");
