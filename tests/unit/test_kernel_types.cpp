// SPDX-License-Identifier: GPL-2.0
extern "C" {
#include "trace/bpf/kernel_types.h"
}
#include "lib/catch.hpp"

#include <bpf/btf.h>

/*
 * struct outer { int first; struct { int second; union { int third; }; }; }; struct other { int
 * first; };
 */
class Types
{
public:
	btf *types = btf__new_empty();

	Types()
	{
		const int number = btf__add_int(types, "int", 4, BTF_INT_SIGNED);
		const int choice = btf__add_union(types, "", 4);
		btf__add_field(types, "third", number, 0, 0);
		const int inner = btf__add_struct(types, "", 8);
		btf__add_field(types, "second", number, 0, 0);
		btf__add_field(types, "", choice, 32, 0);
		btf__add_struct(types, "outer", 12);
		btf__add_field(types, "first", number, 0, 0);
		btf__add_field(types, "", inner, 32, 0);
	}
	Types(const Types &) = delete;
	~Types()
	{
		btf__free(types);
	}
};

TEST_CASE("a member is found by its name, in unnamed structs as well", "[kernel types]")
{
	const Types all;

	CHECK(kernel_types_offset(all.types, "outer", "first") == 0);
	CHECK(kernel_types_offset(all.types, "outer", "second") == 4);
	CHECK(kernel_types_offset(all.types, "outer", "third") == 8);
}

TEST_CASE("a missing member or struct has no offset", "[kernel types]")
{
	const Types all;

	CHECK(kernel_types_offset(all.types, "outer", "fourth") == -1);
	CHECK(kernel_types_offset(all.types, "int", "first") == -1);
	CHECK(kernel_types_offset(all.types, "nothing", "first") == -1);
}
