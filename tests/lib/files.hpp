// SPDX-License-Identifier: GPL-2.0
/* Files and folders for tests. */
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

using Words = std::vector<std::string>;

/* A folder that is removed with the object, with everything in it. Every user may look into it. */
class Folder
{
	pid_t owner; // The folder is removed by this process alone, and not by a child that exits.

public:
	std::filesystem::path path;

	Folder();
	Folder(const Folder &) = delete;
	~Folder();
	std::string operator/(const std::string &name) const; // Returns a path in it.
	/* Writes a file and the folders above it; returns its path. */
	std::string write(const std::string &name, const std::string &text,
			  mode_t mode = 0644) const;
	Words names() const;
	/* Runs a shell command in it, which must succeed. Returns its output, errors included. */
	std::string run(const std::string &command) const;
};

/* A path in the test program's own folder, which is removed when the program ends. */
std::string temporary(const std::string &name);
std::string read_file(const std::string &path); // Returns "" if there is none.
void write_file(const std::string &path, const std::string &text);
bool exists(const std::string &path);
// Takes a path from the top directory, and returns it as an absolute one.
std::string source_path(const std::string &path);
