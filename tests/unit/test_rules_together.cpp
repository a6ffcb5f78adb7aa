// SPDX-License-Identifier: GPL-2.0
// Calls that are as many because others are: one cause, one finding.
#include "unit/found.hpp"

namespace
{
using Users = std::initializer_list<pid_t>;

void use(file_stats *f, Users users)
{
	const char comm[16] = "program";

	for (const pid_t pid : users)
		REQUIRE(file_stats_add_user(f, pid, comm, 1000) == 0);
}

// Bytes written into a pipe one by one, each of which a read gets by itself.
file_call *add_pipe(FileProfile &p, uint32_t id, const char *path, Users users)
{
	file_stats *f = p.file(id, FILE_KIND_PIPE, path);
	file_call *reads;

	use(f, users);
	add_calls(f, "write", 1000, 1, 1000);
	reads = add_calls(f, "read", 1000, 1, 1000);
	reads->measured = reads->cut_short = 1000;
	return reads;
}

// Writes of what reads of a pipe have brought.
file_call *add_passed_on(FileProfile &p, uint32_t id, const char *path, Users users)
{
	file_stats *f = p.file(id, FILE_KIND_REGULAR, path);
	file_call *writes = add_calls(f, "write", 1000, 1, 1000);

	use(f, users);
	writes->passed_on = writes->calls;
	return writes;
}

const finding &finding_on(const Found &found, const std::string &path)
{
	for (size_t i = 0; i < found.all().nr; i++)
		if (found.all().list[i].path == path)
			return found.all().list[i];
	FAIL("no finding on " << path);
	return found.first();
}
} // namespace

TEST_CASE("rules together: who copies in small pieces has one habit, told at the writes", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/from");

	add_calls(f, "read", 1000, 512, 1000)->calls += 1; // The last read finds the end.
	use(f, { 7 });
	f = p.file(4, FILE_KIND_REGULAR, "/to");
	add_calls(f, "write", 1000, 512, 1000);
	use(f, { 7 });
	const Found one(p);
	CHECK(one.ids() == "tiny-writes /to");
	CHECK(one.first().calls == 2001);
	CHECK(one.predicted() == 2 * 125);
	CHECK_THAT(one.first().evidence, ContainsSubstring("1,001 reads of /from bring them"));

	call_on(profile_file(&p, 4), "write")->bytes -= 1; // So it is no copy.
	CHECK(Found(p).all().nr == 2);
	call_on(profile_file(&p, 4), "write")->bytes += 1;
	profile_file(&p, 4)->users[0].pid = 8; // Another process does it.
	CHECK(Found(p).all().nr == 2);
}

TEST_CASE(
	"rules together: a filter need not pass on what it reads piece by piece, if more is there",
	"[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_PIPE, "pipe:[1]"); // Its writer's end.

	add_calls(f, "write", 100, 640, 1000)->runs = 100;
	use(f, { 6 });
	f = p.file(4, FILE_KIND_PIPE, "pipe:[1]"); // The filter's end.
	add_calls(f, "read", 2000, 32, 1000)->waits = 20;
	use(f, { 7 });
	f = p.file(5, FILE_KIND_PIPE, "pipe:[2]");
	add_calls(f, "write", 2000, 32, 1000)->runs = 2000;
	use(f, { 7 });
	const Found found(p);
	CHECK(found.ids() == "tiny-writes pipe:[2]");
	CHECK(found.first().calls == 4000);
	CHECK(found.predicted() == 2 * 20);
	/* The writer gives messages as they are read. */
	call_on(profile_file(&p, 3), "write")->bytes = 100 * 127;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules together: what a reader of a pipe passes on is counted with the writes into it",
	  "[rules]")
{
	FileProfile p;

	add_pipe(p, 3, "pipe:[1]", { 7, 8 });
	add_passed_on(p, 4, "/a", { 8 });
	add_passed_on(p, 5, "/b", { 8 });
	add_passed_on(p, 6, "/of another", { 9 });
	const Found found(p);
	const finding &one = finding_on(found, "pipe:[1]");
	CHECK(one.calls == 4000);
	CHECK(one.predicted_calls == 4);
	CHECK_THAT(
		one.evidence,
		ContainsSubstring("3,000 more calls read them and pass them on to /a and 1 more"));
	for (const char *path : { "/a", "/b", "/of another" })
		CHECK(finding_on(found, path).excused);
}

TEST_CASE("rules together: nobody passes on more than the pipe has brought", "[rules]")
{
	FileProfile p;

	add_pipe(p, 3, "pipe:[1]", { 7, 8 });
	add_passed_on(p, 4, "/a", { 8 })->calls += 1;
	CHECK(finding_on(Found(p), "pipe:[1]").calls == 2000);
	call_on(profile_file(&p, 4), "write")->calls -= 1;
	CHECK(finding_on(Found(p), "pipe:[1]").calls == 3000);
}

TEST_CASE("rules together: filters behind filters pass on until the last of them", "[rules]")
{
	FileProfile p;

	add_pipe(p, 3, "pipe:[1]", { 7, 8 });
	add_pipe(p, 4, "pipe:[2]", { 8, 9 });
	call_on(profile_file(&p, 4), "write")->passed_on = 1000;
	add_passed_on(p, 5, "/out", { 9 });
	const Found found(p);
	CHECK(finding_on(found, "pipe:[1]").calls == 5000);
	CHECK(finding_on(found, "pipe:[1]").predicted_calls == 5);
	CHECK(finding_on(found, "pipe:[2]").excused);
	CHECK(finding_on(found, "/out").excused);
}

TEST_CASE("rules together: the ends of a pipe may have a row each", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_PIPE, "pipe:[1]");

	add_calls(f, "write", 1000, 1, 1000);
	use(f, { 7 });
	add_pipe(p, 4, "pipe:[1]", { 8 });
	call_on(profile_file(&p, 4), "write")->calls = 0;
	add_passed_on(p, 5, "/out", { 8 });
	CHECK(finding_on(Found(p), "pipe:[1]").calls == 3000);
	for (uint32_t id : { 3, 4 })
		memcpy(profile_file(&p, id)->path, "pipe:[*]", 9); // This stands for several pipes.
	CHECK(finding_on(Found(p), "pipe:[*]").calls == 1000);
}

TEST_CASE("rules together: reads that ask for little are not the writer's", "[rules]")
{
	FileProfile p;
	file_call *reads = add_pipe(p, 3, "pipe:[1]", { 7, 8 });

	reads->cut_short = 499;
	CHECK(finding_on(Found(p), "pipe:[1]").calls == 1000);
	reads->cut_short = 500;
	CHECK(finding_on(Found(p), "pipe:[1]").calls == 2000);
}

TEST_CASE("rules together: who sleeps between writes is told that output comes later", "[rules]")
{
	FileProfile p;
	file_call *c = call_on(add_lines(p, 1000), "write");

	c->runs = 1; // One call remains.
	CHECK_THAT(Found(p).first().caveat, !ContainsSubstring("every second"));
	c->runs = 2;
	CHECK_THAT(Found(p).first().caveat, ContainsSubstring("every second"));
	profile_file(&p, 3)->kind = FILE_KIND_PIPE; // A pipe gathers nothing that comes later.
	CHECK_THAT(Found(p).first().caveat, !ContainsSubstring("every second"));
}
