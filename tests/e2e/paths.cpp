// SPDX-License-Identifier: GPL-2.0
/*
 * -P: calls on these files and no others, whichever device and inode numbers the file system
 * reports.
 */
#include "lib/live.hpp"

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mount.h>
#include <sys/stat.h>

namespace fs = std::filesystem;

/* A file system of the test's own, which is gone with the object. */
class Mounted
{
	std::string path_;

public:
	Mounted(const std::string &name, const std::string &source, const std::string &type,
		const std::string &options)
	    : path_(temporary(name))
	{
		fs::create_directory(path_);
		const Run run = run_plain({ "mount", "-t", type, "-o", options, source, path_ });
		INFO(run);
		REQUIRE(run.end == "exit 0");
	}
	Mounted(const Mounted &) = delete;
	~Mounted()
	{
		CHECK(umount2(path_.c_str(), 0) == 0);
	}
	std::string path(const std::string &name) const
	{
		return path_ + "/" + name;
	}
};

/* Calls of a shell that writes to both files, 3 times and 5 times. */
static Run write_both(const Words &options, const std::string &wanted, const std::string &other)
{
	return run_iotrace(options + Words{ "-e", "write,openat", "-P", wanted },
			   { "sh", "-c",
			     "for i in 1 2 3; do echo x >>\"$0\"; done; for i in 1 2 3 4 5; do "
			     "echo y >>\"$1\"; done",
			     wanted, other });
}

static void check_wanted_only(const std::string &wanted, const std::string &other)
{
	const Run run = write_both({}, wanted, other);
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.report.calls("write") == 3);
	CHECK(run.report.calls("openat") == 3);
}

TEST_CASE("paths: an existing file, a new file and files below a directory are selected")
{
	const std::string folder = temporary("paths");

	fs::create_directory(folder);
	write_file(folder + "/there", "");
	check_wanted_only(folder + "/there", temporary("other"));
	check_wanted_only(folder + "/comes", temporary("other"));
	const Run run = run_iotrace({ "-e", "write", "-P", folder },
				    { "sh", "-c", "mkdir $0/sub; echo x >$0/sub/a; echo y >$1",
				      folder, temporary("other") });
	INFO(run);
	CHECK(run.report.calls("write") == 1);
}

TEST_CASE("paths: a file that replaces another under its name is selected")
{
	const std::string file = temporary("replaced");

	write_file(file, "");
	const Run run = run_iotrace(
		{ "-e", "write", "-P", file },
		{ "sh", "-c", "echo x >$0; rm $0; echo y >$0.new; mv $0.new $0; echo z >>$0",
		  file });
	INFO(run);
	CHECK(run.report.calls("write") == 2);
}

/* stat(2) gives the subvolume's device, the inode has the whole file system's. */
TEST_CASE("paths: a file on btrfs is not taken for its snapshot")
{
	const std::string image = temporary("btrfs.img");

	write_file(image, "");
	fs::resize_file(image, 120 << 20);
	REQUIRE(run_plain({ "mkfs.btrfs", "-q", image }).end == "exit 0");
	const Mounted mounted("btrfs", image, "btrfs", "loop");
	const auto subvolume = [&](const std::string &name) {
		REQUIRE(run_plain({ "btrfs", "subvolume", "create", mounted.path(name) }).end ==
			"exit 0");
		write_file(mounted.path(name) + "/file", "");
		return mounted.path(name) + "/file";
	};
	const std::string one = subvolume("one"), other = subvolume("other");
	struct stat a, b;
	REQUIRE(stat(one.c_str(), &a) == 0);
	REQUIRE(stat(other.c_str(), &b) == 0);
	CHECK(a.st_dev != b.st_dev);
	CHECK(a.st_ino == b.st_ino);
	check_wanted_only(one, other);
	check_wanted_only(other, one);
	/* A snapshot's file and its original differ in the inode number alone. */
	REQUIRE(run_plain({ "btrfs", "subvolume", "snapshot", mounted.path("one"),
			    mounted.path("copy") })
			.end == "exit 0");
	check_wanted_only(one, mounted.path("copy/file"));
	check_wanted_only(mounted.path("copy/file"), one);
	const Run below =
		run_iotrace({ "-e", "openat", "-P", mounted.path("other") }, { "cat", one, other });
	INFO(below);
	CHECK(below.report.calls("openat") == 1);
}

/* An overlay shows the files of two other file systems. */
TEST_CASE("paths: a file on overlayfs is not taken for the one in another layer")
{
	const Mounted lower("lower", "none", "tmpfs", "size=1m"),
		upper("upper", "none", "tmpfs", "size=1m");

	for (const std::string name : { "one", "other" })
		write_file(lower.path(name), "");
	for (const std::string name : { "files", "work" })
		fs::create_directory(upper.path(name));
	const Mounted mounted("overlay", "none", "overlay",
			      "lowerdir=" + lower.path("") + ",upperdir=" + upper.path("files") +
				      ",workdir=" + upper.path("work"));
	struct stat file, directory;
	REQUIRE(stat(mounted.path("one").c_str(), &file) == 0);
	REQUIRE(stat(mounted.path("").c_str(), &directory) == 0);
	CHECK(file.st_dev != directory.st_dev);
	const Run reads = run_iotrace({ "-e", "openat", "-P", mounted.path("one") },
				      { "cat", mounted.path("one"), mounted.path("other") });
	INFO(reads);
	CHECK(reads.report.calls("openat") == 1);
	check_wanted_only(mounted.path("other"), mounted.path("one"));
	check_wanted_only(mounted.path("one"), mounted.path("comes"));
}

TEST_CASE("paths: an impossible path is refused before anything is started")
{
	const Folder folder;
	const std::string nowhere = folder / "nowhere", loop = folder / "loop";

	folder.run("ln -s /missing/x nowhere; ln -s loop loop");
	for (const auto &[path, said] : std::vector<std::pair<std::string, std::string>>{
		     { "/missing/x",
		       "-P '/missing/x': cannot look into '/missing': No such file or directory" },
		     { "/etc/passwd/x",
		       "-P '/etc/passwd/x': cannot look into '/etc/passwd': Not a directory" },
		     { nowhere, "-P '" + nowhere +
					"': cannot look into '/missing': No such file or "
					"directory" },
		     { loop, "-P '" + loop + "': Too many levels of symbolic links" } }) {
		const Run run =
			run_plain(iotrace_argv({ "-P", path }, { "echo", "has run" }, nullptr));
		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK(run.err == "iotrace: error: " + said + "; see 'iotrace --help'\n");
		CHECK(run.out == "");
	}
}

TEST_CASE("paths: a file that does not exist yet is named, and counted when it exists")
{
	const Folder folder;
	const std::string path = folder / "later", capture = temporary("later.json");

	for (const bool quiet : { false, true }) {
		const Run run = run_plain(iotrace_argv(
			(quiet ? Words{ "-q" } : Words{}) +
				Words{ "-e", "write", "-P", path, "-o", capture },
			{ "sh", "-c", "echo 1 > $0; echo 2 > $0.not", path }, nullptr));
		INFO(run);
		CHECK(run.end == "exit 0");
		CHECK(run.err ==
		      (quiet ? "" : "iotrace: note: -P '" + path + "' does not exist yet\n"));
		CHECK(jq("[.files[] | [.path, .calls]]", capture) == "[[\"" + path + "\",1]]");
		CHECK(unlink(path.c_str()) == 0);
	}
}

TEST_CASE("paths: a link to a file that does not exist yet selects that file")
{
	const Folder folder;
	const std::string link = folder / "link", target = folder / "to/target",
			  capture = temporary("through-link.json");

	folder.run("mkdir to; ln -s to/other link; ln -s target to/other");
	const Run run = run_plain(iotrace_argv(
		{ "-e", "write", "-P", link, "-o", capture },
		{ "sh", "-c", "echo 1 > $0; echo 2 > $1; echo 3 > $1.not", link, target },
		nullptr));
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.err == "iotrace: note: -P '" + link + "' is a link to '" + target +
				 "', which does not exist yet\n");
	CHECK(jq("[.files[] | [.path, .calls]]", capture) == "[[\"" + target + "\",2]]");
}
