// SPDX-License-Identifier: GPL-2.0
/* Names of functions for people: those of C++ and Rust may have hundreds of characters. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "report/texts.h"

/* More of a name is not looked at: it is untrusted, and is gone through once for each "<" in it. */
#define MAX_NAME 1024

static bool is_identifier(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* Does a list of arguments of types begin here? An operator is none, nor is Python's <lambda>. */
static bool begins_arguments(const char *name, const char *at)
{
	static const char word[] = "operator";
	size_t before = (size_t)(at - name);

	if (*at != '<' || at[1] == '<' || (at > name && at[-1] == '<'))
		return false;
	if (before >= strlen(word) && !strncmp(at - strlen(word), word, strlen(word)))
		return false;
	/* Rust writes a type before its function, and arguments behind "::". */
	return !before || is_identifier(at[-1]) || at[-1] == ':';
}

/* Returns the end of a list of arguments. NULL: it has none. */
static const char *end_of_arguments(const char *at)
{
	size_t depth = 0;

	for (; *at; at++) {
		if (*at == '<')
			depth++;
		else if (*at == '>' && at[-1] != '-' && !--depth)
			return at;
	}
	return NULL;
}

/* Puts "..." in the place of arguments, in place. */
static void leave_out_arguments(char *name)
{
	char *to = name;

	for (const char *from = name; *from;) {
		const char *end = begins_arguments(name, from) ? end_of_arguments(from) : NULL;

		if (end && end - from > (ptrdiff_t)strlen("<...")) {
			memcpy(to, "<...>", strlen("<...>"));
			to += strlen("<...>");
			from = end + 1;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

/* Leaves out scopes, or Go's folders, from the left, as far as needed, in place. */
static void leave_out_scopes(char *name, size_t columns)
{
	static const char dots[] = "...";
	int depth = 0;

	for (char *at = name; *at; at++) {
		size_t len = strlen(at);

		depth += (*at == '<') - (*at == '>');
		if (depth || (*at != '/' && strncmp(at, "::", strlen("::")) != 0) ||
		    at - name < (ptrdiff_t)strlen(dots) ||
		    text_width(at, len) + strlen(dots) > columns)
			continue;
		memcpy(name, dots, strlen(dots));
		memmove(name + strlen(dots), at, len + 1);
		return;
	}
}

char *function_text(const char *name, size_t columns)
{
	char text[MAX_NAME + sizeof("()")];
	size_t len;

	escape_text(text, MAX_NAME, name, strlen(name));
	if (text_width(text, strlen(text)) > columns)
		leave_out_arguments(text);
	if (text_width(text, strlen(text)) > columns)
		leave_out_scopes(text, columns);
	len = strlen(shorten_text(text, columns));
	if (!len || text[len - 1] != ')')
		memcpy(text + len, "()", sizeof("()"));
	return strdup(text);
}
