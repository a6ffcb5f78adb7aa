// SPDX-License-Identifier: GPL-2.0
// Files opened again and again, at the rules' edges.
#include "unit/found.hpp"

TEST_CASE("rules openings: opening a file for every record is reopen-per-record, and nothing else",
	  "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 100);

	add_calls(f, "openat", 50, 0, 2000);
	add_calls(f, "close", 50, 0, 500);
	CHECK(Found(p).ids() == "reopen-per-record /log");
	call_on(f, "openat")->calls = 49;
	CHECK(Found(p).ids() == "flush-per-line /log");
}

TEST_CASE("rules openings: openings that fail are not openings of a record", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 100);

	add_calls(f, "openat", 60, 0, 2000)->errors = 11;
	CHECK(Found(p).ids() == "flush-per-line /log");
}

TEST_CASE("rules openings: each process must open a file once, so processes that do are no habit",
	  "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 100);

	add_calls(f, "openat", 100, 0, 2000);
	add_calls(f, "close", 100, 0, 500);
	f->processes = 50;
	CHECK(Found(p).ids() == "reopen-per-record /log");
	CHECK(Found(p).predicted() == 150); // Each process opens, writes and closes once.
	f->processes = 51;
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules openings: kept open, a file is written through its language's buffer", "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 10000);

	add_calls(f, "openat", 10000, 0, 2000);
	add_calls(f, "close", 10000, 0, 500);
	CHECK(Found(p).predicted() == 2 + 10); // These are 40,000 bytes.
	f->language = LANGUAGE_PYTHON;
	CHECK(Found(p).predicted() == 2 + 5);
	f->language = LANGUAGE_SHELL;
	CHECK(Found(p).predicted() == 2 + 10);
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("done >> file"));
}

TEST_CASE("rules openings: a small file that is read again and again is reread", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/etc/conf");

	add_calls(f, "openat", 50, 0, 2000);
	add_calls(f, "read", 100, 0, 1000);
	add_calls(f, "close", 50, 0, 500);
	file_call *opens = call_on(f, "openat"), *reads = call_on(f, "read");
	reads->sizes[0] = 50; // Every other read finds the end.
	reads->bytes = 50ULL * (16 << 20);
	CHECK(Found(p).ids() == "reread /etc/conf");
	CHECK(Found(p).first().calls == 200);
	CHECK(Found(p).predicted() == 4);
	reads->bytes = 50ULL * ((16 << 20) + 1); // This is not small.
	CHECK(Found(p).ids() == "");
	reads->bytes = 50;
	opens->errors = 1;
	CHECK(Found(p).ids() == "");
	opens->calls++;
	CHECK(Found(p).ids() == "reread /etc/conf");
	f->processes = 2; // Each opens it 25 times.
	CHECK(Found(p).ids() == "");
	f->processes = 1;
	add_calls(f, "write", 1, 1, 1000); // The file changes once.
	CHECK(Found(p).ids() == "reread /etc/conf");
	add_calls(f, "write", 1, 1, 1000);
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules openings: a file whose places are read sixteen times over is reread", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/srv/db");
	file_call *c = add_calls(f, "pread64", 16000, 4096, 1000);

	CHECK(Found(p).ids() == ""); // Its size is not known.
	f->size = 4096000;
	const Found found(p);
	CHECK(found.ids() == "reread /srv/db");
	CHECK(found.predicted() == 1000);
	CHECK_THAT(found.first().evidence, ContainsSubstring("16 times over"));
	CHECK_THAT(found.first().advice, ContainsSubstring("mmap()"));
	c->bytes--;
	CHECK(Found(p).ids() == "");
	c->bytes++;
	add_calls(f, "pwrite64", 1001, 4096, 1000); // It changes.
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules openings: a file that hands data on within a process is temporary", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_DELETED, "/tmp/step");

	add_calls(f, "openat", 200, 0, 2000)->anew = 100;
	add_calls(f, "write", 100, 8192, 1000);
	add_calls(f, "read", 200, 4096, 1000);
	add_calls(f, "close", 200, 0, 500);
	f->inodes = 50;
	f->processes = 1;
	CHECK(Found(p).ids() == "temporary-files /tmp/step");
	CHECK(Found(p).predicted() == 0);
	CHECK(Found(p).first().calls == 700);
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("memfd_create()"));
	f->processes = 2; // It hands them on to another one.
	CHECK(Found(p).ids() == "");
	f->processes = 1;
	f->inodes = 49; // It is emptied, not removed.
	CHECK(Found(p).ids() == "");
	f->inodes = 50;
	call_on(f, "read")->bytes *= 2; // It is read twice.
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules openings: a journal that comes and goes is of a transaction for each record",
	  "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_DELETED, "/srv/db-journal");

	add_calls(f, "openat", 100, 0, 2000);
	add_calls(f, "pwrite64", 700, 1000, 1000);
	add_calls(f, "close", 100, 0, 500);
	f->inodes = 100;
	f->processes = 1;
	CHECK(Found(p).ids() == "temporary-files /srv/db-journal");
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("BEGIN ... COMMIT"));
	f->inodes = 1; // It is kept.
	CHECK_THAT(Found(p).ids(), !ContainsSubstring("temporary-files"));
	f->inodes = 100;
	add_calls(f, "fdatasync", 100, 0, 1000000);
	CHECK(Found(p).ids() == "sync-per-write /srv/db-journal");
}

TEST_CASE("rules openings: of what the kernel says anew each time, only opening it can be saved",
	  "[rules]")
{
	const struct {
		const char *path, *fstype;
		bool pseudo;
	} cases[] = {
		{ "/proc/stat", "proc", true },		 { "/srv/host/stat", "proc", true },
		{ "/sys/fs/cgroup/x", "", true },	 { "/dev/x", "", true },
		{ "/run/jail/freeze", "cgroup2", true }, { "/etc/conf", "", false },
		{ "/proc/stat", "ext4", false },	 { "/process/conf", "", false },
		{ "/dev/shm/conf", "", false },		 { "/dev/shm/conf", "tmpfs", false },
	};

	for (const auto &c : cases) {
		FileProfile p;
		file_stats *f = p.file(3, FILE_KIND_REGULAR, c.path);

		CAPTURE(c.path, c.fstype);
		snprintf(f->fstype, sizeof(f->fstype), "%s", c.fstype);
		add_calls(f, "openat", 1000, 0, 5000);
		add_calls(f, "newfstatat", 1000, 0, 1000);
		file_call *reads = add_calls(f, "read", 2000, 50, 20000);
		reads->measured = reads->cut_short = 2000;
		add_calls(f, "close", 1000, 0, 2000);
		const Found found(p);
		CHECK(found.ids() == std::string("reread ") + c.path);
		CHECK(found.first().calls == 5000);
		CHECK(found.predicted() == (c.pseudo ? 3 + 2000 : 5));
		CHECK(found.first().gain.syscall_ns.high ==
		      Approx(RUN_TO_RUN * 999 * (c.pseudo ? 8000 : 48000)));
		CHECK((strstr(found.first().advice, "pread()") != nullptr) == c.pseudo);
	}
}

TEST_CASE("rules openings: one file that is emptied each time is rewritten, and not to be appended "
	  "to",
	  "[rules]")
{
	FileProfile p;
	file_stats *f = add_lines(p, 100);
	file_call *opens = add_calls(f, "openat", 100, 0, 2000);

	add_calls(f, "close", 100, 0, 500);
	opens = call_on(f, "openat");
	opens->anew = 49;
	CHECK(Found(p).ids() == "reopen-per-record /log");
	opens->anew = 50;
	f->inodes = 1;
	CHECK(Found(p).ids() == "rewrite-per-record /log");
	CHECK(Found(p).predicted() == 1 + 1 + 100); // The writes stay.
	CHECK_THAT(Found(p).first().advice, ContainsSubstring("ftruncate()"));
	f->inodes = 2; // The file was made anew, and renamed or removed.
	CHECK(Found(p).ids() == "");
}

TEST_CASE("rules openings: a few openings of each of many files are a habit", "[rules]")
{
	for (const std::string folder : { "/logs", "" }) {
		FileProfile p;
		const char comm[16] = "logger";

		for (unsigned i = 0; i < 10; i++) {
			const std::string number = std::to_string(i);
			const std::string path =
				(folder.empty() ? "/" + number : folder) + "/" + number;
			file_stats *f = p.file(3 + i, FILE_KIND_REGULAR, path.c_str());

			add_calls(f, "openat", 5, 0, 2000);
			add_calls(f, "write", 5, 100, 1000);
			add_calls(f, "close", 5, 0, 500);
			REQUIRE(file_stats_add_user(f, 7, comm, 15) == 0);
		}
		const Found found(p);
		CHECK(found.all().nr ==
		      (folder.empty() ? 0 : 1)); // Files elsewhere are other files.
		if (!folder.empty())
			CHECK(found.first().calls == 150);
	}
}

TEST_CASE("rules openings: what is mapped, and directories, are opened again and again, too",
	  "[rules]")
{
	for (file_kind kind : { FILE_KIND_REGULAR, FILE_KIND_DIRECTORY, FILE_KIND_SOCKET }) {
		FileProfile p;
		file_stats *f = p.file(3, kind, "/data");

		add_calls(f, "openat", 50, 0, 2000);
		add_calls(f, "close", 50, 0, 500);
		CHECK(Found(p).ids() == (kind == FILE_KIND_SOCKET ? "" : "reread /data"));
	}
}

TEST_CASE("rules openings: files that a process opens equally often have one finding", "[rules]")
{
	for (uint64_t more : { 0, 100, 150 }) {
		FileProfile p;
		const char comm[16] = "getpwuid";
		file_stats *f = p.file(3, FILE_KIND_REGULAR, "/etc/passwd");

		add_calls(f, "openat", 100 + more, 0, 2000);
		REQUIRE(file_stats_add_user(f, 7, comm, 100) == 0);
		f = p.file(4, FILE_KIND_REGULAR, "/usr/etc/nsswitch.conf");
		add_calls(f, "openat", 100, 0, 1000);
		REQUIRE(file_stats_add_user(f, 7, comm, 100) == 0);
		const Found found(p);
		CAPTURE(more);
		CHECK(found.all().nr == (more == 150 ? 2 : 1)); // Twice as often may be the same.
		if (more < 150)
			CHECK_THAT(found.first().evidence,
				   ContainsSubstring("; with /usr/etc/nsswitch.conf"));
	}
}

TEST_CASE("rules openings: a file that is read in places is opened for each of them", "[rules]")
{
	FileProfile p;
	file_stats *f = p.file(3, FILE_KIND_REGULAR, "/db");

	add_calls(f, "openat", 1000, 0, 1000);
	add_calls(f, "close", 1000, 0, 1000);
	file_call *reads = add_calls(f, "pread64", 8000, 100, 1000);
	const Found found(p);
	REQUIRE(found.ids() == "reread /db");
	CHECK(found.predicted() == 8002); // The reads stay.
	reads->calls = 8001; // More than 8 places each: it is another part of the file each time.
	CHECK(Found(p).ids() == "");
}
