// SPDX-License-Identifier: GPL-2.0
/* Real runs in every format: captures hold everything, and a failed write leaves nothing behind. */
#include "lib/iotrace.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

static const Words some_calls = { "sh", "-c", "cat /etc/passwd /nonexistent; exit 3" };

/* The arguments of iotrace itself, with the backend under test. */
static Words traced(Words options, const Words &command)
{
	return iotrace_argv(options, command, nullptr);
}

static Run report(Words arguments, const Spawn &how = {})
{
	Words argv = { iotrace_path(), "report" };

	argv.insert(argv.end(), arguments.begin(), arguments.end());
	return run_plain(argv, how);
}

/* A directory of the test's own. */
static std::string folder(const std::string &name)
{
	std::string path = temporary(name);

	fs::create_directory(path);
	return path;
}

static Words names_in(const std::string &path)
{
	Words names;

	for (auto &entry : fs::directory_iterator(path))
		names.push_back(entry.path().filename());
	std::sort(names.begin(), names.end());
	return names;
}

static void require_valid(const std::string &path)
{
	const std::string schema = temporary("schema.json");
	const Run print = run_plain({ iotrace_path(), "schema" });

	INFO(print);
	REQUIRE(print.end == "exit 0");
	write_file(schema, print.out);
	const Run run =
		run_plain({ "/usr/bin/python3", "-c",
			    "import json, sys, jsonschema; v = jsonschema.Draft202012Validator; "
			    "s = json.load(open(sys.argv[1])); v.check_schema(s); "
			    "jsonschema.validate(json.load(open(sys.argv[2])), s, cls=v)",
			    schema, path });
	INFO(run);
	REQUIRE(run.end == "exit 0");
}

TEST_CASE("formats: a capture says what the run itself said, in every format")
{
	const std::string dir = folder("every-format");
	const struct {
		const char *file, *format;
	} formats[] = { { "run.json", "json" }, { "run.csv", "csv" },
			{ "run.TSV", "tsv" },	{ "run.md", "markdown" },
			{ "run.tex", "latex" }, { "run.adoc", "asciidoc" },
			{ "run.txt", "table" } };
	Words options = { "-e", "trace=all" };

	for (auto &f : formats)
		options.insert(options.end(), { "-o", dir + "/" + f.file });
	const Run run = run_plain(traced(options, some_calls));
	INFO(run);
	REQUIRE(run.end == "exit 3");
	REQUIRE(names_in(dir).size() == 7);
	require_valid(dir + "/run.json");
	for (auto &f : formats) {
		const Run again =
			report({ dir + "/run.json", std::string("--format=") + f.format });

		INFO(f.file);
		INFO(again);
		CHECK(again.end == "exit 0");
		CHECK(again.err == "");
		CHECK(again.out == read_file(dir + "/" + f.file));
	}
	CHECK(contradictions(parse_report(read_file(dir + "/run.txt"))) == "");
	/* A report may be written to the capture that it is read from. */
	const std::string before = read_file(dir + "/run.json");
	CHECK(report({ dir + "/run.json", "-o", dir + "/run.json" }).end == "exit 0");
	CHECK(read_file(dir + "/run.json") == before);
}

TEST_CASE("formats: the report's options have the same effect on a capture", "[once]")
{
	const std::string dir = folder("same-options");
	const std::vector<Words> variants = {
		{ "-S", "calls", "-U", "calls,p99,name", "--histogram=none" },
		{ "--section=summary,errors", "-S", "name" },
		{ "--section=latency", "--histogram=read,openat" },
		{ "--section=run,integrity,inflight" },
		{ "--format=strace" },
		{ "--color=always" },
	};

	for (const Words &options : variants) {
		Words both = options, again = options;

		both.insert(both.end(), { "-e", "all", "-o", dir + "/out" });
		const Run run = run_plain(traced(both, some_calls));
		INFO(run);
		REQUIRE(run.end == "exit 3");
		/*
		 * This is a separate run, but its figures are the same; it writes a capture as
		 * well, which is complete whatever sections are asked for.
		 */
		both.insert(both.end(), { "-o", dir + "/part.json" });
		const Run with_part = run_plain(traced(both, some_calls));
		INFO(with_part);
		REQUIRE(with_part.end == "exit 3");
		require_valid(dir + "/part.json");
		again.push_back(dir + "/part.json");
		const Run printed = report(again);
		INFO(printed);
		CHECK(printed.end == "exit 0");
		CHECK(printed.out == read_file(dir + "/out"));
	}
}

TEST_CASE("formats: a capture holds where it comes from")
{
	const std::string path = temporary("provenance.json"),
			  target = temporary("tmpfs") + "/stdout";
	REQUIRE(mkdir(temporary("tmpfs").c_str(), 0755) == 0);
	REQUIRE(mount("tmpfs", temporary("tmpfs").c_str(), "tmpfs", 0, nullptr) == 0);
	const int out = open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	Spawn how;

	how.out = out;
	const Run run =
		run_plain(traced({ "-q", "-o", path }, { "sh", "-c", "exit 3", "a\nb\xff" }), how);
	INFO(run);
	close(out);
	umount2(temporary("tmpfs").c_str(), MNT_DETACH);
	CHECK(run.end == "exit 3");
	CHECK(jq(".command", path) == R"(["sh","-c","exit 3","a\\nb\\xff"])");
	CHECK(jq(".options[-3:-1]", path) == R"(["-q","-o"])");
	CHECK(jq(".exit", path) == R"({"status":3,"signal":null})");
	CHECK(jq(".stdout", path) ==
	      R"({"path":")" + target + R"(","kind":"regular","fstype":"tmpfs"})");
	CHECK(jq(".start | sub(\"[.][0-9]+Z\"; \"Z\") | fromdate | (now - .) < 600", path) ==
	      "true");
	CHECK(jq(".cpu.count > 0 and .elapsed_ns > 0 and (.kernel | length) > 0", path) == "true");

	const Run killed = run_plain(traced({ "-o", path }, { "sh", "-c", "kill -9 $$" }));
	INFO(killed);
	CHECK(killed.end == "SIGKILL");
	CHECK(jq(".exit", path) == R"({"status":null,"signal":9})");
	require_valid(path);
}

TEST_CASE("formats: the figures in JSON are those of a ledger")
{
	const std::string path = temporary("ledger.json");
	const Run run =
		run_plain(traced({ "-e", "write", "-o", path },
				 { "workloads/endl_loop", "-n", "1000", "-o", "/dev/null" }));

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK(jq(".syscalls[] | [.name, .abi, .calls, .errors, ([.latency[]?.count] | add), "
		 "([.sizes[].count] | add)]",
		 path) == R"(["write","64",1000,0,1000,1000])");
	CHECK(jq(".integrity | [.returned, .lost]", path) == "[1000,0]");
	require_valid(path);
}

TEST_CASE("formats: a full disk is an error, and leaves what was there", "[once]")
{
	const std::string dir = folder("full-disk");

	REQUIRE(mount("tmpfs", dir.c_str(), "tmpfs", 0, "size=8k") == 0);
	write_file(dir + "/run.json", "before");
	const Run run = run_plain(traced({ "-e", "all", "-o", dir + "/run.json", "-o",
					   dir + "/new.tex", "-o", temporary("beside.csv") },
					 some_calls));
	const Words names = names_in(dir);
	const std::string kept = read_file(dir + "/run.json");
	umount2(dir.c_str(), MNT_DETACH);
	INFO(run);
	CHECK(run.end == "exit 3"); // The command's status says more than 125 would.
	CHECK_THAT(run.err, ContainsSubstring("run.json': No space left on device"));
	CHECK_THAT(run.err, ContainsSubstring("new.tex': No space left on device"));
	CHECK(names == Words{ "run.json" });
	CHECK(kept == "before");
	/* The report that could be written was written. */
	CHECK_THAT(read_file(temporary("beside.csv")), ContainsSubstring("syscall,abi,calls"));
}

TEST_CASE("formats: a pipe that nobody reads is an error, not a death")
{
	for (const char *to : { "/dev/stdout", "-", "/proc/self/fd/1" }) {
		Pipe pipe;
		Spawn how;

		how.out = pipe.writer;
		pipe.close_reader();
		const Run run = run_plain(traced({ "--format=json", "-o", to }, { "true" }), how);
		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK_THAT(run.err, ContainsSubstring("Broken pipe"));
		const Run schema = run_plain(
			{ "sh", "-c", "trap '' PIPE; exec " + quoted(iotrace_path()) + " schema" },
			how);
		INFO(schema);
		CHECK(schema.end == "exit 125");
	}
	const Run full = run_plain(traced({ "-o", "/dev/full" }, { "true" }));
	INFO(full);
	CHECK(full.end == "exit 125");
	CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("formats: the command keeps its own disposition of SIGPIPE")
{
	const Words show = { "sh", "-c", "grep SigIgn /proc/self/status" };
	const Run bare = run_plain(show);
	const Run run = run_plain(traced({ "-o", temporary("sigpipe.json") }, show));

	INFO(run);
	CHECK(run.out == bare.out);
}

TEST_CASE("formats: a killed iotrace leaves no file behind")
{
	const std::string dir = folder("killed");
	Pipe ready;
	Spawn spawn;

	spawn.argv = traced({ "-o", dir + "/run.json", "-o", dir + "/run.txt" },
			    { "sh", "-c", "echo ready; exec sleep 60" });
	spawn.out = ready.writer;
	Process iotrace(spawn);
	ready.close_writer();
	read_until(ready.reader, "ready\n");
	CHECK(names_in(dir).empty());
	iotrace.signal(SIGKILL);
	CHECK(iotrace.wait() == "SIGKILL");
	CHECK(names_in(dir).empty());
}

TEST_CASE("formats: intervals are seen as they come, and the capture is of the whole")
{
	const std::string dir = folder("intervals");
	Spawn spawn;

	spawn.argv =
		traced({ "--interval=0.05", "-o", dir + "/run.txt", "-o", dir + "/run.json" },
		       { "sh", "-c",
			 "while [ ! -e " + dir + "/stop ]; do read x </dev/null; done; exit 0" });
	Process iotrace(spawn);
	CHECK(eventually([&] {
		return exists(dir + "/run.txt") &&
		       read_file(dir + "/run.txt").find("clock") != std::string::npos;
	}));
	CHECK(!exists(dir + "/run.json"));
	write_file(dir + "/stop", "");
	CHECK(iotrace.wait() == "exit 0");
	require_valid(dir + "/run.json");
	CHECK_THAT(read_file(dir + "/run.txt"),
		   ContainsSubstring(report({ dir + "/run.json", "--section=summary" }).out));
}

TEST_CASE("formats: a file that is not a capture is refused by name and place", "[once]")
{
	const std::string path = temporary("bad.json");
	const struct {
		std::string text;
		const char *said;
	} bad[] = {
		{ "", "line 1" },
		{ "iotrace\n", "line 1, column" },
		{ "{\"schema\": 7}", "schema: this is version 7 of the format, written by an "
				     "unknown program; iotrace " },
		{ "{}", "no capture" },
		{ "{\"schema\": 1, ", "ends too early" },
	};

	for (auto &b : bad) {
		write_file(path, b.text);
		const Run run = report({ path });
		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK(run.out == "");
		CHECK_THAT(run.err, ContainsSubstring("cannot read the capture '" + path + "': "));
		CHECK_THAT(run.err, ContainsSubstring(b.said));
	}
	for (const Words &arguments :
	     { Words{}, { "a", "b" }, { "--section=life", "a" }, { "-e", "all", "a" } }) {
		const Run run = report(arguments);

		INFO(run);
		CHECK(run.end == "exit 125");
		CHECK(run.err != "");
	}
}

TEST_CASE("formats: choices that contradict each other are refused before anything runs", "[once]")
{
	const std::string mark = temporary("never");
	const struct {
		Words options;
		Words said;
	} wrong[] = {
		{ { "--format=csv", "--section=summary,latency" }, { "csv", "summary, latency" } },
		{ { "--format=strace", "--section=latency" }, { "strace", "latency" } },
		{ { "--format=csv", "-o", mark + ".json" }, { "--format=csv", ".json" } },
		{ { "--format=pdf" }, { "--format", "pdf", "markdown" } },
		{ { "--section=summary,life" }, { "--section", "life", "integrity" } },
		{ { "--section=" }, { "--section" } },
		{ { "-o", "" }, { "-o" } },
	};

	for (auto &w : wrong) {
		const Run run = run_plain(traced(w.options, { "touch", mark }));

		INFO(run);
		CHECK(run.end == "exit 125");
		for (const std::string &word : w.said)
			CHECK_THAT(run.err, ContainsSubstring(word));
		CHECK(!exists(mark));
	}
}

TEST_CASE("formats: a command that is named like a subcommand is run after --", "[once]")
{
	const std::string dir = folder("named"), path = dir + "/report";
	Spawn how;

	write_file(path, "#!/bin/sh\necho the command\n");
	chmod(path.c_str(), 0755);
	how.env = { "PATH=" + dir + ":/usr/sbin:/usr/bin:/sbin:/bin" };
	const Run run = run_plain({ iotrace_path(), "--", "report" }, how);
	INFO(run);
	CHECK(run.out == "the command\n");
}
