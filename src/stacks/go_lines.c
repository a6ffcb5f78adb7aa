// SPDX-License-Identifier: GPL-2.0
#include "stacks/go_lines.h"

#include <stdlib.h>
#include <string.h>

/* Go 1.18 and 1.19, and all since 1.20 (go12magic and its successors). */
#define MAGIC_1_18 0xfffffff0U
#define MAGIC_1_20 0xfffffff1U

/* The function that a program without C begins with. */
#define ENTRY_FUNCTION "_rt0_amd64_linux"

/* struct pcHeader, with pointers of 64 bits. */
struct header {
	uint32_t magic;
	uint8_t pad[2], quantum, pointer_size;
	uint64_t functions, files;
	uint64_t text; /* Address of runtime.text. 0 since Go 1.26, and before it is relocated. */
	uint64_t names, units, paths, steps, rows; /* Offsets of tables, from the header on. */
};

struct row {
	uint32_t entry;	 /* Offset of the function from runtime.text. */
	uint32_t offset; /* Where its struct function is, in the table of rows. */
};

/* The beginning of struct _func. */
struct function {
	uint32_t entry, name, args, deferreturn, sp_steps, file_steps, line_steps, nr_data, unit;
};

struct go_lines {
	const uint8_t *bytes; /* The table, in memory of libelf. */
	size_t size;
	struct header header;
	uint64_t text;
};

/* ---- reading what may lie ---- */

static bool read_at(const struct go_lines *g, uint64_t at, void *to, size_t size)
{
	if (at > g->size || g->size - at < size)
		return false;
	memcpy(to, g->bytes + at, size);
	return true;
}

/* Returns the text at an offset of a table. NULL: it does not end. */
static const char *text_at(const struct go_lines *g, uint64_t table, uint64_t at)
{
	if (table > g->size || at >= g->size - table ||
	    !memchr(g->bytes + table + at, 0, g->size - table - at))
		return NULL;
	return (const char *)g->bytes + table + at;
}

/* Reads a number as protocol buffers write it: seven bits a byte. */
static bool read_number(const struct go_lines *g, uint64_t *at, uint32_t *number)
{
	*number = 0;
	for (unsigned shift = 0; shift < 35; shift += 7) {
		uint8_t byte;

		if (!read_at(g, (*at)++, &byte, 1))
			return false;
		*number |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/*
 * Finds the value at an offset in a function. A table has pairs of what to add to the value and how
 * far it holds, which begin with -1 (runtime.step()).
 */
static bool value_at(const struct go_lines *g, uint32_t steps, uint64_t offset, int64_t *value)
{
	uint64_t at = g->header.steps + steps, end = 0;

	*value = -1;
	for (bool first = true;; first = false) {
		uint32_t change, length;

		if (!read_number(g, &at, &change) || (!change && !first) ||
		    !read_number(g, &at, &length))
			return false;
		*value += change & 1 ? -(int64_t)(change >> 1) - 1 : (int64_t)(change >> 1);
		end += (uint64_t)length * g->header.quantum;
		if (offset < end)
			return true;
	}
}

static bool read_row(const struct go_lines *g, uint64_t index, struct row *row)
{
	return read_at(g, g->header.rows + index * sizeof(*row), row, sizeof(*row));
}

static bool read_function(const struct go_lines *g, uint64_t index, struct function *f)
{
	struct row row;

	return read_row(g, index, &row) && read_at(g, g->header.rows + row.offset, f, sizeof(*f));
}

/* ---- finding ---- */

static const char *path_of(const struct go_lines *g, const struct function *f, uint64_t offset)
{
	uint32_t path;
	int64_t file;

	if (!f->file_steps || !value_at(g, f->file_steps, offset, &file) || file < 0 ||
	    !read_at(g, g->header.units + 4 * (f->unit + (uint64_t)file), &path, sizeof(path)))
		return NULL;
	return text_at(g, g->header.paths, path);
}

bool go_lines__find(const struct go_lines *g, uint64_t address, struct go_place *place)
{
	uint64_t at = address - g->text, low = 0, high = g->header.functions;
	struct function f;
	int64_t line;

	memset(place, 0, sizeof(*place));
	/* The last row is where the text ends. */
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		struct row next;

		if (!read_row(g, middle + 1, &next))
			return false;
		if (next.entry > at)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == g->header.functions || !read_function(g, low, &f) || f.entry > at)
		return false;
	place->function = text_at(g, g->header.names, f.name);
	place->file = path_of(g, &f, at - f.entry);
	if (f.line_steps && value_at(g, f.line_steps, at - f.entry, &line) && line > 0)
		place->line = (unsigned)line;
	return place->function != NULL;
}

/* ---- the beginning ---- */

static bool find_section(Elf *elf, const char *const *names, size_t nr, GElf_Shdr *header,
			 Elf_Scn **section)
{
	size_t strings;

	*section = NULL;
	if (elf_getshdrstrndx(elf, &strings))
		return false;
	while ((*section = elf_nextscn(elf, *section))) {
		const char *name;

		if (!gelf_getshdr(*section, header))
			continue;
		name = elf_strptr(elf, strings, header->sh_name);
		for (size_t i = 0; name && i < nr; i++)
			if (!strcmp(name, names[i]))
				return true;
	}
	return false;
}

/*
 * Finds where the Go code begins. The table may not say it; then the program's entry does, unless
 * C has that: better no names than wrong ones.
 */
static bool find_text(struct go_lines *g, Elf *elf)
{
	GElf_Ehdr header;

	g->text = g->header.text;
	if (g->text)
		return true;
	if (!gelf_getehdr(elf, &header))
		return false;
	for (uint64_t i = 0; i < g->header.functions; i++) {
		const char *name;
		struct function f;

		if (!read_function(g, i, &f))
			return false;
		name = text_at(g, g->header.names, f.name);
		if (!name || strcmp(name, ENTRY_FUNCTION) != 0)
			continue;
		g->text = header.e_entry - f.entry;
		return true;
	}
	return false;
}

struct go_lines *go_lines__open(Elf *elf)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	struct go_lines *g;
	GElf_Shdr section_header;
	Elf_Scn *section;
	Elf_Data *data;

	if (!find_section(elf, names, sizeof(names) / sizeof(*names), &section_header, &section))
		return NULL;
	data = elf_rawdata(section, NULL);
	g = data && data->d_buf ? calloc(1, sizeof(*g)) : NULL;
	if (!g)
		return NULL;
	g->bytes = data->d_buf;
	g->size = data->d_size;
	if (read_at(g, 0, &g->header, sizeof(g->header)) &&
	    (g->header.magic == MAGIC_1_18 || g->header.magic == MAGIC_1_20) &&
	    g->header.pointer_size == 8 && g->header.rows < g->size &&
	    g->header.functions < g->size / sizeof(struct row) && find_text(g, elf))
		return g;
	free(g);
	return NULL;
}

void go_lines__free(struct go_lines *g)
{
	free(g);
}
