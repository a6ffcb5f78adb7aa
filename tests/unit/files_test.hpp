// SPDX-License-Identifier: GPL-2.0
// Profiles with files in them, for the tests of files, findings and results.
#pragma once

#include "unit/render_test.hpp"

#include <cstring>

extern "C" {
#include "model/profile_files.h"
#include "model/programs.h"
#include "model/syscalls.h"
}

namespace
{
// A call on a file, to be filled in.
inline file_call *call_on(file_stats *f, const char *name)
{
	const int nr = syscall_number(ABI_64, name);
	file_call *c = file_stats_call(f, ABI_64, nr);

	REQUIRE(c);
	syscall_name(ABI_64, nr, c->name, sizeof(c->name));
	c->transfers = syscall_traits(ABI_64, nr).transfers;
	return c;
}

// Adds calls on a file, all with the same figures.
inline file_call *add_calls(file_stats *f, const char *name, uint64_t calls, uint64_t bytes_each,
			    uint64_t ns_each)
{
	file_call *c = call_on(f, name);

	c->calls += calls;
	c->bytes += calls * bytes_each;
	c->total_ns += calls * ns_each;
	return c;
}

// A machine on which a light call takes 200 ns and a write into memory 600, and on which the probes
// add 400.
inline calibration made_calibration()
{
	calibration c = {};

	c.device = { 200000, 600000, 200000 };
	c.memory = { 600000, 1000000, 650000 };
	c.copies[0] = { 4096, 600000 + 4096 * 300 };
	c.copies[1] = { 8192, 600000 + 8192 * 300 };
	c.copies[2] = { 65536, 600000 + 65536 * 300 };
	return c;
}

// Adds a program to a profile. Returns what profile_add_program() does.
inline int add_program(profile &p, pid_t pid, const char comm[16], const struct busy &busy,
		       const char *exe)
{
	program_stats program = {};

	program.pid = pid;
	memcpy(program.comm, comm, sizeof(program.comm));
	program.busy = busy;
	program.exe = const_cast<char *>(exe);
	return profile_add_program(&p, &program);
}

struct FileProfile : Profile {
	FileProfile()
	{
		elapsed_ns = 1000000000;
		calibration = made_calibration();
	}
	file_stats *file(uint32_t id, file_kind kind, const char *path)
	{
		file_stats *f = profile_file(this, id);

		REQUIRE(f);
		f->kind = kind;
		free(f->path);
		f->path = strdup(path);
		snprintf(f->fstype, sizeof(f->fstype), "ext4");
		return f;
	}
};
} // namespace
