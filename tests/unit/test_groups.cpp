// SPDX-License-Identifier: GPL-2.0
// Groups (--by): their rows, their sums, their table, and how captures hold them.
#include "unit/capture_test.hpp"

#include <cerrno>

using Catch::Matchers::ContainsSubstring;

static Options groups_alone(const char *sort = "time", size_t top = 10)
{
	Options o(sort);

	o.sections = SECTION_GROUPS;
	o.top_groups = top;
	return o;
}

static std::string table_of(const profile &p, const char *sort = "time", size_t top = 10)
{
	return render(render_table, p, groups_alone(sort, top));
}

TEST_CASE("groups: the sums are checked against the summary", "[groups]")
{
	Case c;

	c.everything();
	c.groups(BY_COMM);
	REQUIRE(profile_check_groups(&c.profile) == 0);
	group_call *call = group_stats_find_call(profile_find_group(&c.profile, 3), ABI_64, 257);
	for (uint64_t *counter : { &call->calls, &call->total_ns, &call->waits, &call->cpu_ns }) {
		++*counter;
		CHECK(profile_check_groups(&c.profile) == -EINVAL);
		--*counter;
	}
	call->calls--;
	CHECK(profile_check_groups(&c.profile) == -EINVAL);
	call->calls++;
	call->nr++;
	CHECK(profile_check_groups(&c.profile) == -EINVAL);
	call->nr--;
	CHECK(profile_check_groups(&c.profile) == 0);
}

TEST_CASE("groups: a syscall is made of its groups and of what none has", "[groups]")
{
	Profile p;
	syscall_stats s = {};
	group_call grouped = {};

	s.abi = ABI_64;
	s.nr = 1;
	strcpy(s.name, "write");
	/* One call of 100 ns found no group, 3 of 1000 ns did; all latencies are here. */
	REQUIRE(syscall_stats_add_call(&s, -EPIPE, true, 100) == 0);
	s.latency[latency_bucket(1000)] = 3;
	grouped.calls = grouped.timed = 3;
	grouped.total_ns = 3000;
	grouped.min_ns = grouped.max_ns = 1000;
	grouped.latency[file_latency_bucket(1000)] = 3;
	REQUIRE(profile_complete_syscall(&p, &s, &grouped) == 0);
	CHECK(s.calls == 4);
	CHECK(s.timed == 4);
	CHECK(s.total_ns == 3100);
	CHECK(s.min_ns == 100);
	CHECK(s.max_ns == 1000);
	const group_stats *other = profile_find_group(&p, GROUP_OTHER);
	REQUIRE(other);
	const group_call *rest = group_stats_find_call(other, ABI_64, 1);
	REQUIRE(rest);
	CHECK(rest->calls == 1);
	CHECK(rest->errors == 1);
	CHECK(rest->latency[file_latency_bucket(100)] == 1);
	CHECK(rest->latency[file_latency_bucket(1000)] == 0);
	/* Without such calls there is no (other). */
	Profile q;
	syscall_stats none = {};
	REQUIRE(profile_complete_syscall(&q, &none, &grouped) == 0);
	CHECK(none.calls == 3);
	CHECK(none.min_ns == 1000);
	CHECK(q.nr_groups == 0);
	free(s.errnos);
}

TEST_CASE("groups: a container is named by its id, another cgroup by its path", "[groups]")
{
	const std::string id = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
	const struct {
		std::string path, name;
	} cases[] = {
		{ "/system.slice/docker-" + id + ".scope", "0123456789ab" },
		{ "/kubepods/pod7/" + id, "0123456789ab" },
		{ "/docker/f" + id, "/docker/f" + id },
		{ "/" + std::string(64, 'f') + "/" + id + "/init", "0123456789ab/init" },
		{ "/system.slice/docker-" + id + ".scope/a/b", "0123456789ab/a/b" },
		{ "/", "/" },
		{ "/user.slice/" + id.substr(1), "/user.slice/" + id.substr(1) },
	};
	char buf[GROUP_NAME_SIZE];

	for (const auto &one : cases) {
		group_stats g = {};

		g.id = GROUP_FIRST;
		g.cgroup = copy(one.path);
		CHECK(group_name(buf, &g, BY_CGROUP) == one.name);
		group_stats_free(&g);
	}
}

TEST_CASE(
	"groups: a group is called by its name, as reports have it, and by what people know it as",
	"[groups]")
{
	const std::string id(64, 'a');
	group_stats g = {};

	g.id = GROUP_FIRST;
	strcpy(g.comm, "systemd-journal");
	strcpy(g.process, "a\nb");
	g.uid = 0;
	g.user = copy("root");
	g.cgroup = copy("/docker/" + id + "/init");
	for (const char *name : { "systemd-journal", "systemd-journald" })
		CHECK(group_is_called(&g, BY_COMM, name));
	for (const char *name : { "systemd-journa", "systemd-journey", "" })
		CHECK_FALSE(group_is_called(&g, BY_COMM, name));
	for (const char *name : { "a\nb", "a\\nb" })
		CHECK(group_is_called(&g, BY_PROCESS, name));
	CHECK_FALSE(group_is_called(&g, BY_PROCESS, "a\nbcdefghijklmnopq"));
	for (const char *name : { "root", "0" })
		CHECK(group_is_called(&g, BY_USER, name));
	for (const char *name : { "aaaaaaaaaaaa/init", (const char *)g.cgroup })
		CHECK(group_is_called(&g, BY_CGROUP, name));
	CHECK_FALSE(group_is_called(&g, BY_CGROUP, "aaaaaaaaaaaa"));
	g.id = GROUP_OTHER;
	CHECK(group_is_called(&g, BY_USER, "(other)"));
	CHECK_FALSE(group_is_called(&g, BY_USER, "0"));
	group_stats_free(&g);
}

TEST_CASE("groups: the table has a row each with its costliest calls", "[groups]")
{
	Case c, tree;

	c.everything();
	c.groups(BY_COMM);
	const std::string head = "% busy  busy waiting    p99 calls errors  bytes ";

	CHECK(table_of(c.profile) ==
	      head + "comm         costliest\n"
		     "100.00 2000s  12.3us 3.07us  1059     29 2.1 GB =a\\n\"b\" \\xff write 100 %\n"
		     "  0.00 2.5us     0ns  2.5us     1             - cat          openat 100 %\n");
	tree.everything();
	tree.groups(BY_PROCESS, BY_THREAD);
	CHECK(table_of(tree.profile, "name") ==
	      head + "thread              costliest\n"
		     "100.00 2000s  12.3us 3.07us  1060     29 2.1 GB main[812]           write 100 %\n"
		     "100.00 2000s  12.3us 3.07us  1059     29 2.1 GB   =a\\n\"b\" \\xff[812] write 100 %\n"
		     "  0.00 2.5us     0ns  2.5us     1             -   cat[813]          openat 100 %\n");
	CHECK(table_of(tree.profile, "calls", 1) ==
	      head + "thread              costliest\n"
		     "100.00 2000s  12.3us 3.07us  1060     29 2.1 GB main[812]           write 100 %\n"
		     "100.00 2000s  12.3us 3.07us  1059     29 2.1 GB   =a\\n\"b\" \\xff[812] write 100 %\n"
		     "                                1                 and 1 more\n");
}

TEST_CASE("groups: of the costliest calls, the last give way where the line is full", "[groups]")
{
	Profile p;

	p.by[0] = BY_CGROUP;
	group_stats *g = profile_group(&p, GROUP_FIRST);
	REQUIRE(g);
	g->cgroup = copy("/system.slice/nginx.service");
	for (int nr = 0; nr < 3; nr++) {
		const std::string call = std::string(1, static_cast<char>('a' + nr)) + "_long_call";
		group_call *c = group_stats_call(g, ABI_64, nr);

		REQUIRE(c);
		snprintf(c->name, sizeof(c->name), "%s", call.c_str());
		c->calls = c->timed = 1;
		c->total_ns = static_cast<uint64_t>(3000 - nr);
		p.row(nr, call.c_str());
	}
	const std::string table = table_of(p);
	CAPTURE(table);
	CHECK_THAT(table, ContainsSubstring(" a_long_call 33 %, b_long_call 33 %\n"));
}

TEST_CASE("groups: each row of a tree has its own costliest calls, in any order", "[groups]")
{
	const char *const names[] = { "read", "write", "open", "close" };
	Profile p;

	p.by[0] = BY_USER;
	p.by[1] = BY_COMM;
	/* Users 0 to 3 have two groups each, and more calls of their own syscall each. */
	for (uint32_t id = GROUP_FIRST; id < GROUP_FIRST + 8; id++) {
		const int user = static_cast<int>(id - GROUP_FIRST) / 2;
		group_stats *g = profile_group(&p, id);

		REQUIRE(g);
		g->uid = user;
		g->parent = GROUP_FIRST + 2 * static_cast<uint32_t>(user);
		snprintf(g->comm, sizeof(g->comm), "c%u", id);
		group_call *c = group_stats_call(g, ABI_64, user);
		REQUIRE(c);
		strcpy(c->name, names[user]);
		c->calls = c->timed = static_cast<uint64_t>(10 * user + 1);
		c->total_ns = 1000 * c->calls;
		p.row(user, names[user]);
	}
	const std::string table = table_of(p, "calls");
	size_t at = 0;
	for (int user = 3; user >= 0; user--) {
		at = table.find(std::to_string(user) + "    " + names[user] + " 100 %", at);
		INFO(table);
		REQUIRE(at != std::string::npos);
	}
}

TEST_CASE("groups: captures have all of them, and are checked", "[groups]")
{
	for (unsigned and_by : { 0, static_cast<int>(BY_THREAD) }) {
		Case c;

		c.everything();
		c.groups(BY_PROCESS, and_by);
		const std::string json = json_of(c.profile);
		const Capture back(json);
		INFO(back.err);
		REQUIRE(back.result == 0);
		CHECK(json_of(back.profile) == json);
		for (size_t i = 0; renderers[i]; i++) {
			CAPTURE(renderers[i]->name);
			if (renderers[i]->sections & SECTION_GROUPS)
				CHECK(render(*renderers[i], back.profile, groups_alone()) ==
				      render(*renderers[i], c.profile, groups_alone()));
		}
	}
}

TEST_CASE("groups: what is wrong with them in a capture is said", "[groups]")
{
	Case c;

	c.everything();
	c.groups(BY_PROCESS, BY_THREAD);
	const std::string good = json_of(c.profile);
	const struct {
		const char *what, *by, *says;
	} wrong[] = {
		{ "\"by\": [\"process\", \"thread\"]", "\"by\": [\"process\", \"thred\"]",
		  "is nothing that groups are told apart by" },
		{ "\"by\": [\"process\", \"thread\"]", "\"by\": [\"thread\", \"thread\"]",
		  "two different keys" },
		{ "\"by\": [\"process\", \"thread\"]", "\"by\": []", "one or two keys" },
		{ "\"by\": [\"process\", \"thread\"]", "\"by\": [\"process\"]", "the same of all" },
		{ "\"id\": 3", "\"id\": 2", "is in the list twice" },
		{ "\"id\": 3", "\"id\": 0", "id" },
		{ "\"pid\": 812", "\"pid\": 0", "pid" },
		{ "\"uid\": 1234", "\"uid\": -1", "uid" },
	};

	for (const auto &one : wrong) {
		const Capture refused(replaced(good, one.what, one.by));

		CAPTURE(one.by);
		CHECK(refused.result == -EINVAL);
		CHECK_THAT(refused.err, ContainsSubstring(one.says));
	}
	/* The sums must be those of the syscalls. */
	group_call *call = group_stats_find_call(profile_find_group(&c.profile, 3), ABI_64, 257);
	call->total_ns--;
	call->wait_ns--;
	const Capture less(json_of(c.profile));
	CHECK(less.result == -EINVAL);
	CHECK_THAT(less.err, ContainsSubstring("do not add up to the figures of the syscalls"));
}

TEST_CASE("groups: an interval has what was counted in it", "[groups]")
{
	Case before, now;
	Profile between;

	before.everything();
	before.groups(BY_COMM);
	now.everything();
	now.groups(BY_COMM);
	syscall_stats *s = profile_find_syscall(&now.profile, ABI_64, 257);
	now.add(s, 4, 100, 5);
	group_call *c = group_stats_find_call(profile_find_group(&now.profile, 3), ABI_64, 257);
	c->calls += 5;
	c->timed += 5;
	c->total_ns += 500;
	c->min_ns = 100;
	c->latency[file_latency_bucket(100)] += 5;
	REQUIRE(profile_check_groups(&now.profile) == 0);
	REQUIRE(profile_difference(&between, &now.profile, &before.profile) == 0);
	REQUIRE(between.nr_groups == 1);
	REQUIRE(between.groups[0].nr_calls == 1);
	CHECK(between.groups[0].id == 3);
	CHECK(between.groups[0].calls[0].calls == 5);
	CHECK(between.groups[0].calls[0].max_ns == 127);
	CHECK(profile_check_groups(&between) == 0);
}
