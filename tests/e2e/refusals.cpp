// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel may refuse any of the probes. Then what that probe does is missing, with a note that
 * says why, and nothing else; or the run ends before its command starts. Each program of the
 * skeleton is refused in turn, in the first of the runs below that uses it.
 */
#include "lib/live.hpp"
#include "lib/refuse.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <linux/bpf.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "bpf/iotrace.h"
#include "iotrace.skel.h"

namespace
{
const std::string refused_load = "cannot load the eBPF probes: program '";

/* A run with these options. */
struct Way {
	const char *name;
	Words options;
	// True: all of its programs are refused. False: only those that no way before has.
	bool all_of_it;
};

const std::vector<Way> ways = {
	{ "plain", { "--no-files" }, true },	 { "files", {}, true },
	{ "cpu", { "--cpu" }, false },		 { "-p", { "-p" }, false },
	{ "-a", { "-a", "--no-files" }, false }, { "-a, files", { "-a" }, false },
	{ "a user's -p", { "-p" }, false },
};

bool is_watch(const Way &way)
{
	return !way.options.empty() && (way.options[0] == "-p" || way.options[0] == "-a");
}

/* True if only a preemptible Linux 7.0 or later uses the program, and this kernel is none. */
bool is_for_later_kernels(const std::string &program)
{
	utsname system = {};

	REQUIRE(uname(&system) == 0);
	return program.find("_late") != std::string::npos &&
	       (std::stoi(system.release) < 7 || !strstr(system.version, "PREEMPT"));
}

/* Names of the programs that a run on this kernel can need. */
std::set<std::string> programs_of_the_skeleton()
{
	iotrace_bpf *skel = iotrace_bpf__open();
	bpf_program *program;
	std::set<std::string> names;

	REQUIRE(skel);
	bpf_object__for_each_program (program, skel->obj)
		if (!is_for_later_kernels(bpf_program__name(program)))
			names.insert(bpf_program__name(program));
	iotrace_bpf__destroy(skel);
	return names;
}

void become_somebody()
{
	const uid_t user = own_user();

	if (setresgid(user, user, user) || setresuid(user, user, user))
		_exit(97);
}

/* iotrace with the two capabilities that it needs, where everybody may execute it. */
std::string capable_iotrace()
{
	static std::string path;

	if (path.empty()) {
		path = temporary("iotrace-that-is-refused");
		std::filesystem::copy_file(iotrace_path(), path);
		REQUIRE(run_plain({ "setcap", "cap_bpf,cap_perfmon+ep", path }).end == "exit 0");
	}
	return path;
}

/* The end of a run with a refusal. */
struct Outcome {
	Run run;
	std::set<std::string> loaded;
};

constexpr uint64_t nr_writes = 40;

Outcome run_command(const Way &way, const Refusal &refusal)
{
	const std::string loaded = temporary("loaded"), out = temporary("refused-out");
	Outcome outcome;
	Spawn how;

	how.in_child = refuse(refusal, loaded);
	std::string report = temporary("refused-report");
	std::filesystem::remove(report);
	std::filesystem::remove(out);
	outcome.run =
		run_plain(iotrace_argv(way.options + Words{ "-e", "write", "-o", report },
				       { "dd", "if=/dev/zero", "of=" + out, "bs=1",
					 "count=" + std::to_string(nr_writes), "status=none" },
				       nullptr),
			  how);
	outcome.run.report = parse_report(read_file(report));
	outcome.loaded = loaded_programs(loaded);
	/* Either it is traced, or nothing has run. */
	CHECK(exists(out) == (outcome.run.end == "exit 0"));
	return outcome;
}

Outcome watch(const Way &way, const Refusal &refusal)
{
	const bool somebody = way.name[0] == 'a', all = way.options[0] == "-a";
	const std::string loaded = temporary("loaded"), comm = own_name("refused");
	const std::string folder = temporary("refused-folder"), report = folder + "/report";
	Outcome outcome;
	Spawn how;

	std::filesystem::create_directory(folder);
	REQUIRE(chmod(folder.c_str(), 0777) == 0);
	std::filesystem::remove(report);
	Spawn whose;
	fixture("puppet");
	if (somebody)
		whose.in_child = become_somebody;
	Puppet puppet("", whose);
	puppet.tell("comm " + hex(comm));
	Words options = way.options + (all ? Words{ "--comm", comm } : Words{ puppet.pids() });
	how.argv = iotrace_argv(options + Words{ "-e", "write", "-o", report }, {}, nullptr);
	const std::function<void()> begin = refuse(refusal, loaded);
	if (somebody)
		how.argv[0] = capable_iotrace();
	how.in_child = [=] {
		begin();
		if (somebody)
			become_somebody();
	};
	Process iotrace(how);
	while (iotrace.running() && iotrace.err().find(begun) == std::string::npos)
		sched_yield();
	const bool traces = iotrace.running();
	puppet.tell("write " + std::to_string(nr_writes));
	if (traces)
		iotrace.signal(SIGINT);
	outcome.run.end = iotrace.wait();
	outcome.run.err = iotrace.err();
	outcome.run.report = parse_report(read_file(report));
	outcome.loaded = loaded_programs(loaded);
	CHECK(traces == (outcome.run.end == "exit 0"));
	return outcome;
}

Outcome run_way(const Way &way, const Refusal &refusal)
{
	return is_watch(way) ? watch(way, refusal) : run_command(way, refusal);
}

/* The programs that this run loads if nothing is refused. */
std::set<std::string> programs_of(const Way &way)
{
	const Outcome outcome = run_way(way, { BPF_PROG_LOAD, "no such program", EPERM });
	std::set<std::string> programs;

	INFO(way.name << "\n" << outcome.run);
	REQUIRE(outcome.run.end == "exit 0");
	REQUIRE(outcome.run.report.calls("write") == nr_writes);
	for (const std::string &program : programs_of_the_skeleton())
		if (outcome.loaded.count(name_in_kernel(program)))
			programs.insert(program);
	REQUIRE(programs.size() == outcome.loaded.size());
	return programs;
}

/* The note of a run that lacks this without the program. "": no run can do without it. */
std::string lacks(const std::string &program)
{
	static const std::map<std::string, std::string> optional = {
		{ "marked_enter_files", "which files the calls use is not known" },
		{ "marked_exit_files", "which files the calls use is not known" },
		{ "matched_enter_files", "which files the calls use is not known" },
		{ "matched_exit_files", "which files the calls use is not known" },
		{ "identify_files", "paths begin at the top of the mount namespace" },
		{ "name_files", "files have the names under which they were first seen" },
		{ "switch_task", "the CPU time of calls is not known" },
		{ "dump_tasks", "the calls that tasks are in at the end are not known" },
	};
	const auto found = optional.find(program);

	/* In a PID namespace, no run can do without dump_tasks. */
	if (found == optional.end() || (program == "dump_tasks" && getenv("E2E_ISOLATED")))
		return "";
	return found->second;
}

void check_refusal(const Way &way, const std::string &program, int error)
{
	const Outcome outcome = run_way(way, { BPF_PROG_LOAD, program, error });
	const std::string missing = lacks(program);
	const std::string why = refused_load + program + "': " + strerror(error) + "; ";

	INFO(way.name << ", " << program << ", " << strerror(error) << "\n" << outcome.run);
	if (missing.empty()) {
		CHECK(outcome.run.end == "exit 125");
		CHECK_THAT(outcome.run.err, ContainsSubstring("iotrace: error: " + why));
		return;
	}
	CHECK(outcome.run.end == "exit 0");
	CHECK_THAT(outcome.run.err, ContainsSubstring("iotrace: note: " + missing));
	CHECK_THAT(outcome.run.err, ContainsSubstring(": " + why));
	CHECK(outcome.run.report.calls("write") == nr_writes);
	CHECK(contradictions(outcome.run.report) == "");
	CHECK(outcome.run.report.lost == 0);
}
} // namespace

TEST_CASE("refusals: without a program, what it does is missing and nothing else")
{
	BPF_ONLY("strace has no programs");
	std::set<std::string> seen;

	for (const Way &way : ways)
		for (const std::string &program : programs_of(way)) {
			const bool is_new = seen.insert(program).second;

			for (int error : { EPERM, EINVAL, ENOMEM })
				if (is_new || way.all_of_it)
					check_refusal(way, program, error);
		}
	CHECK(seen == programs_of_the_skeleton());
}

TEST_CASE("refusals: without the tasks' iterator, what tasks hold that have not ended is not known",
	  "[.][machine]")
{
	if (getenv("E2E_ISOLATED"))
		SKIP_CASE("it is run alone, as build/tests/e2e '[machine]'");
	check_refusal(ways[1], "dump_tasks", EPERM);
	Way of_processes = { "-p", { "-p" }, false };
	const Outcome outcome = watch(of_processes, { BPF_PROG_LOAD, "dump_tasks", EPERM });

	INFO(outcome.run);
	CHECK(outcome.run.end == "exit 0");
	CHECK(outcome.run.report.calls("write") == nr_writes);
	CHECK_THAT(outcome.run.report.text,
		   ContainsSubstring("returned 40; entered and in flight not known; lost 0"));
}

TEST_CASE("refusals: files that cannot be told from others are refused by name")
{
	BPF_ONLY("strace has no programs");
	const Refusal refusals[] = { { BPF_PROG_LOAD, "identify_files", EPERM },
				     { BPF_PROG_LOAD, "marked_exit_files", EPERM } };

	for (const Refusal &refusal : refusals) {
		const Outcome outcome =
			run_command({ "-P", { "-P", temporary("refused-out") }, true }, refusal);

		INFO(outcome.run);
		CHECK(outcome.run.end == "exit 125");
		CHECK_THAT(outcome.run.err,
			   ContainsSubstring(refused_load + refusal.name + "': Operation"));
		if (refusal.name == "identify_files")
			CHECK_THAT(outcome.run.err,
				   ContainsSubstring("iotrace: error: -P: which files are meant "
						     "cannot be found out: "));
	}
	/* Names at the end are no part of what -y promises. */
	const Outcome named =
		run_command({ "-y", { "-y" }, true }, { BPF_PROG_LOAD, "name_files", EPERM });

	INFO(named.run);
	CHECK(named.run.end == "exit 0");
	CHECK_THAT(named.run.report.text, ContainsSubstring("/refused-out\n"));
}

TEST_CASE("refusals: a file that was renamed has its first name if there is no other")
{
	BPF_ONLY("strace has no programs");
	const Folder folder;
	const std::string report = temporary("renamed");

	for (const char *program : { "no such program", "name_files" }) {
		Spawn how;

		how.in_child = refuse({ BPF_PROG_LOAD, program, EPERM }, temporary("loaded"));
		how.directory = folder.path;
		const Run run = run_plain(
			iotrace_argv({ "-y", "-e", "write", "-o", report },
				     { "sh", "-c", "echo a >first; mv first second" }, nullptr),
			how);
		INFO(run << read_file(report));
		CHECK(run.end == "exit 0");
		CHECK_THAT(read_file(report),
			   ContainsSubstring(strcmp(program, "name_files") ? "/second\n"
									   : "/first\n"));
	}
}

TEST_CASE("refusals: a map or a link that cannot be had is named, too")
{
	BPF_ONLY("strace has no maps");
	const Outcome files = run_command(ways[1], { BPF_MAP_CREATE, "file_cells", ENOMEM });

	INFO(files.run);
	CHECK(files.run.end == "exit 0");
	CHECK(files.run.report.calls("write") == nr_writes);
	CHECK_THAT(files.run.err,
		   ContainsSubstring("which files the calls use is not known: cannot load the eBPF "
				     "probes: map 'file_cells': Cannot allocate memory; a smaller "
				     "--max-files needs less; "));
	const Outcome cells = run_command(ways[1], { BPF_MAP_CREATE, "cells", EPERM });

	INFO(cells.run);
	CHECK(cells.run.end == "exit 125");
	CHECK_THAT(cells.run.err,
		   ContainsSubstring("iotrace: error: cannot load the eBPF probes: map 'cells': "
				     "Operation not permitted; the kernel refuses it, and does not "
				     "say why; -v shows all"));
	for (int command : { BPF_LINK_CREATE, BPF_RAW_TRACEPOINT_OPEN }) {
		const Outcome links = watch({ "-p", { "-p" }, false }, { command, "", EPERM });

		INFO(links.run);
		if (links.run.end == "exit 0")
			continue; // This kernel, or libbpf, does without that command.
		CHECK(links.run.end == "exit 125");
		CHECK_THAT(links.run.err, ContainsSubstring(" the eBPF probes: program '"));
		CHECK_THAT(links.run.err, ContainsSubstring("': Operation not permitted; "));
	}
}

TEST_CASE("refusals: unless eBPF is asked for, strace goes on", "[once]")
{
	const std::string loaded = temporary("loaded"), report = temporary("gone-on");
	Spawn how;

	how.in_child = refuse({ BPF_PROG_LOAD, "task_exit", EPERM }, loaded);
	const Run run =
		run_plain({ iotrace_path(), "-e", "write", "-o", report, "--", "dd", "if=/dev/zero",
			    "of=" + temporary("refused-out"), "bs=1", "count=40", "status=none" },
			  how);

	INFO(run);
	CHECK(run.end == "exit 0");
	CHECK_THAT(
		run.err,
		ContainsSubstring(
			"iotrace: note: " + refused_load +
			"task_exit': Operation not permitted; the kernel refuses it, and does "
			"not say why; -v shows all of what libbpf says; using strace instead, "));
	CHECK(parse_report(read_file(report)).calls("write") == 40);
}

TEST_CASE("refusals: doctor says which program is missing, and what that means", "[once]")
{
	const struct {
		const char *program, *line, *still_ok;
		bool usable;
	} cases[] = {
		{ "task_exit", "  missing  commands: ", "bpf(2)", false },
		{ "mark_tasks", "  missing  running processes (-p): ", "commands", true },
		{ "matched_exit_files",
		  "  missing  files and findings with -a and --cgroup: which files the calls use "
		  "is not known: ",
		  "files and findings", true },
		{ "name_files",
		  "  missing  files' names at the end: files have the names under which they were "
		  "first seen, even if they were renamed: ",
		  "CPU time (--cpu)", true },
	};

	for (const auto &c : cases) {
		Spawn how;

		how.in_child =
			refuse({ BPF_PROG_LOAD, c.program, EPERM }, temporary("loaded"), true);
		const Run run = run_plain({ iotrace_path(), "doctor" }, how);
		INFO(run << run.out);
		CHECK(run.err == "");
		CHECK_THAT(run.out, Catch::Matchers::StartsWith(c.usable ? "bpf: usable\n"
									 : "bpf: not usable\n"));
		CHECK_THAT(run.out,
			   ContainsSubstring(std::string("  ok       ") + c.still_ok + "\n"));
		CHECK_THAT(run.out, ContainsSubstring(std::string(c.line) + refused_load +
						      c.program + "': Operation not permitted; "));
		/* The tracer stays, and so strace cannot be used. */
		CHECK(run.end == (c.usable ? "exit 0" : "exit 1"));
	}
}
