// SPDX-License-Identifier: GPL-2.0
// Stacks of this very process: what is mapped, the chain of frames, and their names.
#include "lib/catch.hpp"

extern "C" {
#include "stacks/names.h"
#include "stacks/object.h"
#include "stacks/space.h"
#include "stacks/unwind.h"
}

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace
{

struct Frame {
	std::string function, file;
	unsigned line;
};

/* A copy of the registers and of the top of the stack, as the probes make it. */
struct Taken {
	struct snapshot snapshot = {};
	std::vector<unsigned char> stack;
};

Taken taken;

__attribute__((noinline)) void take()
{
	static const int from[NR_REGISTERS] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI,
						REG_RDI, REG_RBP, REG_RSP, REG_R8,  REG_R9,
						REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
						REG_R15, REG_RIP };
	const size_t size = 16384;
	ucontext_t context;

	getcontext(&context);
	taken.snapshot.machine = MACHINE_X86_64;
	for (int i = 0; i < NR_REGISTERS; i++)
		taken.snapshot.registers[i] = (uint64_t)context.uc_mcontext.gregs[from[i]];
	taken.snapshot.start = taken.snapshot.registers[REGISTER_SP_64];
	taken.stack.resize(size);
	/* The stack may end sooner, and ASan would not let us read its red zones. */
	struct iovec to = { taken.stack.data(), size };
	struct iovec pages[16];
	size_t nr = 0;
	for (uint64_t at = taken.snapshot.start, end = at + size, next; at < end; at = next) {
		next = std::min<uint64_t>((at + 4096) & ~4095ULL, end);
		pages[nr++] = { (void *)at, next - at };
	}
	taken.snapshot.stack = taken.stack.data();
	taken.snapshot.size =
		(size_t)std::max<ssize_t>(process_vm_readv(getpid(), &to, 1, pages, nr, 0), 0);
}

class Stacks
{
public:
	Stacks()
	{
		REQUIRE(objects);
		REQUIRE(spaces);
		REQUIRE(unwinder);
		REQUIRE(spaces__read(spaces, getpid(), objects) == 0);
	}
	~Stacks()
	{
		unwinder__free(unwinder);
		spaces__free(spaces);
		objects__free(objects);
	}
	struct chain walk()
	{
		struct chain chain;

		unwinder__walk(unwinder, spaces__find(spaces, getpid()), &taken.snapshot, &chain);
		return chain;
	}
	std::vector<Frame> names(const struct chain &chain)
	{
		std::vector<Frame> all;

		for (size_t i = 0; i < chain.nr; i++) {
			auto address = chain.frames[i].address;
			auto object = objects__at(objects, MACHINE_X86_64, address);
			struct name *names;
			size_t nr;

			if (!object)
				continue;
			nr = names_find(objects, object, address, &names);
			for (size_t n = 0; n < nr; n++)
				all.push_back({ names[n].function ? names[n].function : "",
						names[n].file ? names[n].file : "",
						names[n].line });
			names_free(names, nr);
		}
		return all;
	}

	struct objects *objects = objects__new(nullptr);
	struct spaces *spaces = spaces__new();
	struct unwinder *unwinder = unwinder__new(objects);
};

std::vector<std::string> functions(const std::vector<Frame> &frames)
{
	std::vector<std::string> list;

	for (auto &frame : frames)
		list.push_back(frame.function);
	return list;
}

/* The index of a function in the list. */
size_t place(const std::vector<Frame> &frames, const std::string &function)
{
	auto list = functions(frames);

	CAPTURE(list);
	auto found = std::find(list.begin(), list.end(), function);
	REQUIRE(found != list.end());
	return (size_t)(found - list.begin());
}

const unsigned INNER_LINE = __LINE__ + 3;
__attribute__((noinline)) void inner()
{
	take();
	asm volatile("");
}

__attribute__((noinline)) void outer(int)
{
	inner();
	asm volatile("");
}

int compare(const void *, const void *)
{
	take();
	return 0;
}

} // namespace

TEST_CASE("stacks: the frames of a call are named from the inside out")
{
	Stacks stacks;

	outer(1);
	auto frames = stacks.names(stacks.walk());
	auto at = place(frames, "(anonymous namespace)::inner");
	REQUIRE(frames.size() > at + 1);
	CHECK(frames[at + 1].function == "(anonymous namespace)::outer");
	CHECK(frames[at].line == INNER_LINE);
	CHECK(frames[at].file.find("tests/unit/test_stacks.cpp") != std::string::npos);
	CHECK(place(frames, "main") > at);
}

TEST_CASE("stacks: a chain goes through a library that has no frame pointers")
{
	int numbers[2] = { 2, 1 };
	Stacks stacks;

	qsort(numbers, 2, sizeof(*numbers), compare);
	auto frames = stacks.names(stacks.walk());
	auto at = place(frames, "(anonymous namespace)::compare");
	auto outside = place(frames, "main");

	CHECK(outside > at + 1);
}

TEST_CASE("stacks: a stack that was cut gives the near frames and says so")
{
	Stacks stacks;

	outer(1);
	auto whole = stacks.walk();
	taken.snapshot.size = 256;
	auto chain = stacks.walk();
	CHECK(chain.cut);
	REQUIRE(chain.nr >= 1);
	REQUIRE(chain.nr < whole.nr);
	for (size_t i = 0; i < chain.nr; i++)
		CHECK(chain.frames[i].address == whole.frames[i].address);
}

TEST_CASE("stacks: a process of which nothing is known has one frame without a name")
{
	struct space nothing = {};
	struct chain chain;
	Stacks stacks;

	outer(1);
	unwinder__walk(stacks.unwinder, &nothing, &taken.snapshot, &chain);
	REQUIRE(chain.nr >= 1);
	CHECK(chain.frames[0].kind == FRAME_UNKNOWN);
	CHECK(chain.frames[0].address == taken.snapshot.registers[REGISTER_PC_64] - 1);
}

TEST_CASE("stacks: the same code has one address in all processes")
{
	Stacks stacks;

	outer(1);
	auto chain = stacks.walk();
	/* Another process has everything a page further up. */
	auto *own = spaces__find(stacks.spaces, getpid());
	std::vector<struct mapping> maps(own->list, own->list + own->nr);
	auto shifted = taken;
	const uint64_t shift = 0x10000000;

	REQUIRE(spaces__exec(stacks.spaces, 1) == 0);
	for (auto &m : maps) {
		m.start += shift;
		m.end += shift;
		REQUIRE(spaces__map(stacks.spaces, 1, &m) == 0);
	}
	own = spaces__find(stacks.spaces, getpid());
	for (size_t i = 0; i + 8 <= shifted.stack.size(); i += 8) {
		uint64_t word;

		memcpy(&word, &shifted.stack[i], 8);
		if (space_mapping(own, word))
			word += shift;
		memcpy(&shifted.stack[i], &word, 8);
	}
	shifted.snapshot.stack = shifted.stack.data();
	shifted.snapshot.registers[REGISTER_PC_64] += shift;
	struct chain other;
	unwinder__walk(stacks.unwinder, spaces__find(stacks.spaces, 1), &shifted.snapshot, &other);
	REQUIRE(other.nr == chain.nr);
	for (size_t i = 0; i < chain.nr; i++)
		CHECK(other.frames[i].address == chain.frames[i].address);
}

namespace
{

struct mapping at(uint64_t start, uint64_t end, uint64_t offset = 0)
{
	return { start, end, offset, nullptr };
}

std::vector<std::vector<uint64_t>> listed(const struct spaces *s, pid_t pid)
{
	std::vector<std::vector<uint64_t>> list;
	auto *space = spaces__find(s, pid);

	for (size_t i = 0; space && i < space->nr; i++)
		list.push_back({ space->list[i].start, space->list[i].end, space->list[i].offset });
	return list;
}

using List = std::vector<std::vector<uint64_t>>;

} // namespace

TEST_CASE("stacks: a mapping takes the place of what it covers")
{
	auto free = [](struct spaces *s) { spaces__free(s); };
	std::unique_ptr<struct spaces, decltype(free)> s(spaces__new(), free);
	REQUIRE(spaces__exec(s.get(), 7) == 0);
	auto map = [&](struct mapping m) { REQUIRE(spaces__map(s.get(), 7, &m) == 0); };

	map(at(0x1000, 0x9000));
	SECTION("in the middle")
	{
		map(at(0x3000, 0x4000, 0x50000));
		CHECK(listed(s.get(), 7) == List{ { 0x1000, 0x3000, 0 },
						  { 0x3000, 0x4000, 0x50000 },
						  { 0x4000, 0x9000, 0x3000 } });
	}
	SECTION("at its beginning")
	{
		map(at(0x0000, 0x2000));
		CHECK(listed(s.get(), 7) == List{ { 0, 0x2000, 0 }, { 0x2000, 0x9000, 0x1000 } });
	}
	SECTION("at its end")
	{
		map(at(0x8000, 0xa000));
		CHECK(listed(s.get(), 7) == List{ { 0x1000, 0x8000, 0 }, { 0x8000, 0xa000, 0 } });
	}
	SECTION("over several")
	{
		map(at(0xa000, 0xb000));
		map(at(0x0000, 0xf000));
		CHECK(listed(s.get(), 7) == List{ { 0, 0xf000, 0 } });
	}
	SECTION("empty ones change nothing")
	{
		map(at(0x3000, 0x3000));
		CHECK(listed(s.get(), 7) == List{ { 0x1000, 0x9000, 0 } });
	}
}

TEST_CASE("stacks: a child begins with what its parent has mapped, and each goes on alone")
{
	auto free = [](struct spaces *s) { spaces__free(s); };
	std::unique_ptr<struct spaces, decltype(free)> s(spaces__new(), free);
	auto first = at(0x1000, 0x2000), second = at(0x5000, 0x6000);

	REQUIRE(spaces__exec(s.get(), 7) == 0);
	REQUIRE(spaces__map(s.get(), 7, &first) == 0);
	REQUIRE(spaces__fork(s.get(), 3, 7) == 0);
	REQUIRE(spaces__map(s.get(), 3, &second) == 0);
	CHECK(listed(s.get(), 7) == List{ { 0x1000, 0x2000, 0 } });
	CHECK(listed(s.get(), 3) == List{ { 0x1000, 0x2000, 0 }, { 0x5000, 0x6000, 0 } });
	spaces__forget(s.get(), 7);
	CHECK(listed(s.get(), 7).empty());
	CHECK(listed(s.get(), 3).size() == 2);
	REQUIRE(spaces__fork(s.get(), 9, 8) == 0);
	CHECK(listed(s.get(), 9).empty());
}

TEST_CASE("stacks: an address is in the mapping that has it")
{
	auto free = [](struct spaces *s) { spaces__free(s); };
	std::unique_ptr<struct spaces, decltype(free)> s(spaces__new(), free);
	auto first = at(0x1000, 0x2000), second = at(0x5000, 0x6000);

	REQUIRE(spaces__map(s.get(), 7, &first) == 0);
	CHECK(spaces__find(s.get(), 7) == nullptr); // What else it has mapped is not known.
	REQUIRE(spaces__exec(s.get(), 7) == 0);
	REQUIRE(spaces__map(s.get(), 7, &first) == 0);
	REQUIRE(spaces__map(s.get(), 7, &second) == 0);
	auto *space = spaces__find(s.get(), 7);
	CHECK(space_mapping(space, 0xfff) == nullptr);
	CHECK(space_mapping(space, 0x1000)->start == 0x1000);
	CHECK(space_mapping(space, 0x1fff)->start == 0x1000);
	CHECK(space_mapping(space, 0x2000) == nullptr);
	CHECK(space_mapping(space, 0x5fff)->start == 0x5000);
	CHECK(space_mapping(space, 0x6000) == nullptr);
}
