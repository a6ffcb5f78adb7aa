// SPDX-License-Identifier: GPL-2.0
// The tables of lines in Python's code objects, as each version has written them of one function.
#include "lib/catch.hpp"

extern "C" {
#include "stacks/python.h"
}

#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

namespace
{
std::vector<uint8_t> bytes_of(const std::string &digits)
{
	std::vector<uint8_t> bytes;

	for (size_t i = 0; i + 1 < digits.size(); i += 2)
		bytes.push_back((uint8_t)std::stoul(digits.substr(i, 2), nullptr, 16));
	return bytes;
}

// The lines of all words of the code, such as "1x7 2x9": one of line 7, two of line 9.
std::string lines_of(unsigned minor, const std::vector<uint8_t> &table, unsigned first,
		     size_t words)
{
	std::string text;
	unsigned nr = 0, line = 0;

	for (size_t i = 0; i <= words; i++) {
		const unsigned next = python_line(minor, table.data(), table.size(), first, 2 * i);

		if (nr && (next != line || i == words)) {
			text += (text.empty() ? "" : " ") + std::to_string(nr) + "x" +
				std::to_string(line);
			nr = 0;
		}
		line = next;
		nr++;
	}
	return text;
}

// One function with calls over several lines, a handler, and a gap of 300 lines, compiled by each
// version; the lines are those of co_lines(), of 3.9 those of dis.findlinestarts().
const struct {
	unsigned minor;
	const char *table, *lines;
} versions[] = {
	{ 9,
	  "0005020102ff02020401020102fe02fd04080c0104010e01040102ff0c0220020a7f007f"
	  "00330e0102ff2202",
	  "1x7 1x8 1x7 2x9 1x10 1x11 1x9 2x6 6x14 2x15 7x16 2x17 1x18 6x17 16x19 5x"
	  "21 7x326 1x327 17x326 2x328" },
	{ 10,
	  "0205020102ff04020201020102fe04fd0c0804010e01040102010cff1402088002fe0280"
	  "0804007f007f0e33020110ff040210fe0402",
	  "1x7 1x8 1x7 2x9 1x10 1x11 1x9 2x6 6x14 2x15 7x16 2x17 1x18 6x17 10x19 4x"
	  "0 1x17 1x0 4x21 7x326 1x327 8x326 2x328 8x326 2x328" },
	{ 11,
	  "8000f00a00090ad80a0bf10301090ce008098f038a03d80c0dd80c0df10503090af40003"
	  "090af0070709068041f510000e13903189588c58f000070512f0000705128801f0020609"
	  "12d80c0d8f488a489051894b8c4b884b884bf8dd101add1018f00301101af000020915f0"
	  "00020915f000020915e50c11902189488c48884888488848884888488848f8f8f8f8f005"
	  "020915f8f8f8f0080011129001f890018845884588458845f56209000a0e886189178c17"
	  "f00001050b9041907197779277d80809f10301180bf40001180bf00001180bf00001050b"
	  "f00001050bf00001050bf10001050bf40001050bf00001050bf00001050bf00001050bf0"
	  "0001050bf00001050bf00001050bf8f8f8f00001050bf00001050bf00001050bf0000105"
	  "0be00b0c8048",
	  "1x2 1x7 1x8 2x7 12x9 1x10 1x11 7x9 2x6 17x14 1x15 22x16 1x0 6x17 6x18 4x"
	  "17 20x19 4x0 1x17 3x0 2x21 1x0 5x21 28x326 1x327 24x326 3x0 4x326 2x328" },
	{ 12,
	  "8000f00a00090ad80a0bf10301090ce008098f038903d80c0dd80c0df30503090af00707"
	  "09068041f410000e1390318b58f2000705128801f002060912d80c0d8f48894890518c4b"
	  "f10a001112f00f070512f47009000a0e88618b17f00001050b9041907197779177d80809"
	  "f40301180bf70001050be00b0c8048f8f46f0900111bdc1018f00301101af200020915e4"
	  "0c1190218f488948fbf005020915fbf108001112faf7620901050be00b0c8048fa",
	  "1x2 1x7 1x8 2x7 11x9 1x10 1x11 4x9 2x6 14x14 1x15 17x16 2x21 1x14 23x326"
	  " 1x327 13x326 2x328 1x0 5x17 5x18 4x17 16x19 4x0 1x17 4x0 2x21 3x0 8x326"
	  " 2x328 3x0" },
	{ 13,
	  "8000f00a00090ad80a0bf10301090ce008098f038903d80c0dd80c0df30503090af00707"
	  "09068041f410000e1390318e588801f002060912d80c0d8f48894890518c4bf20a001112"
	  "f10f000e16f47009000a0e88618c17904197779177d80809f40301180b8f17e00b0c8048"
	  "f8f46f0900111bdc1018f00301101af300020915e40c1190218f488948fbf005020915fb"
	  "f108001112faf76209000a118c17e00b0c8048fa",
	  "1x2 1x7 1x8 2x7 11x9 1x10 1x11 4x9 2x6 14x14 1x15 17x16 3x21 2x14 22x326"
	  " 1x327 13x326 2x328 1x0 5x17 5x18 5x17 16x19 4x0 1x17 4x0 2x21 3x0 13x32"
	  "6 2x328 3x0" },
};
} // namespace

TEST_CASE("python: the line of each instruction is that which Python itself says", "[python]")
{
	for (const auto &v : versions) {
		size_t words = 0;

		for (const char *at = v.lines; at; at = strchr(at, ' ')) {
			at += *at == ' ';
			words += strtoul(at, nullptr, 10);
		}
		INFO(v.minor);
		CHECK(lines_of(v.minor, bytes_of(v.table), 2, words) == v.lines);
	}
}

TEST_CASE("python: any table ends, whatever it says", "[python]")
{
	std::vector<uint8_t> table;

	srand(1);
	for (int i = 0; i < 20000; i++) {
		table.resize((size_t)rand() % 40);
		for (uint8_t &byte : table)
			byte = (uint8_t)rand();
		for (unsigned minor = 9; minor <= 14; minor++)
			python_line(minor, table.data(), table.size(), (unsigned)rand(),
				    (uint64_t)rand() * (uint64_t)rand());
	}
	for (unsigned minor = 9; minor <= 14; minor++)
		CHECK(python_line(minor, nullptr, 0, 3, 0) == (minor == 9 ? 3 : 0));
}

TEST_CASE("python: what is no code object has no names", "[python]")
{
	struct python_layout l = {};
	struct python_places places = {};
	char memory[4096] = "";

	l.minor = 11;
	for (uint64_t address :
	     { uint64_t{ 0 }, uint64_t{ 1 }, uint64_t((uintptr_t)memory), ~uint64_t{ 7 } })
		for (int pid : { getpid(), -1 }) {
			const iotrace_python_frame frame = { address, 0, 0 };

			CHECK(python_places__find(&places, 0, pid, &l, &frame) == SIZE_MAX);
		}
	python_places__free(&places);
}
