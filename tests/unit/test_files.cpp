// SPDX-License-Identifier: GPL-2.0
#include "unit/files_test.hpp"

#include <fcntl.h>
#include <sys/syscall.h>

static std::string path_of(const std::string &names, bool cut = false, bool detached = false)
{
	char *path = file_path_from_names(names.data(), names.size(), cut, detached);
	std::string text = path ? path : "(none)";

	free(path);
	return text;
}

TEST_CASE("files: a path is put together from its names, the file's first", "[files]")
{
	using namespace std::string_literals;

	CHECK(path_of("file\0log\0var\0"s) == "/var/log/file");
	CHECK(path_of("file\0log\0"s, true) == ".../log/file");
	CHECK(path_of("pipe:[12]\0"s, false, true) == "pipe:[12]");
	CHECK(path_of("") == "/");
}

TEST_CASE("files: every kind has a name of its own", "[files]")
{
	for (int kind = 0; kind < NR_FILE_KINDS; kind++)
		CHECK(file_kind_parse(file_kind_name((file_kind)kind)) == kind);
	CHECK(file_kind_parse("regularly") == NR_FILE_KINDS);
}

TEST_CASE("files: O_SYNC is one word, though it holds O_DSYNC's bit", "[files]")
{
	char buf[32];

	CHECK(std::string(file_flags_text(buf, O_SYNC | O_APPEND)) == "append,sync");
	CHECK(std::string(file_flags_text(buf, O_DSYNC | O_DIRECT)) == "dsync,direct");
	CHECK(std::string(file_flags_text(buf, 0)).empty());
	CHECK(file_flag_parse("sync") == O_SYNC);
	CHECK(file_flag_parse("syncs") == 0);
}

TEST_CASE("files: calls are summed by what they do", "[files]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/f");
	file_call sum;

	add_calls(f, "write", 2, 10, 100);
	add_calls(f, "pwrite64", 3, 10, 100);
	add_calls(f, "read", 5, 1, 7);
	add_calls(f, "fsync", 1, 0, 1000);
	file_stats_sum(&sum, f, ACTION_WRITES);
	CHECK(sum.calls == 5);
	CHECK(sum.bytes == 50);
	file_stats_sum(&sum, f, ACTION_SYNCS);
	CHECK(sum.total_ns == 1000);
	file_stats_sum(&sum, f, NR_SYSCALL_ACTIONS);
	CHECK(sum.calls == 11);
	CHECK(sum.total_ns == 500 + 35 + 1000);
}

TEST_CASE("files: files of the same name are merged; files without a name are not", "[files]")
{
	const char one[16] = "one", two[16] = "two";
	FileProfile p;
	file_stats *files;
	size_t nr;

	add_calls(p.file(3, FILE_KIND_DELETED, "/tmp/log"), "write", 1, 4, 10);
	add_calls(p.file(4, FILE_KIND_REGULAR, "/tmp/log"), "write", 2, 4, 10);
	add_calls(p.file(5, FILE_KIND_PIPE, "pipe:[1]"), "write", 1, 4, 10);
	add_calls(p.file(6, FILE_KIND_PIPE, "pipe:[1]"), "write", 1, 4, 10);
	file_stats_add_user(profile_file(&p, 3), 7, one, 3);
	file_stats_add_user(profile_file(&p, 4), 8, two, 5);
	file_stats_add_user(profile_file(&p, 4), 7, two, 1);
	REQUIRE(files_by_path(&p, &files, &nr) == 0);
	REQUIRE(nr == 3);
	CHECK(std::string(files[0].path) == "/tmp/log");
	CHECK(files[0].kind == FILE_KIND_REGULAR);
	CHECK(files[0].calls[0].calls == 3);
	REQUIRE(files[0].nr_users == 3); // Process 7 has executed another program.
	CHECK(files[0].users[0].pid == 8);
	CHECK(files[0].users[1].calls == 3);
	CHECK(files[0].users[2].calls == 1);
	files_free(files, nr);
}

TEST_CASE("files: the files that took most time come first", "[files]")
{
	FileProfile p;
	file_stats *files;
	size_t nr;

	add_calls(p.file(3, FILE_KIND_REGULAR, "/a"), "read", 1, 4, 10);
	add_calls(p.file(4, FILE_KIND_REGULAR, "/b"), "read", 1, 4, 30);
	add_calls(p.file(5, FILE_KIND_REGULAR, "/c"), "read", 2, 4, 5);
	REQUIRE(files_by_path(&p, &files, &nr) == 0);
	files_sort(files, nr);
	REQUIRE(nr == 3);
	CHECK(std::string(files[0].path) == "/b");
	CHECK(std::string(files[1].path) == "/c"); // It took as long as /a, with more calls.
	files_free(files, nr);
}

TEST_CASE("files: what the files lack of the summary is (other)", "[files]")
{
	FileProfile p;
	file_call *known;

	p.figures(SYS_getpid, "getpid", 5, 0, 50);
	p.figures(SYS_fsync, "fsync", 3, 0, 30);
	p.figures(SYS_write, "write", 10, 2, 5000);
	syscall_stats *write = p.row(SYS_write, "write", true);
	write->bytes = 800;
	write->latency[latency_bucket(500)] = 10;
	write->sizes[size_bucket(100)] = 8;
	p.slept(write, 7, 500, 3);
	known = add_calls(p.file(7, FILE_KIND_REGULAR, "/a"), "write", 6, 100, 500);
	known->latency[file_latency_bucket(500)] = 6;
	known->sizes[size_bucket(100)] = 6;
	known->waits = 4;
	known->wait_ns = 2000;
	known->preempted = 1;
	REQUIRE(profile_check_files(&p) == 0);
	known->waits = 8;
	REQUIRE(profile_check_files(&p) == -EINVAL);
	known->waits = 4;
	add_calls(p.file(8, FILE_KIND_REGULAR, "/b"), "fsync", 3, 0, 10);
	REQUIRE(profile_add_other_files(&p) == 0);
	REQUIRE(p.nr_files == 3);
	const file_stats &other = p.files[0];
	CHECK(other.kind == FILE_KIND_OTHER);
	CHECK(std::string(other.path) == "(other)");
	REQUIRE(other.nr_calls == 1);
	CHECK(std::string(other.calls[0].name) == "write");
	CHECK(other.calls[0].transfers);
	CHECK(other.calls[0].calls == 4);
	CHECK(other.calls[0].errors == 2);
	CHECK(other.calls[0].bytes == 200);
	CHECK(other.calls[0].total_ns == 2000);
	CHECK(other.calls[0].waits == 3);
	CHECK(other.calls[0].wait_ns == 1500);
	CHECK(other.calls[0].preempted == 2);
	CHECK(other.calls[0].latency[file_latency_bucket(500)] == 4);
	CHECK(other.calls[0].sizes[size_bucket(100)] == 2);

	/* Nothing is left for it the second time. */
	REQUIRE(profile_add_other_files(&p) == 0);
	CHECK(p.files[0].calls[0].calls == 4);
}

TEST_CASE("files: many users are one of each name, few are as they are", "[files]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/a");
	const auto listed = [&](size_t most) {
		std::ostringstream out;
		file_user *users;
		size_t nr;

		REQUIRE(file_users_list(f, most, &users, &nr) == 0);
		for (size_t i = 0; i < nr; i++)
			out << users[i].comm << "[" << users[i].pid << "] " << users[i].processes
			    << " " << users[i].calls << "; ";
		free(users);
		return out.str();
	};
	const char cc1[16] = "cc1", ld[16] = "ld";

	CHECK(listed(1).empty());
	REQUIRE(file_stats_add_user(f, 7, ld, 60) == 0);
	CHECK(listed(1) == "ld[7] 1 60; ");
	for (const pid_t pid : { 8, 9 })
		REQUIRE(file_stats_add_user(f, pid, cc1, 50) == 0);
	CHECK(listed(3) == "ld[7] 1 60; cc1[8] 1 50; cc1[9] 1 50; ");
	CHECK(listed(2) == "cc1[0] 2 100; ld[7] 1 60; ");
	/* There was no room for others one by one. */
	file_user more = { 0, "cc1", 1000, 20 };
	REQUIRE(file_stats_merge_user(f, &more) == 0);
	CHECK(listed(2) == "cc1[0] 22 1100; ld[7] 1 60; ");
}

TEST_CASE("files: a user is listed once, however often it comes", "[files]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/a");
	const char full[16] = { 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h',
				'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p' };

	REQUIRE(file_stats_add_user(f, 1, full, 3) == 0);
	REQUIRE(file_stats_add_user(f, 1, full, 4) == 0);
	REQUIRE(f->nr_users == 1);
	CHECK(f->users[0].calls == 7);
	CHECK(std::string(f->users[0].comm) == "abcdefghijklmno");
}
