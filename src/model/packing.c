// SPDX-License-Identifier: GPL-2.0
#include "model/packing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_NUMBER 10 /* Bytes of a number of 64 bits. */

/* Returns room for so many bytes at the end. NULL: no memory. */
static unsigned char *make_room(struct packing *p, size_t len)
{
	size_t room = p->room ? p->room : 256;
	unsigned char *bytes;

	while (room - p->len < len)
		room *= 2;
	if (room != p->room) {
		bytes = realloc(p->bytes, room);
		if (!bytes) {
			p->failed = true;
			return NULL;
		}
		p->bytes = bytes;
		p->room = room;
	}
	return p->bytes + p->len;
}

void pack_number(struct packing *p, uint64_t value)
{
	unsigned char *to = make_room(p, LARGEST_NUMBER);

	if (!to)
		return;
	for (; value >= 0x80; value >>= 7)
		*to++ = (unsigned char)(value | 0x80);
	*to++ = (unsigned char)value;
	p->len = (size_t)(to - p->bytes);
}

void pack_text(struct packing *p, const char *text)
{
	size_t len = text ? strlen(text) : 0;
	unsigned char *to;

	pack_number(p, text ? len + 1 : 0);
	to = make_room(p, len);
	if (!to || !len)
		return;
	memcpy(to, text, len);
	p->len += len;
}

void pack_sparse(struct packing *p, const uint64_t *values, size_t nr)
{
	size_t after = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!values[i])
			continue;
		pack_number(p, i + 1 - after);
		pack_number(p, values[i]);
		after = i + 1;
	}
	pack_number(p, 0);
}

void packing_free(struct packing *p)
{
	free(p->bytes);
	memset(p, 0, sizeof(*p));
}

uint64_t unpack_number(struct unpacking *u)
{
	uint64_t value = 0;

	for (unsigned shift = 0; u->at < u->end && shift < 64; shift += 7) {
		unsigned char byte = *u->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

int unpack_text(struct unpacking *u, char **text)
{
	uint64_t len = unpack_number(u);

	*text = NULL;
	if (!len)
		return 0;
	if (--len > (uint64_t)(u->end - u->at))
		len = (uint64_t)(u->end - u->at);
	*text = strndup((const char *)u->at, len);
	u->at += len;
	return *text ? 0 : -ENOMEM;
}

void unpack_sparse(struct unpacking *u, uint64_t *values, size_t nr)
{
	uint64_t distance;
	size_t at = 0;

	while ((distance = unpack_number(u))) {
		uint64_t value = unpack_number(u);

		if (distance > nr - at)
			return;
		at += distance;
		values[at - 1] = value;
	}
}
