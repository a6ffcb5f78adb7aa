// SPDX-License-Identifier: GPL-2.0
// Functions that programs have made themselves, by their files in /tmp.
#include "lib/catch.hpp"

extern "C" {
#include "stacks/perf_map.h"
}

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace
{
// The file of this process itself, which is removed in the end.
class Map
{
public:
	Map() : path("/tmp/perf-" + std::to_string(getpid()) + ".map"), maps(perf_maps__new())
	{
		REQUIRE(maps);
		unlink(path.c_str());
	}
	~Map()
	{
		perf_maps__free(maps);
		unlink(path.c_str());
	}
	Map(const Map &) = delete;
	Map &operator=(const Map &) = delete;

	void add(const std::string &text)
	{
		std::ofstream(path, std::ios::app | std::ios::binary) << text;
	}
	std::string at(uint64_t address)
	{
		size_t found = perf_maps__find(maps, getpid(), address);

		return found == SIZE_MAX ? "-" : perf_maps__get(maps, found)->name;
	}

	std::string path;
	struct perf_maps *maps;
};
} // namespace

TEST_CASE("perf map: an address is in the function that was made last")
{
	Map map;

	CHECK(map.at(0x1000) == "-");
	map.add("1000 20 first function\n1020 10 second\n");
	CHECK(map.at(0x0fff) == "-");
	CHECK(map.at(0x1000) == "first function");
	CHECK(map.at(0x101f) == "first function");
	CHECK(map.at(0x1020) == "second");
	CHECK(map.at(0x1030) == "-");
	map.add("1000 8 third\n");
	CHECK(map.at(0x1000) == "third");
	CHECK(map.at(0x1008) == "first function");
}

TEST_CASE("perf map: a line that is being written is not read before it ends")
{
	Map map;

	map.add("1000 20 beg");
	CHECK(map.at(0x1000) == "-");
	map.add("inning\n");
	CHECK(map.at(0x1000) == "beginning");
}

TEST_CASE("perf map: whatever a file has in it, only lines of functions are taken")
{
	Map map;

	map.add(std::string("\n\0\n\xff\n1000\n2000 10\n3000 10 \nx y z\n", 31));
	map.add("ffffffffffffffff 10 around the end\n4000 10 " + std::string(5000, 'n') + "\n");
	map.add("5000 10 \x1b[2J\n");
	for (uint64_t address : { 0x1000, 0x2000, 0x3000, 0x0 })
		CHECK(map.at(address) == "-");
	CHECK(map.at(0xffffffffffffffff) == "-");
	CHECK(map.at(0x4000) == std::string(512, 'n'));
	CHECK(map.at(0x5000) == "\x1b[2J"); // It is escaped where it is shown.
}

TEST_CASE("perf map: a process that executes another program has none of the functions")
{
	Map map;

	map.add("1000 10 old\n");
	const size_t old = perf_maps__find(map.maps, getpid(), 0x1000);
	REQUIRE(old != SIZE_MAX);
	perf_maps__forget(map.maps, getpid());
	unlink(map.path.c_str());
	CHECK(map.at(0x1000) == "-");
	map.add("1000 4 new\n");
	CHECK(map.at(0x1000) == "new");
	CHECK(std::string(perf_maps__get(map.maps, old)->name) == "old");
}

TEST_CASE("perf map: neither a link nor a directory is read")
{
	Map map;

	REQUIRE(symlink("/etc/passwd", map.path.c_str()) == 0);
	CHECK(map.at(0x1000) == "-");
	unlink(map.path.c_str());
	REQUIRE(mkdir(map.path.c_str(), 0700) == 0);
	CHECK(map.at(0x1000) == "-");
	rmdir(map.path.c_str());
}

TEST_CASE("perf map: what V8 calls a function has its name, file and line")
{
	auto split = [](const std::string &made) -> std::string {
		const char *function, *path;
		size_t path_len;
		unsigned line;
		size_t len = perf_map_split(made.c_str(), &function, &path, &path_len, &line);

		return len ? std::string(function, len) + "|" + std::string(path, path_len) + "|" +
				       std::to_string(line)
			   : "-";
	};

	CHECK(split("JS:*lines /tmp/lines.js:3:15") == "lines|/tmp/lines.js|3");
	CHECK(split("LazyCompile:~a.b file:///x/y z.mjs:12:1") == "a.b|file:///x/y z.mjs|12");
	CHECK(split("JS:^writeSync node:fs:898:19") == "writeSync|node:fs|898");
	CHECK(split("JS: /x:1:2") == "(anonymous)|/x|1");
	CHECK(split("JS:~ /tmp/lines.js:1:1") == "(anonymous)|/tmp/lines.js|1");
	for (const char *other :
	     { "", "JS:", "JS:x", "JS:x y", "JS:x y:1", "JS:x :1:2", "JS:x y:1:99999999999",
	       "Builtin:Add /x:1:2", "py::f:/tmp/x.py", "JS: :1:2" })
		CHECK(split(other) == "-");
}
