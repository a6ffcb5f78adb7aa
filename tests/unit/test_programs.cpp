// SPDX-License-Identifier: GPL-2.0
extern "C" {
#include "trace/bpf/load/probes.h"
#include "trace/bpf/load/programs.h"
}
#include "lib/catch.hpp"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"

static std::string section(const bpf_program *program)
{
	return bpf_program__section_name(program);
}

static bool sees_calls(const bpf_program *program)
{
	const std::string name = section(program);

	return name.find("tp/raw_syscalls/sys_") != std::string::npos;
}

/* The skeleton, prepared as for a run with these needs. */
class Chosen
{
public:
	iotrace_bpf *skel = iotrace_bpf__open();

	explicit Chosen(const bpf_needs &needs)
	{
		REQUIRE(skel);
		bpf_programs_choose(skel, &needs);
	}
	Chosen(const Chosen &) = delete;
	~Chosen()
	{
		iotrace_bpf__destroy(skel);
	}
	std::set<std::string> call_programs() const
	{
		std::set<std::string> names;
		bpf_program *program;

		bpf_object__for_each_program (program, skel->obj) {
			if (bpf_program__autoload(program) && sees_calls(program))
				names.insert(bpf_program__name(program));
		}
		return names;
	}
};

static bpf_needs needs(bool match_per_call, bool files, bool entries)
{
	bpf_needs needs = {};

	needs.match_per_call = match_per_call;
	needs.files = files;
	needs.entries = entries;
	return needs;
}

TEST_CASE("programs: a run loads one program for each kind of event that it looks at", "[programs]")
{
	using Names = std::set<std::string>;

	CHECK(Chosen(needs(false, false, true)).call_programs() ==
	      Names{ "marked_enter", "marked_exit" });
	CHECK(Chosen(needs(false, false, false)).call_programs() == Names{ "marked_exit" });
	CHECK(Chosen(needs(true, false, true)).call_programs() ==
	      Names{ "matched_enter", "matched_exit" });
	CHECK(Chosen(needs(true, false, false)).call_programs() == Names{ "matched_exit" });
	CHECK(Chosen(needs(false, true, true)).call_programs() ==
	      Names{ "marked_enter_files", "marked_exit_files" });
	CHECK(Chosen(needs(true, true, true)).call_programs() ==
	      Names{ "matched_enter_files", "matched_exit_files" });
}

/* Pretends that the kernel reports a different number of missed calls for each program. */
static std::map<std::string, uint64_t> misses;

static uint64_t misses_of(const bpf_program *program)
{
	return misses[bpf_program__name(program)];
}

TEST_CASE("programs: the misses of every program that sees calls are counted", "[programs]")
{
	const Chosen chosen(needs(false, false, true));
	bpf_program *program;
	int nr = 0;

	bpf_object__for_each_program (program, chosen.skel->obj) {
		const std::string name = bpf_program__name(program);

		misses = { { name, 7 } };
		INFO(name);
		const bpf_misses sum = bpf_programs_misses(chosen.skel, misses_of);
		CHECK(sum.calls == (sees_calls(program) ? 7 : 0));
		CHECK(sum.tasks == (name == "newtask" ? 7 : 0));
		nr++;
	}
	CHECK(nr >= 12);
}

TEST_CASE("programs: a new task is missed only if the later program misses it, too", "[programs]")
{
	bpf_needs late = needs(false, false, true);

	late.late = true;
	const Chosen chosen(late);

	misses = { { "newtask", 7 } };
	CHECK(bpf_programs_misses(chosen.skel, misses_of).tasks == 0);
	misses = { { "newtask", 7 }, { "newtask_late", 2 } };
	CHECK(bpf_programs_misses(chosen.skel, misses_of).tasks == 2);
}

/* What the skeleton and user space take for granted of an object of the probes. */
static std::map<std::string, std::string> layout_of(probes which)
{
	iotrace_bpf *skel = probes_open(which);
	std::map<std::string, std::string> layout;
	std::string order;

	REQUIRE(skel);
	const btf *types = bpf_object__btf(skel->obj);
	for (const char *name : { ".rodata", ".data", ".bss" }) {
		const int id = btf__find_by_name_kind(types, name, BTF_KIND_DATASEC);
		REQUIRE(id > 0);
		const btf_type *section = btf__type_by_id(types, id);
		for (int i = 0; i < btf_vlen(section); i++) {
			const btf_var_secinfo &at = btf_var_secinfos(section)[i];
			const btf_type *variable = btf__type_by_id(types, at.type);

			layout[btf__name_by_offset(types, variable->name_off)] =
				name + std::to_string(at.offset) + "+" + std::to_string(at.size);
		}
		layout[name] = std::to_string(section->size);
	}
	bpf_map *map;
	bpf_object__for_each_map (map, skel->obj)
		layout[bpf_map__name(map)] = std::to_string(bpf_map__type(map)) + " " +
					     std::to_string(bpf_map__key_size(map)) + " " +
					     std::to_string(bpf_map__value_size(map));
	bpf_program *program;
	bpf_object__for_each_program (program, skel->obj)
		order += std::string(bpf_program__name(program)) + " " + section(program) + "\n";
	layout["programs"] = order;
	iotrace_bpf__destroy(skel);
	return layout;
}

TEST_CASE("programs: all objects of the probes have the same variables, maps and programs",
	  "[programs]")
{
	const auto general = layout_of(PROBES_GENERIC);

	CHECK(general.size() > 50);
	CHECK(layout_of(PROBES_DEFAULT) == general);
	CHECK(layout_of(PROBES_GROUPS) == general);
	CHECK(layout_of(PROBES_PRE_6_4) == general);
}

TEST_CASE("programs: the default object is for the default run alone", "[programs]")
{
	const iotrace_config defaults = DEFAULT_CONFIG;
	iotrace_config each;

	if (probes_for(&defaults, false) == PROBES_PRE_6_4)
		return; /* This kernel has an object of its own for all runs. */
	CHECK(probes_for(&defaults, false) == PROBES_DEFAULT);
	CHECK(probes_for(&defaults, true) == PROBES_GROUPS);
	for (size_t i = 0; i < sizeof(each); i++) {
		each = defaults;
		reinterpret_cast<bool *>(&each)[i] ^= true;
		INFO(i);
		CHECK(probes_for(&each, true) == PROBES_GENERIC);
	}
}
