// SPDX-License-Identifier: GPL-2.0
// Paths that exist, looked at again and again, at the rule's edges.
#include "unit/found.hpp"

#include <cerrno>

namespace
{
const char server[16] = "server";

file_stats *add_looks(FileProfile &p, uint64_t calls, uint64_t processes)
{
	file_stats *f = p.file(3, FILE_KIND_FOUND, "/conf");

	f->processes = processes;
	call_on(f, "newfstatat")->calls = calls;
	call_on(f, "newfstatat")->total_ns = calls * 1000;
	return f;
}
} // namespace

TEST_CASE("rules looks: a thousand more at a path that was found are a habit", "[rules]")
{
	FileProfile p;

	add_looks(p, 999, 1);
	CHECK(Found(p).ids() == "");
	add_looks(p, 1000, 1);
	CHECK(Found(p).ids() == "repeated-looks /conf");
	CHECK(Found(p).predicted() == 0);
	CHECK_THAT(Found(p).first().evidence,
		   ContainsSubstring("looked at 1,000 times more after it was found"));
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("inotify"));
}

TEST_CASE("rules looks: who looks at a path looks at the directory that it is in, too", "[rules]")
{
	const char comm[16] = "maker";
	FileProfile p;
	unsigned id = 10;

	for (const char *path : { "/by-host", "/by-host/1", "/by-host/2", "/srv/by-host" }) {
		file_stats *f = p.file(id++, FILE_KIND_FOUND, path);

		REQUIRE(file_stats_add_user(f, 7, comm, 5000) == 0);
		/* No two are as many, or a multiple. */
		add_calls(f, "newfstatat", path == std::string("/by-host") ? 17000 : 2000 + id * 30,
			  0, 1000);
	}
	const Found found(p);
	CHECK(found.all().nr == 2);
	CHECK(found.first().files == 3);
}

TEST_CASE("rules looks: only a look tells whether a process, a control group or a device is there",
	  "[rules]")
{
	const struct {
		const char *path;
		bool pseudo;
	} cases[] = {
		{ "/proc/4711", true },	  { "/proc", true },	   { "/sys/fs/cgroup/x", true },
		{ "/dev/ttyUSB0", true }, { "/dev/shm/x", false }, { "/process", false },
		{ "/srv/proc/x", false },
	};

	for (const auto &c : cases) {
		FileProfile p;
		file_stats *f = add_looks(p, 1000, 1);

		CAPTURE(c.path);
		free(f->path);
		f->path = strdup(c.path);
		*f->fstype = '\0';
		CHECK(Found(p).ids() == (c.pseudo ? "" : std::string("repeated-looks ") + c.path));
		f->kind = FILE_KIND_FAILED;
		f->err = ENOENT;
		CHECK(Found(p).ids() == (c.pseudo ? "" : std::string("path-storm ") + c.path));
	}
}

TEST_CASE("rules looks: each program may look as often as all do", "[rules]")
{
	FileProfile p;

	add_looks(p, 1000, 101);
	CHECK(Found(p).ids() == "");
	add_looks(p, 1000, 100);
	CHECK(Found(p).ids() == "repeated-looks /conf");
	CHECK(Found(p).predicted() == 99);
}

TEST_CASE("rules looks: a server may look for each answer", "[rules]")
{
	FileProfile p;
	file_stats *socket = p.file(4, FILE_KIND_SOCKET, "tcp:127.0.0.1:80");

	add_calls(socket, "recvfrom", 99, 100, 1000);
	add_calls(socket, "sendto", 99, 100, 1000);
	REQUIRE(file_stats_add_user(socket, 7, server, 2000) == 0);
	REQUIRE(file_stats_add_user(add_looks(p, 5000, 1), 7, server, 5000) == 0);
	const Found found(p);
	REQUIRE(found.ids() == "repeated-looks /conf");
	CHECK(found.first().severity == SEVERITY_INFO);
	CHECK_FALSE(found.first().predicted);
	CHECK_THAT(found.first().advice, ContainsSubstring("let it remember"));
}

TEST_CASE("rules looks: a path that was found at times is no missing one", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(4, FILE_KIND_FAILED, "/conf");

	f->err = ENOENT;
	add_calls(f, "newfstatat", 500, 0, 1000)->errors = 500;
	CHECK(Found(p).ids() == "path-storm /conf");
	add_looks(p, 10, 1);
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules looks: many paths of a directory are one habit", "[rules]")
{
	FileProfile p;

	for (uint32_t i = 0; i < 10; i++) {
		file_stats *f =
			p.file(10 + i, FILE_KIND_FOUND, ("/conf/" + std::to_string(i)).c_str());

		add_calls(f, "newfstatat", i < 9 ? 100 : 99, 0, 1000);
		REQUIRE(file_stats_add_user(f, 7, server, 100) == 0);
	}
	CHECK(Found(p).ids() == "");
	call_on(profile_file(&p, 19), "newfstatat")->calls = 100;
	const Found found(p);
	REQUIRE(found.all().nr == 1);
	CHECK(found.first().calls == 1000);
	CHECK_THAT(found.first().evidence, ContainsSubstring("and with 7 more"));
}

TEST_CASE("rules looks: who sleeps between the looks waits for somebody", "[rules]")
{
	FileProfile p;
	file_stats *f = add_looks(p, 5000, 1);

	f->busy.sleeps = 2499;
	CHECK(Found(p).first().predicted);
	f->busy.sleeps = 2500;
	CHECK(Found(p).first().excused);
	f->busy.run_calls = 10002; // It does more than it looks.
	CHECK(Found(p).first().predicted);
}
