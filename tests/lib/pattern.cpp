// SPDX-License-Identifier: GPL-2.0
#include "lib/pattern.hpp"

#include <stdexcept>

Pattern::Pattern(const std::string &text)
{
	if (regcomp(&regex, text.c_str(), REG_EXTENDED | REG_NEWLINE))
		throw std::invalid_argument(text);
	groups = regex.re_nsub + 1;
}

Pattern::~Pattern()
{
	regfree(&regex);
}

Pattern::Match Pattern::find(const std::string &text, size_t *begin) const
{
	const size_t from = begin ? *begin : 0;
	std::vector<regmatch_t> at(groups);
	Match match;

	at[0].rm_so = from;
	at[0].rm_eo = text.size();
	if (regexec(&regex, text.c_str(), groups, at.data(),
		    REG_STARTEND | (from ? REG_NOTBOL : 0)))
		return match;
	for (const regmatch_t &group : at)
		match.push_back(group.rm_so < 0
					? std::string()
					: text.substr(group.rm_so, group.rm_eo - group.rm_so));
	if (begin)
		*begin = at[0].rm_so;
	return match;
}

Pattern::Match Pattern::whole(const std::string &text) const
{
	Match match = find(text);

	return !match.empty() && match[0].size() == text.size() ? match : Match();
}

std::vector<Pattern::Match> Pattern::all(const std::string &text) const
{
	std::vector<Match> matches;
	size_t begin = 0;

	for (Match match; !(match = find(text, &begin)).empty() && !match[0].empty();) {
		begin += match[0].size();
		matches.push_back(match);
	}
	return matches;
}

std::string Pattern::replaced(const std::string &text, const std::string &by) const
{
	std::string result;
	size_t end = 0, begin = 0;

	for (Match match; !(match = find(text, &begin)).empty() && !match[0].empty();) {
		result += text.substr(end, begin - end) + by;
		end = begin += match[0].size();
	}
	return result + text.substr(end);
}
