// SPDX-License-Identifier: GPL-2.0
// libFuzzer harness of the files of code. For any bytes in an executable: no memory error occurs
// when its segments, symbols, lines and frames are read, and nothing goes on for ever.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

extern "C" {
#include "stacks/names.h"
#include "stacks/object.h"
#include "stacks/space.h"
#include "stacks/unwind.h"
}

static void walk(struct objects *objects, const struct space *space, uint64_t pc)
{
	struct unwinder *unwinder = unwinder__new(objects);
	unsigned char stack[512];
	struct snapshot s = {};
	struct chain chain;

	for (size_t i = 0; i < sizeof(stack); i += sizeof(pc))
		memcpy(stack + i, &pc, sizeof(pc));
	s.machine = MACHINE_X86_64;
	s.start = 0x7f0000000000;
	s.stack = stack;
	s.size = sizeof(stack);
	for (auto &r : s.registers)
		r = s.start + 64;
	s.registers[REGISTER_PC_64] = pc;
	unwinder__walk(unwinder, space, &s, &chain);
	for (size_t i = 0; i < chain.nr; i++) {
		auto *object = objects__at(objects, MACHINE_X86_64, chain.frames[i].address);
		struct name *names;

		if (!object)
			continue;
		size_t nr = names_find(objects, object, chain.frames[i].address, &names);
		names_free(names, nr);
	}
	unwinder__free(unwinder);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	const std::string path = "/proc/self/fd/" + std::to_string(fd);
	struct objects *objects = objects__new(nullptr);
	struct spaces *spaces = spaces__new();
	struct object_id id = {};
	struct mapping m = { 0x10000000, 0x10000000 + (1 << 24), 0, nullptr };

	m.object = objects__get(objects, &id, path.c_str());
	if (spaces__exec(spaces, getpid()) || spaces__map(spaces, getpid(), &m))
		abort();
	for (uint64_t i = 0; i < 16; i++)
		walk(objects, spaces__find(spaces, getpid()), m.start + i * size / 16);
	spaces__free(spaces);
	objects__free(objects);
	close(fd);
	return 0;
}
