// SPDX-License-Identifier: GPL-2.0
#include "lib/catch.hpp"

#include <cerrno>
#include <string>

extern "C" {
#include "report/json_reader.h"
}

namespace
{
class Document
{
	json_t *json;

public:
	json_reader reader = {};
	json_node root;

	explicit Document(const char *text)
	    : json(json_loads(text, JSON_DECODE_ANY, nullptr)), root(json_root(&reader, json))
	{
		REQUIRE(json);
	}
	Document(const Document &) = delete;
	~Document()
	{
		json_decref(json);
	}
	std::string said() const
	{
		return reader.message;
	}
};
} // namespace

TEST_CASE("json reader: the path of what is wrong is said, and the first wrong alone",
	  "[json reader]")
{
	Document d("{\"list\": [{\"n\": 1}, {\"n\": -3}]}");
	json_node list = json_member(&d.root, "list");

	REQUIRE(json_list_size(&list) == 2);
	json_node first = json_element(&list, 0), n1 = json_member(&first, "n");
	CHECK(json_number(&n1) == 1);
	json_node second = json_element(&list, 1), n2 = json_member(&second, "n");
	CHECK(json_number(&n2) == 0);
	CHECK(d.said() == "list[1].n: must not be negative");
	CHECK(json_number(&n1) == 0); // Nothing is read any more.
	json_fail(&d.root, -ENOMEM, "later");
	CHECK(d.said() == "list[1].n: must not be negative");
	CHECK(d.reader.err == -EINVAL);
}

TEST_CASE("json reader: values of another type are refused", "[json reader]")
{
	const struct {
		const char *value, *said;
		void (*read)(const json_node *n);
	} cases[] = {
		{ "1.5", "v: must be a whole number", [](const json_node *n) { json_number(n); } },
		{ "\"1\"", "v: must be a whole number",
		  [](const json_node *n) { json_number(n); } },
		{ "11", "v: must be from 1 to 10",
		  [](const json_node *n) { json_number_within(n, 1, 10); } },
		{ "1", "v: must be true or false", [](const json_node *n) { json_bool(n); } },
		{ "1", "v: must be a string", [](const json_node *n) { json_word(n); } },
		{ "1", "v: must be a list", [](const json_node *n) { json_list_size(n); } },
		{ "1", "v: must be an object", [](const json_node *n) { json_member(n, "x"); } },
		{ "{}", "v.x: is missing: a capture has all sections",
		  [](const json_node *n) { json_member(n, "x"); } },
	};

	for (const auto &c : cases) {
		Document d(("{\"v\": " + std::string(c.value) + "}").c_str());
		json_node v = json_member(&d.root, "v");

		c.read(&v);
		CHECK(d.said() == c.said);
	}
}

TEST_CASE("json reader: text comes back as it was before it was escaped", "[json reader]")
{
	const struct {
		const char *json, *text;
	} good[] = {
		{ "\"plain\"", "plain" },
		{ "\"a\\\\nb\"", "a\nb" },
		{ "\"\\\\x1b\\\\\\\\\"", "\x1b\\" },
	};

	for (const auto &c : good) {
		Document d(c.json);
		char *text = json_text(&d.root);

		REQUIRE(text);
		CHECK(std::string(text) == c.text);
		free(text);
	}
	/* No renderer writes any of these. */
	for (const char *bad :
	     { "\"a\\nb\"", "\"\\\\q\"", "\"\\\\x4\"", "\"\\\\x41\"", "\"\\\\x00\"", "\"\\\\\"" }) {
		Document d(bad);

		CAPTURE(bad);
		CHECK(json_text(&d.root) == nullptr);
		CHECK(d.reader.err == -EINVAL);
	}
}

TEST_CASE("json reader: null and everything after an error read as none", "[json reader]")
{
	Document d("{\"a\": null, \"b\": 0}");
	json_node a = json_member(&d.root, "a"), b = json_member(&d.root, "b");

	CHECK(json_is_none(&a));
	CHECK_FALSE(json_is_none(&b));
	CHECK(json_has(&d.root, "a"));
	CHECK_FALSE(json_has(&d.root, "c"));
	json_node c = json_member(&d.root, "c");
	CHECK(json_is_none(&c));
	CHECK(json_list_size(&c) == 0);
	CHECK(json_text(&c) == nullptr);
}
