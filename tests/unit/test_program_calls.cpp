// SPDX-License-Identifier: GPL-2.0
// The calls of each program, by name.
#include "unit/format_test.hpp"

namespace
{
std::string programs(const profile &p)
{
	std::ostringstream out;

	for (size_t i = 0; i < p.nr_program_calls; i++) {
		const struct program_calls &c = p.program_calls[i];

		out << c.comm << " " << c.processes << " " << c.calls << " " << c.total_ns << "; ";
	}
	return out.str();
}

struct Run : Profile {
	void add(const char *comm, uint64_t processes, uint64_t calls, uint64_t ns)
	{
		struct program_calls c = { "", processes, calls, ns };

		snprintf(c.comm, sizeof(c.comm), "%s", comm);
		REQUIRE(profile_add_program_calls(this, &c) == 0);
	}
};
} // namespace

TEST_CASE("program calls: those of a name are one row, that with most calls first")
{
	Run p;

	profile_sort_program_calls(&p);
	CHECK(programs(p).empty());
	for (int i = 0; i < 3; i++) {
		p.add("sh", 1, 10, 100);
		p.add("cc1", 1, 100, 7);
	}
	p.add("ld", 2, 30, 1);
	p.add("true", 1, 0, 0);
	profile_sort_program_calls(&p);
	CHECK(programs(p) == "cc1 3 300 21; ld 2 30 1; sh 3 30 300; ");
}

TEST_CASE("program calls: what is of no program is told apart")
{
	Run p;
	syscall_stats *s = p.row(1, "write", true);

	for (int i = 0; i < 10; i++)
		REQUIRE(syscall_stats_add_call(s, 1, true, 1000) == 0);
	p.add("sh", 1, 7, 6000);
	p.add("cat", 1, 1, 1000);
	profile_sort_program_calls(&p);
	const struct program_calls other = profile_other_program_calls(&p);
	CHECK(other.calls == 2);
	CHECK(other.total_ns == 3000);
}

TEST_CASE("program calls: a report has six lines of them at most, and none of a single program")
{
	Case c;

	c.everything();
	const auto lines = [&] {
		const std::string text = render(render_table, c.profile, Options());
		const size_t begin = text.find("by program:");

		return begin == std::string::npos
			       ? ""
			       : text.substr(begin, text.find("\n\n", begin) + 1 - begin);
	};
	CHECK_THAT(lines(), ContainsSubstring("(other) "));
	for (int i = 0; i < 9; i++) {
		struct program_calls one = { "", 1, 1, 5 };
		snprintf(one.comm, sizeof(one.comm), "p%d", i);
		REQUIRE(profile_add_program_calls(&c.profile, &one) == 0);
	}
	const std::string many = lines();
	CHECK(std::count(many.begin(), many.end(), '\n') == 6);
	CHECK_THAT(many, ContainsSubstring("and 6 more ") && ContainsSubstring("56 calls"));
	c.profile.nr_program_calls = 1;
	CHECK(lines().empty());
	c.profile.nr_program_calls = 2;
	c.profile.by[0] = BY_COMM;
	CHECK(lines().empty());
}
