// SPDX-License-Identifier: GPL-2.0
// The group (--by) that a finding names.
#include "unit/found.hpp"

extern "C" {
#include "model/profile_groups.h"
}

#include <cerrno>

namespace
{
struct GroupProfile : FileProfile {
	GroupProfile()
	{
		by[0] = BY_PROCESS;
		for (const uint32_t id : { 2, 3, 4 }) {
			group_stats *g = profile_group(this, id);
			REQUIRE(g);
			snprintf(g->process, sizeof(g->process), "p\x1b%u", id);
			g->pid = pid_t(100 * id);
		}
	}
};

void made_by(file_stats *f, std::initializer_list<file_group> groups)
{
	REQUIRE(file_groups_append(&f->groups, &f->nr_groups, groups.begin(), groups.size()) == 0);
}

// What a finding says of the group, or "".
std::string told(const finding &f)
{
	const std::string text = f.evidence;
	const size_t at = text.find("p\\x1b");

	return at == text.npos ? "" : text.substr(at);
}
} // namespace

TEST_CASE("rules groups: who makes most of the calls is named", "[rules]")
{
	const struct {
		std::initializer_list<file_group> groups;
		const char *told;
	} cases[] = {
		{ {}, "" },
		{ { { 2, 1000 } }, "p\\x1b2[200] makes all 1,000 calls there" },
		{ { { 2, 300 }, { 3, 700 } }, "p\\x1b3[300] makes 700 of the 1,000 calls there" },
		// Rows of one path may have the same groups.
		{ { { 2, 300 }, { 3, 400 }, { 2, 300 } },
		  "p\\x1b2[200] makes 600 of the 1,000 calls there" },
		{ { { 2, 500 }, { 3, 500 } }, "" },
		// Nobody knows who made 200 of them.
		{ { { 2, 500 }, { 3, 300 } }, "" },
		{ { { 2, 501 }, { 3, 300 } }, "p\\x1b2[200] makes 501 of the 1,000 calls there" },
		{ { { GROUP_OTHER, 700 }, { 3, 300 } }, "" },
		{ { { 77, 1000 } }, "" },
	};

	for (auto &c : cases) {
		GroupProfile p;
		made_by(add_lines(p, 1000), c.groups);
		const Found found(p);
		CHECK(told(found.first()) == c.told);
		CHECK((found.first().group.id != 0) == (*c.told != '\0'));
	}
}

TEST_CASE("rules groups: nobody is named where there is one group, or none", "[rules]")
{
	GroupProfile p;
	made_by(add_lines(p, 1000), { { 2, 1000 } });
	p.nr_groups = 1;
	{
		const Found found(p);
		CHECK(told(found.first()).empty());
		CHECK(found.first().group.id == 2);
	}
	p.nr_groups = 3;
	p.by[0] = 0;
	CHECK(Found(p).first().group.id == 0);
}

TEST_CASE("rules groups: the calls on all paths of a search count", "[rules]")
{
	GroupProfile p;

	for (uint32_t i = 0; i < 20; i++) {
		const std::string path =
			"/d" + std::to_string(i / 5) + "/f" + std::to_string(i % 5);
		file_stats *f = p.file(3 + i, FILE_KIND_FAILED, path.c_str());
		f->err = ENOENT;
		add_calls(f, "openat", 100, 0, 1000)->errors = 100;
		made_by(f, { { 2, i ? 10U : 100U }, { 3, i ? 90U : 0U } });
	}
	CHECK(told(Found(p).first()) == "p\\x1b3[300] makes 1,710 of the 2,000 calls there");
}

TEST_CASE("rules groups: of a syscall without a file the groups' own calls count", "[rules]")
{
	GroupProfile p;
	const int nr = syscall_number(ABI_64, "getcwd");
	syscall_stats *row = p.row(nr, "getcwd");

	row->calls = row->timed = 100000;
	row->total_ns = 400000000;
	for (uint32_t id : { 2U, 4U }) {
		group_call *c = group_stats_call(profile_find_group(&p, id), ABI_64, nr);
		REQUIRE(c);
		strcpy(c->name, "getcwd");
		c->calls = id == 4 ? 99000 : 1000;
	}
	const Found found(p);
	REQUIRE(found.ids() == "costly-call (all files)");
	CHECK(told(found.first()) == "p\\x1b4[400] makes 99,000 of the 100,000 calls");
}
