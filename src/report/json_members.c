// SPDX-License-Identifier: GPL-2.0
#include "report/json_members.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "model/abi.h"

uint64_t json_member_number(const struct json_node *n, const char *key)
{
	struct json_node member = json_member(n, key);

	return json_number(&member);
}

uint64_t json_member_if_there(const struct json_node *n, const char *key)
{
	struct json_node member = json_optional(n, key);

	return json_number(&member);
}

/* Returns a member that is null if, and only if, it is not known: then its JSON is NULL. */
static struct json_node known_member(const struct json_node *n, const char *key, bool known)
{
	struct json_node member = json_member(n, key);

	if (known)
		return member;
	if (!json_is_none(&member))
		json_fail(&member, -EINVAL, "must be null");
	member.json = NULL;
	return member;
}

uint64_t json_member_known(const struct json_node *n, const char *key, bool known)
{
	struct json_node member = known_member(n, key, known);

	return json_number(&member);
}

uint64_t json_member_if_known(const struct json_node *n, const char *key)
{
	struct json_node member = json_member(n, key);

	return json_is_none(&member) ? 0 : json_number_within(&member, 1, INT64_MAX);
}

char *json_member_text(const struct json_node *n, const char *key)
{
	struct json_node member = json_member(n, key);

	return json_is_none(&member) ? NULL : json_text(&member);
}

void json_member_text_into(const struct json_node *n, const char *key, char *buf, size_t size)
{
	struct json_node member = json_member(n, key);
	char *text = json_text(&member);

	if (text && strlen(text) >= size)
		json_fail(&member, -EINVAL, "must not be longer than %zu bytes", size - 1);
	else if (text)
		strcpy(buf, text);
	free(text);
}

char **json_member_words(const struct json_node *n, const char *key)
{
	struct json_node member = json_member(n, key);
	size_t nr = json_is_none(&member) ? 0 : json_list_size(&member);
	char **words;

	if (json_is_none(&member))
		return NULL;
	words = calloc(nr + 1, sizeof(*words));
	if (!words)
		json_fail(&member, -ENOMEM, "no memory");
	for (size_t i = 0; words && i < nr; i++) {
		struct json_node word = json_element(&member, i);

		words[i] = json_text(&word);
		if (!words[i])
			break; /* A list that ends here can be freed. */
	}
	return words;
}

int json_member_int(const struct json_node *n, const char *key)
{
	struct json_node member = json_member(n, key);

	return (int)json_number_within(&member, 0, INT_MAX);
}

int json_exit(const struct json_node *n)
{
	struct json_node status, signal;

	if (json_is_none(n))
		return -1;
	status = json_member(n, "status");
	signal = json_member(n, "signal");
	if (json_is_none(&status) == json_is_none(&signal))
		json_fail(n, -EINVAL, "must have a status or a signal");
	if (json_is_none(&status))
		return W_EXITCODE(0, (int)json_number_within(&signal, 1, 126));
	return W_EXITCODE((int)json_number_within(&status, 0, 255), 0);
}

enum iotrace_abi json_member_abi(const struct json_node *n)
{
	struct json_node member = json_member(n, "abi");
	const char *name = json_word(&member);
	enum iotrace_abi abi = name ? abi_parse(name) : NR_ABIS;

	if (abi != NR_ABIS)
		return abi;
	json_fail(&member, -EINVAL, "must be \"64\", \"32\" or \"x32\"");
	return ABI_64;
}

/* Returns the bucket with this lower edge. Buckets must be in ascending order. */
static uint32_t find_bucket(const struct histogram_scale *scale, uint32_t from, uint64_t low)
{
	while (from < scale->nr_buckets && scale->low(from) != low)
		from++;
	return from;
}

uint64_t json_member_histogram(const struct json_node *row, const char *key, bool known,
			       const struct histogram_scale *scale, const char *const edges[2],
			       uint64_t *counts)
{
	struct json_node list = known_member(row, key, known), high;
	uint64_t sum = 0;
	uint32_t at = 0;

	json_for_each (bucket, &list) {
		uint64_t count = json_member_number(&bucket, "count");

		at = find_bucket(scale, at, json_member_number(&bucket, edges[0]));
		if (at == scale->nr_buckets) {
			json_fail(&bucket, -EINVAL,
				  "%s must be the edge of a bucket, and ascending", edges[0]);
			break;
		}
		high = json_member(&bucket, edges[1]);
		if (at + 1 == scale->nr_buckets ? !json_is_none(&high)
						: json_number(&high) != scale->low(at + 1))
			json_fail(&high, -EINVAL, "must be the edge of the next bucket");
		if (!count || __builtin_add_overflow(sum, count, &sum))
			json_fail(&bucket, -EINVAL,
				  "its count must be more than 0, and not absurd");
		counts[at++] = count;
	}
	return sum;
}

bool json_member_bool(const struct json_node *n, const char *key)
{
	struct json_node member = json_member(n, key);

	return json_bool(&member);
}

enum language json_member_language(const struct json_node *n)
{
	struct json_node member = json_optional(n, "language");
	const char *name = json_is_none(&member) ? NULL : json_word(&member);
	enum language l = name ? language_parse(name) : LANGUAGE_UNKNOWN;

	if (l != NR_LANGUAGES)
		return l;
	json_fail(&member, -EINVAL, "is no language that iotrace knows");
	return LANGUAGE_UNKNOWN;
}

void json_check_version(const struct json_node *root, const struct json_node *version,
			uint64_t wanted)
{
	const char *writer = json_string_value(json_object_get(root->json, "iotrace"));
	uint64_t is = json_number(version);

	if (is != wanted)
		json_fail(version, -EINVAL,
			  "this is version %" PRIu64
			  " of the format, written by %s%.40s; iotrace " IOTRACE_VERSION
			  " reads version %" PRIu64,
			  is, writer ? "iotrace " : "an unknown program", writer ? writer : "",
			  wanted);
}
