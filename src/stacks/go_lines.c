// SPDX-License-Identifier: GPL-2.0
#include "stacks/go_lines.h"

#include <stdlib.h>
#include <string.h>

#include "stacks/go_module.h"

/* Go 1.18 and 1.19, and all since 1.20 (go12magic and its successors). */
#define MAGIC_1_18 0xfffffff0U
#define MAGIC_1_20 0xfffffff1U

/* Numbers of what is known of a function (src/internal/abi/symtab.go). */
#define INLINED_STEPS 2 /* Values by code: which inlined call is made there. */
#define INLINED_CALLS 3 /* Data: the inlined calls. */

/* What the linkers align the table to. */
#define TABLE_ALIGNMENT 32

/* It is looked for in so many bytes; a hostile file may have many sections of the same bytes. */
#define MAX_BYTES (256ULL << 20)

#define NO_DATA 0xffffffffU

/* struct pcHeader, with pointers of 64 bits. */
struct header {
	uint32_t magic;
	uint8_t pad[2], quantum, pointer_size;
	uint64_t functions, files;
	uint64_t text; /* Where the Go code begins. 0 since Go 1.26, and before it is relocated. */
	uint64_t names, units, paths, steps, rows; /* Offsets of tables, from the header on. */
};

struct row {
	uint32_t entry;	 /* Offset of the function from where the code begins. */
	uint32_t offset; /* Where its struct function is, in the table of rows. */
};

/*
 * The beginning of struct _func. One word more with Go 1.18, and two since 1.20, are between it and
 * the offsets of the nr_steps tables of values, behind which are those of the data. The last byte
 * of these words is the number of the latter.
 */
struct function {
	uint32_t entry, name, args, deferreturn, sp_steps, file_steps, line_steps, nr_steps, unit;
};

/* The parts of struct inlinedCall that say who is called and where in the function. */
struct inlined_call {
	uint32_t name, place;
};

struct go_lines {
	const uint8_t *bytes; /* The table, in memory of libelf. */
	size_t size;
	struct header header;
	struct go_module module;
	bool is_of_go_1_18; /* Or of 1.19. */
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

/* ---- the functions that are inlined at a place ---- */

/* A function, and where in the table its tables of values are. */
struct found {
	struct function f;
	uint64_t steps;
};

static bool read_function(const struct go_lines *g, const struct row *row, struct found *found)
{
	uint64_t at = g->header.rows + row->offset;

	found->steps = at + sizeof(found->f) + (g->is_of_go_1_18 ? 4 : 8);
	return read_at(g, at, &found->f, sizeof(found->f));
}

/* Finds where the inlined calls of a function begin in what is known of functions. */
static bool find_calls(const struct go_lines *g, const struct found *found, uint32_t *calls)
{
	uint8_t nr_data;

	return g->module.data && found->f.nr_steps > INLINED_STEPS &&
	       read_at(g, found->steps - 1, &nr_data, 1) && nr_data > INLINED_CALLS &&
	       read_at(g, found->steps + 4 * ((uint64_t)found->f.nr_steps + INLINED_CALLS), calls,
		       sizeof(*calls)) &&
	       *calls != NO_DATA;
}

/* Finds the innermost call that is inlined at an offset in a function. False: there is none. */
static bool find_inlined(const struct go_lines *g, const struct found *found, uint64_t offset,
			 struct inlined_call *call)
{
	size_t size = g->is_of_go_1_18 ? 20 : 16, parts = g->is_of_go_1_18 ? 12 : 4;
	uint32_t calls, steps;
	uint64_t at;
	int64_t nr;

	if (!find_calls(g, found, &calls) ||
	    !read_at(g, found->steps + 4 * INLINED_STEPS, &steps, sizeof(steps)) || !steps ||
	    !value_at(g, steps, offset, &nr) || nr < 0)
		return false;
	at = calls + (uint64_t)nr * size + parts;
	if (at > g->module.data_size || g->module.data_size - at < sizeof(*call))
		return false;
	memcpy(call, g->module.data + at, sizeof(*call));
	return true;
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

static void set_place(const struct go_lines *g, const struct function *f, uint64_t offset,
		      uint32_t name, struct go_place *place)
{
	int64_t line;

	place->function = text_at(g, g->header.names, name);
	place->file = path_of(g, f, offset);
	place->line = 0;
	if (f->line_steps && value_at(g, f->line_steps, offset, &line) && line > 0)
		place->line = (unsigned)line;
}

/* Finds the function that has an offset from where the code begins. */
static bool find_function(const struct go_lines *g, uint64_t at, struct found *found)
{
	uint64_t low = 0, high = g->header.functions;
	struct row row;

	/* The last row is where the text ends. */
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (!read_row(g, middle + 1, &row))
			return false;
		if (row.entry > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low < g->header.functions && read_row(g, low, &row) &&
	       read_function(g, &row, found) && found->f.entry <= at;
}

bool go_lines__frame_size(const struct go_lines *g, uint64_t address, uint64_t *size)
{
	uint64_t at = address - g->module.text;
	struct found found;
	int64_t value;

	if (!find_function(g, at, &found) || !found.f.sp_steps ||
	    !value_at(g, found.f.sp_steps, at - found.f.entry, &value) || value < 0)
		return false;
	*size = (uint64_t)value;
	return true;
}

size_t go_lines__find(const struct go_lines *g, uint64_t address, struct go_place *places,
		      size_t max)
{
	uint64_t at = address - g->module.text;
	struct inlined_call call;
	struct found found;
	size_t nr = 0;

	if (!find_function(g, at, &found))
		return 0;
	at -= found.f.entry;
	while (nr + 1 < max && find_inlined(g, &found, at, &call)) {
		set_place(g, &found.f, at, call.name, &places[nr++]);
		at = call.place;
	}
	set_place(g, &found.f, at, found.f.name, &places[nr++]);
	return places[nr - 1].function ? nr : 0;
}

/* ---- the beginning ---- */

/* Reads the header that the table begins with, where there is one. */
static bool read_header(struct go_lines *g)
{
	const struct header *h = &g->header;

	if (!read_at(g, 0, &g->header, sizeof(g->header)))
		return false;
	g->is_of_go_1_18 = h->magic == MAGIC_1_18;
	return (g->is_of_go_1_18 || h->magic == MAGIC_1_20) && !h->pad[0] && !h->pad[1] &&
	       h->quantum == 1 && h->pointer_size == sizeof(uint64_t) && h->rows < g->size &&
	       h->functions < g->size / sizeof(struct row);
}

/*
 * Looks for the table in a section, at its beginning or, if the linker has put others before it,
 * further on. Returns the offset; -1: it is not there.
 */
static int64_t find_in(struct go_lines *g, const Elf_Data *data, bool further)
{
	size_t at = 0;

	if (!data || !data->d_buf)
		return -1;
	do {
		g->bytes = (const uint8_t *)data->d_buf + at;
		g->size = data->d_size - at;
		if (read_header(g))
			return (int64_t)at;
		at += TABLE_ALIGNMENT;
	} while (further && at < data->d_size);
	return -1;
}

/* Finds the table. Returns its address; 0: there is none. */
static uint64_t find_table(struct go_lines *g, Elf *elf)
{
	Elf_Scn *section = NULL;
	uint64_t bytes = 0;
	GElf_Shdr header;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return 0;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = NULL;
		bool merged;
		int64_t at;

		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC)
			name = elf_strptr(elf, strings, header.sh_name);
		/* Before Go 1.26, ld merges it with others in an executable that may be moved. */
		merged = name && !strcmp(name, ".data.rel.ro");
		if (!name || (!merged && strcmp(name, ".gopclntab") != 0 &&
			      strcmp(name, ".data.rel.ro.gopclntab") != 0))
			continue;
		bytes += merged ? header.sh_size : 0;
		if (bytes > MAX_BYTES)
			return 0;
		at = find_in(g, elf_rawdata(section, NULL), merged);
		if (at >= 0)
			return header.sh_addr + (uint64_t)at;
	}
	return 0;
}

/* Finds where the code begins. The table may say it; no names are better than wrong ones. */
static bool find_module(struct go_lines *g, Elf *elf, uint64_t address)
{
	const struct go_table table = { address, g->size, g->header.names, g->is_of_go_1_18 };

	if (go_module_find(elf, &table, &g->module))
		return true;
	g->module.text = g->header.text;
	return g->header.text != 0;
}

struct go_lines *go_lines__open(Elf *elf)
{
	struct go_lines *g = calloc(1, sizeof(*g));
	uint64_t address = g ? find_table(g, elf) : 0;

	if (address && find_module(g, elf, address))
		return g;
	free(g);
	return NULL;
}

void go_lines__free(struct go_lines *g)
{
	free(g);
}
