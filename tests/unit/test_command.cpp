// SPDX-License-Identifier: GPL-2.0
// How a command is found: in PATH, by a path, and as whom.
#include "unit/target_test.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

extern "C" {
#include "base/command.h"
}

namespace fs = std::filesystem;

namespace
{

struct SearchPath {
	std::string saved;

	explicit SearchPath(const std::string &dirs)
	{
		if (const char *before = getenv("PATH"))
			saved = before;
		setenv("PATH", dirs.c_str(), 1);
	}
	~SearchPath()
	{
		if (saved.empty())
			unsetenv("PATH");
		else
			setenv("PATH", saved.c_str(), 1);
	}
};

// The path found, or "-" and the errno.
std::string found(const std::string &name)
{
	char *path = nullptr;
	int err = find_command(name.c_str(), &path);
	std::string result = err ? "-" + std::to_string(-err) : path;

	free(path);
	return result;
}

const std::string enoent = "-" + std::to_string(ENOENT);
const std::string eacces = "-" + std::to_string(EACCES);

} // namespace

TEST_CASE("command: a command is found in PATH", "[command]")
{
	Folder dir;
	std::string a = dir.path / "a", b = dir.path / "b";

	dir.write("a/plain", "", 0644);
	dir.write("a/both", "", 0644);
	dir.write("b/both", "", 0755);
	dir.write("b/only", "", 0755);
	fs::create_directories(dir.path / "a/folder");
	fs::create_symlink("nowhere", dir.path / "a/dangling");
	SearchPath path(a + ":/no/such/folder:" + dir.write("not-a-folder", "", 0755) + ":" + b);

	CHECK(found("only") == b + "/only");
	CHECK(found("missing") == enoent);
	CHECK(found("dangling") == enoent);
	CHECK(found("") == enoent);
	CHECK(found(std::string(5000, 'x')) == enoent);
	// This holds even for root, who may read and write everything.
	CHECK(found("plain") == eacces);
	CHECK(found("folder") == eacces);
	CHECK(found("both") == b + "/both");
}

TEST_CASE("command: a name with a slash is not looked up in PATH", "[command]")
{
	Folder dir;
	std::string plain = dir.write("a/plain", "", 0644), good = dir.write("a/good", "", 0755);
	SearchPath path(dir.path);

	CHECK(found(good) == good);
	CHECK(found("a/good") == enoent);
	CHECK(found(plain) == eacces);
	CHECK(found(dir.path) == eacces);
	CHECK(found(good + "/x") == "-" + std::to_string(ENOTDIR));
}

TEST_CASE("command: an empty element of PATH is the current folder", "[command]")
{
	Folder dir;
	fs::path before = fs::current_path();

	dir.write("here", "", 0755);
	fs::current_path(dir.path);
	for (const char *dirs : { "", ":/no/such", "/no/such:", "/no/such::/nor/this" }) {
		SearchPath path(dirs);

		CHECK(found("here") == "./here");
	}
	{
		SearchPath path("/no/such");

		CHECK(found("here") == enoent);
	}
	fs::current_path(before);
}

TEST_CASE("command: without PATH the system's own folders are searched", "[command]")
{
	SearchPath path("");

	unsetenv("PATH");
	CHECK(found("sh") == "/bin/sh");
}

TEST_CASE("command: the effective user's rights decide what is executable", "[command]")
{
	Folder dir;
	std::string ours = dir.write("a/tool", "", 0700), all = dir.write("b/tool", "", 0755);
	SearchPath path((dir.path / "a").string() + ":" + (dir.path / "b").string());
	bool root = geteuid() == 0;

	int status = in_child([&] {
		if (root && (setegid(65534) || seteuid(65534)))
			_exit(2);
		_exit(found("tool") == (root ? all : ours) ? 0 : 1);
	});
	CHECK(status == 0);
}
