// SPDX-License-Identifier: GPL-2.0
/*
 * Answers that Nagle's algorithm makes late, in servers that wait in event loops. Their client
 * tells how many were late, and what it has waited for all of them.
 */
#include "lib/live.hpp"
#include "lib/pipes.hpp"
#include "lib/skip.hpp"
#include "lib/stacks.hpp"

#include <sstream>

namespace
{
const std::string sources = source_path("tests/fixtures/answers/");

/* What a client says of its answers. */
struct Heard {
	long late, total_ns;
};

Heard ask(const std::string &port, int connections, int requests, const std::string &think)
{
	const Finished client =
		run_to_end({ "python3", sources + "ask.py", port, std::to_string(connections),
			     std::to_string(requests), think });
	Heard heard = {};

	INFO(client.err);
	REQUIRE(client.end == "exit 0");
	std::istringstream(client.out) >> heard.late >> heard.total_ns;
	return heard;
}

/* Attaches to a server while a client asks it. Returns the path of the capture. */
std::string watch(const Words &server, Heard &heard, const std::string &think = "0",
		  const Words &options = {})
{
	const std::string capture = temporary("delays.json"), port = temporary("port");
	Words command = server;

	for (std::string &word : command)
		if (word == "PORT")
			word = port;
	unlink(port.c_str());
	Spawn spawn;
	spawn.argv = command;
	spawn.directory = temporary("");
	Process process(spawn);
	REQUIRE(eventually([&] { return access(port.c_str(), F_OK) == 0; }));
	Watch iotrace(Words{ "-p", std::to_string(process.pid()), "-o", capture } + options);
	heard = ask(port, 2, 20, think);
	const Run run = iotrace.end();
	INFO(run);
	CHECK(run.end == "exit 0");
	return capture;
}

long sum(const std::string &figure, const std::string &capture)
{
	return std::stol(jq("[.files[]." + figure + "] | add", capture));
}

const std::string found = "[.findings[] | select(.id == \"delayed-writes\")]";

/* All that the client has seen to be late is told, but the last answer of each connection. */
void check_late(const std::string &capture, const Heard &heard)
{
	INFO("late: " << heard.late << ", in all: " << heard.total_ns << " ns");
	CHECK(heard.late >= 20);
	CHECK(sum("nagle_delays", capture) >= 20);
	CHECK(sum("nagle_delays", capture) <= heard.late);
	CHECK(sum("nagle_ns", capture) <= heard.total_ns);
	CHECK(sum("nagle_ns", capture) >= heard.total_ns / 4);
	CHECK(jq(found + " | length", capture) == "1");
	CHECK(jq(found + "[0].severity", capture) == "\"high\"");
	CHECK(jq(found + "[0].predicted_each.what", capture) == "\"request\"");
	CHECK(std::stol(jq(found + "[0].predicted_latency_saving_ns", capture)) ==
	      sum("nagle_ns", capture) / sum("nagle_delays", capture));
}

void check_none(const std::string &capture)
{
	CHECK(sum("nagle_delays", capture) == 0);
	CHECK(sum("nagle_ns", capture) == 0);
	CHECK(jq(found, capture) == "[]");
}
} // namespace

TEST_CASE("delays: a header before a body is late in each language's event loop", "[once]")
{
	BPF_ONLY("strace does not tell when the kernel has sent what was written");
	const struct {
		const char *program, *compile;
		Words apart, mended;
		const char *advice;
	} servers[] = {
		{ "node",
		  nullptr,
		  { "node", sources + "answers.js", "PORT", "apart" },
		  { "node", sources + "answers.js", "PORT", "nodelay" },
		  "setNoDelay()" },
		{ "javac",
		  "cp \"$1\"/Answers.java . && javac Answers.java",
		  { "java", "Answers", "PORT" },
		  { "java", "-Dsun.net.httpserver.nodelay=true", "Answers", "PORT" },
		  "setTcpNoDelay(true)" },
		{ "go",
		  "HOME=$PWD GO111MODULE=off go build -o answers_go \"$1\"/answers.go",
		  { "./answers_go", "PORT", "apart" },
		  { "./answers_go", "PORT", "nodelay" },
		  "SetNoDelay(false)" },
		{ "python3",
		  nullptr,
		  { "python3", sources + "answers.py", "PORT", "apart" },
		  { "python3", sources + "answers.py", "PORT", "gathered" },
		  "TCP_NODELAY" },
		{ "g++",
		  "g++ -O2 -pthread -o answers \"$1\"/answers.cpp",
		  { "./answers", "PORT", "apart" },
		  { "./answers", "PORT", "gathered" },
		  "writev()" },
	};

	for (const auto &server : servers) {
		Heard heard = {};

		INFO(server.program);
		if (server.compile)
			must_run({ "sh", "-c", server.compile, "sh", sources });
		const std::string apart = watch(server.apart, heard);
		check_late(apart, heard);
		CHECK_THAT(jq(found + "[0].advice", apart), ContainsSubstring(server.advice));
		check_none(watch(server.mended, heard));
	}
}

TEST_CASE("delays: a reader learns what another thread's write has waited for", "[once]")
{
	BPF_ONLY("strace does not tell when the kernel has sent what was written");
	Heard heard = {};

	must_run({ "g++", "-O2", "-pthread", "-o", "answers", sources + "answers.cpp" });
	check_late(watch({ "./answers", "PORT", "threads" }, heard), heard);
}

TEST_CASE("delays: nothing is late by corks, by a Unix socket, or by a client that thinks",
	  "[once]")
{
	BPF_ONLY("strace does not tell when the kernel has sent what was written");
	Heard heard = {};

	must_run({ "g++", "-O2", "-pthread", "-o", "answers", sources + "answers.cpp" });
	for (const char *mode : { "cork", "more", "unix", "nodelay" })
		for (const char *think : { "0", "0.04" }) {
			INFO(mode << ", " << think);
			check_none(watch({ "./answers", "PORT", mode }, heard, think));
		}
	check_none(watch({ "./answers", "PORT", "gathered" }, heard, "0.04"));
}

TEST_CASE("delays: a report says how much sooner each request would be answered", "[once]")
{
	BPF_ONLY("strace does not tell when the kernel has sent what was written");
	const std::string text = temporary("delays.txt");
	Heard heard = {};

	must_run({ "g++", "-O2", "-pthread", "-o", "answers", sources + "answers.cpp" });
	const std::string capture =
		watch({ "./answers", "PORT", "apart" }, heard, "0", { "-o", text });
	const std::string report = read_file(text);
	INFO(report);
	CHECK_THAT(report, ContainsSubstring(" requests is answered "));
	CHECK_THAT(report, ContainsSubstring("ms sooner.\n"));
	const std::string again = temporary("again.txt");
	must_run({ iotrace_path(), "report", capture, "-o", again });
	CHECK(read_file(again) == report);
}
