// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/start/vmlinux_btf.h"

#include <bpf/btf.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/helper_thread.h"

struct vmlinux_btf {
	const char *records, *strings;
	uint32_t strings_size;
	uint32_t end; /* Ids are from 1 to below it. */
	uint32_t *at; /* Offset in bytes of the record of each id. */
	/* The ids of those that can be found by name, by a hash of it; 0: free. */
	uint32_t *table;
	uint32_t table_mask;
};

/* What follows a record of a kind, in bytes: once, and for each of vlen parts. */
static const struct {
	uint8_t once, part;
} kinds[] = {
	[BTF_KIND_INT] = { sizeof(uint32_t), 0 },
	[BTF_KIND_ARRAY] = { sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { 0, sizeof(struct btf_enum) },
	[BTF_KIND_FUNC_PROTO] = { 0, sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { sizeof(struct btf_var), 0 },
	[BTF_KIND_DATASEC] = { 0, sizeof(struct btf_var_secinfo) },
	[BTF_KIND_DECL_TAG] = { sizeof(struct btf_decl_tag), 0 },
	/* The last kind that is known. */
	[BTF_KIND_ENUM64] = { 0, sizeof(struct btf_enum64) },
};

#define TRACEPOINTS "btf_trace_"
#define BPF_OWN	    "bpf_"

static const struct btf_type *type_at(const struct vmlinux_btf *types, uint32_t id)
{
	return (const void *)(types->records + types->at[id]);
}

const char *vmlinux_btf_name(const struct vmlinux_btf *types, uint32_t name_off)
{
	return name_off < types->strings_size ? types->strings + name_off : "";
}

/* Most names end this at the first letter, without a call. */
static bool begins_with(const char *name, const char *prefix)
{
	while (*prefix && *name == *prefix) {
		name++;
		prefix++;
	}
	return !*prefix;
}

static bool is_found_by_name(const struct vmlinux_btf *types, uint32_t kind, uint32_t name_off)
{
	switch (kind) {
	case BTF_KIND_STRUCT:
		return name_off;
	case BTF_KIND_TYPEDEF:
		return begins_with(vmlinux_btf_name(types, name_off), TRACEPOINTS);
	case BTF_KIND_FUNC:
		return begins_with(vmlinux_btf_name(types, name_off), BPF_OWN);
	default:
		return false;
	}
}

/* FNV-1a. */
static uint32_t hash_of(uint32_t kind, const char *name)
{
	uint32_t hash = 2166136261U ^ kind;

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * 16777619U;
	return hash;
}

/* The place of this name in the table, or the free one where it would be. */
static uint32_t *place_of(const struct vmlinux_btf *types, uint32_t kind, const char *name)
{
	uint32_t i = hash_of(kind, name) & types->table_mask;

	for (;; i = (i + 1) & types->table_mask) {
		const struct btf_type *type = type_at(types, types->table[i]);

		if (!types->table[i] || (BTF_INFO_KIND(type->info) == kind &&
					 !strcmp(vmlinux_btf_name(types, type->name_off), name)))
			return &types->table[i];
	}
}

uint32_t vmlinux_btf_id(const struct vmlinux_btf *types, uint32_t kind, const char *name)
{
	return *place_of(types, kind, name);
}

/* How long a record is, with what follows it; 0 if it is not known, or not whole. */
static size_t record_size(const struct btf_type *type, size_t left)
{
	uint32_t kind;
	size_t size;

	if (left < sizeof(*type))
		return 0;
	kind = BTF_INFO_KIND(type->info);
	if (kind == BTF_KIND_UNKN || kind >= ARRAY_SIZE(kinds))
		return 0;
	size = sizeof(*type) + kinds[kind].once +
	       (size_t)kinds[kind].part * BTF_INFO_VLEN(type->info);
	return size <= left ? size : 0;
}

/* Ids, in ascending order. */
struct ids {
	uint32_t *ids;
	size_t nr;
};

/* Goes through all records once, and collects those that can be found by name. 0 or -errno. */
static int index_records(struct vmlinux_btf *types, size_t size, struct ids *named)
{
	size_t most = size / sizeof(struct btf_type) + 1, length;

	/* Of these, only what is used takes memory. */
	types->at = malloc(most * sizeof(*types->at));
	named->ids = malloc(most * sizeof(*named->ids));
	if (!types->at || !named->ids)
		return -ENOMEM;
	types->at[0] = 0;
	types->end = 1;
	for (size_t at = 0; at < size; at += length) {
		const struct btf_type *type = (const void *)(types->records + at);

		length = record_size(type, size - at);
		if (!length)
			return -EINVAL;
		types->at[types->end] = at;
		if (is_found_by_name(types, BTF_INFO_KIND(type->info), type->name_off))
			named->ids[named->nr++] = types->end;
		types->end++;
	}
	return 0;
}

static int index_names(struct vmlinux_btf *types, const struct ids *named)
{
	size_t slots = 2;

	while (slots < 2 * named->nr)
		slots *= 2;
	types->table_mask = slots - 1;
	types->table = calloc(slots, sizeof(*types->table));
	if (!types->table)
		return -ENOMEM;
	for (size_t i = 0; i < named->nr; i++) {
		const struct btf_type *type = type_at(types, named->ids[i]);
		uint32_t *place = place_of(types, BTF_INFO_KIND(type->info),
					   vmlinux_btf_name(types, type->name_off));

		if (!*place)
			*place = named->ids[i];
	}
	return 0;
}

/* Finds the two parts of the data. */
static bool find_parts(struct vmlinux_btf *types, const void *data, size_t size,
		       size_t *records_size)
{
	const struct btf_header *header = data;
	size_t left;

	if (size < sizeof(*header) || header->magic != BTF_MAGIC ||
	    header->version != BTF_VERSION || header->hdr_len > size)
		return false;
	left = size - header->hdr_len;
	if (header->type_off > left || header->type_len > left - header->type_off ||
	    header->type_off % sizeof(uint32_t) || header->str_off > left ||
	    header->str_len > left - header->str_off)
		return false;
	types->records = (const char *)data + header->hdr_len + header->type_off;
	types->strings = (const char *)data + header->hdr_len + header->str_off;
	types->strings_size = header->str_len;
	*records_size = header->type_len;
	return header->str_len && !types->strings[header->str_len - 1];
}

struct vmlinux_btf *vmlinux_btf__new(const void *data, size_t size)
{
	struct vmlinux_btf *types = calloc(1, sizeof(*types));
	struct ids named = { 0 };
	size_t records_size;
	int err;

	if (!types)
		return NULL;
	err = find_parts(types, data, size, &records_size) ? 0 : -EINVAL;
	if (!err)
		err = index_records(types, records_size, &named);
	if (!err)
		err = index_names(types, &named);
	free(named.ids);
	if (!err)
		return types;
	vmlinux_btf__free(types);
	errno = -err;
	return NULL;
}

void vmlinux_btf__free(struct vmlinux_btf *types)
{
	if (!types)
		return;
	free(types->at);
	free(types->table);
	free(types);
}

const struct btf_type *vmlinux_btf_resolve(const struct vmlinux_btf *types, uint32_t id)
{
	while (id && id < types->end) {
		const struct btf_type *type = type_at(types, id);

		switch (BTF_INFO_KIND(type->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = type->type;
			break;
		default:
			return type;
		}
	}
	return NULL;
}

bool vmlinux_btf_member(const struct vmlinux_btf *types, const struct btf_type *type,
			const char *name, struct kernel_member *member)
{
	const struct btf_member *members = (const void *)(type + 1);

	for (uint32_t i = 0; i < BTF_INFO_VLEN(type->info); i++) {
		const char *own = vmlinux_btf_name(types, members[i].name_off);
		const struct btf_type *inner;

		member->type = members[i].type;
		member->offset = btf_member_bit_offset(type, i);
		member->bit_size = btf_member_bitfield_size(type, i);
		if (*own && !strcmp(own, name))
			return true;
		inner = *own ? NULL : vmlinux_btf_resolve(types, members[i].type);
		if (inner && btf_is_composite(inner) &&
		    vmlinux_btf_member(types, inner, name, member)) {
			member->offset += btf_member_bit_offset(type, i);
			return true;
		}
	}
	return false;
}

long vmlinux_btf_offset(const struct vmlinux_btf *types, const char *type, const char *member)
{
	uint32_t id = vmlinux_btf_id(types, BTF_KIND_STRUCT, type);
	struct kernel_member found;

	if (!id || !vmlinux_btf_member(types, type_at(types, id), member, &found) ||
	    found.offset % 8)
		return -1;
	return found.offset / 8;
}

/* The running kernel's, and where its data is. */
static struct vmlinux_btf *kernels;
static void *data;
static size_t data_size;
static bool is_mapped;
static pthread_t reader;
static bool is_reading;
static int read_error;

/* Since Linux 6.16 the file can be mapped. A read brings 4 KiB of its 5 MiB. */
static void *map_or_read(FILE *file)
{
	struct stat st;

	if (fstat(fileno(file), &st))
		return NULL;
	data_size = st.st_size;
	data = mmap(NULL, data_size, PROT_READ, MAP_PRIVATE, fileno(file), 0);
	is_mapped = data != MAP_FAILED;
	if (is_mapped)
		return data;
	errno = 0;
	data = malloc(data_size);
	if (data && fread(data, 1, data_size, file) == data_size)
		return data;
	free(data);
	data = NULL;
	errno = errno ?: EINVAL;
	return NULL;
}

static void *read_types(void *unused)
{
	FILE *file = fopen("/sys/kernel/btf/vmlinux", "re");

	(void)unused;
	if (file && map_or_read(file))
		kernels = vmlinux_btf__new(data, data_size);
	read_error = errno;
	if (file)
		fclose(file);
	return NULL;
}

void vmlinux_btf_read_ahead(void)
{
	if (!kernels && !is_reading)
		is_reading = !helper_thread_create(&reader, read_types, NULL);
}

static void join_reader(void)
{
	if (is_reading)
		pthread_join(reader, NULL);
	is_reading = false;
}

const struct vmlinux_btf *vmlinux_btf_read(void)
{
	join_reader();
	if (!kernels) {
		vmlinux_btf_forget();
		read_types(NULL);
	}
	errno = read_error;
	return kernels;
}

void vmlinux_btf_forget(void)
{
	join_reader();
	vmlinux_btf__free(kernels);
	kernels = NULL;
	if (is_mapped)
		munmap(data, data_size);
	else
		free(data);
	data = NULL;
	is_mapped = false;
}
