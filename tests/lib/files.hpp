// SPDX-License-Identifier: GPL-2.0
/* Files and folders of the tests' own. */
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

using Words = std::vector<std::string>;

/* A folder that goes with the object, and all that is in it. Everybody may look into it. */
class Folder
{
	pid_t owner; // a child that exits leaves it alone

public:
	std::filesystem::path path;

	Folder();
	Folder(const Folder &) = delete;
	~Folder();
	std::string operator/(const std::string &name) const; // a path in it
	/* Writes a file, with the folders that it is in; its path. */
	std::string write(const std::string &name, const std::string &text,
			  mode_t mode = 0644) const;
	Words names() const;
	/* Runs a shell command in it; its output, which includes its errors. It must succeed. */
	std::string run(const std::string &command) const;
};

/* A path in a folder of the test program's own, which goes with the program. */
std::string temporary(const std::string &name);
std::string read_file(const std::string &path); // "" if there is none
void write_file(const std::string &path, const std::string &text);
bool exists(const std::string &path);
std::string source_path(const std::string &path); // absolute, from the top directory
