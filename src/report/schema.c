// SPDX-License-Identifier: GPL-2.0
#include "report/json_capture.h"

/* The path is relative to the top directory, where this is compiled. */
__asm__(".section .rodata\n"
	".global capture_schema\n"
	"capture_schema:\n"
	".incbin \"src/report/schema.json\"\n"
	".byte 0\n"
	".previous\n");
