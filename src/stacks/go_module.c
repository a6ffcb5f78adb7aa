// SPDX-License-Identifier: GPL-2.0
#include "stacks/go_module.h"

#include <string.h>

/*
 * Words of the structure. Its first members have been the same since Go 1.18: the address of the
 * table, six slices of which the first begins at the functions' names, three addresses, and the
 * range of the code. The address of what is known of the functions comes later and later; since
 * Go 1.26 that lies in the table, whose end is the next word.
 */
enum {
	NAMES = 1,
	TEXT = 22,
	DATA_1_18 = 38,
	DATA_1_20 = 40,
	NR_WORDS = 48,
};

/*
 * So few relocations have the address of the table, and so many bytes are looked through: a hostile
 * file may have more, and many sections of the same bytes.
 */
#define MAX_TRIES 16
#define MAX_BYTES (256ULL << 20)

struct search {
	Elf *elf;
	const struct go_table *table;
	uint64_t words[NR_WORDS]; /* The structure, if it is found. */
	unsigned tries;		  /* So many relocations had the address of the table. */
	uint64_t bytes;		  /* So many were looked through. */
};

/* May so many bytes more be looked through? */
static bool may_read(struct search *s, uint64_t bytes)
{
	s->bytes += bytes;
	return s->bytes <= MAX_BYTES && s->tries < MAX_TRIES;
}

/* ---- the words of the structure ---- */

static bool is_read(const GElf_Shdr *header)
{
	return header->sh_type != SHT_NOBITS && header->sh_flags & SHF_ALLOC;
}

/* Reads words of a section as they are in the file. Those that it does not have are 0. */
static void read_words(const Elf_Data *data, uint64_t at, uint64_t *words)
{
	size_t size = data->d_size - at;

	if (size > NR_WORDS * sizeof(*words))
		size = NR_WORDS * sizeof(*words);
	memset(words, 0, NR_WORDS * sizeof(*words));
	memcpy(words, (const uint8_t *)data->d_buf + at, size);
}

static bool is_found(const struct search *s)
{
	return s->words[NAMES] == s->table->address + s->table->names;
}

/* Has a section the structure, with its addresses in place? */
static bool find_in_place(struct search *s, Elf_Scn *section, const GElf_Shdr *header)
{
	const Elf_Data *data = may_read(s, header->sh_size) ? elf_rawdata(section, NULL) : NULL;

	if (!data || !data->d_buf)
		return false;
	for (uint64_t at = 0; at + 2 * sizeof(*s->words) <= data->d_size; at += sizeof(*s->words)) {
		uint64_t first;

		memcpy(&first, (const uint8_t *)data->d_buf + at, sizeof(first));
		if (first != s->table->address)
			continue;
		read_words(data, at, s->words);
		if (is_found(s))
			return true;
	}
	return false;
}

/* Returns what the file has at an address, to the end of its section. NULL: nothing. */
static const uint8_t *bytes_at(Elf *elf, uint64_t address, size_t *size)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		const Elf_Data *data;

		if (!gelf_getshdr(section, &header) || !is_read(&header) ||
		    address - header.sh_addr >= header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf || address - header.sh_addr >= data->d_size)
			return NULL;
		*size = data->d_size - (address - header.sh_addr);
		return (const uint8_t *)data->d_buf + (address - header.sh_addr);
	}
	return NULL;
}

/* Puts the addresses of relocations into the words that begin at an address. */
static void relocate(const Elf_Data *data, size_t nr, uint64_t address, uint64_t *words)
{
	GElf_Rela r;

	for (size_t i = 0; i < nr && gelf_getrela((Elf_Data *)data, (int)i, &r); i++)
		if (GELF_R_TYPE(r.r_info) == R_X86_64_RELATIVE &&
		    r.r_offset - address < NR_WORDS * sizeof(*words) &&
		    (r.r_offset - address) % sizeof(*words) == 0)
			words[(r.r_offset - address) / sizeof(*words)] = (uint64_t)r.r_addend;
}

/* Is the structure where the relocations of a section have its addresses? */
static bool find_by_relocations(struct search *s, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = may_read(s, header->sh_size) ? elf_getdata(section, NULL) : NULL;
	size_t nr = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	GElf_Rela r;

	for (size_t i = 0; i < nr && gelf_getrela(data, (int)i, &r); i++) {
		Elf_Data bytes = { .d_buf = NULL };

		if (GELF_R_TYPE(r.r_info) != R_X86_64_RELATIVE ||
		    (uint64_t)r.r_addend != s->table->address)
			continue;
		if (++s->tries > MAX_TRIES)
			return false;
		bytes.d_buf = (void *)bytes_at(s->elf, r.r_offset, &bytes.d_size);
		if (!bytes.d_buf)
			continue;
		read_words(&bytes, 0, s->words);
		relocate(data, nr, r.r_offset, s->words);
		if (is_found(s))
			return true;
	}
	return false;
}

static bool find_words(struct search *s)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(s->elf, section))) {
		if (!gelf_getshdr(section, &header) || !is_read(&header))
			continue;
		if (header.sh_type == SHT_RELA && find_by_relocations(s, section, &header))
			return true;
		if (header.sh_flags & SHF_WRITE && find_in_place(s, section, &header))
			return true;
	}
	return false;
}

/* ---- what they say ---- */

static uint64_t data_address(const uint64_t *words, const struct go_table *table)
{
	for (size_t i = DATA_1_20 + 1; i < NR_WORDS; i++)
		if (words[i] == table->address + table->size)
			return words[i - 1];
	return words[table->is_of_go_1_18 ? DATA_1_18 : DATA_1_20];
}

bool go_module_find(Elf *elf, const struct go_table *table, struct go_module *module)
{
	struct search s = { .elf = elf, .table = table };

	if (!find_words(&s))
		return false;
	module->text = s.words[TEXT];
	module->data = bytes_at(elf, data_address(s.words, table), &module->data_size);
	return true;
}
