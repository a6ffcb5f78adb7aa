// SPDX-License-Identifier: GPL-2.0
#include "stacks/python.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/array.h"
#include "base/text.h"

/* Of longer names the beginning is read. */
#define MAX_TEXT 1024
/* Longer tables are not read. */
#define MAX_TABLE (1 << 20)
/* Places that a run may have; the frames of further ones are left out. */
#define MAX_PLACES 65536

/* ---- the process's memory ---- */

static bool read_memory(pid_t pid, uint64_t address, void *to, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)(uintptr_t)address, size };

	return process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static uint64_t read_word(pid_t pid, uint64_t address)
{
	uint64_t word;

	return read_memory(pid, address, &word, sizeof(word)) ? word : 0;
}

/* ---- where things are ---- */

static const struct python_layout layouts[] = {
	{ .minor = 9,
	  .interpreters_head = 32,
	  .threads_head = 8,
	  .next = 8,
	  .thread_id = 176,
	  .frame = 24,
	  .previous = 24,
	  .code = 32,
	  .instruction = 104,
	  .filename = 104,
	  .name = 112,
	  .line_table = 120,
	  .first_line = 40,
	  .ascii_size = 48,
	  .compact_size = 72 },
	{ .minor = 10,
	  .interpreters_head = 32,
	  .threads_head = 8,
	  .next = 8,
	  .thread_id = 176,
	  .frame = 24,
	  .previous = 24,
	  .code = 32,
	  .instruction = 96,
	  .filename = 104,
	  .name = 112,
	  .line_table = 120,
	  .first_line = 40,
	  .ascii_size = 48,
	  .compact_size = 72 },
	{ .minor = 11,
	  .interpreters_head = 40,
	  .threads_head = 16,
	  .next = 8,
	  .thread_id = 152,
	  .frame = 56,
	  .indirect = 8 + 1,
	  .previous = 48,
	  .code = 32,
	  .instruction = 56,
	  .filename = 112,
	  .name = 128,
	  .line_table = 136,
	  .first_line = 72,
	  .instructions = 184,
	  .ascii_size = 48,
	  .compact_size = 72 },
	{ .minor = 12,
	  .interpreters_head = 40,
	  .threads_head = 72,
	  .next = 8,
	  .thread_id = 136,
	  .frame = 56,
	  .indirect = 0 + 1,
	  .previous = 8,
	  .code = 0,
	  .instruction = 56,
	  .filename = 112,
	  .name = 128,
	  .line_table = 136,
	  .first_line = 68,
	  .instructions = 192,
	  .ascii_size = 40,
	  .compact_size = 56 },
};

/* Numbers of 64-bit words in _Py_DebugOffsets, whose first three are a cookie, version and kind. */
static const struct words {
	unsigned minor;
	size_t interpreters_head, threads_head;
	size_t thread; /* The first word of struct _thread_state; others follow from it. */
	size_t frame, code, instructions;
} described[] = {
	{ 13, 5, 9, 19, 28, 34, 43 },
	{ 14, 5, 9, 22, 31, 39, 48 },
};

enum { NR_WORDS = 64 };

static void fill_in(struct python_layout *l, const uint64_t *offsets, const struct words *w)
{
	const uint64_t *thread = offsets + w->thread, *frame = offsets + w->frame,
		       *code = offsets + w->code;

	l->interpreters_head = (uint32_t)offsets[w->interpreters_head];
	l->threads_head = (uint32_t)offsets[w->threads_head];
	l->next = (uint32_t)thread[2];
	l->frame = (uint32_t)thread[4];
	l->thread_id = (uint32_t)thread[5];
	l->previous = (uint32_t)frame[1];
	l->code = (uint32_t)frame[2];
	l->instruction = (uint32_t)frame[3];
	l->filename = (uint32_t)code[1];
	l->name = (uint32_t)code[3]; /* The qualified name. */
	l->line_table = (uint32_t)code[4];
	l->first_line = (uint32_t)code[5];
	l->instructions = (uint32_t)offsets[w->instructions];
	l->ascii_size = 40;
	l->compact_size = 56;
}

/* Reads the offsets that an interpreter describes. */
static bool read_offsets(struct python_layout *l, pid_t pid)
{
	uint64_t offsets[NR_WORDS];
	unsigned minor;

	/* A build without a global lock has other objects. */
	if (!read_memory(pid, l->runtime, offsets, sizeof(offsets)) ||
	    memcmp(offsets, "xdebugpy", sizeof(*offsets)) != 0 || offsets[2])
		return false;
	minor = offsets[1] >> 24 == 3 ? offsets[1] >> 16 & 0xff : 0;
	for (size_t i = 0; i < ARRAY_SIZE(described); i++) {
		if (described[i].minor != minor)
			continue;
		fill_in(l, offsets, &described[i]);
		return true;
	}
	return false;
}

static bool find_offsets(struct python_layout *l, pid_t pid)
{
	struct python_layout found = *l;

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		if (layouts[i].minor != l->minor)
			continue;
		*l = layouts[i];
		l->runtime = found.runtime;
		l->loop_start = found.loop_start;
		l->loop_end = found.loop_end;
		return true;
	}
	return read_offsets(l, pid);
}

unsigned python_version(const char *path)
{
	const char *name = base_name(path);

	if (!strncmp(name, "lib", strlen("lib")))
		name += strlen("lib");
	if (strncmp(name, "python3", strlen("python3")) != 0)
		return 0;
	name += strlen("python3");
	return *name == '.' ? (unsigned)strtoul(name + 1, NULL, 10) : 0;
}

bool python_find(struct python_layout *l, const struct space *space, struct objects *objects)
{
	memset(l, 0, sizeof(*l));
	for (size_t i = 0; i < space->nr; i++) {
		const struct mapping *m = &space->list[i];
		const struct object *o;
		uint64_t size, runtime, loop;

		if (!m->object)
			continue;
		l->minor = python_version(m->object->path);
		if (!l->minor || !space_address(space, objects, m->start))
			continue;
		o = object_itself(m->object); /* It may be known only now. */
		runtime = object_symbol(o, "_PyRuntime", &size);
		if (!runtime)
			continue;
		l->runtime = mapping_address(m, runtime);
		loop = object_symbol(o, "_PyEval_EvalFrameDefault", &size);
		l->loop_start = loop ? o->base + loop : 0;
		l->loop_end = l->loop_start + size;
		return l->runtime && find_offsets(l, space->pid);
	}
	return false;
}

/* ---- texts ---- */

static char *put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | (c >> 18 & 7));
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

static uint32_t character(const uint8_t *text, size_t i, unsigned kind)
{
	uint32_t c = 0;

	memcpy(&c, text + i * kind, kind);
	return c;
}

/* The head of a text: a PyASCIIObject of Include/cpython/unicodeobject.h. */
struct text_head {
	uint64_t refcnt, type;
	int64_t length;
	int64_t hash;
	uint32_t state; /* interned:2, kind:3, compact:1, ascii:1 */
};

/*
 * Is there an object that is in use? Memory that was freed has a pointer to more of it there, or
 * nothing. Since 3.12 the upper half has flags, of which the lower are not used.
 */
static bool is_counted(uint64_t refcnt)
{
	return (uint32_t)refcnt && !(refcnt >> 32 & 0xffff);
}

/* Reads a text, to be freed; if it is long, its beginning. NULL: it cannot be read. */
static char *read_text(pid_t pid, const struct python_layout *l, uint64_t address)
{
	static const char more[] = "...";
	uint8_t bytes[MAX_TEXT * 4];
	struct text_head head = { .length = 0 };
	size_t length;
	unsigned kind;
	char *text, *to;

	if (!address || !read_memory(pid, address, &head, sizeof(head)) || !is_counted(head.refcnt))
		return NULL;
	kind = head.state >> 2 & 7;
	if ((kind != 1 && kind != 2 && kind != 4) || !(head.state >> 5 & 1) || head.length < 0)
		return NULL;
	length = head.length > MAX_TEXT ? MAX_TEXT : (size_t)head.length;
	address += head.state >> 6 & 1 ? l->ascii_size : l->compact_size;
	if (length && !read_memory(pid, address, bytes, length * kind))
		return NULL;
	text = to = malloc(length * 4 + sizeof(more));
	if (!text)
		return NULL;
	for (size_t i = 0; i < length; i++)
		to = put_utf8(to, character(bytes, i, kind));
	memcpy(to, head.length > MAX_TEXT ? more : "", head.length > MAX_TEXT ? sizeof(more) : 1);
	return text;
}

/* ---- lines ---- */

/* Objects/lnotab_notes.txt of 3.9: pairs of bytes of code, and lines, which are signed. */
static unsigned line_by_lnotab(const uint8_t *table, size_t size, int64_t line, uint64_t offset)
{
	uint64_t at = 0;

	for (size_t i = 0; i + 1 < size; i += 2) {
		at += table[i];
		if (at > offset)
			break;
		line += (int8_t)table[i + 1];
	}
	return (unsigned)line;
}

/* The same file of 3.10: pairs of bytes of code and lines for these; -128: they have no line. */
static unsigned line_by_ranges(const uint8_t *table, size_t size, int64_t line, uint64_t offset)
{
	uint64_t end = 0;

	for (size_t i = 0; i + 1 < size; i += 2) {
		int8_t lines = (int8_t)table[i + 1];

		end += table[i];
		if (lines != INT8_MIN)
			line += lines;
		if (offset < end)
			return lines == INT8_MIN ? 0 : (unsigned)line;
	}
	return 0;
}

/* Reads a number of 6 bits a byte, the lowest first, whose sign is its lowest bit. */
static int64_t signed_number(const uint8_t *table, size_t size, size_t at)
{
	uint64_t value = 0;

	for (unsigned shift = 0; at < size && shift < 36; at++, shift += 6) {
		value |= (uint64_t)(table[at] & 0x3f) << shift;
		if (!(table[at] & 0x40))
			break;
	}
	return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/*
 * Objects/locations.md of 3.11: the first byte of an entry, and it alone, has its highest bit set;
 * then a code of 4 bits, and the number of its words less one.
 */
static unsigned line_by_locations(const uint8_t *table, size_t size, int64_t line, uint64_t offset)
{
	uint64_t end = 0;

	for (size_t i = 0; i < size;) {
		unsigned code = table[i] >> 3 & 15;

		end += 2 * ((table[i] & 7) + 1U);
		if (code == 13 || code == 14)
			line += signed_number(table, size, i + 1);
		else if (code >= 10 && code <= 12)
			line += code - 10;
		if (offset < end)
			return code == 15 ? 0 : (unsigned)line;
		do {
			i++;
		} while (i < size && !(table[i] & 0x80));
	}
	return 0;
}

unsigned python_line(unsigned minor, const uint8_t *table, size_t size, unsigned first_line,
		     uint64_t offset)
{
	if (minor <= 9)
		return line_by_lnotab(table, size, first_line, offset);
	if (minor == 10)
		return line_by_ranges(table, size, first_line, offset);
	return line_by_locations(table, size, first_line, offset);
}

/* Where in its code a frame is, in bytes. */
static uint64_t offset_of(const struct python_layout *l, uint64_t code, uint64_t at)
{
	if (l->instructions)
		return at - (code + l->instructions);
	/* 3.10 counts instructions, of two bytes each. */
	return (uint64_t)(uint32_t)at * (l->minor == 10 ? 2 : 1);
}

/* Reads the line of a place, 0 if it has none. Returns false if it cannot be read. */
static bool read_line(unsigned *line, pid_t pid, const struct python_layout *l, uint64_t code,
		      uint64_t at)
{
	const size_t bytes_size = 16, bytes_data = 32; /* PyBytesObject: ob_size, ob_sval. */
	uint64_t table = read_word(pid, code + l->line_table);
	uint64_t size = table ? read_word(pid, table + bytes_size) : 0;
	uint32_t first_line;
	uint8_t *bytes;
	bool known;

	/* In 3.9 that of a function in a single line is empty. */
	if (!table || !read_memory(pid, code + l->first_line, &first_line, sizeof(first_line)))
		return false;
	if (size > MAX_TABLE)
		return true;
	bytes = malloc(size + 1);
	known = bytes && (!size || read_memory(pid, table + bytes_data, bytes, size));
	if (known)
		*line = python_line(l->minor, bytes, size, first_line, offset_of(l, code, at));
	free(bytes);
	return known;
}

/* ---- places ---- */

/* Is the object at this address of a type with this name? */
static bool is_a(pid_t pid, uint64_t object, const char *type)
{
	const size_t type_name = 24; /* PyTypeObject: tp_name. */
	uint64_t head[2], name;	     /* PyObject: ob_refcnt, ob_type. */
	char text[sizeof("NoneType")] = "";

	if (!read_memory(pid, object, head, sizeof(head)) || !is_counted(head[0]))
		return false;
	name = read_word(pid, head[1] + type_name);
	return name && read_memory(pid, name, text, strlen(type) + 1) && !strcmp(text, type);
}

static void free_names(struct python_place *place)
{
	free(place->function);
	free(place->file);
	place->function = place->file = NULL;
}

/* Fills in the names of a place. Returns false if they are not known. */
static bool read_place(struct python_place *place, pid_t pid, const struct python_layout *l)
{
	uint64_t code = place->code, name, filename;

	/* Where C calls Python, the interpreter has a frame of its own: since 3.13 it has None. */
	if (is_a(pid, code, "NoneType"))
		return true;
	if (!is_a(pid, code, "code"))
		return false;
	name = read_word(pid, code + l->name);
	filename = read_word(pid, code + l->filename);
	if (python_contents(filename, name, read_word(pid, name + PYTHON_TEXT_HASH),
			    read_word(pid, code + l->line_table)) != place->contents)
		return false;
	place->function = read_text(pid, l, name);
	place->file = read_text(pid, l, filename);
	if (!place->function || !place->file || !read_line(&place->line, pid, l, code, place->at)) {
		free_names(place);
		return false;
	}
	if (!strcmp(place->function, "<interpreter trampoline>"))
		free_names(place);
	return true;
}

size_t python_places__find(struct python_places *places, unsigned instance, pid_t pid,
			   const struct python_layout *l, const struct iotrace_python_frame *frame)
{
	struct python_place place = { .instance = instance,
				      .code = frame->code & PYTHON_CODE,
				      .contents = frame->contents,
				      .at = frame->at };
	struct python_place *added;

	for (size_t i = 0; i < places->nr; i++)
		if (places->list[i].instance == instance && places->list[i].code == place.code &&
		    places->list[i].contents == place.contents && places->list[i].at == place.at)
			return i;
	if (places->nr == MAX_PLACES || !read_place(&place, pid, l))
		return SIZE_MAX;
	added = array_append(&places->list, &places->nr, sizeof(*added));
	if (added) {
		*added = place;
		return places->nr - 1;
	}
	free_names(&place);
	return SIZE_MAX;
}

void python_places__free(struct python_places *places)
{
	for (size_t i = 0; i < places->nr; i++)
		free_names(&places->list[i]);
	free(places->list);
	memset(places, 0, sizeof(*places));
}
