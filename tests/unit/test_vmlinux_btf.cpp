// SPDX-License-Identifier: GPL-2.0
extern "C" {
#include "trace/bpf/start/vmlinux_btf.h"
}
#include "lib/catch.hpp"

#include <bpf/btf.h>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

namespace
{
/*
 * struct outer { int first; struct { int second; union { int third; }; }; int bits:3; }; typedef of
 * a tracepoint, a function of BPF's, and two structs of one name.
 */
class Types
{
	btf *own = btf__new_empty();
	std::vector<char> raw;

public:
	vmlinux_btf *types = nullptr;

	Types()
	{
		const int number = btf__add_int(own, "int", 4, BTF_INT_SIGNED);
		const int choice = btf__add_union(own, "", 4);
		btf__add_field(own, "third", number, 0, 0);
		const int inner = btf__add_struct(own, "", 8);
		btf__add_field(own, "second", number, 0, 0);
		btf__add_field(own, "", choice, 32, 0);
		btf__add_struct(own, "outer", 16);
		btf__add_field(own, "first", number, 0, 0);
		btf__add_field(own, "", inner, 32, 0);
		btf__add_field(own, "bits", number, 96, 3);
		btf__add_struct(own, "twice", 4);
		btf__add_field(own, "here", number, 0, 0);
		btf__add_struct(own, "twice", 8);
		btf__add_field(own, "there", number, 32, 0);
		const int constant = btf__add_const(own, number);
		btf__add_typedef(own, "btf_trace_sys_enter", constant);
		const int proto = btf__add_func_proto(own, 0);
		btf__add_func(own, "bpf_iter_task", BTF_FUNC_GLOBAL, proto);
		btf__add_func(own, "schedule", BTF_FUNC_GLOBAL, proto);
		reread();
	}
	Types(const Types &) = delete;
	~Types()
	{
		vmlinux_btf__free(types);
		btf__free(own);
	}
	void reread()
	{
		__u32 size;
		const char *data = static_cast<const char *>(btf__raw_data(own, &size));

		raw.assign(data, data + size);
		vmlinux_btf__free(types);
		types = vmlinux_btf__new(raw.data(), raw.size());
		REQUIRE(types);
	}
	btf *writable()
	{
		return own;
	}
	const std::vector<char> &data() const
	{
		return raw;
	}
};

bool is_refused(const std::vector<char> &data)
{
	errno = 0;
	vmlinux_btf *types = vmlinux_btf__new(data.data(), data.size());
	const bool refused = !types && errno == EINVAL;

	vmlinux_btf__free(types);
	return refused;
}
} // namespace

TEST_CASE("vmlinux btf: a member is found by its name, in unnamed structs as well",
	  "[kernel types]")
{
	const Types all;

	CHECK(vmlinux_btf_offset(all.types, "outer", "first") == 0);
	CHECK(vmlinux_btf_offset(all.types, "outer", "second") == 4);
	CHECK(vmlinux_btf_offset(all.types, "outer", "third") == 8);
}

TEST_CASE("vmlinux btf: a missing member or struct has no offset", "[kernel types]")
{
	const Types all;

	CHECK(vmlinux_btf_offset(all.types, "outer", "fourth") == -1);
	CHECK(vmlinux_btf_offset(all.types, "outer", "") == -1);
	CHECK(vmlinux_btf_offset(all.types, "int", "first") == -1);
	CHECK(vmlinux_btf_offset(all.types, "nothing", "first") == -1);
}

TEST_CASE("vmlinux btf: a bit field says how many bits it has", "[kernel types]")
{
	const Types all;
	const uint32_t id = vmlinux_btf_id(all.types, BTF_KIND_STRUCT, "outer");
	kernel_member member;

	REQUIRE(vmlinux_btf_member(all.types, vmlinux_btf_resolve(all.types, id), "bits", &member));
	CHECK(member.offset == 96);
	CHECK(member.bit_size == 3);
}

TEST_CASE("vmlinux btf: the first of two structs with a name is meant", "[kernel types]")
{
	const Types all;

	CHECK(vmlinux_btf_offset(all.types, "twice", "here") == 0);
	CHECK(vmlinux_btf_offset(all.types, "twice", "there") == -1);
}

TEST_CASE("vmlinux btf: tracepoints and functions of BPF's are found by kind and name",
	  "[kernel types]")
{
	Types all;
	const auto is = [&all](uint32_t kind, const char *name) {
		return vmlinux_btf_id(all.types, kind, name) ==
		       (uint32_t)btf__find_by_name_kind(all.writable(), name, kind);
	};

	CHECK(is(BTF_KIND_TYPEDEF, "btf_trace_sys_enter"));
	CHECK(is(BTF_KIND_FUNC, "bpf_iter_task"));
	CHECK(vmlinux_btf_id(all.types, BTF_KIND_FUNC, "btf_trace_sys_enter") == 0);
	CHECK(vmlinux_btf_id(all.types, BTF_KIND_FUNC, "schedule") == 0);
}

TEST_CASE("vmlinux btf: modifiers and typedefs are resolved", "[kernel types]")
{
	const Types all;
	const uint32_t id = vmlinux_btf_id(all.types, BTF_KIND_TYPEDEF, "btf_trace_sys_enter");
	const btf_type *type = vmlinux_btf_resolve(all.types, id);

	REQUIRE(type);
	CHECK(vmlinux_btf_name(all.types, type->name_off) == std::string("int"));
	CHECK_FALSE(vmlinux_btf_resolve(all.types, 0));
	CHECK_FALSE(vmlinux_btf_resolve(all.types, 1000));
}

TEST_CASE("vmlinux btf: every name of thousands is found", "[kernel types]")
{
	Types all;

	for (int i = 0; i < 5000; i++) {
		btf__add_struct(all.writable(), ("s" + std::to_string(i)).c_str(), 4);
		btf__add_field(all.writable(), "member", 1, 0, 0);
	}
	all.reread();
	for (int i = 0; i < 5000; i++)
		REQUIRE(vmlinux_btf_offset(all.types, ("s" + std::to_string(i)).c_str(),
					   "member") == 0);
}

TEST_CASE("vmlinux btf: what is no BTF is refused, wherever it is cut or wrong", "[kernel types]")
{
	const Types all;
	const std::vector<char> whole = all.data();

	for (size_t size = 0; size < whole.size(); size++)
		REQUIRE(is_refused(std::vector<char>(whole.begin(), whole.begin() + size)));
	for (size_t at : { 0, 4, 8, 12, 16, 20 }) {
		std::vector<char> wrong = whole;

		wrong[at + 3] = '\x7f';
		wrong[at + 2] = '\x7f';
		CHECK(is_refused(wrong));
	}
	std::vector<char> unknown = whole;
	/* This byte has the kind. */
	unknown[sizeof(btf_header) + offsetof(btf_type, info) + 3] = 31;
	CHECK(is_refused(unknown));
}
