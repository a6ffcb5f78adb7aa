// SPDX-License-Identifier: GPL-2.0
#include "lib/catch.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <random>
#include <vector>

extern "C" {
#include "base/text.h"
#include "base/unicode.h"
}

static std::string ns(uint64_t value)
{
	char buf[24];

	return format_ns(buf, sizeof(buf), value);
}

static std::string bytes(uint64_t value)
{
	char buf[24];

	return format_bytes(buf, sizeof(buf), value);
}

TEST_CASE("text: times have three digits at most, and a unit", "[text]")
{
	REQUIRE(ns(0) == "0ns");
	REQUIRE(ns(999) == "999ns");
	REQUIRE(ns(1000) == "1us");
	REQUIRE(ns(1004) == "1us");
	REQUIRE(ns(1005) == "1.01us");
	REQUIRE(ns(1024) == "1.02us");
	REQUIRE(ns(1200) == "1.2us");
	REQUIRE(ns(9994) == "9.99us");
	REQUIRE(ns(9995) == "10us");
	REQUIRE(ns(12345) == "12.3us");
	REQUIRE(ns(99949) == "99.9us");
	REQUIRE(ns(99950) == "100us");
	REQUIRE(ns(999499) == "999us");
	REQUIRE(ns(999500) == "1ms");
	REQUIRE(ns(34000000) == "34ms");
	REQUIRE(ns(999500000) == "1s");
	REQUIRE(ns(1500000000) == "1.5s");
	REQUIRE(ns(1099511627776) == "1100s");
	REQUIRE(ns(UINT64_MAX) == "18446744074s");
}

TEST_CASE("text: sizes have one decimal below a hundred", "[text]")
{
	REQUIRE(bytes(0) == "0 B");
	REQUIRE(bytes(512) == "512 B");
	REQUIRE(bytes(999) == "999 B");
	REQUIRE(bytes(1000) == "1.0 kB");
	REQUIRE(bytes(4000000) == "4.0 MB");
	REQUIRE(bytes(99949) == "99.9 kB");
	REQUIRE(bytes(99950) == "100 kB");
	REQUIRE(bytes(999499) == "999 kB");
	REQUIRE(bytes(999500) == "1.0 MB");
	REQUIRE(bytes(80000000) == "80.0 MB");
	REQUIRE(bytes(1234567890) == "1.2 GB");
	REQUIRE(bytes(UINT64_MAX) == "18.4 EB");
}

static std::string escaped(const std::string &text, size_t size = 1000)
{
	std::vector<char> buf(size);

	return escape_text(buf.data(), size, text.data(), text.size());
}

TEST_CASE("text: text for a terminal is escaped as C would", "[text]")
{
	REQUIRE(escaped("plain text, with \"quotes\" and $(more)") ==
		"plain text, with \"quotes\" and $(more)");
	REQUIRE(escaped("a\nb\tc\\d\r\a") == "a\\nb\\tc\\\\d\\r\\a");
	REQUIRE(escaped(std::string("\0\x01\x1b\x7f", 4)) == "\\x00\\x01\\x1b\\x7f");
	REQUIRE(escaped("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7") ==
		"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7");
	REQUIRE(escaped("\xc2\x9b") == "\\xc2\\x9b"); // This is CSI, one of C1.
	REQUIRE(escaped("\xc2\xa0") == "\xc2\xa0");   // This is the first character after C1.
	REQUIRE(escaped("\xc0\xaf") == "\\xc0\\xaf"); // This is overlong.
	REQUIRE(escaped("\xe0\x80\xaf") == "\\xe0\\x80\\xaf");
	REQUIRE(escaped("\xed\xa0\x80") == "\\xed\\xa0\\x80");		// This is a surrogate.
	REQUIRE(escaped("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80"); // This is beyond Unicode.
	REQUIRE(escaped("\xf4\x8f\xbf\xbd") == "\xf4\x8f\xbf\xbd");
	REQUIRE(escaped("x\xc3") == "x\\xc3"); // This is cut off.
	REQUIRE(escaped("\xff\xfe") == "\\xff\\xfe");
}

TEST_CASE("text: text that does not fit is cut between characters", "[text]")
{
	REQUIRE(escaped("abcdef", 7) == "abcdef");
	REQUIRE(escaped("abcdefg", 7) == "abc...");
	REQUIRE(escaped("ab\x1b", 7) == "ab\\x1b");
	REQUIRE(escaped("abc\x1b", 7) == "abc...");
	REQUIRE(escaped("a\x1b\x1b", 7) == "a...");
	REQUIRE(escaped("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac", 8) == "\xe2\x82\xac...");
	REQUIRE(escaped("abcdef", 4) == "...");
	REQUIRE(escaped("abcdef", 3) == "..");
	REQUIRE(escaped("abcdef", 1) == "");
	REQUIRE(escape_text(nullptr, 0, "abc", 3) == nullptr);
}

// The shape of the bytes is valid UTF-8, and a terminal obeys nothing in it.
static bool harmless(const std::string &text)
{
	for (size_t i = 0; i < text.size(); i++) {
		unsigned char c = (unsigned char)text[i];
		size_t more = c < 0x80 ? 0 : c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;

		if (c < 0x20 || c == 0x7f || (c >= 0x80 && c < 0xc2) || c > 0xf4)
			return false;
		if (c == 0xc2 && (unsigned char)text[i + 1] < 0xa0)
			return false;
		for (; more; more--) {
			if (((unsigned char)text[++i] & 0xc0) != 0x80)
				return false;
		}
	}
	return true;
}

// The plain bytes behind escape_text()'s result.
static std::string unescaped(const std::string &text)
{
	static const std::string letters = "abtnvfr\\", plain = "\a\b\t\n\v\f\r\\";
	std::string result;

	for (size_t i = 0; i < text.size(); i++) {
		if (text[i] != '\\') {
			result += text[i];
		} else if (text[++i] == 'x') {
			result += (char)std::stoi(text.substr(i + 1, 2), nullptr, 16);
			i += 2;
		} else {
			result += plain[letters.find(text[i])];
		}
	}
	return result;
}

TEST_CASE("text: whatever the bytes, escaped text is harmless, fits, and says what it was",
	  "[text]")
{
	static const char *const seeds[] = { "\xc2\x80", "\xe2\x82\xac", "\xf0\x9f\x90\xa7",
					     "\x1b[",	 "\\",		 "\xed\xa0\x80",
					     "\xc0\x80", "abc" };
	std::mt19937_64 random(9);

	for (int i = 0; i < 30000; i++) {
		std::string text;
		size_t pieces = random() % 12, size = 1 + random() % 40;

		for (size_t j = 0; j < pieces; j++) {
			if (random() % 2)
				text += seeds[random() % 8];
			else
				text += (char)random();
		}
		std::vector<char> exact(size); // The sanitizer watches its end.
		escape_text(exact.data(), size, text.data(), text.size());
		std::string cut(exact.data()), whole = escaped(text);

		CAPTURE(text, size);
		REQUIRE(cut.size() < size);
		REQUIRE(harmless(cut));
		REQUIRE(harmless(whole));
		REQUIRE(unescaped(whole) == text);
		if (whole.size() < size) {
			REQUIRE(cut == whole);
		} else {
			size_t dots = size - 1 < 3 ? size - 1 : 3;

			REQUIRE(cut.substr(cut.size() - dots) == std::string(dots, '.'));
			REQUIRE(whole.compare(0, cut.size() - dots, cut, 0, cut.size() - dots) ==
				0);
		}
	}
}

static std::string shortened(const std::string &text, size_t width)
{
	std::string copy = text;

	copy.resize(strlen(shorten_text(copy.data(), width)));
	return copy;
}

TEST_CASE("text: long text loses its middle, between characters and escapes", "[text]")
{
	CHECK(shortened("12345678", 8) == "12345678");
	CHECK(shortened("123456789", 8) == "12...789");
	CHECK(shortened("123456789", 9) == "123456789");
	CHECK(shortened("\\x01\\x02\\x03\\x04\\x05", 16) == "\\x01...\\x04\\x05");
	CHECK(shortened("\\n\\n\\n\\n\\n\\n", 10) == "\\n...\\n\\n");
	CHECK(shortened("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4",
			8) == "\xc3\xa4\xc3\xa4...\xc3\xa4\xc3\xa4\xc3\xa4");
	for (size_t width = 8; width < 40; width++) {
		const std::string text = shortened("/a\\xff\xe6\x97\xa5/\\\\b/\xf0\x9f\x98\x80"
						   "/cdefghijklmnopqrst\\x01",
						   width);
		uint32_t point;

		CAPTURE(width, text);
		CHECK(text_width(text.data(), text.size()) <= width);
		CHECK(text_width(text.data(), text.size()) + 4 > std::min<size_t>(width, 38));
		for (size_t i = 0, size; i < text.size(); i += size) {
			size = utf8_sequence(text.data() + i, text.size() - i, &point);
			REQUIRE(size);
		}
	}
}
