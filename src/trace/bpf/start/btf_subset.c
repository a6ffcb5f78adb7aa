// SPDX-License-Identifier: GPL-2.0
#include "trace/bpf/start/steps.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/bpf/start/interpose.h"
#include "trace/bpf/start/vmlinux_btf.h"

#define MAX_IDS 64

static struct excerpt {
	const struct vmlinux_btf *kernel;
	const struct btf *local; /* BTF of the object. */
	struct btf *btf;	 /* The excerpt, until libbpf has it. */
	int word;		 /* Id of a number in it. */
	bool used;		 /* libbpf has it */
	struct {
		uint32_t own, kernel;
	} ids[MAX_IDS];
	size_t nr_ids;
} excerpt;

/* Which types libbpf looks up for the programs of a section. */
static const struct {
	const char *section;
	uint32_t kind;
	const char *prefix;
} targets[] = {
	{ "tp_btf/", BTF_KIND_TYPEDEF, "btf_trace_" },
	{ "tp/raw_syscalls/", BTF_KIND_TYPEDEF, "btf_trace_" },
	{ "iter/", BTF_KIND_FUNC, "bpf_iter_" },
};

static int add_type(struct excerpt *e, const struct btf_type *local, const struct btf_type *kernel);

/* Adds the type of a member, or of a parameter. Returns its id or -errno. */
static int add_by_id(struct excerpt *e, uint32_t local, uint32_t kernel)
{
	int at = btf__resolve_type(e->local, local);

	return at < 0 ? at
		      : add_type(e, btf__type_by_id(e->local, at),
				 vmlinux_btf_resolve(e->kernel, kernel));
}

static int add_array(struct excerpt *e, const struct btf_type *local, const struct btf_type *kernel)
{
	const struct btf_array *array = btf_array(kernel);
	int element = btf_is_array(local) ? add_by_id(e, btf_array(local)->type, array->type)
					  : -EOPNOTSUPP;

	return element < 0 ? element : btf__add_array(e->btf, e->word, element, array->nelems);
}

struct found_member {
	const char *name;
	struct kernel_member at;
};

struct found_members {
	struct found_member *list;
	size_t nr;
};

/*
 * Finds the members of a struct, also in unnamed ones within, that the kernel has, too, and adds
 * their types. 0 or -ENOMEM.
 */
static int find_members(struct excerpt *e, const struct btf_type *local,
			const struct btf_type *kernel, struct found_members *found)
{
	const struct btf_member *own = btf_members(local);
	int err = 0;

	for (uint16_t i = 0; !err && i < btf_vlen(local); i++) {
		const struct btf_type *inner = btf__type_by_id(e->local, own[i].type);
		struct found_member member = { 0 }, *added;
		int type = 0;

		if (!own[i].name_off && btf_is_composite(inner)) {
			err = find_members(e, inner, kernel, found);
			continue;
		}
		member.name = btf__name_by_offset(e->local, own[i].name_off);
		if (vmlinux_btf_member(e->kernel, kernel, member.name, &member.at))
			type = add_by_id(e, own[i].type, member.at.type);
		if (type <= 0)
			continue;
		member.at.type = type;
		added = array_append(&found->list, &found->nr, sizeof(*added));
		if (!added)
			return -ENOMEM;
		*added = member;
	}
	return err;
}

/*
 * Adds a struct of the members that the local one has, too, at the kernel's offsets; what the
 * kernel lacks, or has as something else, is left out. libbpf takes it for a union as well.
 * Members are of structs without a name, so that each name is there once.
 */
static int add_struct(struct excerpt *e, const char *name, const struct btf_type *local,
		      const struct btf_type *kernel)
{
	struct found_members found = { 0 };
	int id, err;

	if (!btf_is_composite(local))
		return -EOPNOTSUPP;
	/* A type is whole before the next one begins. */
	err = find_members(e, local, kernel, &found);
	id = err ? err : btf__add_struct(e->btf, name, kernel->size);
	for (size_t i = 0; i < found.nr && id > 0 && !err; i++)
		err = btf__add_field(e->btf, found.list[i].name, found.list[i].at.type,
				     found.list[i].at.offset, found.list[i].at.bit_size);
	free(found.list);
	return err ? err : id;
}

static int add_type(struct excerpt *e, const struct btf_type *local, const struct btf_type *kernel)
{
	if (!kernel)
		return 0;
	switch (BTF_INFO_KIND(kernel->info)) {
	case BTF_KIND_INT:
		return btf__add_int(e->btf, vmlinux_btf_name(e->kernel, kernel->name_off),
				    kernel->size, btf_int_encoding(kernel));
	case BTF_KIND_PTR:
		return btf__add_ptr(e->btf, 0);
	case BTF_KIND_ENUM:
		return btf__add_enum(e->btf, NULL, kernel->size);
	case BTF_KIND_ARRAY:
		return add_array(e, local, kernel);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return add_struct(e, "", local, kernel);
	default:
		return -EOPNOTSUPP;
	}
}

/* Remembers which type of the kernel's is meant. Returns id. */
static int remember(struct excerpt *e, int id, uint32_t kernel)
{
	if (id < 0)
		return id;
	if (e->nr_ids == MAX_IDS)
		return -ENOSPC;
	e->ids[e->nr_ids].own = id;
	e->ids[e->nr_ids++].kernel = kernel;
	return id;
}

/* Adds what the programs of this section are attached to, if the kernel has it. */
static int add_target(struct excerpt *e, const char *section)
{
	section += *section == '?';
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		size_t length = strlen(targets[i].section);
		char name[128];
		uint32_t id;

		if (strncmp(section, targets[i].section, length))
			continue;
		snprintf(name, sizeof(name), "%s%s", targets[i].prefix, section + length);
		id = vmlinux_btf_id(e->kernel, targets[i].kind, name);
		if (!id || btf__find_by_name_kind(e->btf, name, targets[i].kind) > 0)
			return 0;
		return remember(e,
				targets[i].kind == BTF_KIND_FUNC
					? btf__add_func(e->btf, name, BTF_FUNC_GLOBAL, e->word)
					: btf__add_typedef(e->btf, name, e->word),
				id);
	}
	return 0;
}

/* Adds a prototype in which pointers lead to void. */
static int add_prototype(struct excerpt *e, const struct btf_type *kernel)
{
	const struct btf_param *params = btf_params(kernel);
	int types[8], nr = btf_vlen(kernel), result, id, err = 0;

	if (nr > (int)ARRAY_SIZE(types))
		return -EOPNOTSUPP;
	result = add_type(e, NULL, vmlinux_btf_resolve(e->kernel, kernel->type));
	for (int i = 0; i < nr && result >= 0; i++) {
		types[i] = add_type(e, NULL, vmlinux_btf_resolve(e->kernel, params[i].type));
		if (types[i] < 0)
			return types[i];
	}
	if (result < 0)
		return result;
	id = btf__add_func_proto(e->btf, result);
	for (int i = 0; i < nr && id > 0 && !err; i++)
		err = btf__add_func_param(e->btf, "", types[i]);
	return err ? err : id;
}

/* Adds a function that the programs call, if the kernel has it. */
static int add_function(struct excerpt *e, const char *name)
{
	uint32_t id = vmlinux_btf_id(e->kernel, BTF_KIND_FUNC, name);
	int prototype;

	if (!id)
		return 0;
	prototype = add_prototype(
		e, vmlinux_btf_resolve(e->kernel, vmlinux_btf_resolve(e->kernel, id)->type));
	return prototype < 0
		       ? prototype
		       : remember(e, btf__add_func(e->btf, name, BTF_FUNC_GLOBAL, prototype), id);
}

/*
 * Finds the struct of the kernel that a local one is about. Its name may have a flavour, for one
 * and the same struct as other kernels have it: kernfs_node___rcu is kernfs_node, too. 0: none.
 */
static uint32_t find_struct(const struct excerpt *e, const struct btf_type *local)
{
	const char *name = btf__name_by_offset(e->local, local->name_off), *flavour;
	char plain[128];

	if (!*name || !btf_is_struct(local))
		return 0;
	flavour = strstr(name, "___");
	snprintf(plain, sizeof(plain), "%.*s", flavour ? (int)(flavour - name) : INT_MAX, name);
	return vmlinux_btf_id(e->kernel, BTF_KIND_STRUCT, plain);
}

/*
 * Adds the structs that the object and the kernel have, those whose members CO-RE relocates, and
 * the functions: libbpf makes externs look like the programs' own, which are not in the kernel.
 */
static int add_types(struct excerpt *e)
{
	int err = 0;

	for (uint32_t id = 1; id < btf__type_cnt(e->local) && err >= 0; id++) {
		const struct btf_type *type = btf__type_by_id(e->local, id);
		const char *name = btf__name_by_offset(e->local, type->name_off);
		uint32_t kernel = find_struct(e, type);

		if (kernel)
			err = add_struct(e, name, type, vmlinux_btf_resolve(e->kernel, kernel));
		else if (btf_is_func(type))
			err = add_function(e, name);
	}
	return err;
}

static int fill(struct excerpt *e, const struct bpf_object *object)
{
	struct bpf_program *program;
	int err = e->word = btf__add_int(e->btf, "int", sizeof(int), BTF_INT_SIGNED);

	if (err >= 0)
		err = add_types(e);
	bpf_object__for_each_program (program, object)
		if (err >= 0)
			err = add_target(e, bpf_program__section_name(program));
	return err;
}

void btf_subset_begin(const struct bpf_object *object)
{
	btf_subset_end();
	excerpt.kernel = vmlinux_btf_read();
	excerpt.local = bpf_object__btf(object);
	if (excerpt.kernel && excerpt.local)
		excerpt.btf = btf__new_empty();
	if (excerpt.btf && fill(&excerpt, object) < 0)
		btf_subset_end();
}

void btf_subset_end(void)
{
	btf__free(excerpt.btf);
	memset(&excerpt, 0, sizeof(excerpt));
}

typedef struct btf *load_function(void);

INTERPOSE(btf__load_vmlinux_btf, load_function)

/* libbpf calls this when it loads an object, and frees what it gets. */
struct btf *own_btf__load_vmlinux_btf(void)
{
	struct btf *btf = excerpt.btf;
	load_function *load;

	if (!btf) {
		load = find_btf__load_vmlinux_btf();
		errno = ENOSYS;
		return load ? load() : NULL;
	}
	excerpt.btf = NULL;
	excerpt.used = true;
	return btf;
}

static uint32_t translate(uint32_t id)
{
	for (size_t i = 0; i < excerpt.nr_ids; i++)
		if (excerpt.ids[i].own == id)
			return excerpt.ids[i].kernel;
	return id;
}

void btf_subset_translate(struct bpf_insn *insns, size_t nr, struct bpf_prog_load_opts *opts)
{
	if (!excerpt.used)
		return;
	if (opts && opts->attach_btf_id && !opts->attach_prog_fd)
		opts->attach_btf_id = translate(opts->attach_btf_id);
	for (size_t i = 0; i < nr; i++) {
		bool calls = insns[i].code == (BPF_JMP | BPF_CALL) &&
			     insns[i].src_reg == BPF_PSEUDO_KFUNC_CALL;
		bool asks = insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
			    insns[i].src_reg == BPF_PSEUDO_BTF_ID;

		if (calls || asks)
			insns[i].imm = (int)translate(insns[i].imm);
	}
}
