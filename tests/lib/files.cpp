// SPDX-License-Identifier: GPL-2.0
#include "lib/catch.hpp"
#include "lib/files.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

Folder::Folder() : owner(getpid())
{
	std::string name = (fs::temp_directory_path() / "iotrace-test-XXXXXX").string();

	if (!mkdtemp(name.data()))
		throw std::runtime_error(name + ": " + strerror(errno));
	path = name;
	fs::permissions(path, fs::perms(0755));
}

Folder::~Folder()
{
	std::error_code ignored;

	if (getpid() == owner)
		fs::remove_all(path, ignored);
}

std::string Folder::operator/(const std::string &name) const
{
	return path / name;
}

std::string Folder::write(const std::string &name, const std::string &text, mode_t mode) const
{
	const fs::path file = path / name;

	fs::create_directories(file.parent_path());
	write_file(file, text);
	chmod(file.c_str(), mode);
	return file;
}

Words Folder::names() const
{
	Words found;

	for (auto &entry : fs::directory_iterator(path))
		found.push_back(entry.path().filename());
	return found;
}

std::string Folder::run(const std::string &command) const
{
	std::string all =
		"cd '" + path.string() + "' && export HOME=. && { " + command + "\n} 2>&1";
	std::string text;
	std::array<char, 4096> buf;
	FILE *out = popen(all.c_str(), "r");
	size_t n;

	REQUIRE(out);
	while ((n = fread(buf.data(), 1, buf.size(), out)) > 0)
		text.append(buf.data(), n);
	int status = pclose(out);
	CAPTURE(command, text);
	REQUIRE(status == 0);
	return text;
}

std::string temporary(const std::string &name)
{
	static const Folder folder;

	return folder / name;
}

std::string read_file(const std::string &path)
{
	std::ifstream file(path, std::ios::binary);
	std::ostringstream text;

	text << file.rdbuf();
	return text.str();
}

void write_file(const std::string &path, const std::string &text)
{
	std::ofstream file(path, std::ios::binary);

	file << text;
	file.close();
	if (!file)
		throw std::runtime_error(path + ": " + strerror(errno));
}

bool exists(const std::string &path)
{
	struct stat st;

	return lstat(path.c_str(), &st) == 0;
}

std::string source_path(const std::string &path)
{
	static const std::string top = fs::current_path().string();

	return top + "/" + path;
}
