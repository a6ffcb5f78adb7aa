// SPDX-License-Identifier: GPL-2.0
// A capture holds everything that the run itself printed, and a file that is not a capture is
// refused, with the place of the error.
#include "unit/capture_test.hpp"

#include <algorithm>
#include <cerrno>

static void require_same(const profile &p)
{
	Capture c(json_of(p));
	Options options("calls",
			"time,total-time,min-time,max-time,avg-time,calls,errors,p50,p90,p99,"
			"p999,bytes,avg-bytes,name");

	INFO(c.err);
	REQUIRE(c.result == 0);
	for (size_t i = 0; renderers[i]; i++) {
		CAPTURE(renderers[i]->name);
		REQUIRE(render(*renderers[i], c.profile, Options()) ==
			render(*renderers[i], p, Options()));
		REQUIRE(render(*renderers[i], c.profile, options) ==
			render(*renderers[i], p, options));
		for (unsigned section = 1; section < SECTION_ALL; section <<= 1) {
			options.sections = section;
			REQUIRE(render(*renderers[i], c.profile, options) ==
				render(*renderers[i], p, options));
		}
		options.sections = 0;
	}
}

TEST_CASE("capture: every format prints a capture as it prints the run", "[capture]")
{
	Case everything, unknown, nothing, bare;

	everything.everything();
	require_same(everything.profile);
	unknown.unknown();
	require_same(unknown.profile);
	nothing.nothing();
	require_same(nothing.profile);
	require_same(bare.profile);
	everything.files();
	require_same(everything.profile);
	unknown.profile.unknown &= ~(unsigned)UNKNOWN_FILES;
	require_same(unknown.profile);
	file_call *c = unknown.call_on(unknown.file(3, FILE_KIND_TTY, "/dev/tty"), 1, "write", 4);
	c->transfers = true;
	require_same(unknown.profile);
}

TEST_CASE("capture: every field of a file comes back", "[capture]")
{
	Case c;

	c.everything();
	c.files();
	Capture back(json_of(c.profile));
	INFO(back.err);
	REQUIRE(back.result == 0);
	CHECK(back.profile.misplaced_calls == 3);
	CHECK(back.profile.lost_file_users == 2);
	REQUIRE(back.profile.nr_files == c.profile.nr_files);
	for (size_t i = 0; i < c.profile.nr_files; i++) {
		const file_stats &was = c.profile.files[i], &is = back.profile.files[i];

		CAPTURE(was.path);
		CHECK(is.id == was.id);
		CHECK(is.kind == was.kind);
		CHECK(std::string(is.path) == was.path);
		CHECK(is.cut == was.cut);
		CHECK(std::string(is.fstype) == was.fstype);
		CHECK(is.flags == was.flags);
		CHECK(is.err == was.err);
		CHECK(file_is_stderr(&is) == file_is_stderr(&was));
		CHECK(file_is_stdout(&is) == file_is_stdout(&was));
		file_user *users;
		size_t nr_users;
		REQUIRE(file_users_list(&was, 4, &users, &nr_users) == 0);
		CHECK(is.nr_users + is.more_users == nr_users);
		for (size_t u = 0; u < is.nr_users; u++) {
			CHECK(is.users[u].pid == users[u].pid);
			CHECK(is.users[u].processes == users[u].processes);
			CHECK(is.users[u].calls == users[u].calls);
			CHECK(std::string(is.users[u].comm) == users[u].comm);
		}
		free(users);
		REQUIRE(is.nr_calls == was.nr_calls);
		for (size_t k = 0; k < is.nr_calls; k++)
			CHECK(memcmp(&is.calls[k], &was.calls[k], sizeof(is.calls[k])) == 0);
	}
}

TEST_CASE("capture: wrong files are refused, and their place is named", "[capture]")
{
	Case c;

	c.everything();
	c.files();
	const std::string good = json_of(c.profile);
	const struct {
		std::string text;
		const char *place, *what;
	} wrong[] = {
		{ replaced(good, "true, \"kind\": \"regular\"", "true, \"kind\": \"regularly\""),
		  ".kind", "kind of file" },
		{ replaced(good, "[\"append\"", "[\"upend\""), ".flags[0]", "flag" },
		{ replaced(good, "\"newlines\": 999", "\"newlines\": 1001"), "files[", "more" },
		{ replaced(good, "\"cut_short\": 5", "\"cut_short\": 1002"), "files[", "more" },
		{ replaced(good, "\"runs\": 6", "\"runs\": 1002"), "files[", "more" },
		{ replaced(good, "\"more_users\": 2", "\"more_users\": -2"), ".more_users",
		  "negative" },
		{ replaced(good, "\"calls\": 900", "\"calls\": 900000"), "programs[0].calls",
		  "from 1 to" },
		{ replaced(good, "\"calls\": 101", "\"calls\": 0"), "programs[1].calls", "0" },
		{ replaced(good, "\"calls\": 1003", "\"calls\": 1008"), "files", "add up" },
		{ replaced(good, "\"calls\": 1003", "\"calls\": 0"), "files[", "0" },
		{ replaced(good, "\"file\": 7", "\"file\": 5"), "files", "follow each other" },
		{ replaced(good, "\"file\": 7", "\"file\": -7"), ".file", "negative" },
		{ replaced(good, "\"files_missing\"", "\"files_lost\""), "files_missing",
		  "missing" },
	};

	for (const auto &bad : wrong) {
		Capture back(bad.text);

		CAPTURE(bad.place, bad.what, back.err);
		REQUIRE(back.result < 0);
		REQUIRE_THAT(std::string(back.err), ContainsSubstring(bad.place));
		REQUIRE_THAT(std::string(back.err), ContainsSubstring(bad.what));
	}
}

TEST_CASE("capture: the largest numbers stay exact", "[capture]")
{
	Case c;
	syscall_stats *s = c.profile.row(1, "write", true);

	s->calls = s->timed = s->latency[latency_bucket(UINT64_MAX)] = INT64_MAX;
	s->total_ns = s->max_ns = s->bytes = INT64_MAX;
	s->min_ns = INT64_MAX - 1;
	c.profile.returned = c.profile.entered = INT64_MAX;
	c.profile.elapsed_ns = (1ULL << 53) + 1;
	Capture back(json_of(c.profile));
	INFO(back.err);
	REQUIRE(back.result == 0);
	REQUIRE(back.profile.elapsed_ns == (1ULL << 53) + 1);
	REQUIRE(back.profile.syscalls[0].calls == INT64_MAX);
	REQUIRE(back.profile.syscalls[0].min_ns == INT64_MAX - 1);
	require_same(c.profile);
}

TEST_CASE("capture: any text comes back as it was", "[capture]")
{
	for (const std::string &text : nasty_texts) {
		Case c;

		c.provenance.command = copy(Texts{ text, "", text });
		c.provenance.stdout_path = copy(text);
		c.in_flight(1, text.substr(0, 15));
		snprintf(c.profile.inflight[0].name, 40, "%s", text.substr(0, 39).c_str());
		c.add(c.profile.row(7, text.substr(0, 39).c_str()), 0, 1);
		Capture back(json_of(c.profile));
		CAPTURE(text, back.err);
		REQUIRE(back.result == 0);
		REQUIRE(back.provenance.command[0] == text);
		REQUIRE(std::string(back.provenance.command[1]).empty());
		REQUIRE(back.provenance.command[2] == text);
		REQUIRE(back.provenance.command[3] == nullptr);
		REQUIRE(back.provenance.stdout_path == text);
		REQUIRE(back.profile.inflight[0].comm == text.substr(0, 15));
		REQUIRE(back.profile.syscalls[0].name == text.substr(0, 39));
		require_same(c.profile);
	}
}

TEST_CASE("capture: errors are refused, and their place is named", "[capture]")
{
	Case c;

	c.everything();
	const std::string good = json_of(c.profile);
	const struct {
		std::string text;
		const char *place, *what;
	} wrong[] = {
		{ "", "line 1", "" },
		{ "% time     seconds", "line 1, column", "" },
		{ "[1, 2]", "", "no capture" },
		{ "{\"a\": 1}", "", "no capture" },
		{ "{\"schema\": 1}", "backend", "missing" },
		{ replaced(good, "\"schema\": 1", "\"schema\": 2"), "schema", "version 1" },
		{ replaced(good, "\"schema\": 1", "\"schema\": \"1\""), "schema", "whole number" },
		{ good.substr(0, good.size() / 2), "line ", "ends too early" },
		{ good.substr(0, good.size() - 2), "line ", "ends too early" },
		{ good + "x", "line ", "end of file" },
		{ good + std::string(1, '\0'), "line ", "" },
		{ replaced(good, "\"calls\": 44", "\"calls\": -44"), "syscalls[1].calls",
		  "negative" },
		{ replaced(good, "\"calls\": 44", "\"calls\": 44.0"), "syscalls[1].calls",
		  "whole" },
		{ replaced(good, "\"calls\": 44", "\"calls\": \"44\""), "syscalls[1].calls",
		  "whole" },
		{ replaced(good, "\"calls\": 44", "\"calls\": null"), "syscalls[1].calls",
		  "whole" },
		{ replaced(good, "\"calls\": 44", "\"calls\": 9223372036854775808"), "line ",
		  "too big" },
		{ replaced(good, "\"calls\": 44", "\"calls\": 44, \"calls\": 45"), "line ",
		  "duplicate" },
		{ replaced(good, "\"calls\": 44, ", ""), "syscalls[1].calls", "missing" },
		{ replaced(good, "\"calls\": 44", "\"calls\": 0"), "syscalls[1]", "more than 0" },
		{ replaced(good, "\"calls\": 44", "\"calls\": 45"), "integrity",
		  "sum of all calls" },
		{ replaced(good, "\"errors\": 19", "\"errors\": 45"), "syscalls[1]",
		  "more than calls" },
		{ replaced(good, "\"errors\": 19", "\"errors\": 18"), "syscalls[1].errnos",
		  "errors" },
		{ replaced(good, "\"timed\": 44", "\"timed\": 43"), "syscalls[1]",
		  "add up to timed" },
		{ replaced(good, "\"timed\": 44", "\"timed\": 0"), "syscalls[1].total_ns", "null" },
		{ replaced(good, "\"low_ns\": 1408", "\"low_ns\": 1409"), "syscalls[1].latency[0]",
		  "edge" },
		{ replaced(good, "\"high_ns\": 1536", "\"high_ns\": 1537"),
		  "syscalls[1].latency[0].high_ns", "edge" },
		{ replaced(good, "\"low_bytes\": 4, ", ""), "syscalls[0].sizes[0].low_bytes",
		  "missing" },
		{ replaced(good, "\"code\": 2,", "\"code\": 4096,"), "syscalls[1].errnos[0].code",
		  "4095" },
		{ replaced(good, "\"code\": 28,", "\"code\": 11,"), "syscalls[0].errnos[1].code",
		  "before" },
		{ replaced(good, "\"abi\": \"x32\"", "\"abi\": \"128\""), "syscalls[3].abi",
		  "x32" },
		{ replaced(good, "\"name\": \"openat\"", "\"name\": [\"openat\"]"),
		  "syscalls[1].name", "string" },
		{ replaced(good, "\"name\": \"openat\"",
			   "\"name\": \"" + std::string(40, 'x') + "\""),
		  "syscalls[1].name", "longer" },
		{ replaced(good, "\"name\": \"openat\"", "\"name\": \"\\u001b[31m\""),
		  "syscalls[1].name", "escaped" },
		{ replaced(good, "\"name\": \"openat\"", "\"name\": \"\\\\q\""), "syscalls[1].name",
		  "escape" },
		{ replaced(good, "\"name\": \"openat\"", "\"name\": \"\\\\x00\""),
		  "syscalls[1].name", "escape" },
		{ replaced(good, "\"name\": \"openat\"", "\"name\": \"\\\\x41\""),
		  "syscalls[1].name", "escape" },
		{ replaced(good, "\"name\": \"openat\"", "\"name\": \"\xff\""), "line ", "decode" },
		{ replaced(good, "\"name\": \"openat\"", "\"name\": \"a\\u0000b\""), "line ", "" },
		{ replaced(good, "\"nr\": 257", "\"nr\": 1"), "syscalls[1]", "twice" },
		{ replaced(good, "\"unknown\": []", "\"unknown\": [\"life\"]"), "unknown[0]",
		  "unknown" },
		{ replaced(good, "\"unknown\": []", "\"unknown\": [\"latency\"]"),
		  "syscalls[0].total_ns", "null" },
		{ replaced(good, "\"unknown\": []", "\"unknown\": {}"), "unknown", "list" },
		{ replaced(good, "2025-01-31T", "2025-01-31 "), "start", "look like" },
		{ replaced(good, "\"status\": 3", "\"status\": 256"), "exit.status", "255" },
		{ replaced(good, "\"signal\": null", "\"signal\": 9"), "exit",
		  "status or a signal" },
		{ replaced(good, "\"cpu\": {", "\"cpu\": null, \"x\": {"), "cpu", "object" },
		{ replaced(good, "\"in_flight\": 1", "\"in_flight\": null"), "integrity.in_flight",
		  "whole" },
		{ replaced(good, "\"pid\": 12", "\"pid\": 2147483648"), "inflight[0].pid",
		  "2147483647" },
		{ replaced(
			  replaced(good, "\"bytes\": 2147495840", "\"bytes\": 9223372036854775807"),
			  "\"bytes\": 0,", "\"bytes\": 1,"),
		  "syscalls[2]", "63 bits" },
		{ replaced(good, "\"waits\": 25", "\"waits\": 24"), "syscalls[1]",
		  "add up to waits" },
		{ replaced(good, "\"waits\": 25", "\"waits\": null"), "syscalls[1].waits",
		  "whole" },
		{ replaced(good, "\"waits\": 25, ", ""), "syscalls[1].wait_ns", "null" },
		{ replaced(good, "\"wait_ns\": 62500", "\"wait_ns\": 91001"), "syscalls[1]",
		  "more than total_ns" },
		{ replaced(good, "\"cpu_ns\": 40000", "\"cpu_ns\": 91001"), "syscalls[1]",
		  "more than total_ns" },
		{ replaced(good, "\"preempted\": 0", "\"preempted\": 45"), "syscalls[1]",
		  "more than timed" },
		{ replaced(
			  replaced(good, "\"waits\": 25", "\"waits\": 26"),
			  "\"wait_latency\": [{\"low_ns\": 2304, \"high_ns\": 2560, \"count\": 25",
			  "\"wait_latency\": [{\"low_ns\": 2304, \"high_ns\": 2560, \"count\": 26"),
		  "syscalls[1]", "part of latency" },
		{ replaced(good, "\"unknown\": []", "\"unknown\": [\"waits\"]"),
		  "syscalls[0].waits", "null" },
		{ std::string(5000, '['), "line ", "" },
	};

	for (const auto &bad : wrong) {
		Capture back(bad.text);

		CAPTURE(bad.place, bad.what, bad.text.substr(0, 60), back.err);
		REQUIRE(back.result < 0);
		REQUIRE_THAT(std::string(back.err), ContainsSubstring(bad.place));
		REQUIRE_THAT(std::string(back.err), ContainsSubstring(bad.what));
		for (const char *c = back.err; *c; c++)
			REQUIRE((unsigned char)*c >= ' ');
	}
}

TEST_CASE("capture: a capture that is cut short is refused", "[capture]")
{
	Case c;

	c.everything();
	const std::string good = json_of(c.profile);
	/* The file is complete without the last line's end. */
	for (size_t len = 0; len + 1 < good.size(); len += len < 600 ? 1 : 37) {
		Capture back(good.substr(0, len));

		CAPTURE(len);
		REQUIRE(back.result == -EINVAL);
	}
}

static std::string without(std::string text, const std::vector<std::string> &members)
{
	for (const std::string &member : members)
		for (size_t at; (at = text.find(member)) != std::string::npos;)
			text.erase(at, member.size());
	return text;
}

// Removes a member of each object, whatever its value, up to the next one.
static std::string without_member(std::string text, const std::string &name)
{
	const std::string member = "\"" + name + "\": ";

	for (size_t at; (at = text.find(member)) != std::string::npos;)
		text.erase(at, text.find(", ", at) + 2 - at);
	return text;
}

// Findings are made anew.
static std::string without_findings(std::string text)
{
	const size_t at = text.find("\n \"findings\": ");

	return text.erase(at, text.find("\n \"integrity\"") - at);
}

// Removes what earlier versions of iotrace did not know, where it is unknown.
static std::string without_unknown(std::string text)
{
	for (const char *name : { "processes", "language", "logger" })
		text = without_member(text, name);
	const std::string rest = without(
		text, { "\n \"calibration\": null,", "\n \"busy\": null,",
			"\n \"repeated_processes\": [],", "\n \"repeated_processes\": null,",
			"\"busy\": null, ", "\"stdout\": true, ", ", \"process_ps\": null",
			"\"stdout\": false, ", "\"by_threads\": false, ",
			"\"both_outputs\": false, ", "\"size\": null, " });

	if (rest.find("\"waits\", \"cpu\"]") == std::string::npos)
		return rest;
	return without(rest,
		       { ", \"waits\": null", ", \"wait_ns\": null", ", \"run_ns\": null",
			 ", \"preempted\": null", ", \"cpu_ns\": null", ", \"cpu_mean_ns\": null",
			 ", \"wait_latency\": null", ", \"idle_ns\": null", ", \"busy_ns\": null",
			 ", \"waits\", \"cpu\"", "\"waits\", \"cpu\"" });
}

/* Removes a count that older captures do not have. */
static std::string without_count(std::string text, const std::string &key)
{
	const std::string member = ", \"" + key + "\": ";

	for (size_t at; (at = text.find(member)) != std::string::npos;)
		text.erase(at, text.find_first_of(",}", at + member.size()) - at);
	return text;
}

// These captures are also the fuzzer's first inputs. Changing one changes what scripts rely on.
TEST_CASE("capture: captures of earlier versions are read", "[capture]")
{
	for (auto &file : std::filesystem::directory_iterator(test_path("fixtures/captures"))) {
		const std::string text = read_file(file.path());
		Capture back(text);

		CAPTURE(file.path(), back.err);
		REQUIRE(back.result == 0);
		/* Tallies that older captures do not have are 0, other figures are not known. */
		std::string again = without_findings(json_of(back.profile));
		if (text.find("\"idle_ns\"") == std::string::npos)
			again = without(again, { ", \"idle\"", "\"idle\", ", "\"idle\"" });
		if (text.find("\"nagle_ns\"") == std::string::npos)
			again = without(again, { ", \"nagle\"", "\"nagle\", ", "\"nagle\"" });
		again = without_unknown(again);
		if (text.find("\"wall_ns\"") == std::string::npos)
			again = replaced(again, " \"wall_ns\": null,\n", "");
		if (text.find("\"sample_latency\"") == std::string::npos)
			again = replaced(again, " \"sample_latency\": null,\n", "");
		if (text.find("\"target\"") == std::string::npos)
			again = replaced(again, " \"target\": null,\n", "");
		if (text.find("\"programs\"") == std::string::npos)
			again = replaced(again, " \"programs\": [],\n", "");
		if (text.find("\"groups\"") == std::string::npos)
			again = replaced(again, " \"groups\": null,\n", "");
		if (text.find("\"stacks\"") == std::string::npos)
			again = replaced(again, " \"stacks\": null,\n", "");
		if (text.find("\"intervals\"") == std::string::npos)
			again = replaced(again, ",\n \"intervals\": null", "");
		for (const char *later :
		     { "runs", "passed_on", "anew", "error_ns", "inodes", "estimated",
		       "estimated_waits", "error_of_total_ns", "slack_ns", "others_ns", "sleeps",
		       "rate", "errors_rate", "bytes_rate", "idle_ns", "busy_ns", "nagle_delays",
		       "nagle_ns" })
			if (text.find("\"" + std::string(later) + "\"") == std::string::npos)
				again = without_count(again, later);
		std::string expected = without_findings(text);
		const size_t end = expected.find('}', expected.find("\"lost_tasks\": "));
		if (expected.find("\"lost_errnos\"") == std::string::npos)
			expected.insert(end, ", \"lost_errnos\": 0, \"left_out\": 0");
		REQUIRE(again == expected);
	}
}

TEST_CASE("capture: where runs were not counted, each write may have been one", "[capture]")
{
	Case c;

	c.everything();
	c.files();
	Capture back(without_count(json_of(c.profile), "runs"));
	REQUIRE(back.result == 0);
	for (size_t i = 0; i < back.profile.nr_files; i++)
		for (size_t k = 0; k < back.profile.files[i].nr_calls; k++) {
			const file_call &call = back.profile.files[i].calls[k];

			CHECK(call.runs == call.calls - call.errors);
		}
}

TEST_CASE("capture: unknown members are ignored", "[capture]")
{
	Case c;

	c.everything();
	Capture back(replaced(json_of(c.profile), "\"calls\": 44",
			      "\"calls\": 44, \"new\": {\"a\": [1.5]}"));
	REQUIRE(back.result == 0);
	REQUIRE(json_of(back.profile) == json_of(c.profile));
}

TEST_CASE("capture: the files may be as large as they are", "[capture]")
{
	Case c;

	c.everything();
	c.files();
	for (uint32_t i = 0; i < 100; i++) {
		const std::string path = "/" + std::string(700000, 'a') + std::to_string(i);

		c.call_on(c.file(100 + i, FILE_KIND_REGULAR, path), 1, "write", 1)->transfers =
			true;
	}
	profile_syscall(&c.profile, ABI_64, 1)->calls += 100;
	c.profile.returned += 100;
	c.profile.entered += 100;
	const std::string json = json_of(c.profile);
	REQUIRE(json.size() > 64 << 20);
	/* The findings are made anew, however many there were. */
	const std::string finding = "\n  {\"id\": \"" + std::string(65 << 20, 'x') + "\"},";
	const Capture back(replaced(json, "\"findings\": [", "\"findings\": [" + finding));
	REQUIRE(std::string(back.err) == "");
	// The parentheses keep a failure from printing both.
	REQUIRE((json_of(back.profile) == json));
}

TEST_CASE("capture: the files may stand anywhere", "[capture]")
{
	Case c;

	c.everything();
	c.files();
	const std::string json = json_of(c.profile);
	const size_t begin = json.find("\n \"files\": ["), end = json.find("\n ],", begin) + 4;
	std::string files = json.substr(begin, end - begin), moved = json;

	/*
	 * The list stands before all else, on one line, with members that hold such lists, brackets
	 * and quotes.
	 */
	moved.erase(begin, end - begin);
	std::replace(files.begin(), files.end(), '\n', ' ');
	files.insert(files.find('{') + 1,
		     "\"new\": {\"files\": [[\"]\\\"]\", 1], {}]}, \"files\": [{}],");
	moved.insert(1, "\"other\": [\"files\", {\"files\": [[]]}]," + files);
	const Capture back(moved);
	REQUIRE(std::string(back.err) == "");
	REQUIRE(json_of(back.profile) == json);
	/* The key may be written in another way. */
	const Capture escaped(replaced(json, "\"files\": [", "\"fil\\u0065s\": ["));
	REQUIRE(std::string(escaped.err) == "");
	REQUIRE(json_of(escaped.profile) == json);
}

TEST_CASE("capture: what is wrong in the rows of files is said, and where", "[capture]")
{
	Case c;

	c.everything();
	c.files();
	const std::string good = json_of(c.profile), row = "\n  {\"file\": ";
	const size_t begin = good.find(row), second = good.find("},\n  {\"file\": ", begin);
	const std::string before = good.substr(0, begin), after = good.substr(begin);
	const std::string line =
		std::to_string(std::count(good.begin(), good.begin() + begin, '\n') + 2);
	const std::string large(2 << 20, 'x');
	std::string no_comma = good, no_row = good;

	REQUIRE(second != std::string::npos);
	no_comma.erase(second + 1, 1);
	no_row.insert(second + 1, ",");
	const struct {
		std::string text, said;
	} cases[] = {
		{ no_comma, "files[1]: a comma must stand before it" },
		{ no_row, "files[1]: line " },
		{ before + "\n ,", "the file ends too early" },
		{ before + "\n  oops," + after, "files[0]: line " + line + ", column " },
		{ before + "\n  7," + after, "files[0]: line " + line + ", column 3: " },
		{ before + "\n  {\"a\": [}]," + after, "files[0]: line " + line + ", column 10: " },
		{ before + "\n  {\"a\": \"" + large + "\"}," + after,
		  "files[0]: is larger than 1 MiB" },
		{ before + "\n  {\"a\": 1, \"a\": 2}," + after, "files[0]: line " + line },
		{ "{\"files\": [0], \"schema\": 1}", "is missing" },
		{ good + "x",
		  "line " + std::to_string(std::count(good.begin(), good.end(), '\n') + 1) +
			  ", column 1: " },
		{ "{\"a\": \"" + std::string(65 << 20, 'x') + "\"}",
		  "more than 64 MiB besides its files, findings and intervals" },
	};

	for (const auto &wrong : cases) {
		const Capture refused(wrong.text);

		INFO(wrong.text.substr(0, 100));
		CHECK(refused.result < 0);
		CHECK_THAT(refused.err, ContainsSubstring(wrong.said));
	}
}

TEST_CASE("capture: files that are not captures are refused", "[capture]")
{
	Folder folder;
	struct capture c;
	char err[512];

	REQUIRE(capture_read(&c, (folder / "none").c_str(), err, sizeof(err)) == -ENOENT);
	capture_free(&c);
	REQUIRE(capture_read(&c, "/tmp", err, sizeof(err)) == -EISDIR);
	capture_free(&c);
	REQUIRE(capture_read(&c, "/dev/zero", err, sizeof(err)) == -EFBIG);
	REQUIRE_THAT(err, ContainsSubstring("64 MiB"));
	capture_free(&c);
	folder.write("good", json_of(Case().profile));
	REQUIRE(capture_read(&c, (folder / "good").c_str(), err, sizeof(err)) == 0);
	capture_free(&c);
}

TEST_CASE("capture: the schema is a schema, and the captures here conform to it", "[capture]")
{
	const char *const check = "import json, jsonschema\n"
				  "schema = json.load(open('schema.json'))\n"
				  "jsonschema.Draft202012Validator.check_schema(schema)\n"
				  "jsonschema.validate(json.load(open('run.json')), schema,\n"
				  "                    cls=jsonschema.Draft202012Validator)\n";
	Folder folder;
	Case everything, unknown, nothing, files, grouped;

	folder.write("schema.json", capture_schema);
	folder.write("check.py", check);
	everything.everything();
	unknown.unknown();
	nothing.nothing();
	files.everything();
	files.files();
	grouped.everything();
	grouped.groups(BY_PROCESS, BY_USER);
	for (const profile *p : { &everything.profile, &unknown.profile, &nothing.profile,
				  &files.profile, &grouped.profile }) {
		folder.write("run.json", json_of(*p));
		folder.run("/usr/bin/python3 check.py");
	}
	for (unsigned section = 1; section < SECTION_ALL; section <<= 1) {
		Options o;

		o.sections = section;
		folder.write("run.json", render(render_json, files.profile, o));
		folder.run("/usr/bin/python3 check.py");
	}
	folder.write("run.json",
		     replaced(json_of(everything.profile), "\"calls\": 44", "\"calls\": -1"));
	folder.run("! /usr/bin/python3 check.py");
}
