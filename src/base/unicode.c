// SPDX-License-Identifier: GPL-2.0
#include "base/unicode.h"

#include <utf8proc.h>

size_t utf8_sequence(const char *text, size_t len, uint32_t *point)
{
	utf8proc_int32_t decoded;
	utf8proc_ssize_t size =
		utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &decoded);

	if (size <= 0)
		return 0;
	*point = (uint32_t)decoded;
	return (size_t)size;
}

static bool is_joiner(uint32_t point)
{
	return point == 0x200c || point == 0x200d;
}

bool unicode_visible(uint32_t point, uint32_t before)
{
	const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)point);
	bool mark = false;

	switch (property->category) {
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return false;
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_ME:
		mark = true;
		break;
	}
	if (property->category == UTF8PROC_CATEGORY_CF || property->ignorable)
		return before >= 0x80 && (mark || is_joiner(point));
	return !mark || before;
}

unsigned unicode_width(uint32_t point)
{
	const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)point);

	/* The vowel and the last consonant of a Korean syllable are drawn into its first. */
	if (property->boundclass == UTF8PROC_BOUNDCLASS_V ||
	    property->boundclass == UTF8PROC_BOUNDCLASS_T)
		return 0;
	return property->charwidth;
}
