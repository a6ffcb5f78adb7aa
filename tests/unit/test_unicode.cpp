// SPDX-License-Identifier: GPL-2.0
/* Names in every script: what is shown of them, how wide they are, and how tables have them. */
#include "lib/catch.hpp"

#include <cstdlib>
#include <cstring>
#include <random>
#include <sstream>
#include <vector>

extern "C" {
#include "base/text.h"
#include "base/unicode.h"
#include "report/fill.h"
#include "report/render.h"
}

static std::string escaped(const std::string &text)
{
	char *buf = escape_text_dup(text.data(), text.size());
	std::string result = buf;

	free(buf);
	return result;
}

static size_t width(const std::string &text)
{
	const std::string shown = escaped(text);

	return text_width(shown.data(), shown.size());
}

TEST_CASE("unicode: names in every script are shown as they are, as wide as a terminal draws them",
	  "[unicode]")
{
	const struct {
		const char *name;
		size_t width;
	} names[] = {
		{ "Größe", 5 },
		{ "Gro\u0308\u00dfe", 5 }, // Decomposed letters.
		{ "한국어", 6 },
		{ "\u1112\u1161\u11ab", 2 }, // One syllable of three letters.
		{ "ملف", 3 },
		{ "\u0645\u06cc\u200c\u062e", 3 }, // Persian, with a non-joiner.
		{ "日本語", 6 },
		{ "\U0001f427", 2 },		     // A penguin.
		{ "\U0001f468\u200d\U0001f4bb", 4 }, // Two emoji, joined, as wide as both.
		{ "\u2764\ufe0f", 1 },		     // A heart with a variation selector.
		{ "e\u0301\u0302", 1 },
		{ "\u00a0", 1 },
		{ "\u3000", 2 },
		{ "\ue000", 1 }, // A character for private use.
	};

	for (auto &n : names) {
		CAPTURE(n.name);
		CHECK(escaped(n.name) == n.name);
		CHECK(width(n.name) == n.width);
	}
}

TEST_CASE("unicode: characters that are invisible or change how a line reads are escaped",
	  "[unicode]")
{
	const struct {
		const char *name, *shown;
	} names[] = {
		{ "a\u202eb", "a\\xe2\\x80\\xaeb" },
		{ "a\u200bb", "a\\xe2\\x80\\x8bb" },
		{ "\u061c", "\\xd8\\x9c" },
		{ "\u2066", "\\xe2\\x81\\xa6" },
		{ "\u2028", "\\xe2\\x80\\xa8" },
		{ "\u2029", "\\xe2\\x80\\xa9" },
		{ "\ufeff", "\\xef\\xbb\\xbf" },
		{ "a\u00adb", "a\\xc2\\xadb" },
		{ "ab\u200dc", "ab\\xe2\\x80\\x8dc" }, // A joiner that has nothing to join.
		{ "a\ufe0f", "a\\xef\\xb8\\x8f" },
		{ "\u3164", "\\xe3\\x85\\xa4" }, // A filler.
		{ "\u0301a", "\\xcc\\x81a" },	 // A mark with nothing before it.
		{ "\u0378", "\\xcd\\xb8" },	 // A character that is not assigned.
		{ "\ufffe", "\\xef\\xbf\\xbe" },
		{ "\U000e0041", "\\xf3\\xa0\\x81\\x81" }, // A tag.
		{ "\u0085", "\\xc2\\x85" },
	};

	for (auto &n : names) {
		CAPTURE(n.shown);
		CHECK(escaped(n.name) == n.shown);
		CHECK(width(n.name) == strlen(n.shown));
	}
}

// Makes a random name of pieces that have gone wrong somewhere.
static std::string random_name(std::mt19937_64 &random)
{
	static const char *const pieces[] = { "/",	"ö",	      "한",	"\u0301",
					      "\u1161", "\U0001f427", "\u200d", "\u202e",
					      "\ufe0f", "\xff",	      "\\",	"\x1b[31m",
					      "a",	" ",	      ".",	"\u0378",
					      "ﷺ",	"\u0e33" };
	std::string name;

	for (size_t n = random() % 40; n; n--) {
		if (random() % 5)
			name += pieces[random() % (sizeof(pieces) / sizeof(*pieces))];
		else
			name += (char)(1 + random() % 255);
	}
	return name;
}

TEST_CASE("unicode: a text that is shortened fits, and is not torn", "[unicode]")
{
	std::mt19937_64 random(3);

	for (int i = 0; i < 20000; i++) {
		std::string text = escaped(random_name(random));
		const size_t before = text_width(text.data(), text.size()),
			     room = 8 + random() % 30;

		CAPTURE(text, room);
		text.resize(strlen(shorten_text(text.data(), room)));
		const size_t after = text_width(text.data(), text.size());
		CHECK(after <= room);
		/* A wide character or an escape may not have fitted. */
		CHECK(after + 4 > std::min(before, room));
		for (size_t at = 0, size; at < text.size(); at += size) {
			uint32_t point;

			size = utf8_sequence(text.data() + at, text.size() - at, &point);
			REQUIRE(size);
		}
	}
}

static std::vector<std::string> lines_of(char *text, size_t size)
{
	std::istringstream in(std::string(text, size));
	std::vector<std::string> lines;

	for (std::string line; std::getline(in, line);)
		lines.push_back(line);
	free(text);
	return lines;
}

static std::vector<std::string> drawn(sheet &s)
{
	char *text = nullptr;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	REQUIRE(render_table.draw(out, &s) == 0);
	fclose(out);
	return lines_of(text, size);
}

TEST_CASE("unicode: a table of any names has straight columns and fits into a line", "[unicode]")
{
	std::mt19937_64 random(5);

	for (int i = 0; i < 500; i++) {
		sheet s = {};

		SHEET_COLUMNS(&s, 1, "name", "calls");
		for (int row = 0; row < 20; row++) {
			sheet_code(&s, random_name(random).c_str());
			sheet_number(&s, CELL_COUNT, random() % 100000);
		}
		const auto lines = drawn(s);
		REQUIRE(lines.size() == 21);
		for (auto &line : lines) {
			CAPTURE(line);
			/* The last column is aligned to the right, so all lines end together. */
			CHECK(text_width(line.data(), line.size()) ==
			      text_width(lines[0].data(), lines[0].size()));
			CHECK(text_width(line.data(), line.size()) <= LINE_WIDTH);
		}
		sheet_free(&s);
	}
}

TEST_CASE("unicode: lines of any names are filled up to their width", "[unicode]")
{
	std::mt19937_64 random(7);

	for (int i = 0; i < 2000; i++) {
		std::string text = random() % 2 ? "  Fix:  " : "  ";
		char *filled = nullptr;
		size_t size;
		FILE *out = open_memstream(&filled, &size);

		for (size_t n = random() % 12; n; n--)
			text += escaped(random_name(random)) + (random() % 8 ? " " : ": ");
		REQUIRE(fill_lines(out, text.c_str()) == 0);
		fclose(out);
		CAPTURE(text);
		for (auto &line : lines_of(filled, size)) {
			CAPTURE(line);
			CHECK(text_width(line.data(), line.size()) <= LINE_WIDTH);
		}
	}
}
