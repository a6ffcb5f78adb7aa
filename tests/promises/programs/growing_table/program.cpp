// SPDX-License-Identifier: GPL-2.0
// Appends readings to a mapped file, made longer by a page ("bad") or by 8 MiB ("good").
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

struct Reading {
	std::uint64_t time;
	std::uint32_t station;
	float value;
};

class Table
{
	int fd;
	std::size_t step, size = 0, used = 0;
	char *at = nullptr;

	bool grow()
	{
		if (at)
			munmap(at, size);
		size += step;
		if (ftruncate(fd, static_cast<off_t>(size)))
			return false;
		void *got = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		at = static_cast<char *>(got);
		return got != MAP_FAILED;
	}

public:
	Table(const char *path, std::size_t step)
	    : fd(open(path, O_RDWR | O_CREAT | O_TRUNC, 0666)), step(step)
	{
	}

	bool add(const Reading &reading)
	{
		if (used + sizeof(reading) > size && !grow())
			return false;
		std::memcpy(at + used, &reading, sizeof(reading));
		used += sizeof(reading);
		return true;
	}

	bool close()
	{
		munmap(at, size);
		return !ftruncate(fd, static_cast<off_t>(used)) && !::close(fd);
	}
};

int main(int argc, char **argv)
{
	Table table("readings", argc > 1 && !std::strcmp(argv[1], "bad") ? 4096 : 8 << 20);
	std::uint32_t state = 1;

	for (std::uint64_t i = 0; i < 5000000; i++) {
		state = state * 1664525 + 1013904223;
		if (!table.add({ 1700000000 + i / 4, state >> 22,
				 static_cast<float>(state & 1023) / 10 })) {
			std::perror("readings");
			return 1;
		}
	}
	return table.close() ? 0 : 1;
}
