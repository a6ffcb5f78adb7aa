// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <regex.h>
#include <string>
#include <vector>

/*
 * A POSIX extended expression (regex(7)); '.' and [^...] match no newline. std::regex would take
 * seconds to compile in each file, and gcc warns inside of it.
 */
class Pattern
{
	regex_t regex;
	size_t groups;

public:
	/* The match and its groups, "" for those that have no part in it; empty without a match. */
	using Match = std::vector<std::string>;

	explicit Pattern(const std::string &text);
	Pattern(const Pattern &) = delete;
	Pattern &operator=(const Pattern &) = delete;
	~Pattern();

	/* The first match, of the longest at that place; from begin on, where it is returned. */
	Match find(const std::string &text, size_t *begin = nullptr) const;
	/* The match if it is the whole text. */
	Match whole(const std::string &text) const;
	std::vector<Match> all(const std::string &text) const;
	std::string replaced(const std::string &text, const std::string &by) const;
};
