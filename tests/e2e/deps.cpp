// SPDX-License-Identifier: GPL-2.0
/*
 * tests/tools/deps.sh where it cannot install packages: it says what is missing and how to get it.
 */
#include "lib/iotrace.hpp"

#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

/* A PATH with that package manager; pkg-config knows every library except one. */
static std::string system_with(const std::string &manager, const std::string &unknown)
{
	const std::string path = temporary("path-" + manager + "-" + unknown);

	fs::create_directory(path);
	for (const std::string &tool :
	     Words{ "gcc", "g++", "make", "clang", "bpftool", "strace", manager })
		fs::create_symlink("/bin/true", path + "/" + tool);
	write_file(path + "/pkg-config", "#!/bin/sh\n[ \"$2\" != '" + unknown + "' ]\n");
	fs::permissions(path + "/pkg-config", fs::perms::owner_all);
	return path;
}

static Run deps(const std::string &path)
{
	return run_plain({ "/usr/bin/env", "PATH=" + path, "/bin/sh",
			   source_path("tests/tools/deps.sh"), "build", "check" });
}

TEST_CASE("deps: a missing library is named, and the line to type", "[once]")
{
	for (const std::string library : { "libbpf", "jansson", "libseccomp", "catch2" }) {
		const Run dnf = deps(system_with("dnf", library));
		INFO(dnf);
		CHECK(dnf.end == "exit 1");
		CHECK_THAT(dnf.err, ContainsSubstring("deps: missing: " + library + " "));
		CHECK_THAT(dnf.err, ContainsSubstring("\n  sudo dnf install -y gcc "));
	}
	const Run pacman = deps(system_with("pacman", "libelf"));
	INFO(pacman);
	CHECK(pacman.end == "exit 1");
	CHECK_THAT(pacman.err, ContainsSubstring("missing: libelf "));
	CHECK_THAT(pacman.err, ContainsSubstring("\n  sudo pacman -S --needed --noconfirm gcc "));
}

TEST_CASE("deps: if everything is installed, nothing is printed", "[once]")
{
	const Run run = deps(system_with("dnf", "nothing"));
	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(run.err == "");
	CHECK(run.out == "");
}
