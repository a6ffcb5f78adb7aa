// SPDX-License-Identifier: GPL-2.0
extern "C" {
#include "bpf/iotrace.h"
#include "iotrace.skel.h"
#include "trace/bpf/start/steps.h"
#include "trace/bpf/start/vmlinux_btf.h"
}
#include "lib/catch.hpp"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <memory>
#include <string>
#include <utility>

/* These need no privileges: the object is opened only, and everybody may read the kernel's BTF. */
namespace
{
using Btf = std::unique_ptr<btf, decltype(&btf__free)>;

class Excerpt
{
	iotrace_bpf *skeleton = iotrace_bpf__open();

public:
	Btf whole{ btf__parse("/sys/kernel/btf/vmlinux", nullptr), btf__free };
	Btf part{ nullptr, btf__free };

	Excerpt()
	{
		REQUIRE(skeleton);
		REQUIRE(whole);
		btf_subset_begin(skeleton->obj);
		part.reset(btf__load_vmlinux_btf());
		REQUIRE(part);
	}
	Excerpt(const Excerpt &) = delete;
	~Excerpt()
	{
		btf_subset_end();
		vmlinux_btf_forget();
		iotrace_bpf__destroy(skeleton);
	}
	int own(const char *name, uint32_t kind) const
	{
		return btf__find_by_name_kind(part.get(), name, kind);
	}
	int kernels(const char *name, uint32_t kind) const
	{
		return btf__find_by_name_kind(whole.get(), name, kind);
	}
};

/* Offset in bits and size in bytes of a member that is in no unnamed struct. -1: there is none. */
std::pair<long, long> place_of(const btf *types, const char *structure, const char *name)
{
	const int id = btf__find_by_name_kind(types, structure, BTF_KIND_STRUCT);
	const btf_type *type = id > 0 ? btf__type_by_id(types, id) : nullptr;

	for (uint16_t i = 0; type && i < btf_vlen(type); i++)
		if (btf__name_by_offset(types, btf_members(type)[i].name_off) == std::string(name))
			return { btf_member_bit_offset(type, i),
				 btf__resolve_size(types, btf_members(type)[i].type) };
	return { -1, -1 };
}
} // namespace

TEST_CASE("btf subset: the excerpt of the kernel's types has its offsets and sizes",
	  "[kernel excerpt]")
{
	const Excerpt excerpt;

	CHECK(btf__type_cnt(excerpt.part.get()) < 200);
	for (const char *name :
	     { "pid", "tgid", "flags", "__state", "group_leader", "start_time", "comm", "nvcsw",
	       "self_exec_id", "signal", "thread_info", "se" }) {
		INFO(name);
		const auto place = place_of(excerpt.part.get(), "task_struct", name);
		CHECK(place.first > -1);
		CHECK(place == place_of(excerpt.whole.get(), "task_struct", name));
	}
	for (uint32_t id = 1; id < btf__type_cnt(excerpt.part.get()); id++) {
		const btf_type *type = btf__type_by_id(excerpt.part.get(), id);
		const char *name = btf__name_by_offset(excerpt.part.get(), type->name_off);
		INFO(name);
		if (*name && btf_is_struct(type))
			CHECK(excerpt.own(name, BTF_KIND_STRUCT) == (int)id);
	}
	const auto cpu = place_of(excerpt.part.get(), "sched_entity", "sum_exec_runtime");
	CHECK(cpu.first > -1);
	CHECK(cpu == place_of(excerpt.whole.get(), "sched_entity", "sum_exec_runtime"));
	CHECK(place_of(excerpt.part.get(), "task_struct", "tasks").first == -1);
}

TEST_CASE("btf subset: the excerpt's ids become the kernel's when a program is loaded",
	  "[kernel excerpt]")
{
	const Excerpt excerpt;
	bpf_insn program[4] = {};
	bpf_prog_load_opts options = {};

	program[0].code = BPF_JMP | BPF_CALL;
	program[0].src_reg = BPF_PSEUDO_KFUNC_CALL;
	program[0].imm = excerpt.own("bpf_rdonly_cast", BTF_KIND_FUNC);
	program[1].code = BPF_LD | BPF_IMM | BPF_DW;
	program[1].src_reg = BPF_PSEUDO_BTF_ID;
	program[1].imm = program[0].imm;
	program[3].code = BPF_JMP | BPF_CALL; /* This calls a helper of the same number. */
	program[3].imm = program[0].imm;
	options.sz = sizeof(options);
	options.attach_btf_id = excerpt.own("btf_trace_sys_exit", BTF_KIND_TYPEDEF);
	REQUIRE(program[0].imm > 0);
	const int own = program[0].imm;
	btf_subset_translate(program, 4, &options);
	CHECK(program[0].imm == excerpt.kernels("bpf_rdonly_cast", BTF_KIND_FUNC));
	CHECK(program[1].imm == program[0].imm);
	CHECK(program[3].imm == own);
	CHECK((int)options.attach_btf_id ==
	      excerpt.kernels("btf_trace_sys_exit", BTF_KIND_TYPEDEF));
	options.attach_btf_id = excerpt.own("bpf_iter_task", BTF_KIND_FUNC);
	btf_subset_translate(nullptr, 0, &options);
	CHECK((int)options.attach_btf_id == excerpt.kernels("bpf_iter_task", BTF_KIND_FUNC));
}

TEST_CASE("btf subset: without an excerpt, libbpf reads all of the kernel's types",
	  "[kernel excerpt]")
{
	btf_subset_end();
	const Btf all{ btf__load_vmlinux_btf(), btf__free };

	REQUIRE(all);
	CHECK(btf__type_cnt(all.get()) > 10000);
}
