// SPDX-License-Identifier: GPL-2.0
#include "model/abi.h"

#include <string.h>

static const char *const names[NR_ABIS] = { "64", "32", "x32" };

const char *abi_name(enum iotrace_abi abi)
{
	return names[abi];
}

enum iotrace_abi abi_parse(const char *name)
{
	int abi = 0;

	while (abi < NR_ABIS && strcmp(names[abi], name) != 0)
		abi++;
	return (enum iotrace_abi)abi;
}

enum iotrace_abi abi_of_word(const char *word, size_t *len)
{
	const char *at = strrchr(word, '@');

	*len = at ? (size_t)(at - word) : strlen(word);
	return at ? abi_parse(at + 1) : NR_ABIS;
}

bool abi_word_names(const char *word, enum iotrace_abi abi, const char *name)
{
	size_t len;
	enum iotrace_abi only = abi_of_word(word, &len);

	return strlen(name) == len && !memcmp(name, word, len) && (only == NR_ABIS || only == abi);
}
