// SPDX-License-Identifier: GPL-2.0
// Where a report is written to: files that are complete or not there, devices, open descriptors.
#include "lib/catch.hpp"
#include "lib/files.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

extern "C" {
#include "report/output.h"
}

static int write_output(const std::string &path, const std::string &text, bool commit = true)
{
	struct output *o;
	int err = output__open(&o, path.c_str(), false);

	if (err)
		return err;
	err = output__write(o, text.data(), text.size(), false);
	if (!err && commit)
		err = output__commit(o);
	output__free(o);
	return err;
}

TEST_CASE("output: a file has its name only when it is complete", "[output]")
{
	Folder folder;
	struct output *o;

	REQUIRE(output__open(&o, (folder / "a").c_str(), false) == 0);
	REQUIRE(output__write(o, "text", 4, false) == 0);
	REQUIRE(folder.names().empty());
	REQUIRE(output__commit(o) == 0);
	output__free(o);
	REQUIRE(read_file(folder / "a") == "text");
	REQUIRE(folder.names() == Words{ "a" });

	REQUIRE(write_output(folder / "a", "lost", false) == 0);
	REQUIRE(read_file(folder / "a") == "text");
	REQUIRE(folder.names() == Words{ "a" });
}

TEST_CASE("output: an existing file keeps its mode and links", "[output]")
{
	Folder folder;

	folder.write("a", "old");
	std::filesystem::permissions(folder / "a", std::filesystem::perms(0640));
	std::filesystem::create_symlink("a", folder / "link");
	REQUIRE(write_output(folder / "link", "new") == 0);
	REQUIRE(read_file(folder / "a") == "new");
	REQUIRE(std::filesystem::is_symlink(folder / "link"));
	REQUIRE(std::filesystem::status(folder / "a").permissions() ==
		std::filesystem::perms(0640));

	std::filesystem::create_symlink("gone", folder / "dangling");
	REQUIRE(write_output(folder / "dangling", "x") == 0);
	REQUIRE(read_file(folder / "gone") == "x");
	REQUIRE(std::filesystem::is_symlink(folder / "dangling"));
	std::filesystem::create_directory(folder / "below");
	std::filesystem::create_symlink("../chain", folder / "below/first");
	std::filesystem::create_symlink("below/second", folder / "chain");
	REQUIRE(write_output(folder / "below/first", "y") == 0);
	REQUIRE(read_file(folder / "below/second") == "y");
	std::filesystem::create_symlink("nowhere/file", folder / "lost");
	REQUIRE(write_output(folder / "lost", "x") == -ENOENT);
	std::filesystem::create_symlink("loop", folder / "loop");
	REQUIRE(write_output(folder / "loop", "x") == -ELOOP);
	std::filesystem::create_hard_link(folder / "a", folder / "other name");
	REQUIRE(write_output(folder / "a", "n") == 0);
	REQUIRE(read_file(folder / "other name") == "n");
	umask(022);
	REQUIRE(write_output(folder / "b", "x") == 0);
	REQUIRE(std::filesystem::status(folder / "b").permissions() ==
		std::filesystem::perms(0644));
}

TEST_CASE("output: what cannot be written is an error, at once or at the end", "[output]")
{
	Folder folder;

	REQUIRE(write_output(folder / "none/a", "x") == -ENOENT);
	REQUIRE(write_output(folder / "", "x") == -EISDIR);
	REQUIRE(write_output("/dev/full", "x") == -ENOSPC);
	REQUIRE(write_output("/dev/null", "x") == 0);
	REQUIRE(std::filesystem::is_character_file("/dev/null"));
	folder.write("a", "old");
	std::filesystem::permissions(folder / "a", std::filesystem::perms(0400));
	if (geteuid() != 0)
		REQUIRE(write_output(folder / "a", "x") == -EACCES);
	REQUIRE(read_file(folder / "a") == "old");
	REQUIRE(folder.names() == Words{ "a" });
}

TEST_CASE("output: an open descriptor is written to at its position", "[output]")
{
	Folder folder;
	int fd = open((folder / "log").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	REQUIRE(write(fd, "before ", 7) == 7);
	REQUIRE(write_output("/dev/fd/" + std::to_string(fd), "after") == 0);
	REQUIRE(write(fd, " end", 4) == 4);
	close(fd);
	REQUIRE(read_file(folder / "log") == "before after end");
}
